package org.rackweave.cli.experiment;

import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.rackweave.cli.experiment.BlockWrite.Situation;
import org.rackweave.sim.statistics.Sample;

/**
 * What one policy achieved in one or several runs.
 *
 * @param blockSeconds write time of every block, in the order in which they began
 * @param bySituation the same, split
 * @param coldWriterMeanSeconds mean write time of blocks whose writer was free
 * @param hotTargetAvoided share of blocks none of whose remote replicas went to a hot DataNode
 * @param linkCvMedian median over windows of the variation of what DataNodes receive
 * @param backgroundLoad what background load took of the links it was on, as a fraction; as it must
 *     be the same for all policies, this tells how far they can be compared
 * @param storageCv variation of bytes placed over DataNodes
 * @param placedBytes bytes of replicas placed, by DataNode
 * @param bytesVerified bytes that were read back and were what had been written
 * @param fallbacks decisions left to stock placement
 */
public record WriteFigures(
    double[] blockSeconds,
    Map<Situation, double[]> bySituation,
    double coldWriterMeanSeconds,
    double hotTargetAvoided,
    double linkCvMedian,
    double backgroundLoad,
    double storageCv,
    long[] placedBytes,
    long bytesVerified,
    long fallbacks) {

  /** Sums up the runs of one policy, at least one, all with the same DataNodes. */
  public static WriteFigures of(List<WriteRun> runs) {
    List<BlockWrite> blocks =
        runs.stream()
            .flatMap(run -> run.blocks().stream())
            .sorted(Comparator.comparingLong(BlockWrite::startNs))
            .toList();
    Map<Situation, double[]> bySituation = new EnumMap<>(Situation.class);
    for (Situation situation : Situation.values()) {
      bySituation.put(situation, seconds(blocks, block -> block.situation() == situation));
    }
    long[] placed = placedBytes(runs);
    return new WriteFigures(
        seconds(blocks, block -> true),
        bySituation,
        new Sample(seconds(blocks, block -> !block.writerHot())).mean(),
        blocks.stream().mapToDouble(block -> block.targetHot() ? 0 : 1).average().orElse(0),
        new Sample(linkVariation(runs)).median(),
        runs.stream().mapToDouble(WriteRun::backgroundLoad).average().orElse(0),
        new Sample(Arrays.stream(placed).asDoubleStream().toArray()).variation(),
        placed,
        runs.stream().mapToLong(WriteRun::verifiedBytes).sum(),
        runs.stream().mapToLong(WriteRun::fallbacks).sum());
  }

  private static double[] seconds(List<BlockWrite> blocks, Predicate<BlockWrite> which) {
    return blocks.stream().filter(which).mapToDouble(BlockWrite::seconds).toArray();
  }

  private static long[] placedBytes(List<WriteRun> runs) {
    long[] sum = new long[runs.get(0).placedBytes().length];
    for (WriteRun run : runs) {
      for (int node = 0; node < sum.length; node++) {
        sum[node] += run.placedBytes()[node];
      }
    }
    return sum;
  }

  private static double[] linkVariation(List<WriteRun> runs) {
    return runs.stream()
        .flatMap(run -> run.windows().stream())
        .mapToDouble(window -> new Sample(window.receivedBytesPerSec()).variation())
        .toArray();
  }

  /** Blocks written. */
  public int blocks() {
    return blockSeconds.length;
  }

  /** Mean write time of a block. */
  public double blockMeanSeconds() {
    return new Sample(blockSeconds).mean();
  }
}
