package org.rackweave.sim.encoding;

/**
 * What is done to encode one stripe.
 *
 * @param encoder node that reads the data blocks and writes parity
 * @param sources of each data block, the node it is read from
 * @param parityTargets node of each parity block
 * @param keepers of each data block, the node whose replica is kept for the time being
 * @param homes of each data block, where it has to be in the end; another node than its keeper
 *     where it has to be relocated
 */
public record EncodingSteps(
    int encoder, int[] sources, int[] parityTargets, int[] keepers, int[] homes) {}
