package org.rackweave.sim.scenario;

/** What machines do with their processors. */
public record PowerSpec(
    @Allowed("1 to 1000000")
        @Default("15")
        @Meaning(
            "transfers at which a node's processor is fully busy; it draws what EAFR's "
                + "table 2 says")
        int busyTransfers,
    @Allowed(value = "1ms to 365d, or never", or = NEVER)
        @Default("never")
        @Meaning("a node without transfers for so long falls asleep until the next")
        long sleepAfterMs,
    @Allowed("0 to 10000")
        @Default("93.7")
        @Meaning("what a node draws asleep; in EAFR as much as without load")
        double sleepWatts) {
  public static final long NEVER = Long.MAX_VALUE;
}
