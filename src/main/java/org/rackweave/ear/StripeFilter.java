package org.rackweave.ear;

import static org.rackweave.model.ClusterTopology.NONE;

import java.util.List;
import org.rackweave.model.ClusterTopology;
import org.rackweave.placement.Admission;
import org.rackweave.placement.Refusal;

/**
 * EAR's hard rules in front of the host's, for one attempt to place one block. The first node
 * admitted makes its rack the core rack; from then on nodes are refused that are in it, outside the
 * stripe's target racks, or with which the stripe's blocks could not all keep a replica.
 * Single-threaded.
 */
final class StripeFilter implements Admission {
  private final OpenStripes stripes;
  private final ClusterTopology topology;
  private final Admission host;
  private final BlockSize size;
  private final List<OpenStripe> refusedBy;

  private int first = NONE;
  private CoreRack coreRack;

  /** The stripe to fit in, {@code null} for a new one, where everything fits. */
  private OpenStripe stripe;

  /**
   * The stripe's layout when it was chosen. Should another topology come into force the stripe gets
   * another layout, and this one stays as it is; the block will then find no seat.
   */
  private StripeLayout layout;

  /** Whether the block fits with the nodes it has; any node of a target rack will do then. */
  private boolean fits;

  private int misfits;
  private boolean refusedForStripe;

  /**
   * @param refusedBy stripes the block has found no layout for; it fits in the first other one of
   *     its core rack, or in a new one; {@code null} for a new one at once
   */
  StripeFilter(
      OpenStripes stripes,
      ClusterTopology topology,
      Admission host,
      BlockSize size,
      List<OpenStripe> refusedBy) {
    this.stripes = stripes;
    this.topology = topology;
    this.host = host;
    this.size = size;
    this.refusedBy = refusedBy;
  }

  @Override
  public Refusal admit(int node, boolean local) {
    if (first == NONE) {
      return admitFirst(node, local);
    }
    Refusal own = ownRefusal(node);
    if (own != null) {
      misfits += own == Refusal.BREAKS_STRIPE ? 1 : 0;
      refusedForStripe |= own != Refusal.CORE_RACK;
      return own;
    }
    Refusal refusal = host.admit(node, local);
    fits |= refusal == null;
    return refusal;
  }

  private Refusal admitFirst(int node, boolean local) {
    Refusal refusal = host.admit(node, local);
    if (refusal == null) {
      first = node;
      chooseStripe();
    }
    return refusal;
  }

  private void chooseStripe() {
    coreRack = stripes.coreRack(topology.rackOf(first), topology);
    if (coreRack == null) {
      fits = true;
      return;
    }
    synchronized (coreRack) {
      boolean isCurrent = coreRack.topology == topology;
      stripe = isCurrent && refusedBy != null ? coreRack.accepting(size, refusedBy) : null;
      layout = stripe == null ? null : stripe.layout;
      fits = stripe == null || layout.fits(first);
    }
  }

  private Refusal ownRefusal(int node) {
    int rack = topology.rackOf(node);
    if (rack == topology.rackOf(first)) {
      return Refusal.CORE_RACK;
    }
    if (stripe == null) {
      return null;
    }
    if (!layout.targets().contains(rack)) {
      return Refusal.NOT_A_TARGET_RACK;
    }
    return fits || wouldFitWith(node) ? null : Refusal.BREAKS_STRIPE;
  }

  private boolean wouldFitWith(int node) {
    synchronized (coreRack) {
      return layout.fits(first, node);
    }
  }

  @Override
  public boolean admitsRack(int rack) {
    if (first == NONE) {
      return host.admitsRack(rack);
    }
    return rack != topology.rackOf(first) && stripeAdmits(rack) && host.admitsRack(rack);
  }

  private boolean stripeAdmits(int rack) {
    if (stripe == null) {
      return true;
    }
    boolean admits = fits ? layout.targets().contains(rack) : hasRoom(rack);
    refusedForStripe |= !admits;
    return admits;
  }

  private boolean hasRoom(int rack) {
    synchronized (coreRack) {
      return layout.hasRoom(rack);
    }
  }

  /** Layouts judged: those that did not fit, and one that did. */
  int draws() {
    return misfits + 1;
  }

  /** Whether another stripe might have taken what this one refused. */
  boolean refusedForStripe() {
    return refusedForStripe;
  }

  /** Puts the stripe that refused behind the others, so that the next block tries it last. */
  OpenStripe deferStripe() {
    synchronized (coreRack) {
      coreRack.defer(stripe);
    }
    return stripe;
  }
}
