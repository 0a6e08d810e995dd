package org.rackweave.ear;

import java.util.List;

/**
 * Decides what becomes of an encoded stripe of which members are deleted or changed, so that no
 * file is less safe because of what happens to another.
 *
 * <p>A stripe of n blocks of which l are lost for good still survives n - k - l failures. It lets
 * members go as long as that is not below its margin; otherwise it is given up: the members that
 * stay regain their replicas first, then its parity goes, and they may be encoded anew.
 *
 * <p>Example, rs-6-3 with a margin of 2: of one deleted member the bytes are given up, two failures
 * remain. When a second is deleted its bytes are kept until the other four have their replicas
 * back.
 */
public final class StripeMaintenance {
  /** How a member is. */
  public enum MemberState {
    /** As it was encoded; its file has given its surplus replicas up, or may. */
    ENCODED,
    /** As it was encoded; its file is to keep its replicas. */
    KEPT,
    /** Deleted, and not yet given up. */
    DELETED,
    /** Written again. What it was is lost. */
    CHANGED,
    /** Deleted or changed, and given up before. */
    LEFT;

    /** Whether it still is what it was when it was encoded. */
    public boolean isIntact() {
      return this == ENCODED || this == KEPT;
    }
  }

  /** What to do with a stripe. */
  public enum Care {
    /** Nothing. */
    KEEP,
    /** Give up the members that were deleted or changed. */
    LET_GO,
    /** Bring the replicas of all intact members back, then do without the stripe. */
    GIVE_UP
  }

  private StripeMaintenance() {}

  /**
   * The margin of a stripe: failures it is to survive whatever becomes of its members. At least
   * what a rack may take with it, and no more than the code can.
   *
   * @param wanted failures to survive, as configured
   */
  public static int margin(StripeRules rules, int wanted) {
    return Math.min(rules.nodeFailures(), Math.max(wanted, rules.rackLimit()));
  }

  /**
   * @param members state of each member
   * @param margin failures it is to survive
   * @param parityBlocks its code's
   */
  public static Care decide(List<MemberState> members, int margin, int parityBlocks) {
    if (!members.contains(MemberState.ENCODED)) {
      return Care.GIVE_UP; // nobody needs it
    }
    long lost = members.stream().filter(member -> !member.isIntact()).count();
    if (parityBlocks - lost < margin) {
      return Care.GIVE_UP;
    }
    return members.contains(MemberState.DELETED) || members.contains(MemberState.CHANGED)
        ? Care.LET_GO
        : Care.KEEP;
  }
}
