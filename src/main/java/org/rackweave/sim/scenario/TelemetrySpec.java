package org.rackweave.sim.scenario;

/** What the NameNode comes to know of links, and when. */
public record TelemetrySpec(
    @Allowed("1ms to 1h") @Default("1s") @Meaning("time between two reports of a node (Delta)")
        long intervalMs,
    @Allowed("0ms to 1h")
        @Default("0ms")
        @Meaning("random change of each interval, up to this much")
        long jitterMs,
    @Allowed("0ms to 1h") @Default("0ms") @Meaning("delay of a report") long delayMs,
    @Allowed("0 to 100%") @Default("0%") @Meaning("fraction of reports that are lost") double loss,
    @Allowed("0.001 to 1")
        @Default("0.2")
        @Meaning("weight of a new measurement in the moving average")
        double alpha,
    @Allowed("1 to 1000")
        @Default("3")
        @Meaning("intervals without a report after which a link counts as fully loaded")
        int staleIntervals) {

  /**
   * @throws IllegalArgumentException when reports could overtake each other
   */
  public TelemetrySpec {
    if (jitterMs >= intervalMs) {
      throw new IllegalArgumentException("jitter is not less than interval");
    }
  }
}
