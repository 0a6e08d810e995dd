package org.rackweave.cli.sim;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.apache.commons.compress.archivers.ArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.rackweave.chart.Page;
import org.rackweave.cli.ToolCommand;
import org.rackweave.cli.UsageException;
import org.rackweave.cli.WritableFile;
import org.rackweave.cli.admin.JsonTables;
import org.rackweave.hdfs.Placing;
import org.rackweave.hdfs.RuleWords;
import org.rackweave.hdfs.namenode.BoxSegment;
import org.rackweave.history.PlacementRecord;
import org.rackweave.history.PlacementRecord.Ranking;
import org.rackweave.history.RecordedFrame;
import org.rackweave.history.RecordedWrite;
import org.rackweave.placement.FallbackReason;
import org.rackweave.rules.PathTable;
import org.rackweave.rules.RuleSet;
import org.rackweave.sim.run.RecordedHours;
import org.rackweave.sim.run.ReplayRun;
import org.rackweave.sim.run.ReplayRun.Choice;
import org.rackweave.sim.run.ReplayRun.Outcome;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code bin/rackweave replay}: what a NameNode's black box recorded, with other rules. */
@Command(
    name = "bin/rackweave replay",
    description = {
      "Places the recorded blocks of a NameNode's black box again in the simulator, under"
          + " the recorded loads: where they went, as stock HDFS does, with the rules in force,"
          + " and with other rules. The black box is the directory rackweave.black-box.directory"
          + " on the NameNode's disk.",
      "",
      "Intervals (95 %%) are over random choices under the same loads."
    })
public final class ReplayCommand extends ToolCommand implements Callable<Integer> {
  private static final String RECORDED = "as recorded";
  private static final String STOCK = "stock HDFS";
  private static final int RUNS = 5;
  private static final int WRITES_MAX = 20_000;
  private static final Pattern SEGMENT = Pattern.compile(".*\\d{16}\\.box");
  private static final Pattern NAMESPACE = Pattern.compile("BP-[^/]*");
  private static final Pattern RULE = Pattern.compile("(/.*?)((?:\\s+[a-z]+=\\S+)+)");

  private final List<RecordedFrame> frames = new ArrayList<>();
  private final List<RecordedWrite> writes = new ArrayList<>();
  private final Set<String> namespaces = new TreeSet<>();
  private final Set<String> wordsNotReplayed = new TreeSet<>();

  @Option(
      names = "--box",
      required = true,
      split = ",",
      paramLabel = "DIR|TAR",
      description =
          "The black box, or those of all NameNodes of a namespace; a tar may be gzipped.")
  private List<Path> boxes;

  @Option(
      names = "--rules",
      paramLabel = "FILE",
      description =
          "Other rules, one per line: PATH WORD=VALUE ..., as for 'rules set'. Only"
              + " place=network and place=stock are replayed. Default: place=network for all.")
  private Path rules;

  @Option(
      names = "--json",
      paramLabel = "FILE",
      converter = WritableFile.class,
      description = "Write the figures to FILE.")
  private Path json;

  @Option(
      names = "--html",
      paramLabel = "FILE",
      converter = WritableFile.class,
      description = "Write a page to FILE.")
  private Path html;

  public ReplayCommand(PrintStream out, PrintStream err) {
    super(out, err);
  }

  @Override
  public Integer call() throws IOException {
    PathTable<Placing> placing = Placing.of(rules == null ? RuleSet.NONE : readRules());
    if (placing.byDirectory().containsValue(Placing.ODDS)) {
      throw new UsageException(
          rules + ": place=odds cannot be replayed, because a black box has no odds");
    }
    for (Path box : boxes) {
      readBox(box);
    }
    if (namespaces.size() > 1) {
      throw new UsageException("boxes of several namespaces: " + String.join(", ", namespaces));
    }
    RecordedHours hours;
    try {
      hours = new RecordedHours(frames, writes, WRITES_MAX);
    } catch (IllegalArgumentException e) {
      throw new IOException(e.getMessage(), e);
    }
    Map<String, List<Outcome>> outcomes = new LinkedHashMap<>();
    run(hours, outcomes, RECORDED, write -> Choice.RECORDED);
    run(hours, outcomes, STOCK, write -> Choice.STOCK);
    run(hours, outcomes, "in force", write -> choice(write.isBy(Ranking.NETWORK)));
    run(
        hours,
        outcomes,
        rules == null ? "place=network" : "other rules",
        write -> choice(isByNetwork(write.decision(), placing)));
    ObjectNode answer = summary(hours);
    answer.put("check", ReplayFigures.check(hours, outcomes.get(RECORDED).get(0)));
    new ReplayFigures(hours, outcomes, STOCK).addTo(answer.putArray("rows"));
    String text = JsonTables.text(answer);
    out.print(text);
    if (json != null) {
      Files.writeString(json, answer.toPrettyString() + "\n");
    }
    if (html != null) {
      Files.writeString(html, new Page("Replay of recorded writes").text(text).html());
    }
    return 0;
  }

  private static Choice choice(boolean isByNetwork) {
    return isByNetwork ? Choice.NETWORK : Choice.STOCK;
  }

  /** Whether the network would decide, which no rule makes it do for every block. */
  private static boolean isByNetwork(PlacementRecord write, PathTable<Placing> placing) {
    return placing.of(write.path()) != Placing.STOCK
        && write.fallback() != FallbackReason.SMALL_BLOCK
        && write.fallback() != FallbackReason.FAVORED_NODES;
  }

  private void run(
      RecordedHours hours,
      Map<String, List<Outcome>> outcomes,
      String by,
      Function<RecordedWrite, Choice> choices) {
    err.printf("%s: %s, %d runs%n", name(), by, RUNS);
    outcomes.put(
        by,
        IntStream.rangeClosed(1, RUNS)
            .parallel()
            .mapToObj(seed -> new ReplayRun(hours, choices, seed).run())
            .toList());
  }

  private ObjectNode summary(RecordedHours hours) {
    int size = hours.writes().size();
    ObjectNode answer = JsonNodeFactory.instance.objectNode();
    answer.put("from", Instant.ofEpochMilli(hours.beginMs()).toString());
    answer.put("to", Instant.ofEpochMilli(hours.endMs()).toString());
    answer.put("datanodes", hours.topology().nodeCount());
    answer.put("racks", hours.topology().rackCount());
    answer.put("writes_replayed", size);
    answer.put(
        "writes_they_stand_for",
        Math.round(IntStream.range(0, size).mapToDouble(hours::weight).sum()));
    answer.put(
        "by_odds_replayed_as_stock",
        hours.writes().stream().filter(write -> write.isBy(Ranking.ODDS)).count());
    answer.put("words_not_replayed", String.join(" ", wordsNotReplayed));
    return answer;
  }

  private void readBox(Path box) throws IOException {
    if (Files.isDirectory(box)) {
      try (Stream<Path> files = Files.walk(box.toAbsolutePath())) {
        for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
          try (InputStream in = new BufferedInputStream(Files.newInputStream(file))) {
            readSegment(file.toString(), in);
          }
        }
      }
      return;
    }
    boolean isZipped = box.toString().endsWith("gz");
    try (InputStream file = new BufferedInputStream(Files.newInputStream(box));
        TarArchiveInputStream tar =
            new TarArchiveInputStream(isZipped ? new GZIPInputStream(file) : file)) {
      for (ArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
        readSegment(entry.getName(), tar);
      }
    }
  }

  private void readSegment(String name, InputStream in) throws IOException {
    if (!SEGMENT.matcher(name).matches()) {
      return;
    }
    Matcher namespace = NAMESPACE.matcher(name);
    if (namespace.find()) {
      namespaces.add(namespace.group());
    }
    BoxSegment.read(
        in,
        record -> {
          if (record instanceof RecordedFrame frame) {
            frames.add(frame);
          } else if (record instanceof RecordedWrite write) {
            writes.add(write);
          }
        });
  }

  private RuleSet readRules() throws IOException {
    RuleSet read = RuleSet.NONE;
    for (String line : Files.readAllLines(rules)) {
      Matcher rule = RULE.matcher(line.strip());
      if (line.isBlank() || line.startsWith("#")) {
        continue;
      }
      try {
        if (!rule.matches()) {
          throw new IllegalArgumentException("allowed is PATH WORD=VALUE ...");
        }
        Map<String, String> words = RuleSet.words(List.of(rule.group(2).strip().split("\\s+")));
        RuleWords.check(words);
        read = read.with(rule.group(1), words);
        wordsNotReplayed.addAll(words.keySet());
      } catch (IllegalArgumentException e) {
        throw new UsageException(rules + ", '" + line.strip() + "': " + e.getMessage());
      }
    }
    wordsNotReplayed.remove(Placing.WORD);
    return read;
  }
}
