package org.rackweave.eafr;

import static org.rackweave.model.ClusterTopology.NONE;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Load-aware replica maintenance for failed servers (Algorithm 4).
 *
 * <p><b>Goals.</b> No cold server is woken that need not be; reads are spread over those with
 * capacity, writes evenly over all.
 *
 * <p><b>Constraints.</b> A destination has no replica of the block, at least tau_s (Eq. 8) and the
 * block's size free of what earlier steps put there, and {@link RackRule} agrees. Every list is
 * gone through once at most.
 *
 * <p><b>Algorithm.</b> Source: of the hot and standby servers with a replica, and of cold ones that
 * an earlier step wakes, the one with most remaining capacity, each earlier step that reads from it
 * taking one; else the same among cold ones. Destination: the next in turn of the hot servers, for
 * a cold file of the standby servers; where none of these fits, of the others. Example: three
 * blocks of hot files, hot servers 0, 1 and 2, the turn at 1, and 2 has the second block: they go
 * to 1, 0 and 1.
 *
 * <p>The same input gives the same plan. Single-threaded.
 */
public final class FailureRepair {
  private final Servers servers;
  private final RackRule rackRule;
  private final long reserveBytes;
  private final Circle hot;
  private final Circle standby;
  private final RepairSource sources;
  private final BitSet woken = new BitSet();
  private final int[] readsPlanned;
  private final long[] bytesPlanned;

  private FailureRepair(
      Servers servers, RackRule rackRule, long reserveBytes, RepairPlan.Turn turn) {
    this.servers = servers;
    this.rackRule = rackRule;
    this.reserveBytes = reserveBytes;
    hot = new Circle(ServerRole.HOT, turn.hot());
    standby = new Circle(ServerRole.STANDBY, turn.standby());
    readsPlanned = new int[servers.topology().nodeCount()];
    sources = new RepairSource(servers, woken::get, node -> readsPlanned[node]);
    bytesPlanned = new long[servers.topology().nodeCount()];
  }

  /**
   * Plans the repair of replicas.
   *
   * @param reserveBytes the paper's tau_s
   * @param turn where the last plan's round robin ended
   */
  public static RepairPlan plan(
      Servers servers,
      RackRule rackRule,
      long reserveBytes,
      List<LostReplica> lost,
      RepairPlan.Turn turn) {
    return new FailureRepair(servers, rackRule, reserveBytes, turn).plan(lost);
  }

  private RepairPlan plan(List<LostReplica> lost) {
    List<RepairPlan.Step> steps = new ArrayList<>();
    List<RepairPlan.Left> left = new ArrayList<>();
    for (LostReplica replica : lost) {
      int source = sources.of(replica.holders());
      int destination = source == NONE ? NONE : destination(replica);
      if (destination == NONE) {
        RepairPlan.Reason reason =
            source == NONE ? RepairPlan.Reason.NO_SOURCE : RepairPlan.Reason.NO_DESTINATION;
        left.add(new RepairPlan.Left(replica.blockId(), reason));
        continue;
      }
      if (!servers.isAwake(source)) {
        woken.set(source);
      }
      readsPlanned[source]++;
      bytesPlanned[destination] += replica.sizeBytes();
      steps.add(new RepairPlan.Step(replica.blockId(), source, destination));
    }
    return new RepairPlan(steps, left, woken, new RepairPlan.Turn(hot.turn, standby.turn));
  }

  /** Lines 9 to 17. */
  private int destination(LostReplica replica) {
    boolean isCold = replica.temperature() == Temperature.COLD;
    int destination = (isCold ? standby : hot).next(replica);
    return destination != NONE ? destination : (isCold ? hot : standby).next(replica);
  }

  private boolean fits(LostReplica replica, int node) {
    long free = servers.freeBytes(node) - bytesPlanned[node];
    return free >= Math.max(reserveBytes, replica.sizeBytes())
        && IntStream.of(replica.holders()).noneMatch(holder -> holder == node)
        && rackRule.allows(
            with(replica.holders(), replica.failed()), with(replica.holders(), node));
  }

  private static int[] with(int[] nodes, int node) {
    int[] more = Arrays.copyOf(nodes, nodes.length + 1);
    more[nodes.length] = node;
    return more;
  }

  /** The paper's DS and its counter. */
  private final class Circle {
    private final int[] nodes;
    private int turn;

    Circle(ServerRole role, int turn) {
      nodes =
          IntStream.range(0, servers.topology().nodeCount())
              .filter(node -> servers.isLive(node, role))
              .toArray();
      this.turn = nodes.length == 0 ? 0 : Math.floorMod(turn, nodes.length);
    }

    int next(LostReplica replica) {
      for (int i = 0; i < nodes.length; i++) {
        int at = (turn + i) % nodes.length;
        if (fits(replica, nodes[at])) {
          turn = (at + 1) % nodes.length;
          return nodes[at];
        }
      }
      return NONE;
    }
  }
}
