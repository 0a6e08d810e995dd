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
  void offer(FileChange change, int blocks, long moreBytes, long moreExtraBytes) {
    HeldBack reason = obstacle(change.fileId(), blocks, moreBytes, moreExtraBytes);
    if (reason != null) {
      holdBack(reason);
      return;
    }
    changes.add(change);
    copies += blocks;
    extraBytes += moreExtraBytes;
  }

  private HeldBack obstacle(long fileId, int blocks, long moreBytes, long moreExtraBytes) {
    if (changes.size() >= rails.changesMax()) {
      return HeldBack.PLAN_FULL;
    }
    if (moreExtraBytes > 0
        && moreExtraBytes > rails.budgetBytes() - work.extraBytes() - extraBytes) {
      return HeldBack.OVER_BUDGET;
    }
    if (blocks > 0 && copies + blocks > (long) rails.inFlightMax() - work.pendingBlocks()) {
      return HeldBack.TOO_MANY_IN_FLIGHT;
    }
    return moreBytes > 0 && !work.quota().admits(fileId, moreBytes) ? HeldBack.OVER_QUOTA : null;
  }

  ReplicationPlan plan() {
    return new ReplicationPlan(
        List.copyOf(changes),
        Collections.unmodifiableMap(heldBack),
        Math.toIntExact(copies),
        extraBytes);
  }
}
