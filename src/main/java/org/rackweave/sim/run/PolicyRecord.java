package org.rackweave.sim.run;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.rackweave.placement.FallbackReason;
import org.rackweave.sim.recovery.RecoveryOutcome;
import org.rackweave.sim.traffic.BlockOutcome;
import org.rackweave.sim.traffic.ReadOutcome;
import org.rackweave.sim.traffic.Transfers.GroupOutcome;

/**
 * What was seen of one policy in the run of one seed. Blocks and groups asked for during the
 * warm-up are not in it.
 *
 * @param policy its name
 * @param blocks in the order in which their writes ended
 * @param reads blocks read, in the order in which their reads ended
 * @param groups shuffles and other groups of transfers, in the order of their ends
 * @param cvUp coefficient of variation of the load of the rack links towards the core, one value
 *     for each 10 seconds in which something moved
 * @param cvDown the same of the links towards the racks
 * @param looks at the load of the links towards the racks, in the order of time; none unless the
 *     scenario asks for them
 * @param rackBytes stored in each rack at the end
 * @param rackBlocks stored in each rack at the end
 * @param nodeBytes stored on each node at the end
 * @param kilowattHours that all machines have drawn until the last write ended
 * @param fallbacks how often stock placement acted for Sinbad or EAR, by reason
 * @param encoding what was seen of encoding
 * @param recovery what was seen of recovery
 * @param effort what the run took
 */
public record PolicyRecord(
    String policy,
    List<BlockOutcome> blocks,
    List<ReadOutcome> reads,
    List<GroupOutcome> groups,
    double[] cvUp,
    double[] cvDown,
    List<RackLook> looks,
    double[] rackBytes,
    double[] rackBlocks,
    double[] nodeBytes,
    double kilowattHours,
    Map<FallbackReason, Long> fallbacks,
    EncodingRecord encoding,
    RecoveryOutcome recovery,
    Effort effort) {

  /**
   * Links towards the racks between two looks.
   *
   * @param load of each rack: what came in, as a share of what the own work of its nodes leaves;
   *     NaN where this changed in between
   * @param occupied of each rack: the share that their own work takes
   */
  public record RackLook(double[] load, double[] occupied) {

    /** Racks whose nodes have less than half of the work that those of the busiest rack have. */
    public IntStream freeRacks() {
      double busiest = Arrays.stream(occupied).max().orElse(0);
      return IntStream.range(0, occupied.length).filter(rack -> occupied[rack] < busiest / 2);
    }
  }

  /**
   * What a run took.
   *
   * @param simulatedNanos until the last write ended
   * @param events that happened
   * @param flows that were started
   * @param settlements how often rates were computed
   * @param unfinished blocks whose writes or reads had not ended when the run was broken off
   */
  public record Effort(
      long simulatedNanos, long events, long flows, long settlements, int unfinished) {}
}
