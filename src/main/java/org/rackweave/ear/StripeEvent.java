package org.rackweave.ear;

import java.util.List;

/** What happened to an open stripe. */
public sealed interface StripeEvent {
  /** It has its blocks and belongs to the caller now. */
  record Sealed(SealedStripe stripe) implements StripeEvent {}

  /** A block is a member no more. */
  record Left(long stripeId, long blockId, LeaveReason reason) implements StripeEvent {}

  /**
   * Racks it kept to are gone, or too small now, and others took their place.
   *
   * @param before paths, empty for all racks
   * @param after paths, empty for all racks
   */
  record Retargeted(long stripeId, List<String> before, List<String> after)
      implements StripeEvent {}
}
