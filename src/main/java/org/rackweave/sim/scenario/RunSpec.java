package org.rackweave.sim.scenario;

/** How long and how often. No look is 0. */
public record RunSpec(
    @Allowed("1ms to 365d") @Default("1h") @Meaning("simulated time") long durationMs,
    @Allowed("0ms to 365d")
        @Default("0ms")
        @Meaning("requests before this time load the cluster and are not counted")
        long warmUpMs,
    @Allowed("0 to 1000000000000000")
        @Default("1")
        @Meaning("seed of the first run; each further run uses the next")
        long seed,
    @Allowed("1 to 1000") @Default("1") @Meaning("number of runs, with different seeds") int runs,
    @Allowed("0ms to 1h")
        @Default("0ms")
        @Meaning(
            "how often bandwidth of finished transfers is redistributed; 0ms: at once,"
                + " exact and slower")
        long settleEndsMs,
    @Allowed(value = "10ms to 1h, or never", or = 0)
        @Default("never")
        @Meaning("how often the load of rack links is sampled, for a chart and for its variation")
        long lookMs) {

  /**
   * @throws IllegalArgumentException when nothing is left after the warm-up
   */
  public RunSpec {
    if (warmUpMs >= durationMs) {
      throw new IllegalArgumentException("warm-up is not less than duration");
    }
  }

  /** The same for another while and another number of times. */
  public RunSpec with(long durationMs, long warmUpMs, int runs) {
    return new RunSpec(durationMs, warmUpMs, seed, runs, settleEndsMs, lookMs);
  }
}
