package org.rackweave.eafr;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntPredicate;
import java.util.random.RandomGenerator;
import org.rackweave.model.ClusterTopology;
import org.rackweave.model.Require;

/** The roles that servers begin with: named by the operator, or drawn. */
public final class RoleAssignment {
  private RoleAssignment() {}

  /**
   * Roles by name; servers that are not named are hot.
   *
   * @throws IllegalArgumentException naming a server that does not exist, or when no hot one is
   *     left
   */
  public static ServerRole[] named(ClusterTopology topology, Map<String, ServerRole> names) {
    Map<String, Integer> numbers = new HashMap<>();
    for (int node = 0; node < topology.nodeCount(); node++) {
      numbers.put(topology.nodeName(node), node);
    }
    ServerRole[] roles = allHot(topology);
    new TreeMap<>(names)
        .forEach(
            (name, role) -> {
              Require.that(
                  numbers.containsKey(name),
                  role + " server",
                  name,
                  "any of the " + topology.nodeCount() + " DataNodes known");
              roles[numbers.get(name)] = role;
            });
    Require.that(
        topology.nodeCount() == 0 || Arrays.asList(roles).contains(ServerRole.HOT),
        "number of hot servers",
        0,
        "at least 1");
    return roles;
  }

  /**
   * Draws standby servers, as section 4 does from the whole cluster, but from every rack the same
   * share, and never all of a rack.
   *
   * @param standbyFraction in [0, 1); 0.3 in section 4
   */
  public static ServerRole[] drawn(
      ClusterTopology topology, double standbyFraction, RandomGenerator random) {
    return drawn(topology, standbyFraction, node -> false, random);
  }

  /**
   * The same where some servers have been drawn before: those stay, and only what is missing from a
   * rack's share is drawn.
   */
  public static ServerRole[] drawn(
      ClusterTopology topology,
      double standbyFraction,
      IntPredicate drawnBefore,
      RandomGenerator random) {
    Require.that(
        standbyFraction >= 0 && standbyFraction < 1, "standby share", standbyFraction, "[0, 1)");
    ServerRole[] roles = allHot(topology);
    for (int rack = 0; rack < topology.rackCount(); rack++) {
      int size = topology.rackSize(rack);
      int wanted = Math.min(size - 1, (int) Math.round(standbyFraction * size));
      int left = 0;
      for (int node = topology.firstNode(rack); node < topology.firstNode(rack) + size; node++) {
        if (drawnBefore.test(node)) {
          roles[node] = ServerRole.STANDBY;
          wanted--;
        } else {
          left++;
        }
      }
      for (int node = topology.firstNode(rack); wanted > 0; node++) {
        if (roles[node] == ServerRole.HOT && random.nextInt(left--) < wanted) {
          roles[node] = ServerRole.STANDBY;
          wanted--;
        }
      }
    }
    return roles;
  }

  private static ServerRole[] allHot(ClusterTopology topology) {
    ServerRole[] roles = new ServerRole[topology.nodeCount()];
    Arrays.fill(roles, ServerRole.HOT);
    return roles;
  }
}
