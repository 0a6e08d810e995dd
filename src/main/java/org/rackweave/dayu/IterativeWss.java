package org.rackweave.dayu;

import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Iterative weighted shuffle scheduling (section 4.3): rates proportional to sizes, by the link
 * that takes longest; then what that leaves free is given to the tasks it does not hold back, and
 * so on.
 *
 * <p><b>Algorithm.</b> In each iteration the link with the longest T* = c / B_remain is the
 * bottleneck; every task left gets s / T* more, links lose c / T*, and the bottleneck's tasks are
 * done with. All tasks left have got the same rate for each byte of theirs, the sum of 1 / T*, so
 * they all take its inverse; when that fits the slot the rest is left as it is. A link needs no
 * update while its tasks stay: it runs full when the sum has grown by B_remain / c.
 *
 * <p>Sizes are {@link TransferLinks#weight weighted} where slots overlap, which the paper's do not.
 *
 * <p>A link that loses tasks runs full later, never sooner. So links wait in a heap by when they
 * would have run full as it was filled, and only the first is looked at again.
 *
 * <p>Links are nodes and racks, in and out. O((tasks + links) log links); with loads level within a
 * slot there is one iteration.
 */
final class IterativeWss implements RateAllocation {
  private final double acceptableSec;
  private final TransferLinks links;

  /** Tasks by link: those of link l are at start[l] to start[l + 1]. */
  private int[] start;

  private int[] tasksOf;

  private final double[] remaining;
  private final double[] load;

  /** Sum of 1 / T* at which {@code remaining} was right. */
  private final double[] asOf;

  private int iterations;

  /** When a link runs full, as it was known at some time: the sum of 1 / T* then. */
  private record Full(double perByte, int link) implements Comparable<Full> {
    @Override
    public int compareTo(Full other) {
      int order = Double.compare(perByte, other.perByte);
      return order == 0 ? Integer.compare(link, other.link) : order;
    }
  }

  /**
   * @param acceptableSec T_timeslot: tasks left that take no longer get no more; 0 goes on until
   *     every task has met a full link
   */
  IterativeWss(TransferLinks links, double acceptableSec) {
    this.links = links;
    this.acceptableSec = acceptableSec;
    remaining = links.bandwidths();
    load = links.weights();
    asOf = new double[load.length];
  }

  /** Number of bottlenecks found. */
  int iterations() {
    return iterations;
  }

  @Override
  public double[] rates() {
    double[] rates = new double[links.tasks()];
    boolean[] done = new boolean[links.tasks()];
    PriorityQueue<Full> full = new PriorityQueue<>(allFull());
    double perByte = 0;
    while (!full.isEmpty()) {
      Full first = full.poll();
      int link = first.link();
      if (load[link] <= 0) {
        continue; // its last task has met another that is full
      }
      if (full(link) > first.perByte()) {
        full.add(new Full(full(link), link));
        continue;
      }
      iterations++;
      perByte = Math.max(perByte, first.perByte());
      if (perByte * acceptableSec >= 1 - 1e-9) {
        finishAll(rates, done, perByte);
        return rates;
      }
      finishTasksOf(link, rates, done, perByte);
    }
    return rates;
  }

  private List<Full> allFull() {
    List<Full> all = new ArrayList<>();
    for (int link = 0; link < load.length; link++) {
      if (load[link] > 0) {
        all.add(new Full(full(link), link));
      }
    }
    return all;
  }

  private double full(int link) {
    return asOf[link] + remaining[link] / load[link];
  }

  private void finishAll(double[] rates, boolean[] done, double perByte) {
    for (int task = 0; task < rates.length; task++) {
      if (!done[task]) {
        rates[task] = links.weight(task) * perByte;
      }
    }
  }

  private void finishTasksOf(int bottleneck, double[] rates, boolean[] done, double perByte) {
    if (start == null) {
      listTasks();
    }
    for (int i = start[bottleneck]; i < start[bottleneck + 1]; i++) {
      int task = tasksOf[i];
      if (!done[task]) {
        done[task] = true;
        rates[task] = links.weight(task) * perByte;
        for (int j = 0; j < TransferLinks.MOST; j++) {
          leave(links.link(task, j), links.weight(task), perByte);
        }
      }
    }
    // Nothing of rounding may stay behind and be taken for a task.
    load[bottleneck] = 0;
  }

  private void leave(int link, double bytes, double perByte) {
    if (link >= 0) {
      remaining[link] = Math.max(0, remaining[link] - load[link] * (perByte - asOf[link]));
      asOf[link] = perByte;
      load[link] -= bytes;
    }
  }

  private void listTasks() {
    start = new int[load.length + 2];
    for (int task = 0; task < links.tasks(); task++) {
      for (int j = 0; j < TransferLinks.MOST; j++) {
        int link = links.link(task, j);
        if (link >= 0) {
          start[link + 2]++;
        }
      }
    }
    Offsets.sum(start);
    tasksOf = new int[start[load.length + 1]];
    for (int task = 0; task < links.tasks(); task++) {
      for (int j = 0; j < TransferLinks.MOST; j++) {
        int link = links.link(task, j);
        if (link >= 0) {
          tasksOf[start[link + 1]++] = task;
        }
      }
    }
  }
}
