package org.rackweave.ear;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.rackweave.MixedRandom;
import org.rackweave.model.ClusterTopology;
import org.rackweave.model.NodePlace;
import org.rackweave.placement.PlacementRequest;
import org.rackweave.placement.RandomPlacement;

/**
 * Writers, lost calls, retries, deletions, moves, racks that come and go, and time, at random;
 * after every step the stripes must account for every block: in one open stripe, or sealed, or left
 * with a reason, and never two of these.
 */
class OpenStripesModelTest {
  private static final int WORLDS = 400;
  private static final int STEPS = 150;

  private static final class World {
    final Random dice;
    final String failed;
    final StripeRules rules;
    final OpenStripes stripes;
    final List<Integer> rackSizes = new ArrayList<>();
    ClusterTopology topology;
    long nowMs;
    long nextBlock;

    /** Blocks in open stripes, by the nodes' names. */
    final Map<Long, Set<String>> members = new HashMap<>();

    final Map<Long, Set<String>> outside = new HashMap<>();
    final List<Seat> unbound = new ArrayList<>();
    final Map<Seat, Set<String>> nodesOfSeat = new HashMap<>();
    final Map<Seat, WrittenBlock> sizeOfSeat = new HashMap<>();
    final Map<Long, WrittenBlock> sizes = new HashMap<>();
    int sealedCount;
    int leftCount;

    World(long seed) {
      dice = MixedRandom.of(seed);
      ErasureCode code = new ErasureCode(2 + dice.nextInt(4), 1 + dice.nextInt(3));
      int c = 1 + dice.nextInt(code.parityBlocks());
      int needed = (code.blocks() + c - 1) / c;
      int targets = dice.nextBoolean() ? StripeRules.ALL_RACKS : needed + dice.nextInt(2);
      rules = new StripeRules(code, c, targets, 1 + dice.nextInt(3), 400, 60);
      int racks = needed + 1 + dice.nextInt(4);
      dice.ints(racks, 1, 5).forEach(rackSizes::add);
      topology = topology();
      stripes = new OpenStripes(rules, topology);
      failed = "seed " + seed + " " + rules;
    }

    private ClusterTopology topology() {
      List<NodePlace> places = new ArrayList<>();
      for (int rack = 0; rack < rackSizes.size(); rack++) {
        for (int i = 0; i < rackSizes.get(rack); i++) {
          places.add(new NodePlace(rack + "." + i, "/r" + rack, null));
        }
      }
      return ClusterTopology.of(places);
    }

    void step() {
      nowMs += dice.nextInt(10);
      switch (dice.nextInt(13)) {
        case 0, 1, 2, 3, 4, 5 -> write();
        case 6 -> forgetACall();
        case 7 -> withdraw();
        case 8 -> move();
        case 9 -> rejoin();
        case 10 -> stripes.expire(nowMs, this::note);
        case 11 -> stripes.seal(block -> block % 8 == 0, nowMs, this::note);
        default -> changeRacks();
      }
    }

    private void write() {
      int writer = dice.nextInt(topology.nodeCount());
      PlacementRequest request =
          PlacementRequest.newBlock(
              2 + dice.nextInt(2), writer, topology.rackOf(writer), 2, 1 + dice.nextInt(6));
      EarDecision decision =
          new EarPlacement(stripes, topology, new RandomPlacement(topology, 8, 32))
              .place(request, () -> (node, local) -> null, dice, nowMs, this::note);
      if (decision.seat() == null) {
        return;
      }
      nodesOfSeat.put(decision.seat(), names(decision.placement().nodes()));
      sizeOfSeat.put(decision.seat(), new WrittenBlock(0, request.sizeBytes(), request.replicas()));
      unbound.add(decision.seat());
      if (dice.nextInt(8) > 0) {
        bindOne(dice.nextInt(10) == 0 && !members.isEmpty() ? anyMember() : nextBlock++);
      }
    }

    private long anyMember() {
      return members.keySet().stream().sorted().findFirst().orElseThrow();
    }

    private void bindOne(long blockId) {
      Seat seat = unbound.remove(dice.nextInt(unbound.size()));
      boolean held = seat.isHeld();
      Set<String> before = members.get(blockId);
      WrittenBlock sizeBefore = sizes.put(blockId, sizeOfSeat.get(seat));
      members.put(blockId, nodesOfSeat.get(seat));
      boolean bound = stripes.bind(seat, blockId, nowMs, this::note);
      assertEquals(held, bound, failed);
      if (!bound) {
        members.remove(blockId);
        sizes.put(blockId, sizeBefore);
        if (before != null) {
          members.put(blockId, before);
        }
      }
    }

    private boolean isOpen(long blockId) {
      return stripes.seatOf(blockId) != null;
    }

    private void forgetACall() {
      if (!unbound.isEmpty() && dice.nextBoolean()) {
        stripes.release(unbound.remove(0), nowMs, this::note);
      }
    }

    private void withdraw() {
      if (!members.isEmpty()) {
        long blockId = anyMember();
        assertTrue(stripes.withdraw(blockId, nowMs, this::note), failed);
        assertFalse(members.containsKey(blockId), failed);
        outside.remove(blockId);
      }
    }

    private void move() {
      if (members.isEmpty()) {
        return;
      }
      long blockId = anyMember();
      Set<String> nodes = new HashSet<>(members.get(blockId));
      String gone = nodes.iterator().next();
      nodes.remove(gone);
      nodes.add(topology.nodeName(dice.nextInt(topology.nodeCount())));
      members.put(blockId, nodes);
      assertTrue(stripes.moved(blockId, topology, numbers(nodes), nowMs, this::note), failed);
    }

    private void rejoin() {
      for (long blockId : List.copyOf(outside.keySet())) {
        Set<String> nodes = outside.remove(blockId);
        members.put(blockId, nodes);
        WrittenBlock block =
            new WrittenBlock(blockId, 1 + dice.nextInt(6), sizes.get(blockId).replication());
        sizes.put(blockId, block);
        if (!stripes.join(block, numbers(nodes), topology, dice, nowMs, this::note)) {
          members.remove(blockId);
        }
      }
    }

    private void changeRacks() {
      int rack = dice.nextInt(rackSizes.size());
      rackSizes.set(rack, dice.nextInt(5));
      if (rackSizes.stream().mapToInt(i -> i).sum() == 0) {
        rackSizes.set(rack, 1);
      }
      topology = topology();
      members.values().forEach(this::dropGone);
      nodesOfSeat.values().forEach(this::dropGone);
      outside.values().forEach(this::dropGone);
      stripes.adopt(topology, dice, nowMs, this::note);
    }

    private void dropGone(Set<String> nodes) {
      nodes.removeIf(name -> number(name) < 0);
    }

    private int number(String name) {
      return IntStream.range(0, topology.nodeCount())
          .filter(node -> topology.nodeName(node).equals(name))
          .findFirst()
          .orElse(-1);
    }

    private int[] numbers(Set<String> names) {
      return names.stream().mapToInt(this::number).filter(n -> n >= 0).sorted().toArray();
    }

    private Set<String> names(int[] nodes) {
      Set<String> names = new HashSet<>();
      Arrays.stream(nodes).forEach(node -> names.add(topology.nodeName(node)));
      return names;
    }

    private void note(StripeEvent event) {
      if (event instanceof StripeEvent.Sealed one) {
        sealedCount++;
        check(one.stripe());
      } else if (event instanceof StripeEvent.Left one && one.reason() != LeaveReason.SEATED_ANEW) {
        leftCount++;
        Set<String> nodes = members.remove(one.blockId());
        assertTrue(nodes != null, () -> failed + " left twice: " + one);
        outside.put(one.blockId(), new HashSet<>(nodes));
      }
    }

    private void check(SealedStripe stripe) {
      assertTrue(stripe.blockIds().length <= rules.code().dataBlocks(), failed);
      Map<String, Integer> inRack = new HashMap<>();
      StripeSaving saving = StripeSaving.none(rules.code());
      for (int i = 0; i < stripe.blockIds().length; i++) {
        Set<String> nodes = members.remove(stripe.blockIds()[i]);
        assertTrue(nodes != null, failed + " sealed but no member: " + stripe);
        WrittenBlock size = sizes.get(stripe.blockIds()[i]);
        saving = saving.with(size.lengthBytes(), size.replication());
        String keeper = stripe.keepers().get(i);
        assertTrue(nodes.contains(keeper), failed);
        assertEquals(nodes, new HashSet<>(stripe.replicas().get(i)), failed);
        String core = stripe.coreRack().substring(2) + ".";
        assertTrue(nodes.stream().anyMatch(name -> name.startsWith(core)), failed);
        inRack.merge(keeper.substring(0, keeper.indexOf('.')), 1, Integer::sum);
      }
      assertTrue(saving.isWorthwhile() && saving.isDense(), failed + ' ' + saving);
      assertEquals(
          stripe.blockIds().length, new HashSet<>(stripe.keepers()).size(), failed + " keepers");
      inRack.values().forEach(count -> assertTrue(count <= rules.rackLimit(), failed));
    }

    void checkAccounts() {
      int open = 0;
      for (OpenStripeStatus stripe : stripes.status()) {
        open += stripe.blocks();
        assertTrue(stripe.blocks() + stripe.unbound() <= rules.code().dataBlocks(), failed);
        assertTrue(stripe.blocks() + stripe.unbound() > 0, failed);
        assertTrue(topology.rackAt(stripe.coreRack()) >= 0, failed);
      }
      assertEquals(members.size(), open, failed);
      members.keySet().forEach(id -> assertTrue(isOpen(id), failed));
      outside.keySet().forEach(id -> assertFalse(isOpen(id), failed));
    }
  }

  @Test
  void accountsForEveryBlock() {
    long first = System.nanoTime();
    System.out.println("open stripes, first seed " + first);
    int sealed = 0;
    int left = 0;
    for (long seed = first; seed < first + WORLDS; seed++) {
      World world = new World(seed);
      for (int step = 0; step < STEPS; step++) {
        world.step();
        world.checkAccounts();
      }
      sealed += world.sealedCount;
      left += world.leftCount;
    }
    System.out.println(sealed + " stripes were sealed, " + left + " blocks left theirs");
    assertTrue(Math.min(sealed, left) > WORLDS, "both were put to the test");
  }
}
