package org.rackweave.sim.workload;

import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.rackweave.model.ClusterTopology;

/**
 * Background traffic between two nodes of the same rack or of different ones (EAR, section V.B).
 */
public final class RandomTransfers implements Workload {

  private final double perSec;
  private final long durationNanos;
  private final Distribution sizeBytes;
  private final double crossRack;
  private final ClusterTopology topology;
  private final long seed;

  /**
   * @param perSec average number of transfers begun per second, above 0
   * @param durationNanos none begins at this moment or later
   * @param crossRack fraction between different racks, 0 to 1; where a rack has one node, or the
   *     cluster one rack, the other kind takes the place of what is impossible
   */
  public RandomTransfers(
      double perSec,
      long durationNanos,
      Distribution sizeBytes,
      double crossRack,
      ClusterTopology topology,
      SplittableRandom random) {
    if (topology.nodeCount() < 2) {
      throw new IllegalArgumentException("a transfer needs two nodes");
    }
    this.perSec = perSec;
    this.durationNanos = durationNanos;
    this.sizeBytes = sizeBytes;
    this.crossRack = crossRack;
    this.topology = topology;
    this.seed = random.nextLong();
  }

  @Override
  public Stream<StoredFile> storedFiles() {
    return Stream.empty();
  }

  @Override
  public Stream<TimedRequest> requests() {
    SplittableRandom random = new SplittableRandom(seed);
    Arrivals arrivals = new Arrivals(perSec, durationNanos, random.split());
    long[] number = {0};
    return Streamed.until(
        () -> {
          long at = arrivals.next();
          return at < 0 ? null : transfer(at, number[0]++, random);
        });
  }

  private TimedRequest transfer(long at, long number, SplittableRandom random) {
    int from = random.nextInt(topology.nodeCount());
    boolean cross = random.nextDouble() < crossRack;
    int to = cross ? elsewhere(from, random) : nearby(from, random);
    long bytes = Math.max(1, Math.round(sizeBytes.draw(random)));
    return new TimedRequest.Transfer(at, from, to, bytes, number);
  }

  private int nearby(int from, SplittableRandom random) {
    int rack = topology.rackOf(from);
    int others = topology.rackSize(rack) - 1;
    if (others == 0) {
      return elsewhere(from, random);
    }
    int to = topology.firstNode(rack) + random.nextInt(others);
    return to < from ? to : to + 1;
  }

  private int elsewhere(int from, SplittableRandom random) {
    int rack = topology.rackOf(from);
    int others = topology.nodeCount() - topology.rackSize(rack);
    if (others == 0) {
      return nearby(from, random);
    }
    int to = random.nextInt(others);
    return to < topology.firstNode(rack) ? to : to + topology.rackSize(rack);
  }
}
