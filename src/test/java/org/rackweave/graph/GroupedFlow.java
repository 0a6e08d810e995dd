package org.rackweave.graph;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntUnaryOperator;
import org.rackweave.cli.bench.MaxFlow;

/**
 * The oracle: the same question put to a maximum flow built from scratch, edge by edge as the paper
 * draws it (source, left, right, group, sink).
 */
public final class GroupedFlow {
  private GroupedFlow() {}

  /**
   * @param candidates of each left vertex
   * @param groupOf group of a right vertex
   * @param limitOf limit of a group
   * @return how many left vertices can be matched
   */
  public static int matchable(
      List<int[]> candidates, IntUnaryOperator groupOf, IntUnaryOperator limitOf) {
    MaxFlow network = new MaxFlow();
    int source = network.addVertex();
    int sink = network.addVertex();
    Map<Integer, Integer> rights = new HashMap<>();
    Map<Integer, Integer> groups = new HashMap<>();
    for (int[] wanted : candidates) {
      int left = network.addVertex();
      network.addEdge(source, left, 1);
      for (int right : wanted) {
        if (!rights.containsKey(right)) {
          int group = groupOf.applyAsInt(right);
          if (!groups.containsKey(group)) {
            groups.put(group, network.addVertex());
            network.addEdge(groups.get(group), sink, limitOf.applyAsInt(group));
          }
          rights.put(right, network.addVertex());
          network.addEdge(rights.get(right), groups.get(group), 1);
        }
        network.addEdge(left, rights.get(right), 1);
      }
    }
    return network.run(source, sink);
  }
}
