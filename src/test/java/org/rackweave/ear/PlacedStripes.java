package org.rackweave.ear;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.rackweave.model.ClusterTopology;
import org.rackweave.placement.PlacementRequest;
import org.rackweave.placement.RandomPlacement;

/** Full stripes as EAR places them, with the replicas of their blocks. */
final class PlacedStripes {
  private PlacedStripes() {}

  static List<StripeLocations> place(
      StripeRules rules, ClusterTopology topology, int replicas, int count, RandomGenerator dice) {
    OpenStripes stripes = new OpenStripes(rules, topology);
    EarPlacement placement =
        new EarPlacement(stripes, topology, new RandomPlacement(topology, 8, 32));
    Map<Long, int[]> nodesOf = new HashMap<>();
    List<StripeEvent> events = new ArrayList<>();
    List<StripeLocations> placed = new ArrayList<>();
    for (long block = 0; placed.size() < count; block++) {
      int writer = dice.nextInt(topology.nodeCount());
      PlacementRequest request =
          PlacementRequest.newBlock(replicas, writer, topology.rackOf(writer), 3, 1);
      EarDecision decision =
          placement.place(request, () -> (node, local) -> null, dice, 0, events::add);
      nodesOf.put(block, decision.placement().nodes());
      stripes.bind(decision.seat(), block, 0, events::add);
      for (StripeEvent event : events) {
        if (event instanceof StripeEvent.Sealed one && one.stripe().reason() == SealReason.FULL) {
          placed.add(locations(one.stripe(), topology, nodesOf));
        }
      }
      events.clear();
    }
    return placed;
  }

  private static StripeLocations locations(
      SealedStripe stripe, ClusterTopology topology, Map<Long, int[]> nodesOf) {
    int[][] data = new int[stripe.blockIds().length][];
    for (int i = 0; i < data.length; i++) {
      data[i] = nodesOf.get(stripe.blockIds()[i]);
    }
    return StripeLocations.replicated(
        topology.rackAt(stripe.coreRack()), TargetRacks.at(stripe.targetRacks(), topology), data);
  }
}
