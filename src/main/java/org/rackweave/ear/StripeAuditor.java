package org.rackweave.ear;

import static org.rackweave.model.ClusterTopology.NONE;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.rackweave.model.ClusterTopology;

/**
 * Tells what is wrong with a stripe, encoded or not, and which moves would mend it. Moves nothing
 * itself, and gives the same answer to the same question, so a plan that was looked at is the plan
 * that is carried out.
 *
 * <p><b>Algorithm.</b> All blocks are matched with the nodes they are on ({@link StripeLayout});
 * those that stay unmatched, and no others, have to change place. Each is given, one after the
 * other, a node on which it finds room beside the rest, in the rack with fewest blocks of the
 * stripe. As for parity in {@link EncodingPlanner}, no such choice is ever a mistake. Before
 * encoding, parity is found room for in the same way, and every block without a replica in the core
 * rack gets one there, in exchange for a replica that need not be kept.
 *
 * <p>Example, rs-4-2 encoded with c = 1: the Balancer has moved a block from rack B to rack C,
 * which has one already. One of the two cannot stay; it is sent to B, the rack with none.
 *
 * <p>Immutable, safe for use by many threads.
 */
public final class StripeAuditor {
  private static final int[] NO_NODES = {};

  private final StripeRules rules;
  private final ClusterTopology topology;

  public StripeAuditor(StripeRules rules, ClusterTopology topology) {
    this.rules = rules;
    this.topology = topology;
  }

  /** Where blocks may go. */
  public interface NodeFilter {
    /**
     * @param block data first, then parity, that to come included
     */
    boolean accepts(int block, int node);
  }

  /**
   * @param where the stripe; when it is encoded, with all its n - k parity blocks
   * @param accepts whether a node may get a block
   * @throws IllegalArgumentException when the number of blocks is not the code's
   */
  public StripeAudit audit(StripeLocations where, NodeFilter accepts) {
    int parity = where.parity().length;
    if (where.data().length > rules.code().dataBlocks()
        || (where.isEncoded() && parity != rules.code().parityBlocks())) {
      throw new IllegalArgumentException(
          where.data().length + " + " + parity + " blocks are no stripe of " + rules.code().name());
    }
    return new Case(where, accepts).audit();
  }

  /** One stripe while it is looked at. */
  private final class Case {
    private final StripeLocations where;
    private final NodeFilter accepts;
    private final int coreRack;
    private final int blocks;
    private final StripeLayout layout;
    private final int[] numbers;
    private final SortedMap<Integer, Integer> inRack;
    private final SortedMap<Integer, Integer> onNode;

    /** Blocks in each rack, with those that moves and parity will bring. */
    private final int[] planned;

    private final List<StripeFlaw> flaws = new ArrayList<>();
    private final List<StripeMove> moves = new ArrayList<>();
    private boolean mendable = true;

    Case(StripeLocations where, NodeFilter accepts) {
      this.where = where;
      this.accepts = accepts;
      coreRack = where.encodingRack(topology);
      blocks = where.data().length + where.parity().length;
      int parityToCome = where.isEncoded() ? 0 : rules.code().parityBlocks();
      layout = new StripeLayout(rules, topology, where.targets(), blocks + parityToCome);
      numbers = new int[blocks];
      inRack = count(topology::rackOf);
      onNode = count(node -> node);
      planned = new int[topology.rackCount()];
      inRack.forEach((rack, count) -> planned[rack] = count);
    }

    private SortedMap<Integer, Integer> count(IntUnaryOperator placeOf) {
      SortedMap<Integer, Integer> counts = new TreeMap<>();
      where
          .blocks()
          .forEach(
              nodes ->
                  IntStream.of(nodes)
                      .map(placeOf)
                      .distinct()
                      .forEach(place -> counts.merge(place, 1, Integer::sum)));
      return counts;
    }

    StripeAudit audit() {
      for (int block = 0; block < blocks; block++) {
        numbers[block] = layout.add(where.nodesOf(block));
      }
      if (where.isEncoded()) {
        auditEncoded();
      } else {
        auditReplicated();
      }
      return new StripeAudit(coreRack, inRack, onNode, flaws, moves, mendable);
    }

    private void auditEncoded() {
      int missing = flagMissing();
      if (missing > rules.code().parityBlocks()) {
        flaws.add(new StripeFlaw(StripeFlaw.Kind.UNDECODABLE, missing));
        mendable = false;
        return;
      }
      if (settle() > 0) {
        flagCrowds();
      }
    }

    /** Where blocks stand that cannot all stay. */
    private void flagCrowds() {
      inRack.forEach(
          (rack, count) -> {
            if (count > rules.rackLimit()) {
              flaws.add(new StripeFlaw(StripeFlaw.Kind.RACK_OVER_LIMIT, rack));
            }
          });
      onNode.forEach(
          (node, count) -> {
            if (count > 1) {
              flaws.add(new StripeFlaw(StripeFlaw.Kind.NODE_SHARED, node));
            }
          });
    }

    private void auditReplicated() {
      mendable &= flagMissing() == 0;
      settle();
      findRoomForParity();
      for (int block = 0; block < blocks; block++) {
        int[] nodes = where.readable(block);
        if (nodes.length > 0 && !StripeLocations.isIn(coreRack, nodes, topology)) {
          flaws.add(new StripeFlaw(StripeFlaw.Kind.NOT_IN_CORE_RACK, block));
          bringToCoreRack(block);
        }
      }
    }

    private void findRoomForParity() {
      int homeless = 0;
      for (int parity = 0; parity < rules.code().parityBlocks(); parity++) {
        int node = bestNode(blocks + parity, NO_NODES);
        if (node == NONE) {
          homeless++;
        } else {
          layout.add(node);
        }
      }
      flagHomeless(homeless);
    }

    private void flagHomeless(int homeless) {
      if (homeless > 0) {
        flaws.add(new StripeFlaw(StripeFlaw.Kind.NO_ROOM, homeless));
        mendable = false;
      }
    }

    private int flagMissing() {
      int missing = 0;
      for (int block = 0; block < blocks; block++) {
        if (where.isMissing(block)) {
          flaws.add(new StripeFlaw(StripeFlaw.Kind.BLOCK_MISSING, block));
          missing++;
        }
      }
      return missing;
    }

    /**
     * Finds a node for every block that has none to stay on. One whose nodes are all about to leave
     * is copied by the host system; room is kept for it.
     *
     * @return how many there are that cannot stay
     */
    private int settle() {
      int crowdedOut = 0;
      int homeless = 0;
      for (int block = 0; block < blocks; block++) {
        int[] nodes = where.nodesOf(block);
        boolean isMissing = where.isMissing(block);
        boolean isLeaving = nodes.length == 0 && !isMissing;
        if (numbers[block] != StripeLayout.NONE || (isMissing && !where.isEncoded())) {
          continue;
        }
        if (isLeaving && !where.isEncoded()) {
          flaws.add(new StripeFlaw(StripeFlaw.Kind.NO_KEEPER, block));
          mendable = false;
          continue;
        }
        if (!isMissing && !isLeaving) {
          flaws.add(new StripeFlaw(StripeFlaw.Kind.NO_KEEPER, block));
          crowdedOut++;
        }
        int to = nodeFor(block);
        if (to == NONE) {
          homeless += isLeaving ? 0 : 1;
        } else {
          numbers[block] = layout.add(to);
          if (!isLeaving) {
            moves.add(moveTo(to, block));
          }
        }
      }
      flagHomeless(homeless);
      return crowdedOut;
    }

    /** One move is enough for a block that lacks a replica in the core rack too. */
    private int nodeFor(int block) {
      int[] holders = where.nodesOf(block);
      boolean inCore = StripeLocations.isIn(coreRack, where.readable(block), topology);
      int there =
          where.isEncoded() || inCore || coreRack == NONE || !layout.hasRoom(coreRack)
              ? NONE
              : acceptingNode(block, coreRack, holders, true);
      return there == NONE ? bestNode(block, holders) : there;
    }

    private StripeMove moveTo(int to, int block) {
      int[] nodes = where.nodesOf(block);
      if (nodes.length == 0) {
        return new StripeMove(StripeMove.Kind.REBUILD, block, NONE, to);
      }
      if (where.isEncoded()) {
        return new StripeMove(StripeMove.Kind.MOVE, block, nodes[0], to);
      }
      return moveOrCopy(
          block,
          Arrays.stream(nodes).filter(node -> topology.rackOf(node) != coreRack).toArray(),
          to);
    }

    private static StripeMove moveOrCopy(int block, int[] dispensable, int to) {
      return dispensable.length == 0
          ? new StripeMove(StripeMove.Kind.COPY, block, NONE, to)
          : new StripeMove(StripeMove.Kind.MOVE, block, dispensable[dispensable.length - 1], to);
    }

    /** A node with room beside everything settled so far, in the rack that has fewest blocks. */
    private int bestNode(int block, int[] holders) {
      int best = NONE;
      int fewest = Integer.MAX_VALUE;
      for (int rack = 0; rack < topology.rackCount(); rack++) {
        int blocksThere = planned[rack];
        if (blocksThere < fewest && layout.hasRoom(rack)) {
          int node = acceptingNode(block, rack, holders, true);
          if (node != NONE) {
            best = node;
            fewest = blocksThere;
          }
        }
      }
      if (best != NONE) {
        planned[topology.rackOf(best)]++;
      }
      return best;
    }

    private int acceptingNode(int block, int rack, int[] holders, boolean fitting) {
      for (int node = topology.firstNode(rack); node < topology.firstNode(rack + 1); node++) {
        int candidate = node;
        if (accepts.accepts(block, node)
            && IntStream.of(holders).noneMatch(holder -> holder == candidate)
            && (!fitting || layout.fits(node))) {
          return node;
        }
      }
      return NONE;
    }

    private void bringToCoreRack(int block) {
      boolean settledThere =
          moves.stream().anyMatch(m -> m.block() == block && topology.rackOf(m.to()) == coreRack);
      if (settledThere) {
        return;
      }
      int to =
          coreRack == NONE ? NONE : acceptingNode(block, coreRack, where.nodesOf(block), false);
      if (to == NONE) {
        mendable = false;
        return;
      }
      int keeper = numbers[block] == StripeLayout.NONE ? NONE : layout.keeperOf(numbers[block]);
      int[] dispensable =
          Arrays.stream(where.nodesOf(block))
              .filter(node -> node != keeper)
              .filter(node -> moves.stream().noneMatch(m -> m.block() == block && m.from() == node))
              .toArray();
      moves.add(moveOrCopy(block, dispensable, to));
    }
  }
}
