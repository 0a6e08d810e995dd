package org.rackweave.sim.encoding;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import org.rackweave.sim.cluster.Cluster;
import org.rackweave.sim.policy.BlockRequest;
import org.rackweave.sim.policy.EarPolicy;
import org.rackweave.sim.policy.PlacementPolicy;
import org.rackweave.sim.scenario.EncodingSpec;

/**
 * Blocks that were written before a run begins, where the policy under test places them, and the
 * stripes they form: EAR's by core rack; else k blocks in the order in which they were written.
 */
public final class StoredStripes {
  /** Blocks written for a wanted one, at most; the open stripes of every core rack come on top. */
  private static final int WRITTEN_MAX = 4;

  private final EncodingSpec spec;
  private final Cluster cluster;
  private final PlacementPolicy policy;
  private final SplittableRandom random;
  private int written;

  public StoredStripes(
      EncodingSpec spec, Cluster cluster, PlacementPolicy policy, SplittableRandom random) {
    this.spec = spec;
    this.cluster = cluster;
    this.policy = policy;
    this.random = random;
  }

  /**
   * @return as many stripes as wanted; EAR leaves some blocks in open ones besides
   * @throws IllegalStateException when they do not come about
   */
  public List<ReplicatedStripe> write() {
    return policy instanceof EarPolicy ear ? sealed(ear) : consecutive();
  }

  private List<ReplicatedStripe> sealed(EarPolicy ear) {
    List<ReplicatedStripe> stripes = new ArrayList<>();
    int blocks = spec.code().dataBlocks();
    long openMax = (long) cluster.topology().rackCount() * spec.rules().openStripesMax() * blocks;
    long writtenMax = (long) WRITTEN_MAX * spec.stripes() * blocks + openMax;
    while (stripes.size() < spec.stripes()) {
      if (written == writtenMax) {
        throw new IllegalStateException(
            written
                + " blocks gave "
                + stripes.size()
                + " of "
                + spec.stripes()
                + " stripes of "
                + spec.code().name()
                + ": too few racks, nodes or replicas");
      }
      writeBlock();
      stripes.addAll(ear.takeSealed());
    }
    return stripes;
  }

  private List<ReplicatedStripe> consecutive() {
    List<ReplicatedStripe> stripes = new ArrayList<>();
    for (int stripe = 0; stripe < spec.stripes(); stripe++) {
      int[][] data = new int[spec.code().dataBlocks()][];
      for (int block = 0; block < data.length; block++) {
        data[block] = writeBlock();
      }
      stripes.add(ReplicatedStripe.ofConsecutive(data));
    }
    return stripes;
  }

  private int[] writeBlock() {
    int nodes = cluster.topology().nodeCount();
    boolean inTurn = spec.writers() == EncodingSpec.Writers.IN_TURN;
    int writer = inTurn ? written % nodes : random.nextInt(nodes);
    written++;
    int[] replicas =
        policy.place(new BlockRequest(writer, spec.blockBytes(), spec.replication(), new BitSet()));
    if (replicas.length == 0) {
      throw new IllegalStateException("no node has room for a block of a stripe");
    }
    for (int node : replicas) {
      cluster.store(node, spec.blockBytes());
    }
    return replicas;
  }
}
