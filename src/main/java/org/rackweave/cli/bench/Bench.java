package org.rackweave.cli.bench;

import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.rackweave.cli.ToolCommand;
import org.rackweave.cli.WritableFile;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** {@code bin/rackweave bench}: what decisions and heartbeats cost next to stock HDFS. */
@Command(
    name = "bin/rackweave bench",
    description = "Measures decisions and heartbeats beside stock HDFS, and the simulator.")
public final class Bench extends ToolCommand {
  private static final List<Integer> SIZES = List.of(300, 3_500, 25_000);

  @Option(
      names = "--json",
      paramLabel = "FILE",
      converter = WritableFile.class,
      scope = ScopeType.INHERIT,
      description = "Also write the rows to FILE.")
  private Path json;

  @Option(
      names = "--nodes",
      paramLabel = "N",
      split = ",",
      scope = ScopeType.INHERIT,
      description =
          "Cluster sizes; default: 300,3500,25000 (dayu-plan: 3500,10000,25000); not for rs-encode"
              + " and ear-match.")
  private List<Integer> nodes;

  @Option(
      names = "--quick",
      scope = ScopeType.INHERIT,
      description = "A few rounds only, to check that it runs; the figures have no significance.")
  private boolean quick;

  /** Prints rows to {@code out} and what is wrong to {@code err}. */
  public Bench(PrintStream out, PrintStream err) {
    super(out, err);
  }

  /** Measures, and tells of each result at once. */
  @FunctionalInterface
  private interface Measurement<R> {
    void run(Consumer<R> results) throws Exception;
  }

  /** Measures a cluster of some size. */
  @FunctionalInterface
  private interface Sized<R> {
    void run(int nodes, Consumer<R> results) throws Exception;
  }

  @Command(
      name = "choose-target",
      description = "Choose three DataNodes for a block: CPU time and allocation.")
  void chooseTarget() throws Exception {
    each(BenchRow.TABLE, new ChooseTargetBench(getConf(), thorough(), out)::run);
  }

  @Command(description = "Handle a heartbeat with a report: CPU time and allocation.")
  void heartbeat() throws Exception {
    each(BenchRow.TABLE, new HeartbeatBench(getConf(), thorough())::run);
  }

  @Command(description = "Place blocks with two threads: what they cost each other.")
  void contention() throws Exception {
    each(ContentionBench.Row.TABLE, new ContentionBench(getConf(), quick ? 2 : 41)::run);
  }

  @Command(
      name = "rs-encode",
      description = "Compute Reed-Solomon parity, beside Hadoop's Java coder.")
  void rsEncode() throws Exception {
    Stopwatch stopwatch = quick ? Stopwatch.quick() : Stopwatch.brief();
    show(RsEncodeBench.Row.TABLE, new RsEncodeBench(stopwatch, out)::run);
  }

  @Command(
      name = "ear-match",
      description = "Test whether a block can join its stripe, beside a flow rebuilt each time.")
  void earMatch() throws Exception {
    show(EarMatchBench.Row.TABLE, new EarMatchBench(thorough())::run);
  }

  @Command(
      name = "dayu-plan",
      description =
          "Plan a recovery's sources, targets and rates: tasks per second, and makespan over the"
              + " ideal.")
  void dayuPlan() throws Exception {
    DayuPlanBench bench = quick ? DayuPlanBench.quick() : DayuPlanBench.thorough();
    nodes = nodes == null ? DayuPlanBench.SIZES : nodes;
    each(DayuPlanBench.Row.TABLE, bench::run);
  }

  @Command(
      description = "Count a getBlockLocations, with a million files tracked: CPU time and memory.")
  void popularity() throws Exception {
    each(PopularityBench.Row.TABLE, new PopularityBench(getConf(), thorough())::run);
  }

  @Command(name = "read-order", description = "Order a block's replicas for a client: CPU time.")
  void readOrder() throws Exception {
    each(BenchRow.TABLE, new ReadOrderBench(getConf(), thorough())::run);
  }

  @Command(
      name = "copy-sources",
      description =
          "Choose sources of copies: what it adds to targets and to a heartbeat, CPU time.")
  void copySources() throws Exception {
    each(BenchRow.TABLE, new CopySourcesBench(getConf(), thorough(), out)::run);
  }

  @Command(description = "Simulate a network: events per second.")
  void sim() throws Exception {
    SimBench bench = quick ? SimBench.quick() : SimBench.thorough();
    each(SimBench.Row.TABLE, bench::run);
  }

  private Stopwatch thorough() {
    return quick ? Stopwatch.quick() : Stopwatch.thorough();
  }

  private <R> void each(BenchTable<R> table, Sized<R> measurement) throws Exception {
    show(
        table,
        results -> {
          for (int size : nodes == null ? SIZES : nodes) {
            measurement.run(size, results);
          }
        });
  }

  private <R> void show(BenchTable<R> table, Measurement<R> measurement) throws Exception {
    out.println(table.header());
    List<R> results = new ArrayList<>();
    measurement.run(
        result -> {
          out.println(table.line(result));
          results.add(result);
        });
    if (json != null) {
      Files.writeString(json, table.json(results));
    }
  }
}
