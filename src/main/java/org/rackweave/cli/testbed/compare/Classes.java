package org.rackweave.cli.testbed.compare;

import java.util.List;
import java.util.Set;
import org.rackweave.cli.experiment.BlockWrite;

/** Says of a write whether its writer and its targets were in hot racks when it was due. */
final class Classes {

  private final int nodesPerRack;
  private final WritesPlan plan;

  /**
   * @param nodesPerRack DataNodes of every rack; DataNodes are numbered from 0, rack by rack
   */
  Classes(int nodesPerRack, WritesPlan plan) {
    this.nodesPerRack = nodesPerRack;
    this.plan = plan;
  }

  /**
   * Classes one write.
   *
   * @param replicas DataNodes that hold the block
   * @param seconds how long it took, from when it was due
   */
  BlockWrite of(PoissonWrites.Planned write, List<Integer> replicas, double seconds) {
    Set<Integer> hot = plan.schedule().hotAt(write.atMs());
    boolean targetHot =
        replicas.stream()
            .anyMatch(node -> node != write.writer() && hot.contains(node / nodesPerRack));
    return new BlockWrite(
        write.atMs() * 1_000_000L, seconds, hot.contains(write.writer() / nodesPerRack), targetHot);
  }
}
