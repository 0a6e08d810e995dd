package org.rackweave.eafr;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** The changes decided so far and what they take of the budgets. */
final class PlanDraft {
  private final GuardRails rails;
  private final WorkInHand work;
  private final List<FileChange> changes = new ArrayList<>();
  private final Map<HeldBack, Integer> heldBack = new EnumMap<>(HeldBack.class);
  private long copies;
  private long extraBytes;

  PlanDraft(GuardRails rails, WorkInHand work) {
    this.rails = rails;
    this.work = work;
  }

  void holdBack(HeldBack reason) {
    heldBack.merge(reason, 1, Integer::sum);
  }

  /**
   * Takes a change if there is room for it, otherwise counts what there is no room for.
   *
   * @param blocks copied
   * @param moreBytes that it takes up
   * @param moreExtraBytes of these beyond the file's own factor
   */
  void offer(FileChange change, long blocks, long moreBytes, long moreExtraBytes) {
    HeldBack reason = obstacle(change, blocks, moreBytes, moreExtraBytes);
    if (reason != null) {
      holdBack(reason);
      return;
    }
    changes.add(change);
    copies += blocks;
    extraBytes += moreExtraBytes;
  }

  private HeldBack obstacle(FileChange change, long blocks, long moreBytes, long moreExtraBytes) {
    if (changes.size() >= rails.changesMax()) {
      return HeldBack.PLAN_FULL;
    }
    if (moreExtraBytes > 0
        && moreExtraBytes > rails.budgetBytes() - work.extraBytes() - extraBytes) {
      return HeldBack.OVER_BUDGET;
    }
    if (blocks > 0 && !fits(change, blocks)) {
      return HeldBack.TOO_MANY_IN_FLIGHT;
    }
    return moreBytes > 0 && !work.quota().admits(change.fileId(), moreBytes)
        ? HeldBack.OVER_QUOTA
        : null;
  }

  private boolean fits(FileChange change, long blocks) {
    long room = (long) rails.inFlightMax() - work.pendingBlocks() - copies;
    boolean goesAlone =
        change.action() == Action.RESTORE && blocks > rails.inFlightMax() && copies == 0;
    return blocks <= room || goesAlone && room > 0;
  }

  ReplicationPlan plan() {
    return new ReplicationPlan(
        List.copyOf(changes), Collections.unmodifiableMap(heldBack), copies, extraBytes);
  }
}
