package org.rackweave.ear;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.rackweave.model.ClusterTopology.NONE;

import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.rackweave.MixedRandom;
import org.rackweave.ear.StripeFlaw.Kind;
import org.rackweave.model.ClusterTopology;
import org.rackweave.placement.Admission;
import org.rackweave.placement.RandomPlacement;
import org.rackweave.placement.Refusal;

class StripeAuditorTest {
  private static final StripeRules RS_4_2 = StripeRules.of(ErasureCode.named("rs-4-2"));
  private static final StripeAuditor.NodeFilter ANY = (block, node) -> true;

  private final ClusterTopology topology = Racks.even(7, 3);

  private int[][] blocks(String... nodes) {
    return Arrays.stream(nodes)
        .map(list -> list.isEmpty() ? new String[0] : list.split(" "))
        .map(names -> Racks.nodes(topology, names))
        .toArray(int[][]::new);
  }

  private StripeLocations replicated(String... data) {
    return StripeLocations.replicated(0, TargetRacks.ALL, blocks(data));
  }

  private StripeLocations encoded(String... all) {
    int[][] blocks = blocks(all);
    return new StripeLocations(
        0, TargetRacks.ALL, Arrays.copyOf(blocks, 4), Arrays.copyOfRange(blocks, 4, blocks.length));
  }

  private StripeAudit audit(StripeLocations where) {
    return new StripeAuditor(RS_4_2, topology).audit(where, ANY);
  }

  private StripeMove move(int block, String from, String to) {
    return new StripeMove(
        StripeMove.Kind.MOVE, block, Racks.node(from, topology), Racks.node(to, topology));
  }

  @Test
  void findsNothingWrongWithAStripeAsItWasPlaced() {
    StripeAudit audit =
        audit(replicated("0.0 1.0 1.1", "0.1 2.0 2.1", "0.2 3.0 3.1", "0.0 4.0 4.1"));
    assertTrue(audit.isSound());
    assertEquals(List.of(), audit.moves());
    assertEquals(Map.of(0, 4, 1, 1, 2, 1, 3, 1, 4, 1), audit.blocksInRack());
    assertEquals(2, audit.blocksOnNode().get(Racks.node("0.0", topology)));
  }

  @Test
  void findsNothingMissingOfAnEncodedStripeWhoseBlocksAreOnNodesThatLeave() {
    StripeLocations there = encoded("", "1.0", "2.0", "3.0", "4.0", "");
    StripeLocations where =
        new StripeLocations(
            0,
            TargetRacks.ALL,
            there.data(),
            there.parity(),
            blocks("5.0", "1.1", "", "", "", "6.0"));
    StripeAudit audit = audit(where);
    assertTrue(audit.isSound(), () -> audit.flaws().toString());
    assertEquals(List.of(), audit.moves());
    assertEquals(
        List.of(new StripeFlaw(Kind.BLOCK_MISSING, 0), new StripeFlaw(Kind.BLOCK_MISSING, 5)),
        audit(there).flaws());
  }

  @Test
  void bringsABlockBackToTheCoreRack() {
    StripeAudit audit =
        audit(replicated("0.0 1.0 1.1", "0.1 2.0 2.1", "5.2 3.0 3.1", "0.0 4.0 4.1"));
    assertEquals(List.of(new StripeFlaw(Kind.NOT_IN_CORE_RACK, 2)), audit.flaws());
    assertTrue(audit.mendable());
    StripeMove move = audit.moves().get(0);
    assertEquals(1, audit.moves().size());
    assertEquals(2, move.block());
    assertEquals(0, topology.rackOf(move.to()));
  }

  @Test
  void givesABlockWithoutKeeperAnotherRack() {
    StripeAudit audit = audit(replicated("0.0 1.0", "0.1 1.1", "0.2 1.2", "0.0 4.0"));
    assertEquals(List.of(new StripeFlaw(Kind.NO_KEEPER, 2)), audit.flaws());
    assertEquals(List.of(move(2, "1.2", "2.0")), audit.moves());
    assertEquals("move block 2 from /r1/1.2 to /r2/2.0", audit.moves().get(0).describe(topology));
  }

  @Test
  void mendsBothWithOneMoveWhereTheCoreRackHasRoom() {
    // Rack 2 is full, its blocks cannot go to 0.0, but rack 0 has room for one on another node.
    StripeLocations where = replicated("0.0 2.0", "0.0 2.1", "0.0", "2.2 2.1");
    StripeAudit audit = new StripeAuditor(RS_4_2.withRackLimit(2), topology).audit(where, ANY);
    assertTrue(audit.has(Kind.NO_KEEPER));
    assertTrue(audit.has(Kind.NOT_IN_CORE_RACK));
    assertEquals(List.of(move(3, "2.1", "0.1")), audit.moves());
    assertTrue(audit.mendable());
  }

  @Test
  void cannotMendALostBlock() {
    StripeAudit audit = audit(replicated("0.0 1.0", "", "0.2 3.0", "0.0 4.0"));
    assertEquals(List.of(new StripeFlaw(Kind.BLOCK_MISSING, 1)), audit.flaws());
    assertFalse(audit.mendable());
  }

  @Test
  void saysWhenParityWouldFindNoRoom() {
    StripeLocations where = replicated("0.0 1.0", "0.1 2.0", "0.2 3.0", "0.0 4.0");
    IntPredicate accepts = node -> topology.rackOf(node) < 5;
    StripeAudit audit =
        new StripeAuditor(RS_4_2, topology).audit(where, (block, node) -> accepts.test(node));
    assertEquals(List.of(new StripeFlaw(Kind.NO_ROOM, 1)), audit.flaws());
    assertFalse(audit.mendable());
  }

  @Test
  void findsNothingWrongWithAnEncodedStripeWithinTheLimit() {
    StripeAudit audit = audit(encoded("1.0", "2.0", "3.0", "4.0", "0.0", "5.0"));
    assertTrue(audit.isSound());
    assertEquals(Map.of(0, 1, 1, 1, 2, 1, 3, 1, 4, 1, 5, 1), audit.blocksInRack());
  }

  /** The example of the class doc: the Balancer moved a block from rack 1 to rack 2. */
  @Test
  void sendsABlockBackThatTheBalancerMovedIntoAFullRack() {
    StripeAudit audit = audit(encoded("2.1", "2.0", "3.0", "4.0", "0.0", "5.0"));
    assertTrue(audit.has(Kind.RACK_OVER_LIMIT));
    assertTrue(audit.has(Kind.NO_KEEPER));
    assertFalse(audit.has(Kind.NODE_SHARED));
    assertEquals(List.of(move(1, "2.0", "1.0")), audit.moves());
    assertTrue(audit.mendable());
    assertEquals(
        "rack /r2 has more blocks than the limit",
        audit.flaws().stream()
            .filter(flaw -> flaw.kind() == Kind.RACK_OVER_LIMIT)
            .findFirst()
            .orElseThrow()
            .describe(topology));
  }

  @Test
  void namesANodeWithTwoBlocks() {
    StripeAudit audit = audit(encoded("1.0", "1.0", "3.0", "4.0", "0.0", "5.0"));
    assertTrue(
        audit.flaws().contains(new StripeFlaw(Kind.NODE_SHARED, Racks.node("1.0", topology))));
    assertEquals(1, audit.moves().size());
  }

  @Test
  void rebuildsMissingDataAndParityWhereTheyFindRoom() {
    StripeAudit audit = audit(encoded("1.0", "", "3.0", "4.0", "", "5.0"));
    assertEquals(
        List.of(new StripeFlaw(Kind.BLOCK_MISSING, 1), new StripeFlaw(Kind.BLOCK_MISSING, 4)),
        audit.flaws());
    assertTrue(audit.mendable());
    for (StripeMove move : audit.moves()) {
      assertEquals(StripeMove.Kind.REBUILD, move.kind());
      assertEquals(NONE, move.from());
      assertTrue(List.of(0, 2, 6).contains(topology.rackOf(move.to())));
    }
  }

  @Test
  void tellsLostFromDecodable() {
    StripeAudit audit = audit(encoded("1.0", "", "3.0", "", "", "5.0"));
    assertTrue(audit.has(Kind.UNDECODABLE));
    assertFalse(audit.mendable());
    assertEquals(List.of(), audit.moves());
  }

  @Test
  void refusesWhatIsNoStripeOfTheCode() {
    assertThrows(
        IllegalArgumentException.class, () -> audit(replicated("0.0", "0.1", "0.2", "1.0", "2.0")));
    assertThrows(
        IllegalArgumentException.class, () -> audit(encoded("1.0", "2.0", "3.0", "4.0", "0.0")));
  }

  /** Random damage: the moves, carried out, leave nothing wrong, and none is needless. */
  @Test
  void movesMendWhateverTheySayTheyMend() {
    long first = System.nanoTime();
    System.out.println("audits and their moves, first seed " + first);
    int[] mended = new int[2];
    for (long seed = first; seed < first + 2000; seed++) {
      Random dice = MixedRandom.of(seed);
      Damage damage = new Damage(dice);
      StripeAuditor auditor = new StripeAuditor(damage.rules, damage.topology);
      StripeAudit audit = auditor.audit(damage.where, (block, node) -> damage.accepts.get(node));
      String failed = "seed " + seed + " " + damage.rules + " " + audit;
      assertEquals(
          audit, auditor.audit(damage.where, (block, node) -> damage.accepts.get(node)), failed);
      if (audit.isSound()) {
        assertEquals(List.of(), audit.moves(), failed);
      }
      for (StripeMove move : audit.moves()) {
        assertTrue(damage.accepts.get(move.to()), failed);
      }
      if (!audit.isSound() && audit.mendable()) {
        mended[damage.where.isEncoded() ? 1 : 0]++;
        StripeAudit after =
            auditor.audit(
                damage.after(audit.moves(), failed), (block, node) -> damage.accepts.get(node));
        assertEquals(List.of(), after.flaws(), failed);
      }
      if (!damage.where.isEncoded()) {
        assertEquals(audit.isSound(), damage.isPlanned(dice), failed);
      }
    }
    assertTrue(Math.min(mended[0], mended[1]) > 100, "both were put to the test");
  }

  /** A stripe anywhere, encoded or not, on a cluster where some nodes accept nothing. */
  private static final class Damage {
    final StripeRules rules;
    final ClusterTopology topology;
    final StripeLocations where;
    final BitSet accepts = new BitSet();

    Damage(Random dice) {
      ErasureCode code = new ErasureCode(2 + dice.nextInt(4), 1 + dice.nextInt(3));
      rules = StripeRules.of(code).withRackLimit(1 + dice.nextInt(code.parityBlocks()));
      int racks = rules.racksNeeded() + dice.nextInt(4);
      topology = Racks.of(dice.ints(racks, 1, 5).toArray());
      boolean encoded = dice.nextBoolean();
      int coreRack = dice.nextInt(racks);
      int data = 1 + dice.nextInt(code.dataBlocks());
      int[][] nodes = new int[data + code.parityBlocks()][];
      for (int block = 0; block < nodes.length; block++) {
        int count = dice.nextInt(12) == 0 ? 0 : encoded ? 1 : 1 + dice.nextInt(3);
        nodes[block] = dice.ints(count, 0, topology.nodeCount()).distinct().toArray();
        if (!encoded && count > 0 && dice.nextInt(6) > 0) {
          nodes[block][0] =
              topology.firstNode(coreRack) + dice.nextInt(topology.rackSize(coreRack));
          nodes[block] = Arrays.stream(nodes[block]).distinct().toArray();
        }
      }
      where =
          new StripeLocations(
              coreRack,
              TargetRacks.ALL,
              Arrays.copyOf(nodes, data),
              encoded ? Arrays.copyOfRange(nodes, data, nodes.length) : new int[0][]);
      IntStream.range(0, topology.nodeCount())
          .filter(node -> dice.nextInt(8) > 0)
          .forEach(accepts::set);
    }

    boolean isPlanned(Random dice) {
      Admission host = (node, local) -> accepts.get(node) ? null : Refusal.NO_SPACE;
      return new EncodingPlanner(rules, topology)
              .plan(where, 1, new RandomPlacement(topology, 4, 1000), host, dice)
          instanceof EncodingPlan;
    }

    StripeLocations after(List<StripeMove> moves, String failed) {
      int[][] nodes =
          IntStream.range(0, where.data().length + where.parity().length)
              .mapToObj(block -> where.nodesOf(block).clone())
              .toArray(int[][]::new);
      for (StripeMove move : moves) {
        IntStream kept = IntStream.of(nodes[move.block()]).filter(node -> node != move.from());
        int before = nodes[move.block()].length;
        nodes[move.block()] = IntStream.concat(kept, IntStream.of(move.to())).toArray();
        boolean isMove = move.kind() == StripeMove.Kind.MOVE;
        assertEquals(before + (isMove ? 0 : 1), nodes[move.block()].length, failed);
        assertEquals(
            nodes[move.block()].length,
            IntStream.of(nodes[move.block()]).distinct().count(),
            failed);
      }
      int data = where.data().length;
      return new StripeLocations(
          where.encodingRack(topology),
          where.targets(),
          Arrays.copyOf(nodes, data),
          Arrays.copyOfRange(nodes, data, nodes.length));
    }
  }
}
