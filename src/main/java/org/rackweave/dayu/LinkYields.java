package org.rackweave.dayu;

/**
 * What the links of racks yield: how much of the rates they were given copies under way over them
 * reach. Where others crowd a link, a copy that begins there gets no more than those that are there
 * already, whatever the link is said to have. 1 where nothing is known.
 */
final class LinkYields {
  /** A link over which copies get less than so much of their rates is what holds them up. */
  private static final double HELD_UP_BELOW = 0.9;

  /** Bytes per second that rounding may leave of rates. */
  private static final double NEXT_TO_NOTHING = 1e-6;

  private final SlotLoads loads;
  private final RecoveryBatch batch;
  private final double[] outSpeed;
  private final double[] outRate;
  private final double[] inSpeed;
  private final double[] inRate;

  LinkYields(SlotLoads loads) {
    this.loads = loads;
    batch = loads.batch;
    int racks = loads.rackOut.length;
    outSpeed = new double[racks];
    outRate = new double[racks];
    inSpeed = new double[racks];
    inRate = new double[racks];
    for (int task = 0; task < batch.count() && batch.hasRunning(); task++) {
      if (tells(task)) {
        int from = loads.rackOf[batch.runningFrom(task)];
        int to = loads.rackOf[batch.runningTo(task)];
        outSpeed[from] += batch.speedBytesPerSec(task);
        outRate[from] += batch.rateBytesPerSec(task);
        inSpeed[to] += batch.speedBytesPerSec(task);
        inRate[to] += batch.rateBytesPerSec(task);
      }
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
   * What another copy in place of one under way is likely to get of what its links have, 0 to 1. It
   * goes by all others over these links: it may be no link of a rack that holds that one up. Where
   * it is, because the others over it are held up too, a link gives it nothing: all that is left
   * over a full link is done at one time, whatever each copy gets, and later if one begins anew.
   */
  double inPlaceOf(int task, int from, int to) {
    if (!loads.crosses(from, to)) {
      return 1;
    }
    int fromRack = loads.rackOf[from];
    int toRack = loads.rackOf[to];
    boolean sameOut = fromRack == loads.rackOf[batch.runningFrom(task)];
    boolean sameIn = toRack == loads.rackOf[batch.runningTo(task)];
    return Math.min(
        share(outSpeed[fromRack], outRate[fromRack], sameOut, task),
        share(inSpeed[toRack], inRate[toRack], sameIn, task));
  }

  private double share(double speed, double rate, boolean isSame, int task) {
    boolean isCounted = isSame && tells(task);
    double othersSpeed = speed - (isCounted ? batch.speedBytesPerSec(task) : 0);
    double othersRate = rate - (isCounted ? batch.rateBytesPerSec(task) : 0);
    if (othersRate < NEXT_TO_NOTHING) {
      return 1;
    }
    double share = Math.max(0, Math.min(1, othersSpeed / othersRate));
    return isSame && share < HELD_UP_BELOW ? 0 : share;
  }
}
