package org.rackweave.dayu;

import java.util.Arrays;

/**
 * How fast copies under way get over the links of racks: the fastest of each. Where others crowd a
 * link, a copy that begins there is not faster than those that are there, whatever the link is said
 * to have.
 */
final class FastestCopies {
  private final SlotLoads loads;
  private final int[] out;
  private final int[] in;
  private final int[] secondOut;
  private final int[] secondIn;

  FastestCopies(SlotLoads loads) {
    this.loads = loads;
    int racks = loads.rackOut.length;
    out = none(racks);
    in = none(racks);
    secondOut = none(racks);
    secondIn = none(racks);
    RecoveryBatch batch = loads.batch;
    for (int task = 0; task < batch.count() && batch.hasRunning(); task++) {
      // One that has not begun says nothing.
      if (batch.isRunning(task) && batch.doneBytes(task) > 0) {
        int from = batch.runningFrom(task);
        int to = batch.runningTo(task);
        if (loads.crosses(from, to)) {
          rank(task, loads.rackOf[from], out, secondOut);
          rank(task, loads.rackOf[to], in, secondIn);
        }
      }
    }
  }

  private static int[] none(int racks) {
    int[] tasks = new int[racks];
    Arrays.fill(tasks, SlotLoads.NONE);
    return tasks;
  }

  private void rank(int task, int rack, int[] first, int[] second) {
    if (isFaster(task, first[rack])) {
      second[rack] = first[rack];
      first[rack] = task;
    } else if (isFaster(task, second[rack])) {
      second[rack] = task;
    }
  }

  private boolean isFaster(int task, int than) {
    RecoveryBatch batch = loads.batch;
    return than == SlotLoads.NONE || batch.speedBytesPerSec(task) > batch.speedBytesPerSec(than);
  }

  /**
   * Most that a copy in place of another would get, bytes per second; infinite where there is no
   * copy but that one to go by.
   */
  double speed(int task, int from, int to) {
    if (!loads.crosses(from, to)) {
      return Double.POSITIVE_INFINITY;
    }
    return Math.min(
        faster(task, out[loads.rackOf[from]], secondOut[loads.rackOf[from]]),
        faster(task, in[loads.rackOf[to]], secondIn[loads.rackOf[to]]));
  }

  private double faster(int except, int first, int second) {
    int fastest = first == except ? second : first;
    return fastest == SlotLoads.NONE
        ? Double.POSITIVE_INFINITY
        : loads.batch.speedBytesPerSec(fastest);
  }
}
