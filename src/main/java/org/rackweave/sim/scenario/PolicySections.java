package org.rackweave.sim.scenario;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
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
    return kinds;
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
                values.get(SOURCES),
                values.get(ALPHA),
                values.get(INTERVAL)));
  }
}
