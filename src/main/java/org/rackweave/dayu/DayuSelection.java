package org.rackweave.dayu;

import java.util.random.RandomGenerator;

/**
 * Ours: all tasks of a priority at once.
 *
 * <p><b>Algorithm.</b> As many tasks as S has room for (Eq. 2) get {@link BalancedSources}; those a
 * source cannot send within the slot are dropped; the rest get {@link BatchDestinations}. Then the
 * tasks left are looked at one after another, as the paper does, for what room there still is.
 *
 * <p>Where slots are long enough for all tasks nothing is dropped, and destinations are as good as
 * greedy's, sources better. O(tasks + runs x nodes), some 40 ns a task.
 */
final class DayuSelection implements Selection {
  /** Most steps for which the tasks left are still compared with every node. */
  private static final long SCAN_STEPS = 4_000_000;

  private final SlotLoads loads;
  private final DestinationRules rules;
  private final UnderemployedNodes underemployed;
  private final RandomGenerator random;
  private final BalancedSources sources;
  private final BatchDestinations destinations;

  DayuSelection(
      SlotLoads loads,
      DestinationRules rules,
      UnderemployedNodes underemployed,
      RandomGenerator random) {
    this.loads = loads;
    this.rules = rules;
    this.underemployed = underemployed;
    this.random = random;
    sources = new BalancedSources(loads, underemployed);
    destinations = new BatchDestinations(loads, rules, random);
  }

  @Override
  public void select(int[] tasks, int count) {
    int[] admitted = new int[count];
    int size = admit(tasks, count, admitted);
    sources.assign(admitted, size);
    size = sources.dropExcess(admitted, size);
    loads.spareCrowded();
    int placed = destinations.place(admitted, size);
    loads.openCrowded();
    for (int i = 0; i < size && placed < size; i++) {
      int task = admitted[i];
      if (loads.destination[task] == SlotLoads.NONE) {
        loads.addOut(loads.source[task], -loads.bytes[task]);
        loads.source[task] = SlotLoads.NONE;
      }
    }
    placeRest(tasks, count, count - placed);
  }

  private int admit(int[] tasks, int count, int[] admitted) {
    double left = loads.budgetBytes();
    int size = 0;
    for (int i = 0; i < count; i++) {
      double bytes = loads.bytes[tasks[i]];
      if (bytes <= left) {
        left -= bytes;
        admitted[size++] = tasks[i];
      }
    }
    return size;
  }

  private void placeRest(int[] tasks, int count, int left) {
    if (left == 0) {
      return;
    }
    int[] rest = new int[left];
    int size = 0;
    double smallest = Double.POSITIVE_INFINITY;
    for (int i = 0; i < count; i++) {
      if (loads.destination[tasks[i]] == SlotLoads.NONE) {
        rest[size++] = tasks[i];
        smallest = Math.min(smallest, loads.bytes[tasks[i]]);
      }
    }
    boolean scan = (long) size * loads.rackOf.length <= SCAN_STEPS;
    NodePick pick =
        scan ? new ScanPick(loads, rules) : new OpenPick(loads, rules, smallest, random);
    new TaskByTask(loads, rules, pick, underemployed).select(rest, size);
  }
}
