package org.rackweave.cli.testbed.compare;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.LongPredicate;
import org.rackweave.cli.testbed.compare.CpuTimes.OneProcess;

/**
 * How much of the machine others used: what was busy, less what our own processes used. It is
 * updated every second or so.
 */
final class ForeignCpu {

  private final long self;
  private final LongPredicate root;
  private CpuTimes last;
  private Set<Long> lastOwn;
  private long totalTicks;
  private long busyTicks;
  private long ownTicks;

  /**
   * @param self the process whose short-lived children are ours though nobody may ever see them
   * @param root whether a process is ours, and all its descendants with it
   */
  ForeignCpu(CpuTimes first, long self, LongPredicate root) {
    this.self = self;
    this.root = root;
    this.last = first;
    this.lastOwn = own(first.processes());
  }

  /** Goes on to a later moment. */
  void update(CpuTimes now) {
    totalTicks += now.totalTicks() - last.totalTicks();
    busyTicks += now.busyTicks() - last.busyTicks();
    Set<Long> own = own(now.processes());
    for (long pid : own) {
      OneProcess before = same(last, now, pid);
      ownTicks += now.processes().get(pid).ticks() - (before == null ? 0 : before.ticks());
    }
    ownTicks += Math.max(0, endedTicks(now));
    last = now;
    lastOwn = own;
  }

  /** What children of ours have used that have ended, less what was counted while they lived. */
  private long endedTicks(CpuTimes now) {
    OneProcess before = same(last, now, self);
    if (before == null) {
      return 0;
    }
    long ticks = now.processes().get(self).endedChildrenTicks() - before.endedChildrenTicks();
    for (long pid : lastOwn) {
      ticks -= same(last, now, pid) == null ? last.processes().get(pid).ticks() : 0;
    }
    return ticks;
  }

  /** A process as it was earlier, null if that was another one or none. */
  private static OneProcess same(CpuTimes earlier, CpuTimes now, long pid) {
    OneProcess before = earlier.processes().get(pid);
    OneProcess after = now.processes().get(pid);
    return before != null && after != null && before.startedTicks() == after.startedTicks()
        ? before
        : null;
  }

  private Set<Long> own(Map<Long, OneProcess> processes) {
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
