package org.rackweave.hdfs.dayu;

import java.util.Map;
import org.rackweave.hdfs.dayu.RunningCopies.ArrivedCopy;
import org.rackweave.telemetry.BlockFigures;

/**
 * How far copies were when their source spoke last, and when it spoke before: what lies between was
 * sent while the source measured its links. Immutable.
 *
 * @param doneBytes of each copy, or {@link BlockFigures#CANCELLED}
 * @param atMs when it was heard
 * @param doneBefore the same when it spoke before, {@code null} when it did not
 * @param beforeMs when that was heard
 */
record SourceReport(
    Map<Long, Long> doneBytes, long atMs, Map<Long, Long> doneBefore, long beforeMs) {

  static SourceReport first(Map<Long, Long> doneBytes, long atMs) {
    return new SourceReport(doneBytes, atMs, null, atMs);
  }

  SourceReport then(SourceReport next) {
    return new SourceReport(next.doneBytes, next.atMs, doneBytes, atMs);
  }

  private boolean knowsSpeeds() {
    return doneBefore != null && atMs > beforeMs;
  }

  /** What was sent for a copy under way, bytes per second; NaN where that is not known. */
  double sent(RunningCopy copy) {
    if (!knowsSpeeds()) {
      return Double.NaN;
    }
    long block = copy.copy().blockId();
    return perSec(done(doneBytes, block) - done(doneBefore, block));
  }

  /** What was sent in all; NaN where that is not known. */
  double sentInAll() {
    if (!knowsSpeeds()) {
      return Double.NaN;
    }
    double bytes = 0;
    for (long block : doneBytes.keySet()) {
      bytes += Math.max(0, done(doneBytes, block) - done(doneBefore, block));
    }
    return bytes * 1000.0 / (atMs - beforeMs);
  }

  /** The same for a copy that has arrived since; where it is not named, it was sent to its end. */
  double sent(ArrivedCopy arrived) {
    long block = arrived.copy().copy().blockId();
    if (!knowsSpeeds() || !isAmongWhatWasSent(arrived, block)) {
      return 0;
    }
    long size = arrived.copy().copy().sizeBytes();
    // Named as cancelled is an earlier copy of the block only; of this one nothing was sent then.
    long sent = doneBytes.containsKey(block) ? Math.min(size, done(doneBytes, block)) : size;
    return perSec(sent - done(doneBefore, block));
  }

  /** It may have begun and arrived between the two. */
  private boolean isAmongWhatWasSent(ArrivedCopy arrived, long block) {
    return doneBytes.containsKey(block)
        || doneBefore.containsKey(block)
        || !arrived.copy().isMeasured() && arrived.atMs() <= atMs;
  }

  /** Whether a copy had arrived before all that was sent. */
  boolean isAfter(ArrivedCopy arrived) {
    return !knowsSpeeds() || beforeMs >= arrived.atMs();
  }

  private static long done(Map<Long, Long> doneBytes, long block) {
    long done = doneBytes.getOrDefault(block, 0L);
    return done == BlockFigures.CANCELLED ? 0 : done;
  }

  private double perSec(long bytes) {
    return Math.max(0, bytes) * 1000.0 / (atMs - beforeMs);
  }
}
