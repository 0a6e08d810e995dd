package org.rackweave.dayu;

/**
 * The paper's loop: prioritised tasks first, from their underemployed node; then the others; a task
 * whose nodes would be saturated is skipped (sections 4.1 and 4.2). The time is that of the {@link
 * NodePick}.
 */
final class TaskByTask implements Selection {
  private static final int NONE = SlotLoads.NONE;

  private final SlotLoads loads;
  private final DestinationRules rules;
  private final NodePick pick;
  private final UnderemployedNodes underemployed;

  TaskByTask(
      SlotLoads loads, DestinationRules rules, NodePick pick, UnderemployedNodes underemployed) {
    this.loads = loads;
    this.rules = rules;
    this.pick = pick;
    this.underemployed = underemployed;
  }

  @Override
  public void select(int[] tasks, int count) {
    int[] normal = new int[count];
    int[] degraded = new int[count];
    int normals = 0;
    int degradeds = 0;
    for (int i = 0; i < count; i++) {
      int source = underemployed.leastUsedSource(tasks[i]);
      if (source == NONE) {
        normal[normals++] = tasks[i];
      } else if (loads.fitsSlot(loads.outSec(source, loads.bytes[tasks[i]]))) {
        place(tasks[i], source);
      } else {
        degraded[degradeds++] = tasks[i];
      }
    }
    for (int i = 0; i < normals; i++) {
      place(normal[i]);
    }
    for (int i = 0; i < degradeds; i++) {
      place(degraded[i]);
    }
  }

  /** Places a task or leaves it with the reason. */
  void place(int task) {
    place(task, pick.source(task));
  }

  private void place(int task, int source) {
    double size = loads.bytes[task];
    if (!loads.fitsBudget(size)) {
      loads.leave(task, Verdict.SLOT_FULL);
    } else if (source == NONE
        || pick.respectsSlot() && !loads.fitsSlot(loads.outSec(source, size))) {
      stayInRack(task, Verdict.SOURCE_SATURATED);
    } else {
      int destination = pick.destination(task, source);
      if (destination == NONE) {
        stayInRack(task, null);
      } else if (pick.respectsSlot() && !loads.fitsSlot(loads.inSec(source, destination, size))) {
        stayInRack(task, Verdict.DESTINATION_SATURATED);
      } else {
        assign(task, source, destination);
      }
    }
  }

  private void assign(int task, int source, int destination) {
    loads.assign(task, source, destination, Verdict.PLANNED);
    pick.placed(destination);
  }

  /** Racks' links may be what is saturated, and a rule may allow a copy that uses none. */
  private void stayInRack(int task, Verdict otherwise) {
    double size = loads.bytes[task];
    int bestSource = NONE;
    int best = NONE;
    double bestSec = Double.POSITIVE_INFINITY;
    for (int at = loads.batch.firstNode(task); at < loads.batch.standingFrom(task); at++) {
      int source = loads.batch.nodeAt(at);
      int rack = loads.rackOf[source];
      double outSec = (size + loads.out[source]) * loads.outSecPerByte[source];
      if (!loads.fitsSlot(outSec) || outSec >= bestSec || !rules.mayShare(task, rack)) {
        continue;
      }
      int end = loads.topology.firstNode(rack + 1);
      for (int node = loads.topology.firstNode(rack); node < end; node++) {
        double sec = Math.max(outSec, loads.inSec(source, node, size));
        if (sec < bestSec && rules.admits(task, node)) {
          bestSec = sec;
          bestSource = source;
          best = node;
        }
      }
    }
    if (pick.respectsSlot() && loads.fitsSlot(bestSec)) {
      assign(task, bestSource, best);
    } else if (otherwise != null) {
      loads.leave(task, otherwise);
    } else {
      boolean some = rules.admitSome(task);
      loads.leave(task, some ? Verdict.DESTINATION_SATURATED : Verdict.NO_DESTINATION);
    }
  }
}
