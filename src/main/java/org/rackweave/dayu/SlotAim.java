package org.rackweave.dayu;

/**
 * By when the copies of a slot should be done.
 *
 * <p>In the paper that is the end of the slot, in the last slot too: one straggler on a slow node
 * that takes all of it is left there, and everything is done when it is. So here a slot that could
 * carry more than there is left aims at the moment at which all nodes together could be done with
 * that, and one more copy: whatever begins somewhere new would be done by then.
 *
 * <p>Example: 60 s of work are left for slots of 15 s, the aim is the end of the slot. With 2 s
 * left, and 0.8 s for a block over an average link, it is 2.8 s from the slot's beginning.
 */
final class SlotAim {
  private static final double ROUNDING = 1 + 1e-9;

  private final RecoveryBatch batch;
  private final double slotSec;

  /** Until all that is left could be done; infinite where that does not count. */
  private final double levelSec;

  /** Over an average link. */
  private final double secPerByte;

  SlotAim(RecoverySnapshot snapshot, RecoveryBatch batch, Timeslot slot, DayuSettings.Aim aim) {
    this.batch = batch;
    slotSec = slot.lengthSec();
    double bytesPerSec = IdealMakespan.slotBytes(snapshot, 1);
    int nodes = 0;
    for (int node = 0; node < snapshot.topology().nodeCount(); node++) {
      nodes += snapshot.inBytesPerSec(node) > 0 ? 1 : 0;
    }
    boolean counts = aim == DayuSettings.Aim.BACKLOG && bytesPerSec > 0;
    levelSec = counts ? bytesLeft(batch, slot) / bytesPerSec : Double.POSITIVE_INFINITY;
    secPerByte = nodes / bytesPerSec;
  }

  private static double bytesLeft(RecoveryBatch batch, Timeslot slot) {
    double left = 0;
    for (int task = 0; task < batch.count(); task++) {
      left +=
          batch.isRunning(task)
              ? StragglingCopies.bytesLeft(batch, task, slot.scheduleSec())
              : batch.sizeBytes(task);
    }
    return left;
  }

  /** Whether a slot could carry more than is left. */
  boolean isBeforeSlotEnd() {
    return levelSec < slotSec;
  }

  /** Whether a copy that is done so many seconds after the slot's beginning is late. */
  boolean isMissedBy(int task, double sec) {
    return sec > Math.min(slotSec, levelSec + batch.sizeBytes(task) * secPerByte) * ROUNDING;
  }

  /** For rates: when all is done that has the largest size. */
  double sec() {
    return isBeforeSlotEnd()
        ? Math.min(slotSec, levelSec + batch.largestBytes() * secPerByte)
        : slotSec;
  }
}
