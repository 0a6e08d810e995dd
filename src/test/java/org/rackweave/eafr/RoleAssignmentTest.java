package org.rackweave.eafr;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.rackweave.model.ClusterTopology;

class RoleAssignmentTest {
  private static final ClusterTopology SMALL = Clusters.topology(1, 3);

  @Test
  void serversThatAreNotNamedAreHot() {
    assertArrayEquals(
        new ServerRole[] {ServerRole.HOT, ServerRole.COLD, ServerRole.STANDBY},
        RoleAssignment.named(SMALL, Map.of("n1", ServerRole.COLD, "n2", ServerRole.STANDBY)));
  }

  @Test
  void anUnknownServerIsNamed() {
    assertEquals(
        "STANDBY server is n7, allowed is any of the 3 DataNodes known",
        refusal(() -> RoleAssignment.named(SMALL, Map.of("n7", ServerRole.STANDBY))));
  }

  @Test
  void oneServerIsHotAtLeast() {
    Map<String, ServerRole> none =
        Map.of("n0", ServerRole.COLD, "n1", ServerRole.COLD, "n2", ServerRole.STANDBY);
    assertEquals(
        "number of hot servers is 0, allowed is at least 1",
        refusal(() -> RoleAssignment.named(SMALL, none)));
  }

  /** Section 4: 30 % of 300 servers in ten racks. */
  @Test
  void everyRackHasItsShareOfStandbyServers() {
    ClusterTopology topology = Clusters.topology(10, 30);
    ServerRole[] roles = RoleAssignment.drawn(topology, 0.3, new SplittableRandom(5));
    for (int rack = 0; rack < 10; rack++) {
      assertEquals(
          9,
          Arrays.stream(roles, topology.firstNode(rack), topology.firstNode(rack + 1))
              .filter(role -> role == ServerRole.STANDBY)
              .count());
    }
    assertArrayEquals(roles, RoleAssignment.drawn(topology, 0.3, new SplittableRandom(5)));
    assertTrue(!Arrays.equals(roles, RoleAssignment.drawn(topology, 0.3, new SplittableRandom(6))));
  }

  @Test
  void noRackIsAllStandby() {
    ServerRole[] roles =
        RoleAssignment.drawn(Clusters.topology(4, 1), 0.99, new SplittableRandom(1));
    assertTrue(Arrays.stream(roles).allMatch(role -> role == ServerRole.HOT));
  }

  @Test
  void refusesSharesOutOfRange() {
    assertEquals(
        "standby share is 1.0, allowed is [0, 1)",
        refusal(() -> RoleAssignment.drawn(SMALL, 1, new SplittableRandom(1))));
  }

  @Test
  void refusesRulesOutOfRangeByName() {
    assertTrue(refusal(() -> new RoleRules(-1, 1, 1, 0, true)).startsWith("tau_s is -1"));
    assertTrue(
        refusal(() -> new RoleRules(0, 0, 1, 0, true)).startsWith("verify interval in ms is 0"));
    assertTrue(
        refusal(() -> new RoleRules(0, 1, 0, 0, true)).startsWith("most servers verifying is 0"));
    assertTrue(
        refusal(() -> new RoleRules(0, 1, 1, -1, true)).startsWith("most cold servers is -1"));
  }

  @Test
  void refusesServersWithoutCapacityByName() {
    assertEquals(
        "service capacity is 0, allowed is at least 1", refusal(() -> Servers.of(SMALL, 0)));
    assertEquals(
        "service capacity of n2 is 0, allowed is at least 1",
        refusal(() -> Servers.of(SMALL, 5).capacity(2, 0)));
    assertEquals(
        "reads of n1 is -1, allowed is at least 0",
        refusal(() -> Servers.of(SMALL, 5).reads(1, -1)));
  }

  private static String refusal(Runnable wrong) {
    return assertThrows(IllegalArgumentException.class, wrong::run).getMessage();
  }

  @Test
  void whoWasDrawnStaysAndOnlyWhatIsMissingFromARackIsDrawn() {
    ClusterTopology topology = Clusters.topology(3, 10);
    for (int seed = 0; seed < 100; seed++) {
      ServerRole[] roles =
          RoleAssignment.drawn(
              topology, 0.3, node -> node == 4 || node >= 20, new SplittableRandom(seed));
      int[] standby = new int[3];
      for (int node = 0; node < roles.length; node++) {
        standby[topology.rackOf(node)] += roles[node] == ServerRole.STANDBY ? 1 : 0;
      }
      assertEquals(ServerRole.STANDBY, roles[4]);
      assertArrayEquals(new int[] {3, 3, 10}, standby, "seed " + seed);
    }
  }
}
