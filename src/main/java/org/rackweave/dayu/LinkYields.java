package org.rackweave.dayu;

/**
 * What the links of racks yield: how much of the rates they were given copies under way over them
 * reach. Where others crowd a link, a copy that begins there gets no more than those that are there
 * already, whatever the link is said to have. 1 where nothing is known.
 */
final class LinkYields {
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
   * What another copy in place of one under way is likely to get of what its links have, above 0 to
   * 1. It goes by all others over these links: it may be no link of a rack that holds that one up.
   */
  double inPlaceOf(int task, int from, int to) {
    if (!loads.crosses(from, to)) {
      return 1;
    }
    int fromRack = loads.rackOf[from];
    int toRack = loads.rackOf[to];
    double speed = tells(task) ? batch.speedBytesPerSec(task) : 0;
    double rate = tells(task) ? batch.rateBytesPerSec(task) : 0;
    boolean sameOut = fromRack == loads.rackOf[batch.runningFrom(task)];
    boolean sameIn = toRack == loads.rackOf[batch.runningTo(task)];
    return Math.min(
        share(outSpeed[fromRack] - (sameOut ? speed : 0), outRate[fromRack] - (sameOut ? rate : 0)),
        share(inSpeed[toRack] - (sameIn ? speed : 0), inRate[toRack] - (sameIn ? rate : 0)));
  }

  private static double share(double speed, double rate) {
    boolean isKnown = rate > 1e-6;
    return isKnown ? Math.max(Double.MIN_NORMAL, Math.min(1, speed / rate)) : 1;
  }
}
