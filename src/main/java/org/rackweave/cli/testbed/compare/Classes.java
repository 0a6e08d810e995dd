package org.rackweave.cli.testbed.compare;

import java.util.List;
import java.util.Set;
import org.rackweave.cli.experiment.BlockWrite;

/** Says of a write whether its writer and its targets were in hot racks. */
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
   * Classes one write by the racks that were hot when it was due: what a policy could know of.
   *
   * @param replicas DataNodes that hold the block
   * @param seconds how long it took, from when it was due
   */
  BlockWrite of(PoissonWrites.Planned write, List<Integer> replicas, double seconds) {
    return of(write, replicas, seconds, plan.schedule().hotAt(write.atMs()));
  }

  /**
   * Classes one write by the racks that were hot at any moment while it was written: what it met.
   *
   * @param replicas DataNodes that hold the block
   * @param seconds how long it took, from when it was due
   */
  BlockWrite whileWritten(PoissonWrites.Planned write, List<Integer> replicas, double seconds) {
    long endMs = write.atMs() + Math.round(1000 * seconds);
    return of(write, replicas, seconds, plan.schedule().hotBetween(write.atMs(), endMs));
  }

  private BlockWrite of(
      PoissonWrites.Planned write, List<Integer> replicas, double seconds, Set<Integer> hot) {
    boolean targetHot =
        replicas.stream()
            .anyMatch(node -> node != write.writer() && hot.contains(node / nodesPerRack));
    return new BlockWrite(
        write.atMs() * 1_000_000L, seconds, hot.contains(write.writer() / nodesPerRack), targetHot);
  }
}
