package org.rackweave.sim.scenario;

import java.util.List;

/** The keys of {@code telemetry}, {@code power}, {@code run} and {@code failure}. */
final class RunSections {

  private static final long DAY_MS = 86_400_000;
  private static final long YEAR_MS = 365 * DAY_MS;

  private static final ValueKind<Long> SHORT_TIME =
      ValueKind.wholeQuantity(Units.TIME, 0, 3_600_000);

  private static final ValueKind<Long> LONG_TIME = ValueKind.wholeQuantity(Units.TIME, 0, YEAR_MS);

  private static final Key<TelemetrySpec, Long> INTERVAL =
      new Key<>(
          "interval",
          ValueKind.wholeQuantity(Units.TIME, 1, 3_600_000),
          "1s",
          TelemetrySpec::intervalMs,
          "time between two reports of a node (Delta)");

  private static final Key<TelemetrySpec, Long> JITTER =
      new Key<>(
          "jitter",
          SHORT_TIME,
          "0ms",
          TelemetrySpec::jitterMs,
          "each interval is longer or shorter by up to this much");

  private static final Key<TelemetrySpec, Long> DELAY =
      new Key<>("delay", SHORT_TIME, "0ms", TelemetrySpec::delayMs, "how long a report travels");

  private static final Key<TelemetrySpec, Double> LOSS =
      new Key<>(
          "loss",
          ValueKind.quantity(Units.SHARE, 0, 1),
          "0%",
          TelemetrySpec::loss,
          "fraction of reports that never arrive");

  private static final Key<TelemetrySpec, Double> ALPHA =
      new Key<>(
          "alpha",
          ValueKind.quantity(Units.NUMBER, 0.001, 1),
          "0.2",
          TelemetrySpec::alpha,
          "weight of a new measurement in the moving average");

  private static final Key<TelemetrySpec, Integer> STALE =
      new Key<>(
          "stale-intervals",
          ValueKind.count(1, 1000),
          "3",
          TelemetrySpec::staleIntervals,
          "after so many intervals without a report a link counts as fully loaded");

  static final Schema<TelemetrySpec> TELEMETRY =
      new Schema<>(
          "telemetry",
          TelemetrySpec.class,
          List.of(INTERVAL, JITTER, DELAY, LOSS, ALPHA, STALE),
          RunSections::telemetry);

  private static final Key<PowerSpec, Integer> BUSY =
      new Key<>(
          "busy-transfers",
          ValueKind.count(1, 1_000_000),
          "15",
          PowerSpec::busyTransfers,
          "transfers at which a node's processor is fully busy; it draws what EAFR's table 2 says");

  private static final Key<PowerSpec, Long> SLEEP_AFTER =
      new Key<>(
          "sleep-after",
          ValueKind.orWord(
              "never", PowerSpec.NEVER, ValueKind.wholeQuantity(Units.TIME, 1, YEAR_MS)),
          "never",
          PowerSpec::sleepAfterMs,
          "a node without transfers for so long falls asleep until the next");

  private static final Key<PowerSpec, Double> SLEEP_WATTS =
      new Key<>(
          "sleep-watts",
          ValueKind.quantity(Units.NUMBER, 0, 10_000),
          "93.7",
          PowerSpec::sleepWatts,
          "what a node draws asleep; in EAFR as much as without load");

  static final Schema<PowerSpec> POWER =
      new Schema<>(
          "power",
          PowerSpec.class,
          List.of(BUSY, SLEEP_AFTER, SLEEP_WATTS),
          values ->
              new PowerSpec(values.get(BUSY), values.get(SLEEP_AFTER), values.get(SLEEP_WATTS)));

  private static final Key<RunSpec, Long> DURATION =
      new Key<>(
          "duration",
          ValueKind.wholeQuantity(Units.TIME, 1, YEAR_MS),
          "1h",
          RunSpec::durationMs,
          "simulated time");

  private static final Key<RunSpec, Long> WARM_UP =
      new Key<>(
          "warm-up",
          LONG_TIME,
          "0ms",
          RunSpec::warmUpMs,
          "requests before this moment load the cluster and count in no figure");

  private static final Key<RunSpec, Long> SEED =
      new Key<>(
          "seed",
          ValueKind.whole(0, 1_000_000_000_000_000L),
          "1",
          RunSpec::seed,
          "of the first run; each further run takes the next");

  private static final Key<RunSpec, Integer> RUNS =
      new Key<>("runs", ValueKind.count(1, 1000), "1", RunSpec::runs, "runs with different seeds");

  private static final Key<RunSpec, Long> SETTLE_ENDS =
      new Key<>(
          "settle-ends",
          SHORT_TIME,
          "0ms",
          RunSpec::settleEndsMs,
          "how often what ended transfers leave is handed out to others; 0ms at once, which is exact"
              + " and slower");

  private static final Key<RunSpec, Long> LOOK =
      new Key<>(
          "look",
          ValueKind.orWord("never", 0L, ValueKind.wholeQuantity(Units.TIME, 10, 3_600_000)),
          "never",
          RunSpec::lookMs,
          "how often the load of racks' links is looked at, for a picture of it and for how much it"
              + " swings");

  static final Schema<RunSpec> RUN =
      new Schema<>(
          "run",
          RunSpec.class,
          List.of(DURATION, WARM_UP, SEED, RUNS, SETTLE_ENDS, LOOK),
          RunSections::run);

  private static final Key<FailureSpec, Long> AT =
      new Key<>("at", LONG_TIME, null, FailureSpec::atMs, "when it goes down");

  private static final Key<FailureSpec, Long> RETURN =
      new Key<>(
          "return",
          ValueKind.orWord("never", FailureSpec.NEVER, LONG_TIME),
          "never",
          FailureSpec::returnMs,
          "when it is back, with what it had stored");

  private RunSections() {}

  private static TelemetrySpec telemetry(Schema.Values<TelemetrySpec> values) {
    TelemetrySpec telemetry =
        new TelemetrySpec(
            values.get(INTERVAL),
            values.get(JITTER),
            values.get(DELAY),
            values.get(LOSS),
            values.get(ALPHA),
            values.get(STALE));
    if (telemetry.jitterMs() >= telemetry.intervalMs()) {
      throw new IllegalArgumentException("jitter is not less than interval");
    }
    return telemetry;
  }

  private static RunSpec run(Schema.Values<RunSpec> values) {
    RunSpec run =
        new RunSpec(
            values.get(DURATION),
            values.get(WARM_UP),
            values.get(SEED),
            values.get(RUNS),
            values.get(SETTLE_ENDS),
            values.get(LOOK));
    if (run.warmUpMs() >= run.durationMs()) {
      throw new IllegalArgumentException("warm-up is not less than duration");
    }
    return run;
  }

  /** The keys of one failure, whose first line says what fails. */
  static Schema<FailureSpec> failure(FailureSpec.Part part, int index) {
    return new Schema<>(
        "failure",
        FailureSpec.class,
        List.of(AT, RETURN),
        values -> {
          FailureSpec failure = new FailureSpec(part, index, values.get(AT), values.get(RETURN));
          if (failure.returnMs() <= failure.atMs()) {
            throw new IllegalArgumentException("return is not after at");
          }
          return failure;
        });
  }
}
