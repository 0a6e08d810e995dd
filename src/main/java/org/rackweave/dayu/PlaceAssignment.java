package org.rackweave.dayu;

import java.util.random.RandomGenerator;

/**
 * Hands places on nodes out to tasks, so many on each node, none where a rule forbids it.
 *
 * <p><b>Algorithm.</b> Places are listed by node and taken in steps of the golden ratio, so that a
 * node's places are spread evenly over the tasks and neighbours in the list go to different nodes,
 * without shuffling the list. Then each task whose place breaks a rule swaps with one of the tasks
 * after it, where both may have the other's. Swaps change no node's count. A task that finds nobody
 * within {@value #TRIES} tries gets no place.
 *
 * <p>O(tasks) while few racks are forbidden to a task; the caller sees to that.
 */
final class PlaceAssignment {
  private static final int TRIES = 64;
  private static final double GOLDEN = 0.6180339887498949;

  private final SlotLoads loads;
  private final DestinationRules rules;
  private final RandomGenerator random;

  PlaceAssignment(SlotLoads loads, DestinationRules rules, RandomGenerator random) {
    this.loads = loads;
    this.rules = rules;
    this.random = random;
  }

  /**
   * @param tasks of which those from {@code from} on are dealt places
   * @param counts places of each node
   * @param total their sum; as many tasks are dealt one
   */
  void deal(int[] tasks, int from, int[] counts, int total) {
    if (total == 0) {
      return;
    }
    int[] places = new int[total];
    int listed = 0;
    for (int node = 0; node < counts.length; node++) {
      for (int i = 0; i < counts[node]; i++) {
        places[listed++] = node;
      }
    }
    int step = step(total);
    int at = random.nextInt(total);
    int[] destination = loads.destination;
    int[] conflicts = new int[total];
    int conflictCount = 0;
    for (int i = from; i < from + total; i++) {
      int node = places[at];
      destination[tasks[i]] = node;
      conflicts[conflictCount] = i - from;
      conflictCount += rules.spreads(tasks[i], node) ? 0 : 1;
      at += step - total;
      // Adds the total again where the sign bit is set: no branch, which would be a guess.
      at += at >> Integer.SIZE - 1 & total;
    }
    for (int i = 0; i < conflictCount; i++) {
      resolve(tasks, from, total, conflicts[i]);
    }
  }

  /** The whole number next to the golden section of the places that has no divisor with them. */
  private static int step(int total) {
    int step = Math.max(1, (int) (total * GOLDEN));
    while (divisor(step, total) > 1) {
      step++;
    }
    return step % total;
  }

  private static int divisor(int a, int b) {
    return b == 0 ? a : divisor(b, a % b);
  }

  private void resolve(int[] tasks, int from, int total, int index) {
    int[] destination = loads.destination;
    int task = tasks[from + index];
    int mine = destination[task];
    // A task before it may have swapped with it already.
    if (!rules.spreads(task, mine)) {
      int other = partner(tasks, from, total, index);
      destination[task] = other == SlotLoads.NONE ? other : destination[other];
      if (other != SlotLoads.NONE) {
        destination[other] = mine;
      }
    }
  }

  private int partner(int[] tasks, int from, int total, int index) {
    int[] destination = loads.destination;
    int task = tasks[from + index];
    int tries = Math.min(TRIES, total - 1);
    for (int ahead = 1; ahead <= tries; ahead++) {
      int next = index + ahead;
      int other = tasks[from + (next < total ? next : next - total)];
      int theirs = destination[other];
      if (theirs != SlotLoads.NONE
          && rules.spreads(task, theirs)
          && rules.spreads(other, destination[task])) {
        return other;
      }
    }
    return SlotLoads.NONE;
  }
}
