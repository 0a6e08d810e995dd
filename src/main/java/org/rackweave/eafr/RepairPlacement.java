package org.rackweave.eafr;

import static org.rackweave.model.ClusterTopology.NONE;

import java.util.function.IntPredicate;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.rackweave.placement.Admission;
import org.rackweave.placement.Draft;
import org.rackweave.placement.FallbackReason;
import org.rackweave.placement.PlacementDecision;
import org.rackweave.placement.PlacementRequest;
import org.rackweave.placement.ReplicaChooser;

/**
 * Destinations of lost replicas (Algorithm 4, lines 9 to 17), one block at a time as HDFS asks for
 * them: the next in turn of the hot servers, for a cold file of the standby servers, where none of
 * these fits of the others. Sources are {@link RepairSource}'s.
 *
 * <p>A server fits that has at least tau_s (Eq. 8) and the block's size free. HDFS's rules come on
 * top, the order in which racks are tried among them: in each rack, or all, it goes round. Example:
 * three blocks of hot files, hot servers 0, 1 and 2, the turn at 1, and 2 has the second block:
 * they go to 1, 0 and 1.
 *
 * <p>Safe for use by many threads, who share the turns.
 */
public final class RepairPlacement {
  private final Servers servers;
  private final long reserveBytes;
  private final RepairRotation turns;
  private final int candidatesMax;
  private final int[] hot;
  private final int[] standby;

  /**
   * @param reserveBytes the paper's tau_s
   * @param candidatesMax candidates that admission may refuse before we give up, at least 1
   */
  public RepairPlacement(
      Servers servers, long reserveBytes, RepairRotation turns, int candidatesMax) {
    this.servers = servers;
    this.reserveBytes = reserveBytes;
    this.turns = turns;
    this.candidatesMax = candidatesMax;
    hot = live(ServerRole.HOT);
    standby = live(ServerRole.STANDBY);
  }

  private int[] live(ServerRole role) {
    return IntStream.range(0, servers.topology().nodeCount())
        .filter(node -> servers.isLive(node, role))
        .toArray();
  }

  /** For a file that is read so much. */
  public ReplicaChooser of(Temperature temperature) {
    ServerRole first = temperature == Temperature.COLD ? ServerRole.STANDBY : ServerRole.HOT;
    return (request, admission, random) -> choose(request, admission, first, random);
  }

  private PlacementDecision choose(
      PlacementRequest request, Admission admission, ServerRole first, RandomGenerator ignored) {
    return new RepairDraft(request, admission, first).fillAll(FallbackReason.NOT_ENOUGH_NODES);
  }

  private final class RepairDraft extends Draft {
    private final ServerRole first;

    RepairDraft(PlacementRequest request, Admission admission, ServerRole first) {
      super(servers.topology(), request, admission, candidatesMax);
      this.first = first;
    }

    @Override
    protected boolean takeOutside(int avoided, int replicas) {
      return takeInTurn(node -> avoided == NONE || topology.rackOf(node) != avoided);
    }

    @Override
    protected boolean takeIn(int rack) {
      return takeInTurn(node -> topology.rackOf(node) == rack);
    }

    private boolean takeInTurn(IntPredicate wanted) {
      ServerRole other = first == ServerRole.HOT ? ServerRole.STANDBY : ServerRole.HOT;
      return takeInTurn(first, wanted) || takeInTurn(other, wanted);
    }

    private boolean takeInTurn(ServerRole role, IntPredicate wanted) {
      int[] circle = role == ServerRole.HOT ? hot : standby;
      int from = turns.next(role);
      for (int i = 0; i < circle.length && !limitReached(); i++) {
        int place = Math.floorMod(from + i, circle.length);
        int node = circle[place];
        if (wanted.test(node)
            && !isChosen(node)
            && !isRefused(node)
            && servers.freeBytes(node) >= Math.max(reserveBytes, request.sizeBytes())
            && mayEnter(topology.rackOf(node))
            && take(node, false)) {
          turns.taken(role, place);
          return true;
        }
      }
      return false;
    }
  }
}
