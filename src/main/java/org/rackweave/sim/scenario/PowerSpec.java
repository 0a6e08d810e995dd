package org.rackweave.sim.scenario;

/** What machines do with their processors. */
public record PowerSpec(
    @Allowed("1 to 1000000")
        @Default("15")
        @Meaning(
            "transfers at which a node's CPU is fully busy; consumption follows EAFR's"
                + " Table 2")
        int busyTransfers,
    @Allowed(value = "1ms to 365d, or never", or = NEVER)
        @Default("never")
        @Meaning("idle time after which a node falls asleep until its next transfer")
        long sleepAfterMs,
    @Allowed("0 to 10000")
        @Default("93.7")
        @Meaning("consumption of a sleeping node; in EAFR that of an idle one")
        double sleepWatts) {
  public static final long NEVER = Long.MAX_VALUE;
}
