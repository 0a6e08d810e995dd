package org.rackweave.ear;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.rackweave.model.ClusterTopology;
import org.rackweave.placement.Admission;
import org.rackweave.placement.PlacementDecision;
import org.rackweave.placement.PlacementRequest;
import org.rackweave.placement.Refusal;
import org.rackweave.placement.ReplicaChooser;

/**
 * Plans the encoding of one stripe from where its replicas really are.
 *
 * <p><b>Goals.</b> No block is read across racks and none is relocated afterwards: on the nodes of
 * the plan the stripe has n blocks on n nodes with at most c in a rack.
 *
 * <p><b>Constraints.</b> Parity goes only where the host system admits it. Where the stripe cannot
 * be encoded like that, nothing is planned and every reason is named.
 *
 * <p><b>Algorithm.</b> The data blocks are matched with their replicas' nodes and racks ({@link
 * StripeLayout}), candidates in random order so that no rack keeps more than its share. Then parity
 * is placed like the replicas of one block written by the encoding node (by the chooser, which may
 * rank links), through a filter that lets a node pass if with it everything placed so far still
 * finds room; data may change its keeper for that. Taking any node that passes is never a mistake:
 * the sets of nodes that can be taken together form a matroid, so all maximal ones have the same
 * size. The keepers are read off at the end.
 *
 * <p>Example, rs-4-2, c = 1, racks A to F with A the core rack: data blocks can be kept in {A, B},
 * {A, C}, {A, D} and {A, E}. The first parity block is written by the encoding node to itself, in
 * A; a block that was to keep its replica in A now keeps the other one. The second goes to F.
 *
 * <p>Immutable, safe for use by many threads.
 */
public final class EncodingPlanner {
  private final StripeRules rules;
  private final ClusterTopology topology;

  public EncodingPlanner(StripeRules rules, ClusterTopology topology) {
    this.rules = rules;
    this.topology = topology;
  }

  /**
   * @param where a stripe that is not encoded
   * @param sizeBytes of the stripe's largest block, hence of a parity block
   * @param chooser in the planner's topology
   * @param host admits the nodes of parity blocks
   */
  public EncodingAdvice plan(
      StripeLocations where,
      long sizeBytes,
      ReplicaChooser chooser,
      Admission host,
      RandomGenerator random) {
    List<StripeFlaw> flaws = new ArrayList<>();
    int coreRack = where.encodingRack(topology);
    requireCoreReplicas(where, coreRack, flaws);
    int blocks = where.data().length;
    StripeLayout layout =
        new StripeLayout(rules, topology, where.targets(), blocks + rules.code().parityBlocks());
    int[] numbers = new int[blocks];
    for (int block = 0; block < blocks; block++) {
      numbers[block] = layout.add(shuffled(where.data()[block], random));
      if (numbers[block] == StripeLayout.NONE && !where.isMissing(block)) {
        flaws.add(new StripeFlaw(StripeFlaw.Kind.NO_KEEPER, block));
      }
    }
    if (!flaws.isEmpty()) {
      return new NotEncodable(flaws);
    }
    int[] readers = readers(where, coreRack);
    ParityFilter filter = new ParityFilter(layout, topology, host);
    PlacementDecision parity =
        chooser.choose(parityOf(readers[0], coreRack, sizeBytes), filter, random);
    if (!parity.stands()) {
      int missing = rules.code().parityBlocks() - filter.placed;
      return new NotEncodable(List.of(new StripeFlaw(StripeFlaw.Kind.NO_ROOM, missing)));
    }
    int[] keepers = Arrays.stream(numbers).map(layout::keeperOf).toArray();
    return new EncodingPlan(
        coreRack,
        readers,
        sources(where, coreRack, readers[0], random),
        keepers,
        parity.nodes(),
        surplus(where, keepers));
  }

  private void requireCoreReplicas(StripeLocations where, int coreRack, List<StripeFlaw> flaws) {
    for (int block = 0; block < where.data().length; block++) {
      int[] nodes = where.readable(block);
      if (nodes.length == 0) {
        flaws.add(new StripeFlaw(StripeFlaw.Kind.BLOCK_MISSING, block));
      } else if (!StripeLocations.isIn(coreRack, nodes, topology)) {
        flaws.add(new StripeFlaw(StripeFlaw.Kind.NOT_IN_CORE_RACK, block));
      }
    }
  }

  /** Parity as if it were the replicas of one block; the filter knows better about racks. */
  private PlacementRequest parityOf(int writer, int coreRack, long sizeBytes) {
    return PlacementRequest.newBlock(
        rules.code().parityBlocks(), writer, coreRack, rules.rackLimit(), sizeBytes);
  }

  /** Nodes that have most of the blocks first; such as are about to leave only if all are. */
  private int[] readers(StripeLocations where, int coreRack) {
    int[] all = readers(IntStream.range(0, where.data().length).mapToObj(where::nodesOf), coreRack);
    return all.length > 0
        ? all
        : readers(IntStream.range(0, where.data().length).mapToObj(where::readable), coreRack);
  }

  private int[] readers(Stream<int[]> replicas, int coreRack) {
    Map<Integer, Integer> blocksOn = new TreeMap<>();
    for (int[] nodes : replicas.toList()) {
      for (int node : nodes) {
        if (topology.rackOf(node) == coreRack) {
          blocksOn.merge(node, 1, Integer::sum);
        }
      }
    }
    return blocksOn.entrySet().stream()
        .sorted(
            Map.Entry.<Integer, Integer>comparingByValue(Comparator.reverseOrder())
                .thenComparing(Map.Entry.comparingByKey()))
        .mapToInt(Map.Entry::getKey)
        .toArray();
  }

  private int[] sources(StripeLocations where, int coreRack, int reader, RandomGenerator random) {
    int[] sources = new int[where.data().length];
    for (int block = 0; block < sources.length; block++) {
      int[] staying = inRack(coreRack, where.nodesOf(block));
      int[] inCore = staying.length > 0 ? staying : inRack(coreRack, where.readable(block));
      boolean local = IntStream.of(inCore).anyMatch(node -> node == reader);
      sources[block] = local ? reader : inCore[random.nextInt(inCore.length)];
    }
    return sources;
  }

  private int[] inRack(int rack, int[] nodes) {
    return IntStream.of(nodes).filter(node -> topology.rackOf(node) == rack).toArray();
  }

  private static int[][] surplus(StripeLocations where, int[] keepers) {
    int[][] surplus = new int[keepers.length][];
    for (int block = 0; block < keepers.length; block++) {
      int keeper = keepers[block];
      surplus[block] = Arrays.stream(where.data()[block]).filter(node -> node != keeper).toArray();
    }
    return surplus;
  }

  static int[] shuffled(int[] nodes, RandomGenerator random) {
    int[] shuffled = nodes.clone();
    for (int i = shuffled.length; i > 1; i--) {
      int at = random.nextInt(i);
      int last = shuffled[i - 1];
      shuffled[i - 1] = shuffled[at];
      shuffled[at] = last;
    }
    return shuffled;
  }

  /** Lets a node pass on which a parity block finds room beside all that was placed. */
  private static final class ParityFilter implements Admission {
    private final StripeLayout layout;
    private final ClusterTopology topology;
    private final Admission host;
    private int placed;

    ParityFilter(StripeLayout layout, ClusterTopology topology, Admission host) {
      this.layout = layout;
      this.topology = topology;
      this.host = host;
    }

    @Override
    public Refusal admit(int node, boolean local) {
      if (!layout.targets().contains(topology.rackOf(node))) {
        return Refusal.NOT_A_TARGET_RACK;
      }
      if (!layout.fits(node)) {
        return Refusal.BREAKS_STRIPE;
      }
      Refusal refusal = host.admit(node, local);
      if (refusal == null) {
        layout.add(node);
        placed++;
      }
      return refusal;
    }

    @Override
    public boolean admitsRack(int rack) {
      return layout.hasRoom(rack) && host.admitsRack(rack);
    }
  }
}
