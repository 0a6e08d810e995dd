package org.rackweave.dayu;

/** What a plan does with a task, and when it does nothing, why. */
public enum Verdict {
  /** A new copy starts. */
  PLANNED(true),
  /** A copy under way goes on between the same nodes, at a new rate. */
  KEPT(true),
  /** A copy under way goes on into the same node from another source (section 4.4). */
  RESOURCED(true),
  /** A copy under way is cancelled and starts anew between other nodes. */
  RESTARTED(true),
  /** A copy under way should end with the slot under way and keeps its old rate until then. */
  FINISHING(false),
  /** What the slot can carry (Eq. 2) is used up. */
  SLOT_FULL(false),
  /** No node has a replica to read that is there with any bandwidth. */
  NO_SOURCE(false),
  /** No source can send the block within the slot beside what it sends already. */
  SOURCE_SATURATED(false),
  /** No node may get the block: replicas, racks, storage type or space forbid it everywhere. */
  NO_DESTINATION(false),
  /** No node that may get the block can receive it within the slot. */
  DESTINATION_SATURATED(false);

  private final boolean transfers;

  Verdict(boolean transfers) {
    this.transfers = transfers;
  }

  /** Whether bytes move in the slot by this plan's rate. */
  public boolean transfers() {
    return transfers;
  }
}
