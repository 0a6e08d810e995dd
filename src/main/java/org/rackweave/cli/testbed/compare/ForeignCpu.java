package org.rackweave.cli.testbed.compare;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.LongPredicate;

/**
 * How much of the machine others used: what was busy, less what our own processes used. It is
 * updated every second or so; what a process uses between its last update and its end counts as
 * foreign.
 */
final class ForeignCpu {

  private final LongPredicate root;
  private CpuTimes last;
  private long totalTicks;
  private long busyTicks;
  private long ownTicks;

  /**
   * @param root whether a process is ours, and all its descendants with it
   */
  ForeignCpu(CpuTimes first, LongPredicate root) {
    this.last = first;
    this.root = root;
  }

  /** Goes on to a later moment. */
  void update(CpuTimes now) {
    totalTicks += now.totalTicks() - last.totalTicks();
    busyTicks += now.busyTicks() - last.busyTicks();
    Set<Long> own = own(now.processes());
    for (long pid : own) {
      CpuTimes.OneProcess process = now.processes().get(pid);
      CpuTimes.OneProcess before = last.processes().get(pid);
      boolean same = before != null && before.startedTicks() == process.startedTicks();
      ownTicks += process.ticks() - (same ? before.ticks() : 0);
    }
    last = now;
  }

  private Set<Long> own(Map<Long, CpuTimes.OneProcess> processes) {
    Set<Long> own = new HashSet<>();
    for (long pid : processes.keySet()) {
      Set<Long> seen = new HashSet<>();
      long ancestor = pid;
      while (processes.containsKey(ancestor) && seen.add(ancestor) && !own.contains(pid)) {
        if (own.contains(ancestor) || root.test(ancestor)) {
          own.addAll(seen);
        }
        ancestor = processes.get(ancestor).parent();
      }
    }
    return own;
  }

  /** What others used, as a fraction of all processors' time; 0 before the first update. */
  double share() {
    return totalTicks == 0 ? 0 : Math.max(0, (double) (busyTicks - ownTicks) / totalTicks);
  }

  /** What all used, as a fraction of all processors' time; 0 before the first update. */
  double busyShare() {
    return totalTicks == 0 ? 0 : (double) busyTicks / totalTicks;
  }
}
