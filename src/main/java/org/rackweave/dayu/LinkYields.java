package org.rackweave.dayu;

import java.util.BitSet;

/**
 * What the links of racks yield: how much of the rates they were given copies under way over them
 * reach. Where others crowd a link, a copy that begins there gets no more than those that are there
 * already, whatever the link is said to have. Copies into crowded nodes are slow by what is there,
 * and say nothing of the links they come from, unless others crowd these too. 1 where nothing is
 * known.
 *
 * <p>Where others crowd a link out, each copy gets there what one connection gets among many. That
 * is told by those that go over it to where nobody crowds them, and is no less for another beside
 * them: it is the others who have less then.
 */
final class LinkYields {
  /** A link over which copies get less than so much of their rates is what holds them up. */
  private static final double HELD_UP_BELOW = 0.9;

  /** Bytes per second that rounding may leave of rates. */
  private static final double NEXT_TO_NOTHING = 1e-6;

  private final SlotLoads loads;
  private final RecoveryBatch batch;
  private final Direction out;
  private final Direction in;

  /** Of crowded links out of racks, speeds of copies into nodes that are not, and their number. */
  private final double[] speedAmongOthers;

  private final int[] amongOthers;

  LinkYields(SlotLoads loads) {
    this.loads = loads;
    batch = loads.batch;
    int racks = loads.rackOut.length;
    out = new Direction(racks);
    in = new Direction(racks);
    speedAmongOthers = new double[racks];
    amongOthers = new int[racks];
    for (int task = 0; task < batch.count() && batch.hasRunning(); task++) {
      if (tells(task)) {
        if (!loads.isCrowdedOnlyThere(task)) {
          out.add(loads.rackOf[batch.runningFrom(task)], task);
        }
        in.add(loads.rackOf[batch.runningTo(task)], task);
        addAmongOthers(task);
      }
    }
  }

  private void addAmongOthers(int task) {
    int from = batch.runningFrom(task);
    if (loads.snapshot.isCrowdedOut(from) && !loads.snapshot.isCrowded(batch.runningTo(task))) {
      speedAmongOthers[loads.rackOf[from]] += batch.speedBytesPerSec(task);
      amongOthers[loads.rackOf[from]]++;
    }
  }

  /** One that has not begun says nothing. */
  private boolean tells(int task) {
    return batch.isRunning(task)
        && batch.rateBytesPerSec(task) > 0
        && batch.doneBytes(task) > 0
        && loads.crosses(batch.runningFrom(task), batch.runningTo(task));
  }

  /**
   * Whether it is its destination that holds a copy under way up: others crowd that, and what they
   * do to its source, if they crowd it too, is known.
   */
  boolean isSlowThere(int task) {
    int from = batch.runningFrom(task);
    return batch.isHeldUp(task)
        && loads.snapshot.isCrowded(batch.runningTo(task))
        && (!loads.snapshot.isCrowdedOut(from) || amongOthers[loads.rackOf[from]] > 0);
  }

  /**
   * How long another copy in place of one under way is likely to take. It goes by all others over
   * its links: it may be no link of a rack that holds that one up. Where it is, because the others
   * over it are held up too, a link gives it nothing: all that is left over a full link is done at
   * one time, whatever each copy gets, and later if one begins anew.
   *
   * @param sec what it would take if it got all that its links have
   * @return seconds; infinite where it would get nothing
   */
  double secInPlaceOf(int task, int from, int to, double sec) {
    if (!loads.crosses(from, to)) {
      return sec;
    }
    int rack = loads.rackOf[from];
    double intoSec = sec / in.share(loads.rackOf[to], loads.rackOf[batch.runningTo(task)], task);
    if (amongOthers[rack] > 0 && loads.snapshot.isCrowdedOut(from) && isSlowThere(task)) {
      double speed = speedAmongOthers[rack] / amongOthers[rack];
      return Math.max(intoSec, batch.sizeBytes(task) / speed);
    }
    return Math.max(intoSec, sec / out.share(rack, loads.rackOf[batch.runningFrom(task)], task));
  }

  /** Links of racks in one direction: what copies that tell do over them, and what they may. */
  private final class Direction {
    private final double[] speed;
    private final double[] rate;
    private final BitSet counted = new BitSet();

    Direction(int racks) {
      speed = new double[racks];
      rate = new double[racks];
    }

    void add(int rack, int task) {
      speed[rack] += batch.speedBytesPerSec(task);
      rate[rack] += batch.rateBytesPerSec(task);
      counted.set(task);
    }

    /**
     * @param now the rack whose link the task goes over now
     */
    double share(int rack, int now, int task) {
      boolean isSame = rack == now;
      boolean isCounted = isSame && counted.get(task);
      double othersSpeed = speed[rack] - (isCounted ? batch.speedBytesPerSec(task) : 0);
      double othersRate = rate[rack] - (isCounted ? batch.rateBytesPerSec(task) : 0);
      if (othersRate < NEXT_TO_NOTHING) {
        return 1;
      }
      double share = Math.max(0, Math.min(1, othersSpeed / othersRate));
      return isSame && share < HELD_UP_BELOW ? 0 : share;
    }
  }
}
