package org.rackweave.sim.scenario;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.rackweave.dayu.Algorithm;
import org.rackweave.dayu.DayuSettings;
import org.rackweave.sinbad.Spread;
import org.rackweave.telemetry.Promise;

/** The kinds of {@code policy} and the keys of each. */
final class PolicySections {

  private static final String SPREAD_MEANING =
      "two-rack: the writer's rack and one other, as HDFS; distinct-racks: a rack for each replica";

  private static final Key<PolicySpec.Sinbad, Spread> SPREAD = spread(PolicySpec.Sinbad::spread);

  private static final Key<PolicySpec.Sinbad, Long> DECISION_INTERVAL =
      new Key<>(
          "decision-interval",
          ValueKind.wholeQuantity(Units.TIME, 0, 3_600_000),
          "0ms",
          PolicySpec.Sinbad::decisionIntervalMs,
          "requests of so long are placed together, fewest remaining blocks first (q)");

  private static final Key<PolicySpec.Sinbad, Long> THRESHOLD =
      new Key<>(
          "threshold",
          ValueKind.wholeQuantity(Units.BYTES, 0, 1L << 40),
          "0B",
          PolicySpec.Sinbad::thresholdBytes,
          "smaller blocks go to stock placement");

  private static final Key<PolicySpec.Sinbad, Double> STORAGE_IMBALANCE =
      new Key<>(
          "storage-imbalance",
          ValueKind.quantity(Units.SHARE, 0, 1),
          "100%",
          PolicySpec.Sinbad::storageImbalance,
          "how far above the mean used fraction a node may be and still be chosen");

  private static final Key<PolicySpec.Sinbad, Promise> PROMISE =
      new Key<>(
          "promise",
          ValueKind.word(Promise.class),
          "whole-block",
          PolicySpec.Sinbad::promise,
          "what a placed block is taken to use of a link: all of it by the next report, as in the"
              + " paper; no more than a disk writes; or its share of what others leave");

  private static final Key<PolicySpec.Sinbad, Boolean> DISK_LIMITED =
      new Key<>(
          "disk-limited",
          ValueKind.yesNo(),
          "yes",
          PolicySpec.Sinbad::diskLimited,
          "whether a disk's speed limits what a link is worth (DiskWriteCap)");

  private static final Key<PolicySpec.Sinbad, PolicySpec.Knowledge> KNOWLEDGE =
      new Key<>(
          "knowledge",
          ValueKind.word(PolicySpec.Knowledge.class),
          "reports",
          PolicySpec.Sinbad::knowledge,
          "what has been reported, or the true rates of the moment");

  private static final Key<PolicySpec.Sinbad, PolicySpec.RackLinks> RACKS =
      new Key<>(
          "racks",
          ValueKind.word(PolicySpec.RackLinks.class),
          "declared",
          PolicySpec.Sinbad::racks,
          "how wide racks' links are: declared; or what nodes report of full ones, and as much as"
              + " their hosts' links before");

  private static final Key<PolicySpec.Sinbad, PolicySpec.Sources> SOURCES =
      new Key<>(
          "sources",
          ValueKind.word(PolicySpec.Sources.class),
          "fixed",
          PolicySpec.Sinbad::sources,
          "unlimited: no write is limited at its source, the optimistic estimate");

  private static final Key<PolicySpec.Sinbad, Optional<Double>> ALPHA =
      new Key<>(
          "alpha",
          ValueKind.optional("as-telemetry", ValueKind.quantity(Units.NUMBER, 0.001, 1)),
          "as-telemetry",
          PolicySpec.Sinbad::alpha,
          "in place of the telemetry's");

  private static final Key<PolicySpec.Sinbad, Optional<Long>> INTERVAL =
      new Key<>(
          "interval",
          ValueKind.optional("as-telemetry", ValueKind.wholeQuantity(Units.TIME, 1, 3_600_000)),
          "as-telemetry",
          PolicySpec.Sinbad::intervalMs,
          "in place of the telemetry's");

  private static final Key<PolicySpec.Uniform, Spread> UNIFORM_SPREAD =
      spread(PolicySpec.Uniform::spread);

  private static final Key<PolicySpec.LeastLoaded, Spread> LEAST_LOADED_SPREAD =
      spread(PolicySpec.LeastLoaded::spread);

  private static final Key<PolicySpec.Ear, Boolean> PLACES_STORED =
      new Key<>(
          "places-stored",
          ValueKind.yesNo(),
          "no",
          PolicySpec.Ear::placesStored,
          "whether files that are there from the start are where this policy puts them, and not where"
              + " stock does");

  private static final Key<PolicySpec.Dayu, Algorithm> ALGORITHM =
      new Key<>(
          "algorithm",
          ValueKind.word(Algorithm.class),
          "dayu",
          PolicySpec.Dayu::algorithm,
          "how sources and destinations are chosen: dayu is ours, hull the paper's; g1, g2, b2r, wr"
              + " and random are what it compares with");

  private static final Key<PolicySpec.Dayu, DayuSettings.Rates> RATES =
      new Key<>(
          "rates",
          ValueKind.word(DayuSettings.Rates.class),
          "wss",
          PolicySpec.Dayu::rates,
          "iterative weighted shuffle scheduling, or what ends with the slot");

  private static final Key<PolicySpec.Dayu, DayuSettings.Stragglers> STRAGGLERS =
      new Key<>(
          "stragglers",
          ValueKind.word(DayuSettings.Stragglers.class),
          "resume",
          PolicySpec.Dayu::stragglers,
          "keep: copies that miss the end of their slot go on as they were; resume: they are planned"
              + " anew and go on, as in the paper; restart: as HDFS, which cannot resume a copy");

  private static final Key<PolicySpec.Dayu, Double> BETA =
      new Key<>(
          "beta",
          ValueKind.quantity(Units.SHARE, 0, 1),
          "5%",
          PolicySpec.Dayu::beta,
          "share of the nodes taken from either end for the underemployed ones, asked first; 0 for"
              + " none");

  private static final Key<PolicySpec.Dayu, Double> BUCKET =
      new Key<>(
          "bucket",
          ValueKind.quantity(Units.BANDWIDTH, 1, 125e9),
          "1MB/s",
          PolicySpec.Dayu::bucketBytesPerSec,
          "width of the buckets of algorithm hull");

  private static final Key<PolicySpec.Dayu, DayuSettings.Aim> AIM =
      new Key<>(
          "aim",
          ValueKind.word(DayuSettings.Aim.class),
          "backlog",
          PolicySpec.Dayu::aim,
          "by when a slot's copies should be done: its end, as in the paper; or, where all that is left"
              + " could be done before, then");

  private static final Key<PolicySpec.Dayu, PolicySpec.Planning> PLANNING =
      new Key<>(
          "planning",
          ValueKind.word(PolicySpec.Planning.class),
          "fixed",
          PolicySpec.Dayu::planning,
          "how long after a report its plan begins: planning-time, the processor time the planner"
              + " takes here, or its tasks over planning-speed");

  private static final Key<PolicySpec.Dayu, Long> PLANNING_TIME =
      new Key<>(
          "planning-time",
          ValueKind.wholeQuantity(Units.TIME, 0, 3_600_000),
          "500ms",
          PolicySpec.Dayu::planningMs,
          "with planning fixed (T_schedule)");

  private static final Key<PolicySpec.Dayu, Double> PLANNING_SPEED =
      new Key<>(
          "planning-speed",
          ValueKind.quantity(Units.RATE, 1, 1e9),
          "210000/s",
          PolicySpec.Dayu::tasksPerSec,
          "with planning by-tasks");

  private static final Key<PolicySpec.Pangu, Double> LIMIT =
      new Key<>(
          "limit",
          ValueKind.quantity(Units.BANDWIDTH, 1e3, 125e9),
          "30MB/s",
          PolicySpec.Pangu::limitBytesPerSec,
          "what recovery uses of a node's link in each direction at most");

  /** By the word that names the kind. */
  static final Map<String, Schema<? extends PolicySpec>> KINDS = kinds();

  private PolicySections() {}

  private static <S> Key<S, Spread> spread(Function<S, Spread> getter) {
    return new Key<>("spread", ValueKind.word(Spread.class), "two-rack", getter, SPREAD_MEANING);
  }

  private static Map<String, Schema<? extends PolicySpec>> kinds() {
    Map<String, Schema<? extends PolicySpec>> kinds = new LinkedHashMap<>();
    kinds.put(
        "stock",
        new Schema<>(
            "policy stock",
            PolicySpec.Stock.class,
            List.of(),
            values -> new PolicySpec.Stock(values.name())));
    kinds.put(
        "uniform",
        new Schema<>(
            "policy uniform",
            PolicySpec.Uniform.class,
            List.of(UNIFORM_SPREAD),
            values -> new PolicySpec.Uniform(values.name(), values.get(UNIFORM_SPREAD))));
    kinds.put(
        "least-loaded",
        new Schema<>(
            "policy least-loaded",
            PolicySpec.LeastLoaded.class,
            List.of(LEAST_LOADED_SPREAD),
            values -> new PolicySpec.LeastLoaded(values.name(), values.get(LEAST_LOADED_SPREAD))));
    kinds.put("sinbad", sinbad());
    kinds.put(
        "ear",
        new Schema<>(
            "policy ear",
            PolicySpec.Ear.class,
            List.of(PLACES_STORED),
            values -> new PolicySpec.Ear(values.name(), values.get(PLACES_STORED))));
    kinds.put("dayu", dayu());
    kinds.put(
        "pangu",
        new Schema<>(
            "policy pangu",
            PolicySpec.Pangu.class,
            List.of(LIMIT),
            values -> new PolicySpec.Pangu(values.name(), values.get(LIMIT))));
    return kinds;
  }

  private static Schema<PolicySpec.Dayu> dayu() {
    return new Schema<>(
        "policy dayu",
        PolicySpec.Dayu.class,
        List.of(
            ALGORITHM,
            RATES,
            STRAGGLERS,
            BETA,
            BUCKET,
            AIM,
            PLANNING,
            PLANNING_TIME,
            PLANNING_SPEED),
        values ->
            new PolicySpec.Dayu(
                values.name(),
                values.get(ALGORITHM),
                values.get(RATES),
                values.get(STRAGGLERS),
                values.get(BETA),
                values.get(BUCKET),
                values.get(AIM),
                values.get(PLANNING),
                values.get(PLANNING_TIME),
                values.get(PLANNING_SPEED)));
  }

  private static Schema<PolicySpec.Sinbad> sinbad() {
    return new Schema<>(
        "policy sinbad",
        PolicySpec.Sinbad.class,
        List.of(
            SPREAD,
            DECISION_INTERVAL,
            THRESHOLD,
            STORAGE_IMBALANCE,
            PROMISE,
            DISK_LIMITED,
            KNOWLEDGE,
            RACKS,
            SOURCES,
            ALPHA,
            INTERVAL),
        values ->
            new PolicySpec.Sinbad(
                values.name(),
                values.get(SPREAD),
                values.get(DECISION_INTERVAL),
                values.get(THRESHOLD),
                values.get(STORAGE_IMBALANCE),
                values.get(PROMISE),
                values.get(DISK_LIMITED),
                values.get(KNOWLEDGE),
                values.get(RACKS),
                values.get(SOURCES),
                values.get(ALPHA),
                values.get(INTERVAL)));
  }
}
