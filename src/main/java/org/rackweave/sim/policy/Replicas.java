package org.rackweave.sim.policy;

import java.util.Arrays;
import java.util.function.IntPredicate;
import org.rackweave.model.ClusterTopology;
import org.rackweave.placement.PipelineOrder;

/** The replicas of one block, chosen one after another. */
final class Replicas {
  private final ClusterTopology topology;
  private final Rules rules;
  private final BlockRequest request;
  private final NodeChoice choice;
  private final int maxPerRack;
  private final int[] nodes;
  private int count;

  Replicas(ClusterTopology topology, Rules rules, BlockRequest request, NodeChoice choice) {
    this.topology = topology;
    this.rules = rules;
    this.request = request;
    this.choice = choice;
    nodes = new int[Math.min(request.replicas(), topology.nodeCount())];
    maxPerRack = Rules.maxPerRack(nodes.length, topology.rackCount());
  }

  int count() {
    return count;
  }

  boolean isComplete() {
    return count == nodes.length;
  }

  int rackAt(int index) {
    return topology.rackOf(nodes[index]);
  }

  int inRack(int rack) {
    int replicas = 0;
    for (int i = 0; i < count; i++) {
      replicas += rackAt(i) == rack ? 1 : 0;
    }
    return replicas;
  }

  private boolean mayTake(int node) {
    for (int i = 0; i < count; i++) {
      if (nodes[i] == node) {
        return false;
      }
    }
    return inRack(topology.rackOf(node)) < maxPerRack && rules.admits(request, node);
  }

  /** Takes a certain node. */
  boolean take(int node) {
    boolean taken = mayTake(node);
    if (taken) {
      nodes[count++] = node;
    }
    return taken;
  }

  /** Takes a node of a rack. */
  boolean takeFrom(int rack) {
    return takeAny(topology.firstNode(rack), topology.rackSize(rack), node -> true);
  }

  /** Takes a node whose rack is wanted. */
  boolean takeWhere(IntPredicate wantedRack) {
    return takeAny(0, topology.nodeCount(), node -> wantedRack.test(topology.rackOf(node)));
  }

  boolean takeAnywhere() {
    return takeAny(0, topology.nodeCount(), node -> true);
  }

  private boolean takeAny(int first, int number, IntPredicate wanted) {
    int node = choice.choose(first, number, each -> wanted.test(each) && mayTake(each));
    return node != ClusterTopology.NONE && take(node);
  }

  int[] pipeline() {
    int[] pipeline = Arrays.copyOf(nodes, count);
    PipelineOrder.arrange(topology, request.writer(), pipeline);
    return pipeline;
  }
}
