package org.rackweave.durability;

import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.rackweave.model.ClusterTopology;

/**
 * Counts what the deaths of one DataNode, of two at once and of one rack would lose.
 *
 * <p><b>Algorithm.</b> Whatever is stored consists of pieces, each on some DataNodes, and is lost
 * when more pieces than it can spare are on no other DataNode. A replicated block is one piece and
 * can spare none; a stripe can spare as many as it has parity left. Losses are summed by DataNode
 * and by rack, and by pair only where two deaths lose more, or less, than the sum of both: for
 * replicated blocks these are the pairs that hold the only two replicas of some block. So the worst
 * of all pairs is exact: it is one of these, or the best of the others by the sums alone.
 *
 * <p>Some 100 bytes a pair, {@value #PAIRS_MOST} of them at most; of more, what two deaths lose is
 * only known by the sums. Single-threaded.
 */
public final class DeathLosses {
  /** Pairs that are counted by themselves. */
  public static final int PAIRS_MOST = 1_000_000;

  private final ClusterTopology topology;
  private final double[] byNode;
  private final double[] byRack;
  private final int pairsMost;
  private boolean lacksPairs;

  /** What two deaths lose beyond the sum of each, by {@link #key}. */
  private final Map<Long, Double> beyond = new HashMap<>();

  /**
   * What is lost.
   *
   * @param worst where most is
   * @param mean over all DataNodes, pairs of them, or racks
   * @param where numbers of the worst DataNodes, or of the worst rack; empty for no loss at all
   */
  public record Loss(double worst, double mean, int[] where) {
    static final Loss NONE = new Loss(0, 0, new int[0]);
  }

  public DeathLosses(ClusterTopology topology) {
    this(topology, PAIRS_MOST);
  }

  DeathLosses(ClusterTopology topology, int pairsMost) {
    this.topology = topology;
    this.pairsMost = pairsMost;
    byNode = new double[topology.nodeCount()];
    byRack = new double[topology.rackCount()];
  }

  /**
   * Adds something that is stored.
   *
   * @param pieces nodes that hold each piece, each at least one
   * @param spare pieces it can do without, at least 0
   * @param weight for how many it stands
   */
  public void add(int[][] pieces, int spare, double weight) {
    int[] nodes = Stream.of(pieces).flatMapToInt(Arrays::stream).distinct().sorted().toArray();
    boolean[] alone = new boolean[nodes.length];
    for (int i = 0; i < nodes.length; i++) {
      int node = nodes[i];
      alone[i] = isLost(pieces, spare, each -> each == node);
      byNode[node] += alone[i] ? weight : 0;
    }
    if (nodes.length <= 2 || pieces.length > 1) {
      addPairs(pieces, spare, weight, nodes, alone);
    }
    IntStream.of(nodes)
        .map(topology::rackOf)
        .distinct()
        .filter(rack -> isLost(pieces, spare, node -> topology.rackOf(node) == rack))
        .forEach(rack -> byRack[rack] += weight);
  }

  private void addPairs(int[][] pieces, int spare, double weight, int[] nodes, boolean[] alone) {
    for (int i = 0; i < nodes.length; i++) {
      for (int j = i + 1; j < nodes.length; j++) {
        int one = nodes[i];
        int other = nodes[j];
        int both = isLost(pieces, spare, each -> each == one || each == other) ? 1 : 0;
        int more = both - (alone[i] ? 1 : 0) - (alone[j] ? 1 : 0);
        if (more != 0) {
          addBeyond(key(one, other), more * weight);
        }
      }
    }
  }

  private void addBeyond(long pair, double more) {
    if (beyond.size() < pairsMost || beyond.containsKey(pair)) {
      beyond.merge(pair, more, Double::sum);
    } else {
      lacksPairs = true;
    }
  }

  /** Whether there were more pairs than can be counted, so that two deaths may lose more. */
  public boolean lacksPairs() {
    return lacksPairs;
  }

  private static boolean isLost(int[][] pieces, int spare, IntPredicate dead) {
    int lost = 0;
    for (int[] holders : pieces) {
      lost += IntStream.of(holders).allMatch(dead) ? 1 : 0;
    }
    return lost > spare;
  }

  private long key(int one, int other) {
    return (long) Math.min(one, other) * byNode.length + Math.max(one, other);
  }

  /**
   * What the death of one DataNode loses.
   *
   * @param live numbers of those there are
   */
  public Loss oneDeath(int[] live) {
    return of(byNode, live);
  }

  /** What the death of one rack loses; the same for racks. */
  public Loss rackDeath(int[] live) {
    return of(byRack, IntStream.of(live).map(topology::rackOf).distinct().toArray());
  }

  private static Loss of(double[] losses, int[] which) {
    int worst = IntStream.of(which).reduce(-1, (a, b) -> a < 0 || losses[b] > losses[a] ? b : a);
    return worst < 0 || losses[worst] == 0
        ? Loss.NONE
        : new Loss(
            losses[worst],
            IntStream.of(which).mapToDouble(i -> losses[i]).sum() / which.length,
            new int[] {worst});
  }

  /** What the deaths of two DataNodes at once lose; the same for pairs. */
  public Loss twoDeaths(int[] live) {
    int[] order =
        IntStream.of(live)
            .boxed()
            .sorted(Comparator.comparingDouble((Integer node) -> -byNode[node]))
            .mapToInt(Integer::intValue)
            .toArray();
    long worst = -1;
    double most = 0;
    for (Map.Entry<Long, Double> pair : beyond.entrySet()) {
      double lost = sum(pair.getKey()) + pair.getValue();
      if (lost > most || (lost == most && pair.getKey() < worst)) {
        worst = pair.getKey();
        most = lost;
      }
    }
    for (int i = 0; i < order.length; i++) {
      for (int j = i + 1; j < order.length; j++) {
        long pair = key(order[i], order[j]);
        if (sum(pair) <= most) {
          break; // as all behind it
        }
        if (!beyond.containsKey(pair)) {
          worst = pair;
          most = sum(pair);
          break;
        }
      }
    }
    if (worst < 0) {
      return Loss.NONE;
    }
    double pairs = live.length * (live.length - 1.0) / 2;
    double all = beyond.values().stream().mapToDouble(Double::doubleValue).sum();
    all += (live.length - 1) * IntStream.of(live).mapToDouble(node -> byNode[node]).sum();
    return new Loss(most, all / pairs, new int[] {first(worst), second(worst)});
  }

  private double sum(long pair) {
    return byNode[first(pair)] + byNode[second(pair)];
  }

  private int first(long pair) {
    return (int) (pair / byNode.length);
  }

  private int second(long pair) {
    return (int) (pair % byNode.length);
  }
}
