package org.rackweave.sim.scenario;

/**
 * What machines do with their processors.
 *
 * @param busyTransfers transfers into and out of a node at which its processor is fully busy
 * @param sleepAfterMs a node without transfers for so long falls asleep; {@link #NEVER} for never
 * @param sleepWatts what a node draws asleep
 */
public record PowerSpec(int busyTransfers, long sleepAfterMs, double sleepWatts) {
  public static final long NEVER = Long.MAX_VALUE;
}
