package org.rackweave.sim.scenario;

/**
 * How long and how often.
 *
 * @param durationMs simulated time
 * @param warmUpMs requests before this moment load the cluster and count in no figure
 * @param seed of the first run; each further run takes the next
 * @param runs how often the whole is repeated with another seed, at least 1
 */
public record RunSpec(long durationMs, long warmUpMs, long seed, int runs) {}
