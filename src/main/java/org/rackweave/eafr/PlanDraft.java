package org.rackweave.eafr;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;

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
   * A change and what it takes.
   *
   * @param blocks copied
   * @param moreBytes that it takes up
   * @param moreExtraBytes of these beyond the file's own factor
   */
  record Offer(FileChange change, long blocks, long moreBytes, long moreExtraBytes) {}

  /** Takes a change if there is room for it, otherwise counts what there is no room for. */
  void offer(Offer offer) {
    offerMost(1, size -> offer);
  }

  /**
   * Takes the largest change of a file that there is room for, otherwise counts what there is no
   * room for.
   *
   * @param most the largest wanted, at least 1
   * @param offers by how large they are
   */
  void offerMost(int most, IntFunction<Offer> offers) {
    for (int size = most; ; size--) {
      Offer offer = offers.apply(size);
      HeldBack reason = obstacle(offer);
      if (reason == null) {
        changes.add(offer.change());
        copies += offer.blocks();
        extraBytes += offer.moreExtraBytes();
        return;
      }
      if (size == 1) {
        holdBack(reason);
        return;
      }
    }
  }

  /** Asks for each offer once: quotas remember what they have admitted. */
  private HeldBack obstacle(Offer offer) {
    if (changes.size() >= rails.changesMax()) {
      return HeldBack.PLAN_FULL;
    }
    long bytes = offer.moreExtraBytes();
    if (bytes > 0 && bytes > rails.budgetBytes() - work.extraBytes() - extraBytes) {
      return HeldBack.OVER_BUDGET;
    }
    if (offer.blocks() > 0 && !fits(offer.change(), offer.blocks())) {
      return HeldBack.TOO_MANY_IN_FLIGHT;
    }
    return offer.moreBytes() > 0 && !work.quota().admits(offer.change().fileId(), offer.moreBytes())
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
