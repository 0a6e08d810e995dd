package org.rackweave.sim.scenario;

/**
 * How long and how often.
 *
 * @param durationMs simulated time
 * @param warmUpMs requests before this moment load the cluster and count in no figure
 * @param seed of the first run; each further run takes the next
 * @param runs how often the whole is repeated with another seed, at least 1
 * @param settleEndsMs how often what ended transfers leave is handed out to others; 0 at once
 * @param lookMs how often the load of racks' links is looked at for a picture; 0 never
 */
public record RunSpec(
    long durationMs, long warmUpMs, long seed, int runs, long settleEndsMs, long lookMs) {
  /** The same for another while and another number of times. */
  public RunSpec with(long durationMs, long warmUpMs, long seed, int runs) {
    return new RunSpec(durationMs, warmUpMs, seed, runs, settleEndsMs, lookMs);
  }
}
