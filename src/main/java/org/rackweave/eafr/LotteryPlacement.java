package org.rackweave.eafr;

import static org.rackweave.model.ClusterTopology.NONE;

import java.util.Comparator;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.rackweave.placement.Admission;
import org.rackweave.placement.Draft;
import org.rackweave.placement.FallbackReason;
import org.rackweave.placement.PlacementDecision;
import org.rackweave.placement.PlacementRequest;
import org.rackweave.placement.Refusal;
import org.rackweave.placement.ReplicaChooser;

/**
 * Puts replicas on hot servers, faster and less loaded ones with a higher chance (section 3.3).
 *
 * <p><b>Goals.</b> Replicas are soon there, on servers that can serve them, and not all on the same
 * ones.
 *
 * <p><b>Constraints.</b> Those of {@link Draft}, HDFS's spread over racks among them; only
 * candidates of {@link DestinationOdds} are chosen. One that may be chosen is found whenever there
 * is one, unless the bound on refused candidates is reached first.
 *
 * <p><b>Algorithm.</b> For each slot up to {@code drawsMax} servers are drawn by their odds. When
 * none was taken, those left are drawn without those that were refused, until one is taken or none
 * is left. Either way a server's chance is its odds among those that may be chosen. The writer's
 * own node comes first, as in HDFS, if it is a candidate.
 *
 * <p>Immutable, safe for use by many threads.
 */
public final class LotteryPlacement implements ReplicaChooser {
  private static final Comparator<Ring> EARLIEST_FIRST =
      Comparator.comparingDouble(Ring::time).thenComparingInt(Ring::node);

  private record Ring(int node, double time) {}

  private final DestinationOdds odds;
  private final int drawsMax;
  private final int candidatesMax;

  /**
   * @param drawsMax draws for a slot before all candidates are looked through, at least 0
   * @param candidatesMax candidates that admission may refuse before we give up, at least 1
   */
  public LotteryPlacement(DestinationOdds odds, int drawsMax, int candidatesMax) {
    this.odds = odds;
    this.drawsMax = drawsMax;
    this.candidatesMax = candidatesMax;
  }

  @Override
  public PlacementDecision choose(
      PlacementRequest request, Admission admission, RandomGenerator random) {
    return new LotteryDraft(request, hotOnly(admission), random)
        .fillAll(FallbackReason.NOT_ENOUGH_NODES);
  }

  /** For who ranks otherwise: an admission that refuses whatever is no candidate here. */
  public Admission hotOnly(Admission host) {
    return new HotOnly(host);
  }

  /** Refuses whatever is no candidate before the host is asked. */
  private final class HotOnly implements Admission {
    private final Admission host;

    HotOnly(Admission host) {
      this.host = host;
    }

    @Override
    public Refusal admit(int node, boolean local) {
      return odds.chance(node) > 0 ? host.admit(node, local) : Refusal.NOT_HOT;
    }

    @Override
    public boolean admitsRack(int rack) {
      return host.admitsRack(rack);
    }
  }

  private final class LotteryDraft extends Draft {
    private final RandomGenerator random;

    LotteryDraft(PlacementRequest request, Admission admission, RandomGenerator random) {
      super(odds.topology(), request, admission, candidatesMax);
      this.random = random;
    }

    @Override
    protected boolean takeOutside(int avoided, int replicas) {
      int all = topology.nodeCount();
      int gapFrom = avoided == NONE ? all : topology.firstNode(avoided);
      int gapTo = avoided == NONE ? all : topology.firstNode(avoided + 1);
      if (odds.sum(0, gapFrom) + odds.sum(gapTo, all) <= 0) {
        return false;
      }
      for (int draw = 0; draw < drawsMax && !limitReached(); draw++) {
        if (tryNode(odds.drawOutside(gapFrom, gapTo, random))) {
          return true;
        }
      }
      return tryAll(IntStream.concat(IntStream.range(0, gapFrom), IntStream.range(gapTo, all)));
    }

    @Override
    protected boolean takeIn(int rack) {
      int from = topology.firstNode(rack);
      int to = topology.firstNode(rack + 1);
      if (!mayEnter(rack) || odds.sum(from, to) <= 0) {
        return false;
      }
      for (int draw = 0; draw < drawsMax && !limitReached(); draw++) {
        if (tryNode(odds.drawIn(from, to, random))) {
          return true;
        }
      }
      return tryAll(IntStream.range(from, to));
    }

    private boolean tryNode(int node) {
      return odds.chance(node) > 0
          && !isChosen(node)
          && !isRefused(node)
          && mayEnter(topology.rackOf(node))
          && take(node, false);
    }

    /**
     * Tries every candidate once. A node whose clock of rate {@code chance} rings first is drawn by
     * its odds, so the order of rings is that of draws without those drawn before.
     */
    private boolean tryAll(IntStream nodes) {
      List<Ring> rings =
          nodes
              .filter(node -> odds.chance(node) > 0 && !isChosen(node) && !isRefused(node))
              .mapToObj(node -> new Ring(node, random.nextExponential() / odds.chance(node)))
              .sorted(EARLIEST_FIRST)
              .toList();
      for (Ring ring : rings) {
        if (limitReached()) {
          return false;
        }
        if (tryNode(ring.node())) {
          return true;
        }
      }
      return false;
    }
  }
}
