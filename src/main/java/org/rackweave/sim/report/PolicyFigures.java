package org.rackweave.sim.report;

import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.rackweave.sim.recovery.RecoveryOutcome;
import org.rackweave.sim.run.PolicyRecord;
import org.rackweave.sim.run.PolicyRecord.RackLook;
import org.rackweave.sim.statistics.Sample;
import org.rackweave.sim.traffic.BlockOutcome;
import org.rackweave.sim.traffic.ReadOutcome;

/**
 * A policy in one run, in numbers.
 *
 * @param blocks written
 * @param lost blocks given up or not ended
 * @param meanSec of a block's write time, from its placement
 * @param medianSec the middle one
 * @param p95Sec all but 5 % are faster
 * @param meanWithWaitSec from the request
 * @param readBlocks blocks read
 * @param unread blocks of which no replica was left, or whose reader failed
 * @param readMeanSec of a block's read time, a wait in the node's queue included
 * @param readP99Sec all but 1 % are faster
 * @param cvUp median variation of the rack links' load towards the core
 * @param cvDown the same towards the racks
 * @param freeLoad mean load of the links towards racks that are free, NaN without looks at them
 * @param freeSwing mean change of the same from one look to the next
 * @param rackBytesCv variation of the bytes stored in racks
 * @param nodeDeviationBytes standard deviation of the bytes stored on nodes
 * @param kilowattHours drawn by all machines
 * @param fallbacks blocks that stock placed for Sinbad or EAR
 * @param stripes encoded
 * @param encodingBytesPerSec data of all stripes over the time they took, NaN without any
 * @param crossRackDownloads data blocks of a stripe read across racks, NaN without any
 * @param relocations data blocks of a stripe that could not stay, NaN without any
 * @param recovery of a failed node; its figures are NaN without any
 */
public record PolicyFigures(
    int blocks,
    int lost,
    double meanSec,
    double medianSec,
    double p95Sec,
    double meanWithWaitSec,
    int readBlocks,
    int unread,
    double readMeanSec,
    double readP99Sec,
    double cvUp,
    double cvDown,
    double freeLoad,
    double freeSwing,
    double rackBytesCv,
    double nodeDeviationBytes,
    double kilowattHours,
    long fallbacks,
    int stripes,
    double encodingBytesPerSec,
    double crossRackDownloads,
    double relocations,
    RecoveryOutcome recovery) {

  public static PolicyFigures of(PolicyRecord record) {
    Sample write = times(record, BlockOutcome::writeSeconds);
    Sample waited = times(record, BlockOutcome::secondsWithWait);
    Sample read =
        new Sample(
            record.reads().stream()
                .filter(ReadOutcome::isRead)
                .mapToDouble(ReadOutcome::seconds)
                .toArray());
    return new PolicyFigures(
        write.size(),
        record.blocks().size() - write.size() + record.effort().unfinished(),
        write.mean(),
        write.median(),
        write.quantile(0.95),
        waited.mean(),
        read.size(),
        record.reads().size() - read.size(),
        read.mean(),
        read.quantile(0.99),
        new Sample(record.cvUp()).median(),
        new Sample(record.cvDown()).median(),
        freeLoad(record.looks()),
        freeSwing(record.looks()),
        new Sample(record.rackBytes()).variation(),
        new Sample(record.nodeBytes()).deviation(),
        record.kilowattHours(),
        record.fallbacks().values().stream().mapToLong(Long::longValue).sum(),
        record.encoding().stripes().size(),
        record.encoding().dataBytesPerSec(),
        record.encoding().crossRackDownloads(),
        record.encoding().relocations(),
        record.recovery());
  }

  private static double freeLoad(List<RackLook> looks) {
    return looks.stream()
        .flatMapToDouble(look -> look.freeRacks().mapToDouble(rack -> look.load()[rack]))
        .filter(Double::isFinite)
        .average()
        .orElse(Double.NaN);
  }

  private static double freeSwing(List<RackLook> looks) {
    return IntStream.range(1, looks.size())
        .mapToObj(i -> changes(looks.get(i - 1), looks.get(i)))
        .flatMapToDouble(changes -> changes)
        .filter(Double::isFinite)
        .average()
        .orElse(Double.NaN);
  }

  /** Of racks that were free at both looks. */
  private static DoubleStream changes(RackLook before, RackLook after) {
    return after
        .freeRacks()
        .filter(rack -> before.freeRacks().anyMatch(other -> other == rack))
        .mapToDouble(rack -> Math.abs(after.load()[rack] - before.load()[rack]));
  }

  /** Write times of all blocks that were written, seconds. */
  public static Sample writeSeconds(PolicyRecord record) {
    return times(record, BlockOutcome::writeSeconds);
  }

  private static Sample times(PolicyRecord record, ToDoubleFunction<BlockOutcome> time) {
    return new Sample(
        record.blocks().stream().filter(BlockOutcome::isWritten).mapToDouble(time).toArray());
  }
}
