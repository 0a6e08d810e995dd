package org.rackweave.sim.scenario;

/** How long and how often. No look is 0. */
public record RunSpec(
    @Allowed("1ms to 365d") @Default("1h") @Meaning("simulated time") long durationMs,
    @Allowed("0ms to 365d")
        @Default("0ms")
        @Meaning("requests before this moment load the cluster and count in no figure")
        long warmUpMs,
    @Allowed("0 to 1000000000000000")
        @Default("1")
        @Meaning("of the first run; each further run takes the next")
        long seed,
    @Allowed("1 to 1000") @Default("1") @Meaning("runs with different seeds") int runs,
    @Allowed("0ms to 1h")
        @Default("0ms")
        @Meaning(
            "how often what ended transfers leave is handed out to others; 0ms at once, "
                + "which is exact and slower")
        long settleEndsMs,
    @Allowed(value = "10ms to 1h, or never", or = 0)
        @Default("never")
        @Meaning(
            "how often the load of racks' links is looked at, for a picture of it and for "
                + "how much it swings")
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
