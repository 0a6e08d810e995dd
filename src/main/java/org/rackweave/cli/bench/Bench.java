package org.rackweave.cli.bench;

import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.util.Tool;
import org.rackweave.cli.UsageException;

/** {@code bin/rackweave bench}: what decisions and heartbeats cost next to stock HDFS. */
public final class Bench extends Configured implements Tool {
  private static final String USAGE =
      """
      Usage: bin/rackweave bench choose-target|heartbeat|contention|rs-encode|ear-match|dayu-plan|popularity|read-order|copy-sources|sim
             [options]
        choose-target  the choice of three DataNodes for a block, CPU time and allocation
        heartbeat      a heartbeat with a report, CPU time and allocation
        contention     what two threads that place blocks in one cluster cost each other
        rs-encode      Reed-Solomon parity, by ours and by Hadoop's Java coder
        ear-match      whether a block can join its stripe (EAR), against a flow built anew
        dayu-plan      a recovery's sources, destinations and rates (Dayu), tasks per second and
                       makespan over ideal
        popularity     a getBlockLocations that is counted, a million files tracked, CPU time and memory
        read-order     the order in which a block's replicas are offered to a reader, CPU time
        copy-sources   what EAFR's sources of copies add to a copy's targets and to a heartbeat, CPU time
        sim            events per second of the simulated network

      Options:
        --json FILE    writes the rows to FILE as well
        --nodes N,..   cluster sizes, 300,3500,25000 unless given (dayu-plan: 3500,10000,25000);
                       rs-encode and ear-match have none
        --quick        a few turns only, to see that it runs; the figures mean nothing
      """;

  private static final List<Integer> SIZES = List.of(300, 3_500, 25_000);

  private final PrintStream out;

  public Bench(PrintStream out) {
    this.out = out;
  }

  private record Options(String what, Path json, List<Integer> nodes, boolean quick) {}

  @Override
  public int run(String[] args) throws Exception {
    if (List.of(args).contains("--help")) {
      out.print(USAGE);
      return 0;
    }
    Options options;
    try {
      options = parse(args);
    } catch (UsageException e) {
      out.println(e.getMessage());
      out.print(USAGE);
      return 2;
    }
    List<BenchLine> rows = measure(options);
    if (options.json() != null) {
      Files.writeString(options.json(), BenchLine.json(rows));
    }
    return 0;
  }

  private List<BenchLine> measure(Options options) throws Exception {
    List<BenchLine> rows = new ArrayList<>();
    if (options.what().equals("rs-encode")) {
      out.println(RsEncodeRow.header());
      Stopwatch stopwatch = options.quick() ? Stopwatch.quick() : Stopwatch.brief();
      rows.addAll(new RsEncodeBench(stopwatch, out).run());
      return rows;
    }
    if (options.what().equals("ear-match")) {
      out.println(EarMatchRow.header());
      Stopwatch stopwatch = options.quick() ? Stopwatch.quick() : Stopwatch.thorough();
      rows.addAll(new EarMatchBench(stopwatch, out).run());
      return rows;
    }
    out.println(
        switch (options.what()) {
          case "contention" -> ContentionRow.header();
          case "dayu-plan" -> DayuPlanRow.header();
          case "popularity" -> PopularityRow.header();
          case "sim" -> SimBenchRow.header();
          default -> BenchRow.header();
        });
    for (int nodes : options.nodes()) {
      rows.addAll(measure(options, nodes));
    }
    return rows;
  }

  private List<? extends BenchLine> measure(Options options, int nodes) throws Exception {
    Stopwatch stopwatch = options.quick() ? Stopwatch.quick() : Stopwatch.thorough();
    return switch (options.what()) {
      case "heartbeat" -> new HeartbeatBench(getConf(), stopwatch, out).run(nodes);
      case "popularity" -> List.of(new PopularityBench(getConf(), stopwatch, out).run(nodes));
      case "read-order" -> new ReadOrderBench(getConf(), stopwatch, out).run(nodes);
      case "copy-sources" -> new CopySourcesBench(getConf(), stopwatch, out).run(nodes);
      case "contention" -> new ContentionBench(getConf(), options.quick() ? 2 : 41, out).run(nodes);
      case "dayu-plan" ->
          (options.quick() ? DayuPlanBench.quick() : DayuPlanBench.thorough())
              .run(nodes, row -> out.println(row.line()));
      case "sim" ->
          (options.quick() ? SimBench.quick() : SimBench.thorough())
              .run(nodes, row -> out.println(row.line()));
      default -> new ChooseTargetBench(getConf(), stopwatch, out).run(nodes);
    };
  }

  private static Options parse(String[] args) {
    String what = null;
    Path json = null;
    List<Integer> nodes = null;
    boolean quick = false;
    for (int i = 0; i < args.length; i++) {
      switch (args[i]) {
        case "choose-target",
            "heartbeat",
            "contention",
            "rs-encode",
            "ear-match",
            "dayu-plan",
            "popularity",
            "read-order",
            "copy-sources",
            "sim" ->
            what = args[i];
        case "--quick" -> quick = true;
        case "--json" -> json = Path.of(valueOf(args, i++));
        case "--nodes" -> nodes = sizes(valueOf(args, i++));
        default -> throw new UsageException("bench: what is '" + args[i] + "'?");
      }
    }
    if (what == null) {
      throw new UsageException("bench: say what to measure");
    }
    if (nodes == null) {
      nodes = what.equals("dayu-plan") ? DayuPlanBench.SIZES : SIZES;
    }
    return new Options(what, json, nodes, quick);
  }

  private static String valueOf(String[] args, int option) {
    if (option + 1 == args.length) {
      throw new UsageException("bench: " + args[option] + " needs a value");
    }
    return args[option + 1];
  }

  private static List<Integer> sizes(String list) {
    try {
      return Arrays.stream(list.split(",")).map(Integer::valueOf).toList();
    } catch (NumberFormatException e) {
      throw new UsageException("bench: --nodes takes numbers, not '" + list + "'");
    }
  }
}
