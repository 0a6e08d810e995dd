package org.rackweave.ear;

import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.function.IntUnaryOperator;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.rackweave.model.ClusterTopology;

/**
 * Plans how the missing blocks of an encoded stripe are made again.
 *
 * <p><b>Goals.</b> Afterwards the stripe keeps to its limits, as {@link StripeAuditor} would have
 * it; and as little as can be is read from other racks than the one where blocks are made.
 *
 * <p>Where too few racks are left to keep to the limits a block is made all the same, in the rack
 * that has fewest of the stripe, on a node that has none: a stripe that is whole and crowded is
 * better than one that is not whole. The auditor moves it when racks come back.
 *
 * <p>Immutable, safe for use by many threads.
 */
public final class RebuildPlanner {
  private static final int NONE = ClusterTopology.NONE;

  private final StripeRules rules;
  private final ClusterTopology topology;
  private final IntPredicate isSilent;

  /**
   * @param isSilent whether a node has not been heard of for some time: it may be dead, and whoever
   *     reads from it may wait in vain
   */
  public RebuildPlanner(StripeRules rules, ClusterTopology topology, IntPredicate isSilent) {
    this.rules = rules;
    this.topology = topology;
    this.isSilent = isSilent;
  }

  /** Blocks of a stripe that can be read. */
  public static int survivors(StripeLocations where) {
    return (int)
        IntStream.range(0, where.blockCount()).filter(block -> !where.isMissing(block)).count();
  }

  /** Whether enough blocks are there to make the others. */
  public static boolean isDecodable(StripeLocations where) {
    return isDecodable(where, block -> false);
  }

  /**
   * Whether enough blocks would be there to make the others if some were lost.
   *
   * @param lost by the block's number, data first, then parity
   */
  public static boolean isDecodable(StripeLocations where, IntPredicate lost) {
    return IntStream.range(0, where.blockCount())
            .filter(block -> !where.isMissing(block) && !lost.test(block))
            .count()
        >= where.data().length;
  }

  /**
   * @param where an encoded stripe
   * @param wanted whether a block is to be made when it is missing, data first, then parity; one
   *     that is not and is missing was deleted, and needs no place
   * @param accepts whether a node may get a block
   * @param random so that of equals not always the first is read
   * @return empty when nothing is missing, when it cannot be decoded, or when no node accepts what
   *     is missing; what alone finds no node is left out
   */
  public Optional<RebuildPlan> plan(
      StripeLocations where,
      IntPredicate wanted,
      StripeAuditor.NodeFilter accepts,
      RandomGenerator random) {
    int blocks = where.blockCount();
    int[] missing =
        IntStream.range(0, blocks)
            .filter(block -> where.isMissing(block) && wanted.test(block))
            .toArray();
    if (missing.length == 0 || !isDecodable(where)) {
      return Optional.empty();
    }
    int[] targets = targets(where, missing, wanted, accepts);
    int[] made = IntStream.range(0, missing.length).filter(i -> targets[i] != NONE).toArray();
    if (made.length == 0) {
      return Optional.empty();
    }
    int rack = topology.rackOf(targets[made[0]]);
    int[] there = IntStream.range(0, blocks).filter(block -> !where.isMissing(block)).toArray();
    int[] sources = sources(where, there, rack, random);
    return Optional.of(
        new RebuildPlan(
            sources,
            nodesOf(where, sources, rack),
            IntStream.of(made).map(i -> missing[i]).toArray(),
            IntStream.of(made).map(i -> targets[i]).toArray()));
  }

  /**
   * What to read so that a node can make one block, which it does not keep.
   *
   * @param block data first, then parity
   * @return empty when it cannot be decoded
   */
  public Optional<RebuildPlan> read(
      StripeLocations where, int block, int node, RandomGenerator random) {
    int[] there =
        IntStream.range(0, where.blockCount())
            .filter(one -> one != block && !where.isMissing(one))
            .toArray();
    if (there.length < where.data().length) {
      return Optional.empty();
    }
    int rack = topology.rackOf(node);
    int[] sources = sources(where, there, rack, random);
    return Optional.of(
        new RebuildPlan(
            sources, nodesOf(where, sources, rack), new int[] {block}, new int[] {node}));
  }

  private int[] targets(
      StripeLocations where, int[] missing, IntPredicate wanted, StripeAuditor.NodeFilter accepts) {
    int[] there =
        IntStream.range(0, where.data().length)
            .filter(block -> !where.isMissing(block) || wanted.test(block))
            .toArray();
    StripeLocations without = where.withData(there);
    int left = where.data().length - there.length;
    Map<Integer, Integer> planned = new HashMap<>();
    IntUnaryOperator whole = block -> block < there.length ? there[block] : block + left;
    StripeAuditor.NodeFilter ofThese =
        (block, node) -> accepts.accepts(whole.applyAsInt(block), node);
    for (StripeMove move : new StripeAuditor(rules, topology).audit(without, ofThese).moves()) {
      if (move.kind() == StripeMove.Kind.REBUILD) {
        planned.put(whole.applyAsInt(move.block()), move.to());
      }
    }
    Set<Integer> used = new HashSet<>(planned.values());
    where.blocks().forEach(nodes -> IntStream.of(nodes).forEach(used::add));
    int[] targets = new int[missing.length];
    for (int i = 0; i < missing.length; i++) {
      targets[i] = planned.getOrDefault(missing[i], NONE);
      if (targets[i] == NONE) {
        targets[i] = leastCrowded(missing[i], used, accepts);
      }
      used.add(targets[i]);
    }
    return targets;
  }

  private int leastCrowded(int block, Set<Integer> used, StripeAuditor.NodeFilter accepts) {
    int[] inRack = new int[topology.rackCount()];
    used.stream().filter(node -> node != NONE).forEach(node -> inRack[topology.rackOf(node)]++);
    return IntStream.range(0, topology.nodeCount())
        .filter(node -> !used.contains(node) && accepts.accepts(block, node))
        .boxed()
        .min(Comparator.comparingInt(node -> inRack[topology.rackOf(node)]))
        .orElse(NONE);
  }

  /**
   * As many as are needed: none whose nodes are silent while others do, those in the rack first,
   * and those last whose nodes are leaving.
   */
  private int[] sources(StripeLocations where, int[] there, int rack, RandomGenerator random) {
    return IntStream.of(EncodingPlanner.shuffled(there, random))
        .boxed()
        .sorted(
            Comparator.comparing(
                    (Integer block) -> nodeFor(rack, where.readable(block)), nearest(rack))
                .thenComparing(block -> where.nodesOf(block).length == 0))
        .limit(where.data().length)
        .sorted()
        .mapToInt(Integer::intValue)
        .toArray();
  }

  private int[] nodesOf(StripeLocations where, int[] sources, int rack) {
    return IntStream.of(sources).map(block -> nodeFor(rack, where.readable(block))).toArray();
  }

  private int nodeFor(int rack, int[] nodes) {
    return Arrays.stream(nodes).boxed().min(nearest(rack)).orElseThrow();
  }

  private Comparator<Integer> nearest(int rack) {
    return Comparator.comparing((Integer node) -> isSilent.test(node))
        .thenComparing(node -> topology.rackOf(node) != rack);
  }
}
