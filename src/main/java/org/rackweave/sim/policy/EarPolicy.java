package org.rackweave.sim.policy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.rackweave.ear.EarDecision;
import org.rackweave.ear.EarPlacement;
import org.rackweave.ear.OpenStripes;
import org.rackweave.ear.SealedStripe;
import org.rackweave.ear.StripeEvent;
import org.rackweave.ear.StripeLocations;
import org.rackweave.ear.StripeRules;
import org.rackweave.ear.TargetRacks;
import org.rackweave.model.ClusterTopology;
import org.rackweave.placement.FallbackReason;
import org.rackweave.placement.PipelineOrder;
import org.rackweave.placement.RandomPlacement;
import org.rackweave.placement.ReplicaChooser;
import org.rackweave.sim.encoding.ReplicatedStripe;
import org.rackweave.sim.engine.EventLoop;
import org.rackweave.sim.engine.SimTime;

/**
 * The NameNode's own EAR, asked as the NameNode's policy asks it.
 *
 * <p>Open stripes are not told of nodes that fail: a block placed anew, without a node that its
 * client did not reach, has two seats.
 */
public final class EarPolicy implements PlacementPolicy {
  /** As the NameNode's policy: draws for a replica before all nodes are tried in turn. */
  private static final int DRAWS_MAX = 16;

  private final EventLoop loop;
  private final ClusterTopology topology;
  private final OpenStripes stripes;
  private final EarPlacement ear;
  private final Rules rules;
  private final PlacementPolicy stock;
  private final SplittableRandom random;
  private final Map<FallbackReason, Long> fallbacks = new EnumMap<>(FallbackReason.class);
  private final Map<Long, int[]> nodesOfOpen = new HashMap<>();
  private final Map<Long, Integer> seatsTaken = new HashMap<>();
  private final List<ReplicatedStripe> sealed = new ArrayList<>();
  private final long[] draws;
  private final long[] drawn;
  private long blocks;

  /**
   * @param stock places what EAR does not
   */
  public EarPolicy(
      EventLoop loop,
      ClusterTopology topology,
      StripeRules stripeRules,
      Rules rules,
      PlacementPolicy stock,
      SplittableRandom random) {
    this.loop = loop;
    this.topology = topology;
    this.rules = rules;
    this.stock = stock;
    this.random = random;
    stripes = new OpenStripes(stripeRules, topology);
    ear = new EarPlacement(stripes, topology, chooser(topology));
    draws = new long[stripeRules.code().dataBlocks()];
    drawn = new long[draws.length];
  }

  /** What draws replicas and parity's nodes, for EAR to refuse. */
  public static RandomPlacement chooser(ClusterTopology topology) {
    return new RandomPlacement(topology, DRAWS_MAX, ReplicaChooser.CANDIDATES_MAX);
  }

  @Override
  public int[] place(BlockRequest request) {
    long nowMs = SimTime.toMs(loop.nowNanos());
    EarDecision decision =
        ear.place(
            SinbadPolicy.translate(topology, request),
            () -> rules.admissionOf(request),
            random,
            nowMs,
            this::noted);
    if (!decision.placement().stands()) {
      fallbacks.merge(decision.placement().fallback(), 1L, Long::sum);
      return stock.place(request);
    }
    int[] nodes = decision.placement().nodes().clone();
    if (decision.seat() != null) {
      long block = blocks++;
      count(decision);
      nodesOfOpen.put(block, nodes.clone());
      stripes.bind(decision.seat(), block, nowMs, this::noted);
    }
    PipelineOrder.arrange(topology, request.writer(), nodes);
    return nodes;
  }

  private void count(EarDecision decision) {
    int place = seatsTaken.merge(decision.seat().stripeId(), 1, Integer::sum) - 1;
    draws[place] += decision.draws();
    drawn[place]++;
  }

  private void noted(StripeEvent event) {
    if (event instanceof StripeEvent.Sealed one) {
      SealedStripe stripe = one.stripe();
      int[][] data =
          Arrays.stream(stripe.blockIds()).mapToObj(nodesOfOpen::remove).toArray(int[][]::new);
      sealed.add(
          new ReplicatedStripe(
              StripeLocations.replicated(
                  topology.rackAt(stripe.coreRack()),
                  TargetRacks.at(stripe.targetRacks(), topology),
                  data)));
      seatsTaken.remove(stripe.id());
    }
  }

  /** The stripes that were sealed since the last call. */
  public List<ReplicatedStripe> takeSealed() {
    List<ReplicatedStripe> taken = List.copyOf(sealed);
    sealed.clear();
    return taken;
  }

  /** Layouts drawn for the first, second, ... block of a stripe, in the mean; NaN for none. */
  public double[] meanDraws() {
    double[] means = new double[draws.length];
    Arrays.setAll(means, i -> drawn[i] == 0 ? Double.NaN : draws[i] / (double) drawn[i]);
    return means;
  }

  /** How often stock placement acted, by reason. */
  public Map<FallbackReason, Long> fallbacks() {
    return Map.copyOf(fallbacks);
  }
}
