package org.rackweave.dayu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.rackweave.model.ClusterTopology;

class BrakeTest {
  private static final double THERE = -1;

  private final Brake brake = new Brake(0.2, 60, 900);
  private final ClusterTopology topology = Clusters.racks(4, 3, 3);
  private final double[] gone = new double[10];

  BrakeTest() {
    Arrays.fill(gone, THERE);
  }

  @Test
  void fewNodesAreFailuresLikeAnyOther() {
    gone[0] = 10;
    gone[5] = 20;
    Brake.Judgement judgement = brake.judge(topology, gone, false);
    assertTrue(judgement.mayRecover());
    assertEquals(Brake.Cause.NONE, judgement.cause());
  }

  @Test
  void waitsForTheGraceAfterTheLastOfManyThatVanishAtOnce() {
    gone[0] = 10;
    gone[5] = 20;
    gone[8] = 60;
    Brake.Judgement judgement = brake.judge(topology, gone, false);
    assertEquals(new Brake.Judgement(Brake.Cause.SHARE, 890, 3, ClusterTopology.NONE), judgement);
    assertFalse(judgement.mayRecover());
  }

  @Test
  void manyThatVanishOneAfterTheOtherAreNotAtOnce() {
    gone[0] = 10;
    gone[5] = 80;
    gone[8] = 150;
    assertTrue(brake.judge(topology, gone, false).mayRecover());
  }

  @Test
  void groupThatVanishedEarlierHoldsThoughAnotherNodeWentSince() {
    gone[0] = 1;
    gone[1] = 500;
    gone[5] = 520;
    gone[8] = 540;
    assertEquals(400, brake.judge(topology, gone, false).waitSec());
  }

  @Test
  void waitsForAWholeRackHoweverSmallItsShare() {
    Brake half = new Brake(0.5, 60, 900);
    gone[7] = 35;
    gone[8] = 30;
    gone[9] = 40;
    assertEquals(
        new Brake.Judgement(Brake.Cause.RACK, 870, 3, 2), half.judge(topology, gone, false));
    gone[9] = 95;
    assertTrue(half.judge(topology, gone, false).mayRecover(), "not at once");
  }

  @Test
  void rackOfTwoNodesIsTwoNodes() {
    double[] two = {THERE, THERE, 10, 10, THERE, THERE, THERE, THERE};
    ClusterTopology twos = Clusters.racks(2, 2, 2, 2);
    assertTrue(brake.judge(twos, two, false).mayRecover());
  }

  @Test
  void twoNodesAreFailuresHoweverSmallTheCluster() {
    for (int nodes = 4; nodes <= 9; nodes++) {
      ClusterTopology small = Clusters.racks(nodes - 3, 2, 1);
      double[] two = new double[nodes];
      Arrays.fill(two, THERE);
      two[nodes - 3] = 10;
      two[nodes - 2] = 10;
      for (double share : new double[] {0, Brake.DEFAULT.shareMax()}) {
        Brake any = new Brake(share, 60, 900);
        assertEquals(Brake.Cause.NONE, any.judge(small, two, false).cause(), nodes + " nodes");
      }
    }
  }

  @Test
  void threeNodesOfASmallClusterAreMoreThanItsShare() {
    ClusterTopology small = Clusters.racks(2, 2, 2);
    double[] three = {10, THERE, 30, THERE, 20, THERE};
    assertEquals(
        new Brake.Judgement(Brake.Cause.SHARE, 890, 3, ClusterTopology.NONE),
        Brake.DEFAULT.judge(small, three, false));
    three[2] = 75;
    assertTrue(Brake.DEFAULT.judge(small, three, false).mayRecover(), "not at once");
  }

  @Test
  void goesOnceTheGraceHasPassedOrTheOperatorSaysSo() {
    Arrays.fill(gone, 0, 4, 100);
    assertFalse(brake.judge(topology, gone, false).mayRecover());
    Brake.Judgement overridden = brake.judge(topology, gone, true);
    assertTrue(overridden.mayRecover());
    assertEquals(Brake.Cause.OVERRIDDEN, overridden.cause());
    assertEquals(4, overridden.vanished());
    Arrays.fill(gone, 0, 4, 900);
    assertEquals(Brake.Cause.NONE, brake.judge(topology, gone, true).cause());
  }

  @Test
  void namesWhatIsOutOfRange() {
    String message =
        assertThrows(IllegalArgumentException.class, () -> new Brake(1.5, 60, 900)).getMessage();
    assertEquals("shareMax is 1.5, allowed is 0.0 to 1.0", message);
    gone[3] = Double.NaN;
    message =
        assertThrows(IllegalArgumentException.class, () -> brake.judge(topology, gone, false))
            .getMessage();
    assertEquals("goneForSec of dn3 is a number, not NaN", message);
  }
}
