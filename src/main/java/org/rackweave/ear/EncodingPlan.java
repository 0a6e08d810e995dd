package org.rackweave.ear;

/**
 * How to encode one stripe: who reads what, where parity goes, and which replicas go afterwards.
 * Nothing crosses racks but parity. Replicas are to be deleted only when all parity is durable and
 * verified. Blocks are numbered as in {@link StripeLocations}, nodes as in its topology.
 *
 * @param coreRack where it is encoded
 * @param readers nodes of the core rack that have blocks of the stripe, those with most first
 * @param sources of each block, the node of the core rack to read it from
 * @param keepers of each block, the node whose replica stays
 * @param parityTargets nodes of the n - k parity blocks
 * @param surplus of each block, the nodes whose replicas go
 */
public record EncodingPlan(
    int coreRack, int[] readers, int[] sources, int[] keepers, int[] parityTargets, int[][] surplus)
    implements EncodingAdvice {}
