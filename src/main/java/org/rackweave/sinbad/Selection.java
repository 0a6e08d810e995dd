package org.rackweave.sinbad;

import java.util.Arrays;
import java.util.random.RandomGenerator;
import org.rackweave.model.ClusterTopology;
import org.rackweave.placement.Admission;
import org.rackweave.placement.PlacementRequest;
import org.rackweave.placement.Refusal;
import org.rackweave.telemetry.BestLinkIndex;
import org.rackweave.telemetry.LinkLedger;

/** The replicas chosen so far for one request, and the search for the next one. Single-threaded. */
final class Selection {
  private final LinkLedger links;
  private final ClusterTopology topology;
  private final PlacementRequest request;
  private final Admission admission;
  private final RandomGenerator random;

  private final int[] nodes;
  private int count;
  private int looksLeft;
  private int[] refused = {};
  private int refusedSize;

  Selection(
      LinkLedger links,
      PlacementRequest request,
      Admission admission,
      RandomGenerator random,
      int candidatesMax) {
    this.links = links;
    this.topology = links.topology();
    this.request = request;
    this.admission = admission;
    this.random = random;
    this.looksLeft = candidatesMax;
    count = request.existing().length;
    nodes = Arrays.copyOf(request.existing(), count + request.replicas());
  }

  int wanted() {
    return nodes.length - count;
  }

  int rackCount() {
    return topology.rackCount();
  }

  int rackAt(int slot) {
    return topology.rackOf(nodes[slot]);
  }

  int[] chosen() {
    return Arrays.copyOfRange(nodes, request.existing().length, count);
  }

  int[] refused() {
    return refusedSize == refused.length ? refused : Arrays.copyOf(refused, refusedSize);
  }

  boolean limitReached() {
    return looksLeft <= 0;
  }

  /** The best admissible host of the rack with most room, whichever rack that is. */
  boolean bestAnywhere() {
    return bestOutside(ClusterTopology.NONE, 1);
  }

  /** The best admissible host of the best rack that holds no replica yet. */
  boolean bestInUnusedRack() {
    BestLinkIndex.Walk walk = links.racks(random);
    for (int rack = walk.next(); rack >= 0 && looksLeft > 0; rack = walk.next()) {
      if (replicasIn(rack) == 0 && bestIn(rack)) {
        return true;
      }
    }
    return false;
  }

  /**
   * The best admissible host of the best rack other than {@code avoided}, a rack being as good as
   * its room for all the replicas that will follow the first one there. When that rack admits none,
   * the others follow in order of their room for one.
   */
  boolean bestOutside(int avoided, int replicas) {
    int roomiest = roomiestOutside(avoided, replicas);
    if (roomiest != ClusterTopology.NONE && bestIn(roomiest)) {
      return true;
    }
    BestLinkIndex.Walk walk = links.racks(random);
    for (int rack = walk.next(); rack >= 0 && looksLeft > 0; rack = walk.next()) {
      if (rack != avoided && rack != roomiest && bestIn(rack)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Racks come in descending order of an upper bound (their room for at most two replicas on hosts
   * of any kind), so the search ends at the first rack whose bound is no better than the best room
   * found. Mostly that is the first one, for which the bound is exact.
   */
  private int roomiestOutside(int avoided, int replicas) {
    BestLinkIndex.Walk walk = links.racks(Math.min(replicas, request.maxPerRack()), random);
    int best = ClusterTopology.NONE;
    double bestRoom = BestLinkIndex.NEVER;
    int racksLeft = looksLeft;
    for (int rack = walk.next(); rack >= 0 && racksLeft > 0; rack = walk.next()) {
      if (rack != avoided && mayEnter(rack)) {
        int needed = Math.min(replicas, request.maxPerRack() - replicasIn(rack));
        double room = roomFor(rack, needed);
        if (room > bestRoom || best == ClusterTopology.NONE) {
          best = rack;
          bestRoom = room;
        }
        if (bestRoom >= walk.peekKey()) {
          return best;
        }
        racksLeft--;
      }
    }
    return best;
  }

  /** Room for more replicas in a rack, on hosts that hold none of the block. */
  private double roomFor(int rack, int replicas) {
    if (replicasIn(rack) == 0) {
      return links.expectedForReplicas(rack, replicas, random);
    }
    int first = topology.firstNode(rack);
    int left = replicas;
    BestLinkIndex.Walk walk = links.hosts(rack, random);
    for (int host = walk.next(); host >= 0; host = walk.next()) {
      if (!alreadyChosen(first + host) && --left == 0) {
        return Math.min(links.expectedAtHost(first + host), links.expectedAtRack(rack));
      }
    }
    return BestLinkIndex.NEVER;
  }

  /** The admissible host of a rack with most room. */
  boolean bestIn(int rack) {
    if (!mayEnter(rack)) {
      return false;
    }
    int first = topology.firstNode(rack);
    BestLinkIndex.Walk walk = links.hosts(rack, random);
    for (int host = walk.next(); host >= 0 && looksLeft > 0; host = walk.next()) {
      if (take(first + host, false)) {
        return true;
      }
    }
    return false;
  }

  private boolean mayEnter(int rack) {
    return rack != request.forbiddenRack() && replicasIn(rack) < request.maxPerRack();
  }

  private int replicasIn(int rack) {
    int replicas = 0;
    for (int i = 0; i < count; i++) {
      replicas += topology.rackOf(nodes[i]) == rack ? 1 : 0;
    }
    return replicas;
  }

  /** Takes a node when no rule speaks against it. */
  boolean take(int node, boolean local) {
    Refusal refusal = refusalOf(node, local);
    if (refusal == null) {
      nodes[count++] = node;
      return true;
    }
    if (!alreadyChosen(node)) {
      // A whole rack may be one fault domain: what the host system need not be asked is no look.
      looksLeft -= refusal == Refusal.SAME_FAULT_DOMAIN ? 0 : 1;
      remember(node, refusal);
    }
    return false;
  }

  private Refusal refusalOf(int node, boolean local) {
    int rack = topology.rackOf(node);
    if (alreadyChosen(node)) {
      return Refusal.EXCLUDED;
    }
    if (!mayEnter(rack)) {
      return Refusal.RACK_FULL;
    }
    if (sharesNeededDomain(node)) {
      return Refusal.SAME_FAULT_DOMAIN;
    }
    return admission.admit(node, local);
  }

  private boolean alreadyChosen(int node) {
    for (int i = 0; i < count; i++) {
      if (nodes[i] == node) {
        return true;
      }
    }
    return false;
  }

  /**
   * Whether the node stands in a fault domain that holds a replica while the block still needs new
   * domains to reach its factor.
   */
  private boolean sharesNeededDomain(int node) {
    int domain = topology.domainOf(node);
    if (request.domainFactor() == 0 || domain == ClusterTopology.NONE) {
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

  private void remember(int node, Refusal refusal) {
    if (refusedSize == refused.length) {
      refused = Arrays.copyOf(refused, Math.max(8, refused.length * 2));
    }
    refused[refusedSize++] = node;
    refused[refusedSize++] = refusal.ordinal();
  }
}
