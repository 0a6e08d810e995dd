package org.rackweave.cli.ear;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.rackweave.cli.HdfsCommand;
import org.rackweave.cli.HdfsPath;
import org.rackweave.cli.TextTable;
import org.rackweave.cli.UsageException;
import org.rackweave.cli.Watchable;
import org.rackweave.cli.WholeNumber;
import org.rackweave.cli.WritableFile;
import org.rackweave.cli.admin.NameNodeAdmin;
import org.rackweave.cli.ear.yarn.YarnEngine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/**
 * {@code bin/rackweave encode}, {@code decode} and {@code stripes}: has the active NameNode do it,
 * shows how far it is, and prints what came out.
 */
public abstract class EarCommand extends HdfsCommand implements Callable<Integer> {
  private static final String BYTES = "bytes";

  @Option(names = "--dry-run", description = "Only show what would be done.")
  boolean dryRun;

  @Option(
      names = "--json",
      paramLabel = "FILE",
      converter = WritableFile.class,
      description = "Also write the figures to FILE.")
  private Path json;

  EarCommand(PrintStream out, PrintStream err) {
    super(out, err);
  }

  /** {@code bin/rackweave encode}. */
  public static EarCommand encode(PrintStream out, PrintStream err) {
    return new Encode(out, err);
  }

  /** {@code bin/rackweave decode}. */
  public static EarCommand decode(PrintStream out, PrintStream err) {
    return new Decode(out, err);
  }

  /** {@code bin/rackweave stripes}. */
  public static EarCommand stripes(PrintStream out, PrintStream err) {
    return new Stripes(out, err);
  }

  /** What the NameNode is asked, but for {@code dry-run}. */
  abstract List<String> question();

  @Override
  public Integer call() throws IOException, InterruptedException {
    List<String> question = new ArrayList<>(question());
    if (question.size() > 1) {
      question.add("dry-run=" + dryRun);
    }
    JobView view;
    try (NameNodeAdmin nameNode = NameNodeAdmin.connect(getConf())) {
      view = view(nameNode, question);
    }
    print(view);
    if (json != null) {
      write(view, json);
    }
    if (!view.isDone()) {
      throw new IOException(view.state() + ": " + view.reason());
    }
    return isFine(view) ? 0 : EXIT_FAILURE;
  }

  /** Whether what was done found nothing that calls for an administrator. */
  boolean isFine(JobView view) {
    return true;
  }

  /** Has the NameNode do what it is asked, and waits for the end. */
  JobView view(NameNodeAdmin nameNode, List<String> question)
      throws IOException, InterruptedException {
    return follow(nameNode, JobView.of(nameNode.ask(question.toArray(String[]::new))));
  }

  final JobView follow(NameNodeAdmin nameNode, JobView begun)
      throws IOException, InterruptedException {
    boolean terminal = Boolean.getBoolean("rackweave.terminal");
    return new JobFollower(nameNode::ask, new JobProgress(err, terminal, System::nanoTime), err)
        .follow(begun);
  }

  /** {@code bin/rackweave encode}. */
  @Command(
      name = "bin/rackweave encode",
      description =
          "Encodes the files below a directory now, with the codes of their rules: blocks get"
              + " parity, and when all blocks of a file have it, surplus replicas are removed. Ctrl-C"
              + " stops at any moment; finished stripes stay, and the next run continues.")
  static final class Encode extends EarCommand {
    enum Engine {
      /** DataNodes. */
      EMBEDDED,
      /** MapReduce jobs on YARN. */
      YARN
    }

    @Option(
        names = "--path",
        paramLabel = "P",
        converter = HdfsPath.class,
        description = "The directory or file; default: ${DEFAULT-VALUE}.")
    String path = "/";

    @Option(
        names = "--bandwidth",
        paramLabel = "B",
        converter = BytesPerSec.class,
        description = "Read at most B bytes a second for each stripe, such as 50m.")
    Long bandwidth;

    @Option(
        names = "--engine",
        paramLabel = "embedded|yarn",
        description =
            "embedded: DataNodes encode (default); yarn: MapReduce jobs in the stripes' core"
                + " racks, which need NodeManagers with Java 17 there.")
    Engine engine = Engine.EMBEDDED;

    @Option(
        names = "--jobs-per-rack",
        description = "With yarn: concurrent jobs per rack; default: ${DEFAULT-VALUE}.")
    @WholeNumber(max = 16)
    int jobsPerRack = 2;

    Encode(PrintStream out, PrintStream err) {
      super(out, err);
    }

    @Option(
        names = "-D",
        paramLabel = "KEY=VALUE",
        description = "With yarn: a setting of the jobs, such as mapreduce.job.queuename=night.")
    void settings(Map<String, String> settings) {
      settings.forEach(getConf()::set);
    }

    @Override
    List<String> question() {
      return bandwidth == null
          ? List.of("encode", "path=" + path)
          : List.of("encode", "path=" + path, "bandwidth=" + bandwidth);
    }

    @Override
    JobView view(NameNodeAdmin nameNode, List<String> question)
        throws IOException, InterruptedException {
      if (engine == Engine.EMBEDDED || dryRun) {
        return super.view(nameNode, question);
      }
      try (YarnEngine yarn =
          YarnEngine.connect(
              getConf(),
              nameNode::ask,
              nameNode::work,
              jobsPerRack,
              complaint -> err.println(name() + ": " + complaint))) {
        question.add("outside=" + String.join(",", yarn.racks()));
        JobView begun = JobView.of(nameNode.ask(question.toArray(String[]::new)));
        yarn.start(begun.id());
        JobView view = follow(nameNode, begun);
        yarn.finish();
        return view.with(yarn.figures(), yarn.lines());
      }
    }
  }

  /** {@code bin/rackweave decode}. */
  @Command(
      name = "bin/rackweave decode",
      description =
          "Restores the replicas of encoded files below a directory, and marks the files to"
              + " keep them. Parity that no other file needs is deleted. Ctrl-C stops at any moment.")
  static final class Decode extends EarCommand {
    @Option(
        names = "--path",
        paramLabel = "P",
        converter = HdfsPath.class,
        description = "The directory or file; default: ${DEFAULT-VALUE}.")
    private String path = "/";

    Decode(PrintStream out, PrintStream err) {
      super(out, err);
    }

    @Override
    List<String> question() {
      return List.of("decode", "path=" + path);
    }
  }

  /** {@code bin/rackweave stripes}. */
  @Watchable
  @Command(
      name = "bin/rackweave stripes",
      description =
          "Shows the state of stripes. Missing blocks are repaired automatically; misplaced"
              + " ones, as after the Balancer, are found and moved by this command. The exit code is 1"
              + " while a stripe cannot be decoded.")
  static final class Stripes extends EarCommand {
    @Option(
        names = "--audit",
        description = "Check every stripe: does it survive the failures that its code allows?")
    private boolean audit;

    @Option(names = "--fix", description = "With --audit: move misplaced blocks.")
    private boolean fix;

    Stripes(PrintStream out, PrintStream err) {
      super(out, err);
    }

    @Override
    List<String> question() {
      if (fix && !audit) {
        throw new UsageException("--fix goes with --audit");
      }
      return audit ? List.of("audit", "fix=" + fix) : List.of("stripes");
    }

    @Override
    protected boolean changes() {
      return fix;
    }

    @Override
    boolean isFine(JobView view) {
      return view.figures().getOrDefault("stripes_with_undecodable", 0L) == 0
          && view.figures().getOrDefault("stripes_missing_blocks_lost", 0L) == 0;
    }
  }

  /** Such as {@code 50m}. */
  static final class BytesPerSec implements ITypeConverter<Long> {
    private static final long MAX = 999_999_999_999L;

    @Override
    public Long convert(String text) {
      if (text.matches("[1-9][0-9]{0,11}[kmg]?")) {
        char unit = text.charAt(text.length() - 1);
        int shift = unit == 'k' ? 10 : unit == 'm' ? 20 : unit == 'g' ? 30 : 0;
        long number = Long.parseLong(shift == 0 ? text : text.substring(0, text.length() - 1));
        if (number <= MAX >> shift) {
          return number << shift;
        }
      }
      throw new TypeConversionException(
          "'"
              + text
              + "', allowed are 1 to "
              + MAX
              + " bytes a second, or a number with k, m or g");
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
