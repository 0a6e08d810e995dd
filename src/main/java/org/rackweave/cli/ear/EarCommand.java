package org.rackweave.cli.ear;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.util.Tool;
import org.rackweave.cli.UsageException;
import org.rackweave.cli.ear.yarn.YarnEngine;
import org.rackweave.cli.experiment.TextTable;

/**
 * {@code bin/rackweave encode}, {@code decode} and {@code stripes}: has the active NameNode do it,
 * shows how far it is, and prints what came out.
 */
public final class EarCommand extends Configured implements Tool {
  private static final int EXIT_FAILURE = 1;
  private static final int EXIT_USAGE = 2;
  private static final String BYTES = "bytes";

  private static final String ENCODE_USAGE =
      """
      Usage: bin/rackweave encode [options]

      Encodes the files below a directory now, by the codes that rules give them: their
      blocks get parity, and when all blocks of a file have it, its surplus replicas go. Ctrl-C stops it
      at any moment; what is done stays done, and the next run goes on with the rest.

      Options:
        --path P        the directory or file, / unless given
        --dry-run       only tell what there is to do
        --bandwidth B   read at most B bytes a second for each stripe, such as 50m
        --engine E      who encodes: embedded, the DataNodes, unless given; yarn, MapReduce jobs that
                        YARN keeps in the stripes' core racks; needs NodeManagers with Java 17 there
        --jobs-per-rack N  with yarn: at most N jobs at a time in each rack, 1 to 16, 2 unless given
        --json FILE     write the figures to FILE too
        -D key=value    with yarn: a setting of the jobs, such as mapreduce.job.queuename=night
        -fs URI         the HDFS, otherwise the one HADOOP_CONF_DIR names
        --help          print this text
      """;

  private static final String DECODE_USAGE =
      """
      Usage: bin/rackweave decode [options]

      Gives the encoded files below a directory the replicas back that they had, and marks them to keep
      these. Parity that no other file needs goes. Ctrl-C stops it at any moment.

      Options:
        --path P        the directory or file, / unless given
        --dry-run       only tell what there is to do
        --json FILE     write the figures to FILE too
        -fs URI         the HDFS, otherwise the one HADOOP_CONF_DIR names
        --help          print this text
      """;

  private static final String STRIPES_USAGE =
      """
      Usage: bin/rackweave stripes [options]

      Tells how the stripes stand. What misses blocks is repaired by itself; what lies wrong, as after
      the Balancer, is found and moved here.

      Options:
        --audit         look at every stripe: whether it survives what its code promises
        --fix           with --audit: move blocks that lie wrong
        --dry-run       with --fix: only tell the moves
        --json FILE     write the figures to FILE too
        -fs URI         the HDFS, otherwise the one HADOOP_CONF_DIR names
        --help          print this text
      """;

  /** What one of the commands has that the others have not. */
  private record Kind(String name, String usage, Set<String> options) {}

  private static final Kind ENCODE =
      new Kind(
          "encode",
          ENCODE_USAGE,
          Set.of("--path", "--dry-run", "--bandwidth", "--engine", "--jobs-per-rack", "--json"));
  private static final Kind DECODE =
      new Kind("decode", DECODE_USAGE, Set.of("--path", "--dry-run", "--json"));
  private static final Kind STRIPES =
      new Kind("stripes", STRIPES_USAGE, Set.of("--audit", "--fix", "--dry-run", "--json"));

  private final Kind kind;
  private final PrintStream out;
  private final PrintStream err;
  private final boolean terminal = Boolean.getBoolean("rackweave.terminal");

  private EarCommand(Kind kind, PrintStream out, PrintStream err) {
    this.kind = kind;
    this.out = out;
    this.err = err;
  }

  /** {@code bin/rackweave encode}. */
  public static EarCommand encode(PrintStream out, PrintStream err) {
    return new EarCommand(ENCODE, out, err);
  }

  /** {@code bin/rackweave decode}. */
  public static EarCommand decode(PrintStream out, PrintStream err) {
    return new EarCommand(DECODE, out, err);
  }

  /** {@code bin/rackweave stripes}. */
  public static EarCommand stripes(PrintStream out, PrintStream err) {
    return new EarCommand(STRIPES, out, err);
  }

  @Override
  public int run(String[] args) throws InterruptedException {
    try {
      EarOptions options = EarOptions.parse(args, kind.options());
      if (options.help()) {
        out.print(kind.usage());
        return 0;
      }
      JobView view;
      try (NameNodeAdmin nameNode = NameNodeAdmin.connect(getConf())) {
        view = view(nameNode, options);
      }
      print(view);
      if (options.json().isPresent()) {
        write(view, options.json().get());
      }
      if (!view.isDone()) {
        err.println("rackweave " + kind.name() + ": " + view.state() + ": " + view.reason());
        return EXIT_FAILURE;
      }
      return 0;
    } catch (UsageException e) {
      err.println("rackweave " + kind.name() + ": " + e.getMessage());
      err.println("bin/rackweave " + kind.name() + " --help lists the options");
      return EXIT_USAGE;
    } catch (IOException e) {
      err.println("rackweave " + kind.name() + ": " + e.getMessage());
      return EXIT_FAILURE;
    }
  }

  private JobView view(NameNodeAdmin nameNode, EarOptions options)
      throws IOException, InterruptedException {
    List<String> question = new ArrayList<>();
    if (kind == STRIPES && !options.audit()) {
      return nameNode.ask("stripes");
    }
    if (kind == STRIPES) {
      question.add("audit");
      question.add("fix=" + options.fix());
    } else {
      question.add(kind.name());
      question.add("path=" + options.path());
    }
    question.add("dry-run=" + options.dryRun());
    if (options.bandwidth() > 0) {
      question.add("bandwidth=" + options.bandwidth());
    }
    if (options.engine() == EarOptions.Engine.YARN && !options.dryRun()) {
      return withYarn(nameNode, options, question);
    }
    return follower(nameNode).follow(nameNode.ask(question.toArray(String[]::new)));
  }

  private JobFollower follower(NameNodeAdmin nameNode) {
    return new JobFollower(nameNode::text, new JobProgress(err, terminal, System::nanoTime), err);
  }

  private JobView withYarn(NameNodeAdmin nameNode, EarOptions options, List<String> question)
      throws IOException, InterruptedException {
    try (YarnEngine yarn =
        YarnEngine.connect(
            getConf(),
            nameNode::text,
            nameNode::work,
            options.jobsPerRack(),
            complaint -> err.println("rackweave " + kind.name() + ": " + complaint))) {
      question.add("outside=" + String.join(",", yarn.racks()));
      JobView begun = nameNode.ask(question.toArray(String[]::new));
      yarn.start(begun.id());
      JobView view = follower(nameNode).follow(begun);
      yarn.finish();
      return view.with(yarn.figures(), yarn.lines());
    }
  }

  private void print(JobView view) {
    List<List<String>> rows = new ArrayList<>();
    for (Map.Entry<String, Long> figure : view.figures().entrySet()) {
      boolean isBytes = figure.getKey().contains(BYTES);
      rows.add(
          List.of(
              figure.getKey().replace('_', ' '),
              isBytes ? bytes(figure.getValue()) : String.valueOf(figure.getValue())));
    }
    out.print(new TextTable(List.of("", ""), rows).text().replaceFirst("^\\s*\n", ""));
    view.lines().forEach(out::println);
  }

  private static String bytes(long bytes) {
    String[] units = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
    double value = bytes;
    int unit = 0;
    while (Math.abs(value) >= 1024 && unit < units.length - 1) {
      value /= 1024;
      unit++;
    }
    return unit == 0 ? bytes + " B" : String.format("%.1f %s", value, units[unit]);
  }

  private static void write(JobView view, Path file) throws IOException {
    ObjectMapper mapper = new ObjectMapper();
    ObjectNode root = mapper.createObjectNode();
    root.put("state", view.state());
    view.figures().forEach(root::put);
    view.lines().forEach(root.putArray("lines")::add);
    mapper.writerWithDefaultPrettyPrinter().writeValue(file.toFile(), root);
  }
}
