package org.rackweave.ear;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.rackweave.ear.ReplicaDrift.NodeCondition;

class ReplicaDriftTest {
  private static final int[] RECORDED = {1, 2, 3};
  private static final IntFunction<NodeCondition> ALL_LIVE = node -> NodeCondition.LIVE;

  private static int[] nodes(int... nodes) {
    return nodes;
  }

  @Test
  void isNoneWhereEveryReplicaIsStillThere() {
    assertEquals(ReplicaDrift.NONE, ReplicaDrift.of(RECORDED, nodes(3, 1, 2, 9), 4, ALL_LIVE));
  }

  @Test
  void isAMoveWhenAsManyAreWantedElsewhere() {
    assertEquals(ReplicaDrift.MOVED, ReplicaDrift.of(RECORDED, nodes(1, 2, 9), 3, ALL_LIVE));
  }

  @Test
  void isSetrepWhenFewerAreWanted() {
    assertEquals(ReplicaDrift.SETREP, ReplicaDrift.of(RECORDED, nodes(1, 2), 2, ALL_LIVE));
  }

  @Test
  void isDecommissionWhenTheNodeIsLeaving() {
    assertEquals(
        ReplicaDrift.DECOMMISSION,
        ReplicaDrift.of(
            RECORDED,
            nodes(1, 2, 9),
            3,
            node -> node == 3 ? NodeCondition.LEAVING : NodeCondition.LIVE));
  }

  @Test
  void isFailureAboveAllElse() {
    NodeCondition[] conditions = {
      null, NodeCondition.LEAVING, NodeCondition.GONE, NodeCondition.LIVE
    };
    assertEquals(
        ReplicaDrift.FAILURE, ReplicaDrift.of(RECORDED, nodes(9), 1, node -> conditions[node]));
  }
}
