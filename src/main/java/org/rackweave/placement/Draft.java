package org.rackweave.placement;

import static org.rackweave.model.ClusterTopology.NONE;

import java.util.Arrays;
import org.rackweave.model.ClusterTopology;

/**
 * The replicas chosen so far for one request, the rules every choice obeys, and stock HDFS's order
 * of racks. A subclass says how it searches a rack, or all of them, for the next node.
 * Single-threaded.
 *
 * <p>The rules: no node twice, at most {@code maxPerRack} replicas a rack, none in the forbidden
 * rack, distinct fault domains while the block needs new ones, and what {@link Admission} admits.
 */
public abstract class Draft {
  protected final ClusterTopology topology;
  protected final PlacementRequest request;
  private final Admission admission;

  private final int[] nodes;
  private int count;
  private int looksLeft;
  private int[] refused = {};
  private int refusedSize;

  /**
   * @param candidatesMax candidates that admission may refuse before the search ends
   */
  protected Draft(
      ClusterTopology topology, PlacementRequest request, Admission admission, int candidatesMax) {
    this.topology = topology;
    this.request = request;
    this.admission = admission;
    looksLeft = candidatesMax;
    count = request.existing().length;
    nodes = Arrays.copyOf(request.existing(), count + request.replicas());
  }

  /**
   * Fills all slots.
   *
   * @param otherwise why nothing is chosen when a slot stays empty
   */
  public final PlacementDecision fillAll(FallbackReason otherwise) {
    while (wanted() > 0) {
      if (!fill()) {
        return fallback(otherwise);
      }
    }
    return decision();
  }

  /** Fills the next slot, in stock HDFS's order unless a subclass has another. */
  protected boolean fill() {
    return fillTwoRack();
  }

  /** Takes some node of any rack that may be entered. */
  protected final boolean takeAnywhere() {
    return takeOutside(NONE, 1);
  }

  /**
   * Takes some node outside a rack.
   *
   * @param avoided the rack, {@code NONE} for none
   * @param replicas how many will stand together in the rack found
   */
  protected abstract boolean takeOutside(int avoided, int replicas);

  /** Takes some node of a rack. */
  protected abstract boolean takeIn(int rack);

  /**
   * Fills the next slot in stock HDFS's order: the writer's node, another rack, a companion there,
   * then anywhere.
   */
  protected final boolean fillTwoRack() {
    switch (count) {
      case 0:
        return fillFirst();
      case 1:
        int together = thirdJoinsSecond() ? Math.min(2, wanted()) : 1;
        return takeOutside(rackAt(0), together) || takeIn(rackAt(0));
      case 2:
        int rack0 = rackAt(0);
        int rack1 = rackAt(1);
        if (rack0 == rack1) {
          return takeOutside(rack0, 1) || takeIn(rack0);
        }
        int companion = thirdJoinsSecond() ? rack1 : request.writerRack();
        return takeIn(companion) || takeIn(companion == rack1 ? rack0 : rack1) || takeAnywhere();
      default:
        return takeAnywhere();
    }
  }

  /**
   * HDFS puts the third replica beside the second when writing, beside the source when repairing.
   */
  private boolean thirdJoinsSecond() {
    return request.newBlock() || request.writerRack() == NONE;
  }

  /** The writer's node, its rack, or anywhere. */
  protected final boolean fillFirst() {
    if (request.writer() != NONE && request.localAllowed() && take(request.writer(), true)) {
      return true;
    }
    if (request.writerRack() != NONE && takeIn(request.writerRack())) {
      return true;
    }
    return takeAnywhere();
  }

  /** Takes a node when no rule speaks against it. */
  protected final boolean take(int node, boolean local) {
    Refusal refusal = refusalOf(node, local);
    if (refusal == null) {
      nodes[count++] = node;
      return true;
    }
    if (!isChosen(node)) {
      looksLeft -= refusal.sparesTheHost() ? 0 : 1;
      remember(node, refusal);
    }
    return false;
  }

  private Refusal refusalOf(int node, boolean local) {
    int rack = topology.rackOf(node);
    if (isChosen(node)) {
      return Refusal.EXCLUDED;
    }
    if (!hasRoom(rack)) {
      return Refusal.RACK_FULL;
    }
    if (sharesNeededDomain(node)) {
      return Refusal.SAME_FAULT_DOMAIN;
    }
    return admission.admit(node, local);
  }

  /** How many replicas are still to be chosen. */
  protected final int wanted() {
    return nodes.length - count;
  }

  /** Existing and chosen replicas so far. */
  protected final int count() {
    return count;
  }

  protected final int rackAt(int slot) {
    return topology.rackOf(nodes[slot]);
  }

  /** Whether admission has refused as many candidates as it may. */
  protected final boolean limitReached() {
    return looksLeft <= 0;
  }

  protected final int looksLeft() {
    return looksLeft;
  }

  protected final boolean mayEnter(int rack) {
    return hasRoom(rack) && admission.admitsRack(rack);
  }

  private boolean hasRoom(int rack) {
    return rack != request.forbiddenRack() && replicasIn(rack) < request.maxPerRack();
  }

  protected final int replicasIn(int rack) {
    int replicas = 0;
    for (int i = 0; i < count; i++) {
      replicas += topology.rackOf(nodes[i]) == rack ? 1 : 0;
    }
    return replicas;
  }

  protected final boolean isChosen(int node) {
    for (int i = 0; i < count; i++) {
      if (nodes[i] == node) {
        return true;
      }
    }
    return false;
  }

  private PlacementDecision decision() {
    return PlacementDecision.of(
        Arrays.copyOfRange(nodes, request.existing().length, count), refused());
  }

  private PlacementDecision fallback(FallbackReason reason) {
    return PlacementDecision.fallback(
        limitReached() ? FallbackReason.SEARCH_LIMIT : reason, refused());
  }

  private int[] refused() {
    return refusedSize == refused.length ? refused : Arrays.copyOf(refused, refusedSize);
  }

  /** Whether the host system was asked about a node and refused it. */
  protected final boolean isRefused(int node) {
    for (int i = 0; i < refusedSize; i += 2) {
      if (refused[i] == node && !REFUSALS[refused[i + 1]].sparesTheHost()) {
        return true;
      }
    }
    return false;
  }

  private static final Refusal[] REFUSALS = Refusal.values();

  private void remember(int node, Refusal refusal) {
    if (refusedSize == refused.length) {
      refused = Arrays.copyOf(refused, Math.max(8, refused.length * 2));
    }
    refused[refusedSize++] = node;
    refused[refusedSize++] = refusal.ordinal();
  }

  /**
   * Whether the node stands in a fault domain that holds a replica while the block still needs new
   * domains to reach its factor.
   */
  private boolean sharesNeededDomain(int node) {
    int domain = topology.domainOf(node);
    if (request.domainFactor() == 0 || domain == NONE) {
      return false;
    }
    boolean taken = false;
    int distinct = 0;
    for (int i = 0; i < count; i++) {
      int other = topology.domainOf(nodes[i]);
      taken |= other == domain;
      distinct += firstOfDomain(i, other) ? 1 : 0;
    }
    int needed = Math.min(request.domainFactor(), Math.min(nodes.length, topology.domainCount()));
    return taken && distinct < needed;
  }

  private boolean firstOfDomain(int index, int domain) {
    for (int i = 0; i < index; i++) {
      if (topology.domainOf(nodes[i]) == domain) {
        return false;
      }
    }
    return true;
  }
}
