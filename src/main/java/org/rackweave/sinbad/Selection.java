package org.rackweave.sinbad;

import java.util.random.RandomGenerator;
import org.rackweave.model.ClusterTopology;
import org.rackweave.placement.Admission;
import org.rackweave.placement.Draft;
import org.rackweave.placement.PlacementRequest;
import org.rackweave.telemetry.BestLinkIndex;
import org.rackweave.telemetry.LinkLedger;

/** A draft that searches by room on the links. Single-threaded. */
final class Selection extends Draft {
  /** A link with so many times the room of a pipeline's narrowest is not the narrowest. */
  private static final double SPARE = 2;

  private final LinkLedger links;
  private final RandomGenerator random;
  private final Spread spread;

  Selection(
      LinkLedger links,
      PlacementRequest request,
      Admission admission,
      RandomGenerator random,
      Spread spread,
      int candidatesMax) {
    super(links.topology(), request, admission, candidatesMax);
    this.links = links;
    this.random = random;
    this.spread = spread;
  }

  /** The paper's spread over racks (Pseudocode 2), or HDFS's two. */
  @Override
  protected boolean fill() {
    if (spread == Spread.TWO_RACK) {
      return fillTwoRack();
    }
    if (count() == 0) {
      return fillFirst();
    }
    // Without rack information every machine is a fault domain of its own (section 6.1).
    return topology.rackCount() == 1 ? takeAnywhere() : bestInUnusedRack();
  }

  /** The best admissible host of the best rack that holds no replica yet. */
  private boolean bestInUnusedRack() {
    BestLinkIndex.Walk walk = links.racks(random);
    for (int rack = walk.next(); rack >= 0 && looksLeft() > 0; rack = walk.next()) {
      if (replicasIn(rack) == 0 && takeIn(rack)) {
        return true;
      }
    }
    return false;
  }

  /**
   * The best admissible host of the best rack other than {@code avoided}, a rack being as good as
   * its room for all the replicas that will follow the first one there; or of any that is good
   * enough. When that rack admits none, the others follow in order of their room for one.
   */
  @Override
  protected boolean takeOutside(int avoided, int replicas) {
    int enough = goodEnough(avoided, replicas);
    if (enough != ClusterTopology.NONE && takeIn(enough)) {
      return true;
    }
    int roomiest = roomiestOutside(avoided, enough, replicas);
    if (roomiest != ClusterTopology.NONE && takeIn(roomiest)) {
      return true;
    }
    BestLinkIndex.Walk walk = links.racks(random);
    for (int rack = walk.next(); rack >= 0 && looksLeft() > 0; rack = walk.next()) {
      if (rack != avoided && rack != enough && rack != roomiest && takeIn(rack)) {
        return true;
      }
    }
    return false;
  }

  /**
   * If the writer's own way out is narrow, a block is written as fast in any rack with more room
   * than that: the better of two drawn at random, and those with most room are left to others.
   */
  private int goodEnough(int avoided, int replicas) {
    if (request.writer() == ClusterTopology.NONE) {
      return ClusterTopology.NONE;
    }
    double bestRoom = SPARE * links.mostFrom(request.writer());
    if (bestRoom > links.racks(random).peekKey()) {
      return ClusterTopology.NONE;
    }
    int best = ClusterTopology.NONE;
    for (int draw = 0; draw < 2; draw++) {
      int rack = topology.rackOf(random.nextInt(topology.nodeCount()));
      if (rack != avoided && mayEnter(rack)) {
        double room = roomFor(rack, neededIn(rack, replicas));
        if (room >= bestRoom) {
          best = rack;
          bestRoom = room;
        }
      }
    }
    return best;
  }

  private int neededIn(int rack, int replicas) {
    return Math.min(replicas, request.maxPerRack() - replicasIn(rack));
  }

  /**
   * Racks come in descending order of an upper bound (their room for at most two replicas on hosts
   * of any kind), so the search ends at the first rack whose bound is no better than the best room
   * found. Mostly that is the first one, for which the bound is exact.
   */
  private int roomiestOutside(int avoided, int tried, int replicas) {
    BestLinkIndex.Walk walk =
        links.racks(Math.min(replicas, request.maxPerRack()), wanted() > replicas, random);
    int best = ClusterTopology.NONE;
    double bestRoom = BestLinkIndex.NEVER;
    int racksLeft = looksLeft();
    for (int rack = walk.next(); rack >= 0 && racksLeft > 0; rack = walk.next()) {
      if (rack != avoided && rack != tried && mayEnter(rack)) {
        double room = roomFor(rack, neededIn(rack, replicas));
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
      return links.expectedForReplicas(rack, replicas, wanted() > replicas, random);
    }
    int first = topology.firstNode(rack);
    int left = replicas;
    BestLinkIndex.Walk walk = links.hosts(rack, random);
    for (int host = walk.next(); host >= 0; host = walk.next()) {
      if (!isChosen(first + host) && --left == 0) {
        return Math.min(links.expectedAtHost(first + host), links.expectedAtRack(rack));
      }
    }
    return BestLinkIndex.NEVER;
  }

  /** The admissible host of a rack with most room, to pass the block on if others will follow. */
  @Override
  protected boolean takeIn(int rack) {
    if (!mayEnter(rack)) {
      return false;
    }
    int first = topology.firstNode(rack);
    BestLinkIndex.Walk walk =
        wanted() > 1 ? links.passingHosts(rack, random) : links.hosts(rack, random);
    for (int host = walk.next(); host >= 0 && looksLeft() > 0; host = walk.next()) {
      if (take(first + host, false)) {
        return true;
      }
    }
    return false;
  }
}
