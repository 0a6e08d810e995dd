package org.rackweave.cli.testbed.compare;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.rackweave.cli.TextTable;
import org.rackweave.cli.experiment.Figure;
import org.rackweave.cli.experiment.HotSchedule;
import org.rackweave.dayu.RecoveryBandwidth;
import org.rackweave.sim.statistics.Sample;

/**
 * The plan, the ideal, the figures and the verdict of {@code compare recovery}, for recoveries of
 * an embedded cluster, whose racks have no links of their own.
 */
public final class RecoveryShow {
  private static final Path PROC = Path.of("/proc");
  private static final double TAIL = 0.9;

  private final RecoverySettings settings;
  private final int racks;
  private final int nodesPerRack;
  private final long linkBytesPerSec;
  private final List<Method> methods;
  private final List<Results.Run<Run>> runs = new ArrayList<>();

  /**
   * @param labels of those who are compared, stock's default first
   */
  public RecoveryShow(
      RecoverySettings settings,
      int racks,
      int nodesPerRack,
      long linkBytesPerSec,
      List<String> labels) {
    this.settings = settings;
    this.racks = racks;
    this.nodesPerRack = nodesPerRack;
    this.linkBytesPerSec = linkBytesPerSec;
    methods = labels.stream().map(RecoveryShow::method).toList();
  }

  private static Method method(String label) {
    for (Method method : RecoveryExperiment.METHODS) {
      if (method.label().equals(label)) {
        return method;
      }
    }
    throw new IllegalArgumentException(label);
  }

  /** The NameNode's settings of one of those who are compared. */
  public static Map<String, String> settingsOf(String label) {
    return method(label).settings();
  }

  /** The plan of a seed. */
  public Plan plan(long seed) {
    // Racks have no links; what a plan wants of theirs is how fast the DataNode may be filled.
    return new Plan(
        RecoveryPlan.draw(settings, racks, nodesPerRack, nodesPerRack * linkBytesPerSec, seed));
  }

  /** What happens, drawn from a seed alone. */
  public static final class Plan {
    private final RecoveryPlan drawn;

    private Plan(RecoveryPlan drawn) {
      this.drawn = drawn;
    }

    public long seed() {
      return drawn.seed();
    }

    /** The DataNode that dies. */
    public int victim() {
      return drawn.victim();
    }

    /** Which racks are hot when. */
    public HotSchedule schedule() {
      return drawn.schedule();
    }

    /** Where each block that is lost has its replicas. */
    public List<List<Integer>> replicas() {
      return drawn.filled().stream().map(Filling.Filled::replicas).toList();
    }

    /** When others' writes are due, milliseconds after the load begins. */
    public List<Integer> writesAtMs() {
      return drawn.writes().stream().map(PoissonWrites.Planned::atMs).toList();
    }
  }

  /** What hosts had sent and received at a moment, milliseconds after the load began. */
  public record Reading(long atMs, long[] sentBytes, long[] receivedBytes) {}

  /**
   * The least time in which what is lost can be made again.
   *
   * @param readings of what links carried before the DataNode died
   * @param fromMs when it died
   */
  public double idealSeconds(Plan plan, List<Reading> readings, long fromMs) {
    return IdealRebuild.seconds(
        plan.drawn, settings, idle(plan, readings), racks, nodesPerRack, fromMs);
  }

  private IdleLinks idle(Plan plan, List<Reading> readings) {
    double[][] bytes = new double[2][2];
    double[] seconds = new double[2];
    for (int i = 1; i < readings.size(); i++) {
      Reading from = readings.get(i - 1);
      Reading to = readings.get(i);
      Set<Integer> hot = plan.schedule().hotAt(from.atMs());
      if (hot.equals(plan.schedule().hotBetween(from.atMs(), to.atMs()))) {
        for (int node = 0; node < racks * nodesPerRack; node++) {
          int kind = hot.contains(node / nodesPerRack) ? 1 : 0;
          seconds[kind] += (to.atMs() - from.atMs()) / 1e3;
          bytes[kind][0] += to.sentBytes()[node] - from.sentBytes()[node];
          bytes[kind][1] += to.receivedBytes()[node] - from.receivedBytes()[node];
        }
      }
    }
    return new IdleLinks(
        way(bytes[0][0], seconds[0]),
        way(bytes[0][1], seconds[0]),
        way(bytes[1][0], seconds[1]),
        way(bytes[1][1], seconds[1]));
  }

  private IdleLinks.Way way(double bytes, double seconds) {
    RecoveryBandwidth bandwidth = RecoverySettings.BANDWIDTH;
    return new IdleLinks.Way(
        Double.POSITIVE_INFINITY,
        bandwidth.of(linkBytesPerSec, seconds == 0 ? 0 : bytes / seconds));
  }

  /** Times of others' operations: those due before the death, and from then until all is whole. */
  public record Latencies(double[] before, double[] during) {
    double rise() {
      return new Sample(during).quantile(TAIL) / new Sample(before).quantile(TAIL);
    }
  }

  /** How much of the processors others use from now on. */
  public static final class OtherPrograms {
    private final ForeignCpu cpu;

    public OtherPrograms() throws IOException {
      long self = ProcessHandle.current().pid();
      cpu = new ForeignCpu(CpuTimes.read(PROC), self, pid -> pid == self);
    }

    private ForeignCpu now() throws IOException {
      cpu.update(CpuTimes.read(PROC));
      return cpu;
    }
  }

  private record Run(RecoveryRun writes, RecoveryRun reads) {}

  /** Adds what came of a plan. */
  public void add(
      String label,
      Plan plan,
      double rebuildSeconds,
      double idealSeconds,
      Latencies writes,
      Latencies reads,
      OtherPrograms others)
      throws IOException {
    ForeignCpu cpu = others.now();
    List<RecoveryRun> both =
        List.of(writes, reads).stream()
            .map(
                times ->
                    new RecoveryRun(
                        String.valueOf(plan.victim()),
                        plan.replicas().size(),
                        0,
                        rebuildSeconds,
                        idealSeconds,
                        List.of(),
                        times.before(),
                        times.during(),
                        0))
            .toList();
    runs.add(
        new Results.Run<>(
            method(label),
            plan.seed(),
            0,
            new Experiment.Measured<>(
                new Run(both.get(0), both.get(1)), cpu.busyShare(), cpu.share())));
  }

  /** The rebuild's seconds, the sum over seeds. */
  public double rebuildSeconds(String label) {
    return runs.stream()
        .filter(run -> run.contender().equals(method(label)))
        .mapToDouble(run -> run.figures().writes().rebuildSeconds())
        .sum();
  }

  private static Figure<Run> figure(String of, Figure<RecoveryRun> figure, boolean isOfReads) {
    return new Figure<>(
        figure.key(),
        figure.label().replace("other writes", of),
        figure.pattern(),
        run -> figure.of().applyAsDouble(isOfReads ? run.reads() : run.writes()));
  }

  private static List<Figure<Run>> figures() {
    List<Figure<Run>> figures = new ArrayList<>();
    figures.add(figure("", RecoveryFigures.REBUILD, false));
    figures.add(Figure.seconds("ideal_s", "ideal", run -> run.writes().idealSeconds()));
    figures.add(figure("", RecoveryFigures.OVER_IDEAL, false));
    for (boolean isOfReads : List.of(false, true)) {
      String of = isOfReads ? "reads" : "writes";
      figures.add(figure(of, RecoveryFigures.BEFORE, isOfReads));
      figures.add(figure(of, RecoveryFigures.DURING, isOfReads));
      Figure<Run> rise = figure(of, RecoveryFigures.RISE, isOfReads);
      figures.add(new Figure<>(rise.key(), of + ", " + rise.label(), rise.pattern(), rise.of()));
      figures.add(
          Figure.count(
              "during",
              of + " during",
              run -> (isOfReads ? run.reads() : run.writes()).during().length));
    }
    return figures;
  }

  /** All figures, the ratio to stock's default, and what is wanted of Dayu. */
  public String text() {
    Results<Run> results = results(run -> run);
    StringBuilder text = new StringBuilder();
    for (Method method : methods) {
      text.append(method.label()).append('\n');
      for (Figure<Run> figure : figures()) {
        String value = figure.text(results.spread(method, figure));
        text.append("  ").append(figure.label()).append(' ').append(value).append('\n');
      }
    }
    text.append("Rebuild, times as fast as stock by default:\n");
    for (Method method : methods) {
      text.append(
          String.format(
              Locale.ROOT,
              "  %s %.2f%n",
              method.label(),
              rebuildSeconds(methods.get(0).label()) / rebuildSeconds(method.label())));
    }
    text.append("By writes:\n").append(RecoveryVerdict.table(results(Run::writes)).text());
    TextTable byReads = RecoveryVerdict.table(results(Run::reads));
    return text.append("By reads:\n").append(byReads.text()).toString();
  }

  private <M> Results<M> results(java.util.function.Function<Run, M> view) {
    return new Results<>(
        Map.of(),
        new Trials(0.1, 0),
        methods,
        methods.get(0),
        runs.stream().map(run -> viewed(run, view)).toList(),
        List.of());
  }

  private static <M> Results.Run<M> viewed(
      Results.Run<Run> run, java.util.function.Function<Run, M> view) {
    Experiment.Measured<Run> measured = run.measured();
    return new Results.Run<>(
        run.contender(),
        run.seed(),
        run.attempt(),
        new Experiment.Measured<>(
            view.apply(measured.figures()), measured.busyCpuShare(), measured.foreignCpuShare()));
  }
}
