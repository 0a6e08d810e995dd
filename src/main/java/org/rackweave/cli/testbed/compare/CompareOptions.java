package org.rackweave.cli.testbed.compare;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.rackweave.cli.UsageException;
import org.rackweave.cli.experiment.Contender;
import org.rackweave.cli.testbed.TestbedPolicy;
import org.rackweave.cli.testbed.TestbedSpec;

/**
 * What the command line asks for.
 *
 * @param experiment null if only the usage text is wanted
 * @param quick whether one short run of each policy is enough
 * @param policies labels of those that are compared
 * @param tunings with which settings, the first under the policies' own names
 * @param moves how long background load stays in a rack, in seconds, one comparison each
 * @param large whether links carry 1 Gbit/s and blocks have 128 MiB
 * @param seeds what plans are drawn from, one after the other
 * @param origin where background load is
 * @param flowsPerRack background connections of a hot rack in each direction
 * @param foreignCpuLimit share of the processors that others may use before a run is repeated
 * @param prefix name of the testbed
 * @param congestionControl TCP's on a testbed that is brought up, empty for the machine's own
 * @param properties further HDFS properties of the testbed
 * @param json file for the figures, null for none
 * @param html file for the charts, null for none
 */
public record CompareOptions(
    Experiment experiment,
    boolean quick,
    List<String> policies,
    List<Tuning> tunings,
    List<Integer> moves,
    boolean large,
    List<Long> seeds,
    BackgroundOrigin origin,
    int flowsPerRack,
    double foreignCpuLimit,
    String prefix,
    String congestionControl,
    Map<String, String> properties,
    Path json,
    Path html) {

  /** What is compared. */
  public enum Experiment {
    WRITES(POLICIES),
    RECOVERY(List.of(RecoveryMethod.values())),
    READS(List.of(ReadsMethod.values())),
    ENCODE(List.of(EncodeMethod.values()));

    private final List<? extends Contender> contenders;

    Experiment(List<? extends Contender> contenders) {
      this.contenders = contenders;
    }
  }

  /** Who places blocks where placement is compared. */
  static final List<TestbedPolicy> POLICIES = List.of(TestbedPolicy.STOCK, TestbedPolicy.SINBAD);

  /** What {@code --help} prints. */
  public static final String USAGE =
      """
      Usage: docker/testbed compare writes|recovery|reads|encode [options]

      Compares placement policies on a testbed of real HDFS processes: same arrivals, same hot racks,
      same victim for every policy of a seed, in turns. Brings a testbed up for the time being, or uses
      the one that is up if its settings are those wanted.

        writes     block write times while background load moves from racks to racks
        recovery   a DataNode is killed: detection, rebuild, what it does to other writes
        reads      skewed reads: some files are read far more than others
        encode     replicated files become erasure-coded: speed, bytes between racks, other writes

      Options:
        --quick              one seed, short runs, no repetition: a few minutes
        --policies LIST      separated by commas, all unless given. For writes: stock, sinbad. For
                             reads: stock, eafr. For recovery: stock, stock-raised (8 transfers of a DataNode at a time
                             instead of 2), stock-high (64), sinbad, dayu. For encode: rr (stock
                             placement, encoded at any node), cp (copied into a directory with erasure
                             coding), ear
        --settings LIST      shipped: what conf/hdfs-site-POLICY.xml says, in mode active and nothing
                             else; tuned: with heartbeats every second, the DataNodes' plugin, a
                             snapshot of the links every 100 ms, for reads an interval of 5 s and
                             thresholds to suit, for encode 12 stripes at a time. Both, separated by a
                             comma: policies but stock have a row of each, the second as POLICY-tuned;
                             shipped unless given
        --move LIST          for writes: the background load moves to other racks every so many
                             seconds, 1 to 60, separated by commas; 20 unless given
        --large              for writes: links of 1 Gbit/s and blocks of 128 MiB, as few as two cores carry;
                             needs 24 GiB of memory
        --seeds N            seeds to run, 1 to 100; 5 unless given
        --first-seed N       the first of them, 0 to 1000000; 1 unless given
        --background WHERE   datanodes (other work on their machines), others (machines of the rack
                             that are no DataNodes, which agents cannot see) or none; datanodes
                             unless given, none for reads
        --flows N            background connections each way in every hot rack, 1 to 64; 24 unless given,
                             6 for encode
        --foreign-cpu PCT    repeat a run when others use more of the processors, 0 to 100; 10 unless
                             given
        --prefix NAME        name of the testbed; rw unless given
        --congestion NAME    TCP congestion control of a testbed that is brought up; this machine's own
                             unless given
        -D KEY=VALUE         HDFS property of a testbed that is brought up, whatever the settings; may
                             be repeated
        --json FILE          write the figures to FILE
        --html FILE          write a page of charts to FILE
        --help               print this text
      """;

  private static final int SEEDS = 5;
  private static final int SEEDS_MAX = 100;
  private static final long FIRST_SEED = 1;
  private static final long FIRST_SEED_MAX = 1_000_000;
  private static final double FOREIGN_CPU_PERCENT = 10;
  private static final int FLOWS_PER_RACK = 24;
  private static final int FLOWS_PER_RACK_ENCODING = 6;
  private static final long FLOWS_MAX = 64;
  private static final int MOVE_SECONDS = 20;

  /** A run lasts until every rack was hot, and disks are small. */
  private static final int MOVE_SECONDS_MAX = 60;

  /** What was given so far. */
  private static final class Given {
    private boolean quick;
    private String policies;
    private List<Tuning> tunings = List.of(Tuning.SHIPPED);
    private List<Integer> moves;
    private boolean large;
    private long seedCount = SEEDS;
    private long firstSeed = FIRST_SEED;
    private BackgroundOrigin origin;
    private Long flowsPerRack;
    private double foreignCpuPercent = FOREIGN_CPU_PERCENT;
    private String prefix = TestbedSpec.DEFAULT.prefix();
    private String congestionControl = TestbedSpec.DEFAULT.congestionControl();
    private final Map<String, String> properties = new TreeMap<>();
    private Path json;
    private Path html;

    CompareOptions options(Experiment experiment) {
      long count = quick ? 1 : seedCount;
      return new CompareOptions(
          experiment,
          quick,
          policiesOf(experiment),
          tunings,
          movesOf(experiment),
          largeOf(experiment),
          LongStream.range(firstSeed, firstSeed + count).boxed().toList(),
          origin == null ? usualOrigin(experiment) : origin,
          flowsPerRack == null ? usualFlows(experiment) : flowsPerRack.intValue(),
          foreignCpuPercent / 100,
          prefix,
          congestionControl,
          Map.copyOf(properties),
          json,
          html);
    }

    /** With more, what encodes at any node has no end: every stripe has a block in a hot rack. */
    private static int usualFlows(Experiment experiment) {
      return experiment == Experiment.ENCODE ? FLOWS_PER_RACK_ENCODING : FLOWS_PER_RACK;
    }

    /** What makes reads slow is where readers go to; others' load would hide that. */
    private static BackgroundOrigin usualOrigin(Experiment experiment) {
      return experiment == Experiment.READS ? BackgroundOrigin.NONE : BackgroundOrigin.DATANODES;
    }

    private boolean largeOf(Experiment experiment) {
      if (large && experiment != null && experiment != Experiment.WRITES) {
        throw new UsageException("--large is for writes");
      }
      return large;
    }

    private List<Integer> movesOf(Experiment experiment) {
      if (moves != null && experiment != null && experiment != Experiment.WRITES) {
        throw new UsageException("--move is for writes");
      }
      return moves == null ? List.of(MOVE_SECONDS) : moves;
    }

    private List<String> policiesOf(Experiment experiment) {
      if (experiment == null) {
        return List.of();
      }
      List<String> all = experiment.contenders.stream().map(Contender::label).toList();
      if (policies == null) {
        return all;
      }
      return list("--policies", policies, name -> known(name, all));
    }

    private static String known(String name, List<String> all) {
      if (!all.contains(name)) {
        throw new UsageException(
            "--policies is '" + name + "', allowed are " + String.join(", ", all));
      }
      return name;
    }
  }

  /** Those of {@code all} that are compared, in the order asked for. */
  <C extends Contender> List<C> contendersOf(List<C> all) {
    return policies.stream()
        .map(label -> all.stream().filter(one -> one.label().equals(label)).findFirst())
        .flatMap(Optional::stream)
        .toList();
  }

  /** Whether only the usage text is wanted. */
  public boolean help() {
    return experiment == null;
  }

  /**
   * Reads the command line.
   *
   * @throws UsageException naming the option and what it allows
   */
  public static CompareOptions parse(List<String> args) {
    Deque<String> left = new ArrayDeque<>(args);
    Given given = new Given();
    String first = left.poll();
    if (first == null) {
      throw new UsageException("compare needs an experiment: " + names(Experiment.values()));
    }
    if (isHelp(first)) {
      return given.options(null);
    }
    Experiment experiment = oneOf("the experiment", first, Experiment.values());
    while (!left.isEmpty()) {
      String option = left.pop();
      if (isHelp(option)) {
        return given.options(null);
      }
      take(given, option, left);
    }
    return given.options(experiment);
  }

  private static boolean isHelp(String word) {
    return word.equals("--help") || word.equals("-h");
  }

  private static void take(Given given, String option, Deque<String> left) {
    switch (option) {
      case "--quick" -> given.quick = true;
      case "--policies" -> given.policies = value(option, left);
      case "--settings" ->
          given.tunings =
              list(option, value(option, left), one -> oneOf(option, one, Tuning.values()));
      case "--move" ->
          given.moves =
              list(
                  option,
                  value(option, left),
                  one -> (int) number(option, one, 1, MOVE_SECONDS_MAX));
      case "--large" -> given.large = true;
      case "--seeds" -> given.seedCount = number(option, value(option, left), 1, SEEDS_MAX);
      case "--first-seed" ->
          given.firstSeed = number(option, value(option, left), 0, FIRST_SEED_MAX);
      case "--background" ->
          given.origin = oneOf(option, value(option, left), BackgroundOrigin.values());
      case "--flows" -> given.flowsPerRack = number(option, value(option, left), 1, FLOWS_MAX);
      case "--foreign-cpu" -> given.foreignCpuPercent = number(option, value(option, left), 0, 100);
      case "--prefix" ->
          given.prefix = TestbedSpec.DEFAULT.withPrefix(value(option, left)).prefix();
      case "--congestion" ->
          given.congestionControl = TestbedSpec.checkCongestionControl(option, value(option, left));
      case "-D" -> addProperty(given.properties, option, value(option, left));
      case "--json" -> given.json = writable(option, Path.of(value(option, left)));
      case "--html" -> given.html = writable(option, Path.of(value(option, left)));
      default ->
          throw new UsageException(
              "no option '"
                  + option
                  + "'; there are --quick, --policies, --settings, --move, --large, --seeds,"
                  + " --first-seed, --background, --flows, --foreign-cpu, --prefix, --congestion, -D, --json, --html, --help");
    }
  }

  private static String value(String option, Deque<String> left) {
    String value = left.poll();
    if (value == null || value.isEmpty() || value.startsWith("--")) {
      throw new UsageException(option + " needs a value");
    }
    return value;
  }

  private static long number(String option, String value, long least, long most) {
    try {
      long number = Long.parseLong(value);
      if (number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException notANumber) {
      // Told below, like a number out of range.
    }
    throw new UsageException(
        option + " is '" + value + "', allowed are whole numbers from " + least + " to " + most);
  }

  /** What stands between commas, nothing twice. */
  private static <T> List<T> list(String option, String value, Function<String, T> parser) {
    List<T> parts = Arrays.stream(value.split(",", -1)).map(parser).toList();
    for (int i = 0; i < parts.size(); i++) {
      if (parts.indexOf(parts.get(i)) < i) {
        throw new UsageException(option + " names " + value.split(",", -1)[i] + " twice");
      }
    }
    return parts;
  }

  private static <E extends Enum<E>> E oneOf(String option, String value, E[] all) {
    return Arrays.stream(all)
        .filter(one -> name(one).equals(value))
        .findFirst()
        .orElseThrow(
            () -> new UsageException(option + " is '" + value + "', allowed are " + names(all)));
  }

  private static String name(Enum<?> one) {
    return one.name().toLowerCase(Locale.ROOT);
  }

  private static String names(Enum<?>[] all) {
    return Arrays.stream(all).map(CompareOptions::name).collect(Collectors.joining(", "));
  }

  private static void addProperty(Map<String, String> properties, String option, String value) {
    int equals = value.indexOf('=');
    if (equals < 1) {
      throw new UsageException(option + " is '" + value + "', allowed is KEY=VALUE");
    }
    properties.put(value.substring(0, equals), value.substring(equals + 1));
  }

  /** Found out now and not after half an hour of work. */
  private static Path writable(String option, Path file) {
    Path directory =
        Objects.requireNonNull(file.toAbsolutePath().getParent(), "the root is a directory");
    if (!Files.isDirectory(directory)) {
      throw new UsageException(option + " " + file + ": there is no directory " + directory);
    }
    if (Files.isDirectory(file)) {
      throw new UsageException(option + " " + file + " is a directory");
    }
    if (!Files.isWritable(Files.exists(file) ? file : directory)) {
      throw new UsageException(option + " " + file + " cannot be written");
    }
    return file;
  }
}
