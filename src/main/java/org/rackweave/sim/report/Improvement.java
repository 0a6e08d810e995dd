package org.rackweave.sim.report;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.rackweave.sim.run.PolicyRecord;
import org.rackweave.sim.statistics.Sample;
import org.rackweave.sim.traffic.BlockOutcome;
import org.rackweave.sim.traffic.Transfers.GroupOutcome;

/**
 * A policy against a baseline on the same blocks of the same seed. Above 1 is faster.
 *
 * @param ofMeans mean write time of the baseline over the policy's
 * @param ofMeansWithWait the same with the time that requests wait to be placed
 * @param median over the blocks, of the baseline's time over the policy's
 * @param improved fraction of blocks faster by more than {@link #SAME}
 * @param same fraction within it
 * @param slower fraction slower by more
 * @param twice fraction at least twice as fast
 * @param ofTransfers mean duration of groups of transfers, by their bytes, baseline over policy
 */
public record Improvement(
    double ofMeans,
    double ofMeansWithWait,
    double median,
    double improved,
    double same,
    double slower,
    double twice,
    double ofTransfers) {

  /** Times closer than this are the same, as a fraction. */
  public static final double SAME = 0.05;

  private static final double TWICE = 2;

  private record Key(long file, int block) {
    static Key of(BlockOutcome outcome) {
      return new Key(outcome.file(), outcome.block());
    }
  }

  /** Compares the blocks that both wrote. */
  public static Improvement of(PolicyRecord baseline, PolicyRecord policy) {
    Map<Key, BlockOutcome> before = new HashMap<>();
    for (BlockOutcome outcome : baseline.blocks()) {
      if (outcome.isWritten()) {
        before.put(Key.of(outcome), outcome);
      }
    }
    List<Double> ratios = new ArrayList<>();
    double[] sums = new double[4];
    for (BlockOutcome after : policy.blocks()) {
      BlockOutcome was = before.get(Key.of(after));
      if (after.isWritten() && was != null) {
        sums[0] += was.writeSeconds();
        sums[1] += after.writeSeconds();
        sums[2] += was.secondsWithWait();
        sums[3] += after.secondsWithWait();
        ratios.add(was.writeSeconds() / after.writeSeconds());
      }
    }
    Sample ratio = new Sample(ratios.stream().mapToDouble(Double::doubleValue).toArray());
    double improved = ratio.shareAtLeast(Math.nextUp(1 + SAME));
    double notSlower = ratio.shareAtLeast(1 / (1 + SAME));
    return new Improvement(
        sums[0] / sums[1],
        sums[2] / sums[3],
        ratio.median(),
        improved,
        notSlower - improved,
        1 - notSlower,
        ratio.shareAtLeast(TWICE),
        transferSeconds(baseline) / transferSeconds(policy));
  }

  private static double transferSeconds(PolicyRecord record) {
    double seconds = 0;
    double bytes = 0;
    for (GroupOutcome group : record.groups()) {
      seconds += group.seconds() * group.sizeBytes();
      bytes += group.sizeBytes();
    }
    return seconds / bytes;
  }
}
