package org.rackweave.sim.policy;

import org.rackweave.model.ClusterTopology;
import org.rackweave.sinbad.Spread;

/**
 * Replicas by a rule for racks and a choice among the nodes it allows. The first replica is on the
 * writer's node or, for a client outside, anywhere. {@link Spread#TWO_RACK} is HDFS's rule: the
 * second in another rack, the third beside it, more anywhere; with {@link RandomChoice} that is
 * stock HDFS. {@link Spread#DISTINCT_RACKS} puts each further replica in a rack that has none.
 * HDFS's limit for each rack holds; a rule that cannot be kept gives way.
 */
public final class SpreadPolicy implements PlacementPolicy {
  private final ClusterTopology topology;
  private final Rules rules;
  private final Spread spread;
  private final NodeChoice choice;

  public SpreadPolicy(ClusterTopology topology, Rules rules, Spread spread, NodeChoice choice) {
    this.topology = topology;
    this.rules = rules;
    this.spread = spread;
    this.choice = choice;
  }

  @Override
  public int[] place(BlockRequest request) {
    Replicas replicas = new Replicas(topology, rules, request, choice);
    boolean found = true;
    while (found && !replicas.isComplete()) {
      found = takeNext(replicas, request.writer()) || replicas.takeAnywhere();
    }
    return replicas.pipeline();
  }

  private boolean takeNext(Replicas replicas, int writer) {
    if (replicas.count() == 0) {
      return writer != ClusterTopology.NONE
          && (replicas.take(writer) || replicas.takeFrom(topology.rackOf(writer)));
    }
    if (spread == Spread.DISTINCT_RACKS) {
      return replicas.takeWhere(rack -> replicas.inRack(rack) == 0);
    }
    int first = replicas.rackAt(0);
    return switch (replicas.count()) {
      case 1 -> replicas.takeWhere(rack -> rack != first);
      case 2 ->
          replicas.rackAt(1) == first
              ? replicas.takeWhere(rack -> rack != first)
              : replicas.takeFrom(replicas.rackAt(1));
      default -> false;
    };
  }
}
