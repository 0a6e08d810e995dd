package org.rackweave.cli.demo;

import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.rackweave.cli.demo.BlockWrite.Situation;
import org.rackweave.cli.demo.cluster.LinkWindow;

/**
 * What one policy achieved in all its rounds.
 *
 * @param blockSeconds write time of every block, in the order they were asked for
 * @param bySituation the same, split
 * @param fileSeconds time of every file from create to close
 * @param coldWriterMeanSeconds mean write time of blocks whose writer was free
 * @param hotTargetAvoided share of blocks none of whose remote replicas went to a hot DataNode
 * @param linkCvMedian median over windows of the variation of what DataNodes receive
 * @param backgroundLoad what background load took of the links it was on, as a fraction; as it must
 *     be the same for both policies, this tells how far they can be compared
 * @param storageCv variation of bytes placed over DataNodes
 * @param placedBytes bytes of replicas placed, by DataNode
 * @param bytesVerified bytes that were read back and whose checksum was right
 * @param fallbacks decisions left to stock placement
 */
public record PolicyFigures(
    double[] blockSeconds,
    Map<Situation, double[]> bySituation,
    double[] fileSeconds,
    double coldWriterMeanSeconds,
    double hotTargetAvoided,
    double linkCvMedian,
    double backgroundLoad,
    double storageCv,
    long[] placedBytes,
    long bytesVerified,
    long fallbacks) {

  /** Sums up the rounds of one policy. */
  public static PolicyFigures of(List<RoundOutcome> rounds, DemoSettings settings) {
    List<BlockWrite> blocks =
        rounds.stream()
            .flatMap(round -> round.blocks().stream())
            .sorted(Comparator.comparingLong(BlockWrite::startNs))
            .toList();
    Map<Situation, double[]> bySituation = new EnumMap<>(Situation.class);
    for (Situation situation : Situation.values()) {
      bySituation.put(situation, seconds(blocks, block -> block.situation() == situation));
    }
    long[] placed = placedBytes(rounds, settings.nodes());
    return new PolicyFigures(
        seconds(blocks, block -> true),
        bySituation,
        rounds.stream().flatMapToDouble(round -> Arrays.stream(round.fileSeconds())).toArray(),
        Statistics.mean(seconds(blocks, block -> !block.writerHot())),
        blocks.stream().mapToDouble(block -> block.targetHot() ? 0 : 1).average().orElse(0),
        Statistics.quantile(linkVariation(rounds, settings), 0.5),
        rounds.stream().mapToDouble(RoundOutcome::backgroundLoad).average().orElse(0),
        Statistics.variation(Arrays.stream(placed).asDoubleStream().toArray()),
        placed,
        rounds.stream().mapToLong(RoundOutcome::verifiedBytes).sum(),
        rounds.stream().mapToLong(RoundOutcome::fallbacks).sum());
  }

  private static double[] seconds(List<BlockWrite> blocks, Predicate<BlockWrite> which) {
    return blocks.stream().filter(which).mapToDouble(BlockWrite::seconds).toArray();
  }

  private static long[] placedBytes(List<RoundOutcome> rounds, int nodes) {
    long[] sum = new long[nodes];
    for (RoundOutcome round : rounds) {
      for (int node = 0; node < nodes; node++) {
        sum[node] += round.placedBytes()[node];
      }
    }
    return sum;
  }

  /** Only while files arrive: before, both policies see nothing but background load. */
  private static double[] linkVariation(List<RoundOutcome> rounds, DemoSettings settings) {
    return rounds.stream()
        .flatMap(round -> round.windows().stream())
        .filter(window -> hasArrivals(window, settings))
        .mapToDouble(window -> Statistics.variation(window.receivedBytesPerSec()))
        .toArray();
  }

  private static boolean hasArrivals(LinkWindow window, DemoSettings settings) {
    return window.startMs() >= settings.settleMs()
        && window.startMs() + window.lengthMs() <= settings.settleMs() + settings.arrivalsMs();
  }

  /** Blocks written. */
  public int blocks() {
    return blockSeconds.length;
  }

  /** Mean write time of a block. */
  public double blockMeanSeconds() {
    return Statistics.mean(blockSeconds);
  }
}
