package org.rackweave.ear;

/**
 * How to bring back what is missing of an encoded stripe. Blocks are numbered as in {@link
 * StripeLocations}, nodes as in its topology.
 *
 * @param sources blocks to read, as many as the stripe has data blocks
 * @param sourceNodes where each of these is read
 * @param missing blocks to make
 * @param targets where each of these goes
 */
public record RebuildPlan(int[] sources, int[] sourceNodes, int[] missing, int[] targets) {}
