package org.rackweave.dayu;

import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Copies under way that will not end with the slot under way (section 4.4).
 *
 * <p><b>Forecast.</b> A copy's speed so far in its slot is taken to last until the slot ends,
 * T_schedule from now; what is left then is what the next slot has to move.
 *
 * <p><b>Resumable copies</b>, the paper's. Where stragglers alone saturate a node, the least
 * finished are evicted until they do not. One evicted at its destination becomes a new task; one
 * evicted at its source gets another source and goes on into the same destination.
 *
 * <p><b>Copies that start from nothing</b>, HDFS's. A straggler keeps both nodes and gets a new
 * rate. Where its nodes are saturated, the least finished first, it is compared with a copy from
 * the start between the least utilised nodes; if that is done sooner, within the slot, it replaces
 * the other.
 *
 * <p><b>The end</b>, ours. Where all that is left could be done before the slot ends, a straggler
 * that would be done later than its {@link SlotAim} takes the soonest of three ways: as it is;
 * where copies can be resumed, from another source; from the start between the least utilised
 * nodes.
 *
 * <p>A copy that is overdue tells that its links have less than the snapshot says; it is taken to
 * go on at the speed it has. Nobody knows which of its nodes holds it up, so one that begins anew
 * in its place does so between two others: what is lost is not to be lost again. Where it is held
 * up and its destination is crowded, one knows: others came there after it began. (If they crowd
 * its source too, copies from there to elsewhere tell what that costs.) So it need not be overdue,
 * and only the destination has to be another; it is taken to go on somewhat faster than it is, as
 * far as its rate may grow. What one that begins anew would get there goes by what the links of
 * racks {@link LinkYields yield}. Where nobody knows what holds the old one up it has to be done in
 * half the time: that may be over at any moment, what it has done would be lost for certain. One
 * that begins anew begins later by what it takes to cancel the old. One that is bound is booked and
 * left alone.
 *
 * <p>A link that is saturated by one straggler alone is not helped by evicting it. O(stragglers log
 * stragglers), and O(nodes) for each that is compared with a restart.
 */
final class StragglingCopies {
  private static final int NONE = SlotLoads.NONE;

  /** How many times as fast another copy is to be than one that something unknown holds up. */
  private static final double DOUBT = 2;

  private final SlotLoads loads;
  private final RecoveryBatch batch;
  private final ScanPick scan;
  private final LinkYields yields;
  private final Timeslot slot;
  private final SlotAim aim;
  private final DayuSettings.Stragglers how;

  StragglingCopies(
      SlotLoads loads,
      DestinationRules rules,
      Timeslot slot,
      SlotAim aim,
      DayuSettings.Stragglers how) {
    this.loads = loads;
    this.slot = slot;
    this.aim = aim;
    this.how = how;
    batch = loads.batch;
    scan = new ScanPick(loads, rules);
    yields = new LinkYields(loads);
  }

  /** Bytes a copy under way will have to move after its slot; 0 when it should end before. */
  static double bytesLeft(RecoveryBatch batch, int task, double scheduleSec) {
    double left = batch.sizeBytes(task) - batch.doneBytes(task);
    // To the byte: one that ends in that very moment is not late by rounding.
    return Math.max(0, Math.rint(left - batch.speedBytesPerSec(task) * scheduleSec));
  }

  /**
   * Books copies under way.
   *
   * @param running tasks under way, of one priority
   * @return those that are new tasks again
   */
  int[] place(int[] running) {
    for (int task : running) {
      double left = bytesLeft(batch, task, slot.scheduleSec());
      if (left == 0) {
        loads.leave(task, Verdict.FINISHING);
      } else {
        loads.bytes[task] = left;
        loads.assign(task, batch.runningFrom(task), batch.runningTo(task), Verdict.KEPT);
      }
    }
    List<Integer> leastFinishedFirst =
        IntStream.of(running)
            .filter(task -> loads.verdict(task) == Verdict.KEPT && !batch.isBound(task))
            .boxed()
            .sorted(Comparator.comparingDouble(this::finished).thenComparing(task -> task))
            .collect(Collectors.toList());
    return switch (how) {
      case KEEP -> new int[0];
      case RESUME -> {
        int[] again = resume(leastFinishedFirst);
        hasten(leastFinishedFirst);
        yield again;
      }
      case RESTART -> {
        int[] again = restart(leastFinishedFirst);
        hasten(leastFinishedFirst);
        yield again;
      }
    };
  }

  /** Moves what would be late though all could be done before the slot ends. */
  private void hasten(List<Integer> stragglers) {
    if (!aim.isBeforeSlotEnd()) {
      return;
    }
    for (int task : stragglers) {
      Verdict verdict = loads.verdict(task);
      if (verdict == Verdict.KEPT || verdict == Verdict.RESOURCED) {
        int from = loads.source[task];
        int to = loads.destination[task];
        double keptSec = keptSec(task);
        if (aim.isMissedBy(task, keptSec) && !movesSooner(task, keptSec)) {
          loads.assign(task, from, to, verdict);
        }
      }
    }
  }

  /** Until a copy is done where it is. */
  private double keptSec(int task) {
    int from = loads.source[task];
    double sec = Math.max(loads.outSec(from, 0), loads.inSec(from, loads.destination[task], 0));
    if (!batch.isOverdue(task) && !yields.isSlowThere(task)) {
      return sec;
    }
    double growth = batch.isOverdue(task) ? 1 : TransferLinks.GROWTH;
    return Math.max(sec, loads.bytes[task] / (growth * batch.speedBytesPerSec(task)));
  }

  /** Takes a copy back and moves it if that is done sooner; else leaves it taken back. */
  private boolean movesSooner(int task, double keptSec) {
    int old = loads.source[task];
    int to = loads.destination[task];
    double left = loads.bytes[task];
    if (restartsSooner(task, keptSec)) {
      int newTo = loads.destination[task];
      int newFrom = loads.source[task];
      if (how == DayuSettings.Stragglers.RESTART) {
        return true;
      }
      double sec = Math.max(loads.outSec(newFrom, 0), loads.inSec(newFrom, newTo, 0));
      unplan(task, old, to, left);
      if (!resourcesSooner(task, sec)) {
        loads.bytes[task] = batch.sizeBytes(task);
        loads.assign(task, newFrom, newTo, Verdict.RESTARTED);
      }
      return true;
    }
    return how == DayuSettings.Stragglers.RESUME && resourcesSooner(task, keptSec);
  }

  /** Takes a new copy back and remembers the one under way. */
  private void unplan(int task, int from, int to, double left) {
    loads.releaseNew(task);
    loads.source[task] = from;
    loads.destination[task] = to;
    loads.bytes[task] = left;
  }

  /** Gives a copy that is taken back another source if it is done sooner so. */
  private boolean resourcesSooner(int task, double otherwiseSec) {
    int old = loads.source[task];
    int to = loads.destination[task];
    double left = loads.bytes[task];
    int from = loads.leastUsedSource(task);
    if (from == NONE || from == old) {
      return false;
    }
    double sec = Math.max(loads.outSec(from, left), loads.inSec(from, to, left));
    if (sec >= otherwiseSec || !loads.fitsSlot(sec)) {
      return false;
    }
    loads.assign(task, from, to, Verdict.RESOURCED);
    return true;
  }

  private double finished(int task) {
    return (double) batch.doneBytes(task) / batch.sizeBytes(task);
  }

  private int[] resume(List<Integer> stragglers) {
    int[] fromDestination =
        stragglers.stream().mapToInt(task -> task).filter(this::givesWayAtDestination).toArray();
    int[] fromSource =
        stragglers.stream()
            .mapToInt(task -> task)
            .filter(task -> loads.verdict(task) == Verdict.KEPT && givesWayAtSource(task))
            .toArray();
    for (int task : fromSource) {
      resource(task);
    }
    for (int task : fromDestination) {
      startAgain(task);
    }
    return fromDestination;
  }

  private boolean givesWayAtDestination(int task) {
    int from = loads.source[task];
    int to = loads.destination[task];
    int rack = loads.rackOf[to];
    boolean node = isCrowded(loads.in[to], loads.inSecPerByte[to], task);
    boolean link = isCrowded(loads.rackIn[rack], loads.rackInSecPerByte[rack], task);
    return giveWay(task, node || link && loads.crosses(from, to));
  }

  private boolean givesWayAtSource(int task) {
    int from = loads.source[task];
    int rack = loads.rackOf[from];
    boolean node = isCrowded(loads.out[from], loads.outSecPerByte[from], task);
    boolean link = isCrowded(loads.rackOut[rack], loads.rackOutSecPerByte[rack], task);
    return giveWay(task, node || link && loads.crosses(from, loads.destination[task]));
  }

  private boolean isCrowded(double load, double secPerByte, int task) {
    return !loads.fitsSlot(load * secPerByte) && load > loads.bytes[task];
  }

  private boolean giveWay(int task, boolean crowded) {
    if (crowded) {
      loads.release(task);
    }
    return crowded;
  }

  private void resource(int task) {
    int old = loads.source[task];
    int to = loads.destination[task];
    double left = loads.bytes[task];
    int from = loads.leastUsedSource(task);
    if (from == NONE || !loads.fitsSlot(loads.outSec(from, left))) {
      loads.leave(task, Verdict.SOURCE_SATURATED);
    } else if (!loads.fitsSlot(loads.inSec(from, to, left))) {
      loads.leave(task, Verdict.DESTINATION_SATURATED);
    } else {
      loads.assign(task, from, to, from == old ? Verdict.KEPT : Verdict.RESOURCED);
    }
  }

  private void startAgain(int task) {
    loads.source[task] = NONE;
    loads.destination[task] = NONE;
    loads.bytes[task] = batch.sizeBytes(task);
  }

  private int[] restart(List<Integer> stragglers) {
    for (int task : stragglers) {
      int from = loads.source[task];
      int to = loads.destination[task];
      double keptSec = keptSec(task);
      if (!loads.fitsSlot(keptSec) && !restartsSooner(task, keptSec)) {
        loads.assign(task, from, to, Verdict.KEPT);
      }
    }
    return new int[0];
  }

  /** Takes a copy back and starts it anew if that is done sooner; else leaves it taken back. */
  private boolean restartsSooner(int task, double keptSec) {
    int old = loads.destination[task];
    double left = loads.bytes[task];
    double size = batch.sizeBytes(task);
    loads.release(task);
    loads.bytes[task] = size;
    boolean isThere = yields.isSlowThere(task);
    boolean isAnywhere = batch.isOverdue(task) && !isThere;
    int from = loads.leastUsedSource(task, isAnywhere ? loads.source[task] : NONE);
    int to = from == NONE ? NONE : destinationOtherThan(old, task, from);
    if (to != NONE && loads.fitsBudget(size)) {
      double sec = Math.max(loads.outSec(from, size), loads.inSec(from, to, size));
      double itsSec = isAnywhere || isThere ? yields.secInPlaceOf(task, from, to, sec) : sec;
      double doubt = isAnywhere ? DOUBT : 1;
      double likelySec = doubt * (itsSec + slot.restartSec());
      if (likelySec < keptSec && loads.fitsSlot(sec)) {
        loads.assign(task, from, to, Verdict.RESTARTED);
        return true;
      }
    }
    loads.bytes[task] = left;
    return false;
  }

  private int destinationOtherThan(int old, int task, int from) {
    int type = batch.storageType(task);
    if (type >= loads.freeBytes.length) {
      return NONE;
    }
    long free = loads.freeBytes[type][old];
    // A node without room is not looked at.
    loads.freeBytes[type][old] = 0;
    int to = scan.destination(task, from);
    loads.freeBytes[type][old] = free;
    return to;
  }
}
