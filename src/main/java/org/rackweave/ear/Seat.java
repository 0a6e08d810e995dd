package org.rackweave.ear;

/**
 * A block's place in an open stripe, from the decision where its replicas go until the stripe is
 * sealed or the block leaves. Everything in it changes under the lock of its core rack.
 */
public final class Seat {
  final CoreRack coreRack;
  final BlockSize size;
  final long takenAtMs;

  /** Another one when the block is given to a stripe of longer blocks. */
  OpenStripe stripe;

  /** Nodes of the block's replicas in the core rack's topology. */
  int[] nodes;

  /** The block's number in the stripe's layout. */
  int number;

  long blockId;
  boolean bound;

  Seat(
      CoreRack coreRack,
      OpenStripe stripe,
      int number,
      int[] nodes,
      BlockSize size,
      long takenAtMs) {
    this.coreRack = coreRack;
    this.stripe = stripe;
    this.number = number;
    this.nodes = nodes;
    this.size = size;
    this.takenAtMs = takenAtMs;
  }

  /** The stripe's number, unique among those of one {@link OpenStripes}. */
  public long stripeId() {
    return stripe.id;
  }

  /** Whether the stripe still has it; false once it was released, broken or sealed. */
  boolean isHeld() {
    return !stripe.closed && stripe.seats[number] == this;
  }
}
