package org.rackweave.cli.testbed.compare;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.LongStream;
import org.rackweave.cli.UsageException;
import org.rackweave.cli.WholeNumber;
import org.rackweave.cli.WritableFile;
import org.rackweave.cli.testbed.TestbedName;
import org.rackweave.cli.testbed.TestbedSpec;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What is to be compared, and how. */
public final class CompareOptions {

  /** What is compared. */
  enum Kind {
    WRITES(WritesExperiment.METHODS),
    RECOVERY(RecoveryExperiment.METHODS),
    READS(ReadsExperiment.METHODS),
    ENCODE(EncodeExperiment.METHODS),
    ALL(AllExperiment.METHODS);

    private final List<String> policies;

    Kind(List<Method> methods) {
      policies = methods.stream().map(Method::label).toList();
    }
  }

  private static final int FLOWS_PER_RACK = 24;

  /** With more, what encodes at any node has no end: every stripe has a block in a hot rack. */
  private static final int FLOWS_PER_RACK_ENCODING = 6;

  private static final int SEEDS = 5;
  private static final int MOVE_SECONDS = 20;

  /** A run lasts until every rack was hot, and disks are small. */
  private static final int MOVE_SECONDS_MAX = 60;

  @Parameters(
      paramLabel = "writes|recovery|reads|encode|all",
      description = {
        "writes: block write times while background load moves between racks.",
        "recovery: a DataNode is killed: detection, rebuild, effect on other writes.",
        "reads: skewed reads: a few files get most reads.",
        "encode: replicated files are erasure-coded: speed, bytes between racks, other writes.",
        "all: all features at once: writes, a hot file, stripes, a DataNode that dies."
      })
  private Kind experiment;

  @Mixin private TestbedName name;

  @Option(names = "--quick", description = "One seed, short runs, no repetition: a few minutes.")
  private boolean quick;

  @Option(
      names = "--policies",
      paramLabel = "POLICY",
      split = ",",
      description =
          "Default: all. For writes: stock, sinbad. For reads: stock, eafr. For recovery: stock,"
              + " stock-raised (8 concurrent transfers of a DataNode instead of 2), stock-high"
              + " (64), sinbad, dayu. For all: stock, rackweave. For encode: rr (stock placement,"
              + " encoded at any node), cp (copied into a directory with erasure coding), ear.")
  private List<String> policies;

  @Option(
      names = "--settings",
      paramLabel = "shipped|tuned",
      split = ",",
      description =
          "shipped: conf/hdfs-site-POLICY.xml in mode active; tuned: also heartbeats every second,"
              + " the DataNode plugin, a snapshot of the links every 100 ms, for reads an interval"
              + " of 5 s and matching thresholds, for encode 12 stripes at a time. Both: all"
              + " policies but stock have a row of each, the second as POLICY-tuned. Default:"
              + " shipped.")
  private List<Tuning> tunings = List.of(Tuning.SHIPPED);

  @Option(
      names = "--move",
      split = ",",
      description =
          "For writes: seconds after which the background load moves to other racks, one comparison"
              + " for each; default: 20.")
  @WholeNumber(max = MOVE_SECONDS_MAX)
  private List<Integer> moves;

  @Option(
      names = "--large",
      description =
          "For writes: links of 1 Gbit/s and blocks of 128 MiB, as many as two cores can carry;"
              + " needs 24 GiB of memory.")
  private boolean large;

  @Option(names = "--seeds", description = "Number of seeds; default: 5, 1 for all.")
  @WholeNumber(max = 100)
  private Integer seedCount;

  @Option(names = "--first-seed", description = "First seed; default: ${DEFAULT-VALUE}.")
  @WholeNumber(min = 0, max = 1_000_000)
  private int firstSeed = 1;

  @Option(
      names = "--background",
      paramLabel = "datanodes|others|none",
      description =
          "Where the background load is: on the DataNodes' machines, on others of the rack, which"
              + " agents cannot see, or none; default: datanodes, none for reads.")
  private BackgroundOrigin origin;

  @Option(
      names = "--flows",
      description =
          "Background connections each way in every hot rack; default: 24, 6 for encode and all.")
  @WholeNumber(max = 64)
  private Integer flowsPerRack;

  @Option(
      names = "--foreign-cpu",
      description =
          "Repeat a run if other processes use more than this percentage of the CPUs; default:"
              + " ${DEFAULT-VALUE}.")
  @WholeNumber(min = 0, max = 100)
  private int foreignCpuPercent = 10;

  @Option(
      names = "--congestion",
      paramLabel = "NAME",
      description =
          "TCP congestion control of a testbed that is brought up; default: the machine's.")
  private String congestionControl = TestbedSpec.DEFAULT.congestionControl();

  @Option(
      names = "-D",
      paramLabel = "KEY=VALUE",
      description =
          "HDFS property of a testbed that is brought up, before all settings; may be repeated.")
  private Map<String, String> properties = Map.of();

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
      description = "Write a page of charts to FILE.")
  private Path html;

  /**
   * Checks what options ask of one another.
   *
   * @throws UsageException naming the option and what it allows
   */
  void check() {
    name.prefix();
    TestbedSpec.checkCongestionControl("--congestion", congestionControl);
    noneTwice("--policies", policies());
    noneTwice("--settings", tunings);
    noneTwice("--move", moves());
    for (String policy : policies()) {
      if (!experiment.policies.contains(policy)) {
        throw new UsageException(
            "--policies is '"
                + policy
                + "', allowed are "
                + String.join(", ", experiment.policies));
      }
    }
    if (experiment != Kind.WRITES && (large || moves != null)) {
      throw new UsageException((large ? "--large" : "--move") + " is for writes");
    }
  }

  private static void noneTwice(String option, List<?> values) {
    Set<Object> seen = new HashSet<>();
    for (Object value : values) {
      if (!seen.add(value)) {
        throw new UsageException(option + " names " + value + " twice");
      }
    }
  }

  /** What is compared. */
  Kind experiment() {
    return experiment;
  }

  /** Whether one short run of each policy is enough. */
  boolean quick() {
    return quick;
  }

  /** Labels of those that are compared. */
  List<String> policies() {
    return policies == null ? experiment.policies : policies;
  }

  /** Those of {@code all} that are compared, in the order asked for. */
  List<Method> contendersOf(List<Method> all) {
    return policies().stream()
        .map(label -> all.stream().filter(one -> one.label().equals(label)).findFirst())
        .flatMap(Optional::stream)
        .toList();
  }

  /** With which settings, the first under the policies' own names. */
  List<Tuning> tunings() {
    return tunings;
  }

  /** How long background load stays in a rack, in seconds, one comparison each. */
  List<Integer> moves() {
    return moves == null ? List.of(MOVE_SECONDS) : moves;
  }

  /** Whether links carry 1 Gbit/s and blocks have 128 MiB. */
  boolean large() {
    return large;
  }

  /** What plans are drawn from, one after the other. */
  List<Long> seeds() {
    int count = seedCount == null ? experiment == Kind.ALL ? 1 : SEEDS : seedCount;
    long end = firstSeed + (quick ? 1 : count);
    return LongStream.range(firstSeed, end).boxed().toList();
  }

  /**
   * Where background load is: what makes reads slow is where readers go, and it would hide that.
   */
  BackgroundOrigin origin() {
    if (origin != null) {
      return origin;
    }
    return experiment == Kind.READS ? BackgroundOrigin.NONE : BackgroundOrigin.DATANODES;
  }

  /** Background connections of a hot rack in each direction. */
  int flowsPerRack() {
    if (flowsPerRack != null) {
      return flowsPerRack;
    }
    return experiment == Kind.ENCODE || experiment == Kind.ALL
        ? FLOWS_PER_RACK_ENCODING
        : FLOWS_PER_RACK;
  }

  /** Share of the processors that others may use before a run is repeated. */
  double foreignCpuLimit() {
    return foreignCpuPercent / 100.0;
  }

  /** Name of the testbed. */
  String prefix() {
    return name.prefix();
  }

  /** TCP's on a testbed that is brought up, empty for the machine's own. */
  String congestionControl() {
    return congestionControl;
  }

  /** Further HDFS properties of the testbed. */
  Map<String, String> properties() {
    return Map.copyOf(properties);
  }

  /** File for the figures, null for none. */
  Path json() {
    return json;
  }

  /** File for the charts, null for none. */
  Path html() {
    return html;
  }
}
