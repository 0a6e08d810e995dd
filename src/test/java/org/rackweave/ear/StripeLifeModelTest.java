package org.rackweave.ear;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.rackweave.MixedRandom;
import org.rackweave.ear.StripeMaintenance.Care;
import org.rackweave.ear.StripeMaintenance.MemberState;
import org.rackweave.model.ClusterTopology;
import org.rackweave.placement.RandomPlacement;
import org.rackweave.placement.Refusal;

/**
 * The life of stripes on a model of a cluster: files are written, changed and deleted, nodes fail
 * for good, and every part of the work, which takes its time, is done a bit here and a bit there.
 * After each step every block of every file has a replica or can be decoded, however the last two
 * failures fell. Others come on top of these, up to what the code can bear, where they lose nothing
 * yet: whatever is done to files afterwards must not lose what can still be decoded.
 */
class StripeLifeModelTest {
  private static final int STEPS = 5000;
  private static final int RACKS = 10;
  private static final int REPLICAS = 3;
  private static final int FAILURES = 2;
  private static final int CATCHING_UP = 1000;
  private static final StripeRules RULES = StripeRules.of(ErasureCode.named("rs-4-3"));
  private static final int PARITY = RULES.code().parityBlocks();
  private static final int FAILURES_MAX = PARITY;
  private static final int MARGIN = StripeMaintenance.margin(RULES, FAILURES);

  private final long seed = System.nanoTime();
  private final Random random = MixedRandom.of(seed);
  private final ClusterTopology topology =
      Racks.of(IntStream.generate(() -> 3).limit(RACKS).toArray());
  private final OpenStripes open = new OpenStripes(RULES, topology);
  private final List<SealedStripe> sealed = new ArrayList<>();
  private final Map<Long, Block> blocks = new HashMap<>();
  private final Map<Long, File> files = new LinkedHashMap<>();
  private final List<Stripe> stripes = new ArrayList<>();
  private final Map<Long, Stripe> stripeOf = new HashMap<>();
  private final Set<Integer> down = new HashSet<>();
  private final List<String> log = new ArrayList<>();
  private int encoded;
  private int shrunk;
  private int decoded;
  private int givenUp;
  private int beyond;
  private long nextId = 1;
  private long nowMs;

  /** A block; its replicas stay for a while when it is deleted. */
  private static final class Block {
    final long id;
    final long file;
    long generation = 1;
    boolean isDeleted;
    final Set<Integer> replicas = new TreeSet<>();

    Block(long id, long file) {
      this.id = id;
      this.file = file;
    }
  }

  private static final class File {
    final List<Long> blocks = new ArrayList<>();
    int replication = REPLICAS;
    boolean isKept;
  }

  private static final class Stripe {
    StripeRecord record;
    final List<Set<Integer>> parity = new ArrayList<>();
  }

  @Test
  void noBlockIsEverLost() {
    System.out.println("life of stripes, seed " + seed);
    for (int step = 0; step < STEPS; step++) {
      nowMs += 1000;
      step();
      check();
    }
    String what = what();
    assertTrue(encoded > 50 && shrunk > 20 && decoded > 20 && givenUp > 10 && beyond > 0, what);
  }

  private String what() {
    int from = Math.max(0, log.size() - 40);
    return String.format(
        "seed %d: %d encoded, %d shrunk, %d decoded, %d given up, %d beyond the margin%n%s",
        seed,
        encoded,
        shrunk,
        decoded,
        givenUp,
        beyond,
        String.join("\n", log.subList(from, log.size())));
  }

  private void step() {
    switch (random.nextInt(16)) {
      case 0, 1, 2 -> write();
      case 3 -> deleteSome();
      case 4 -> change();
      case 5 -> keep();
      case 6 -> fail();
      case 7, 8, 9 -> encodeOne();
      case 10, 11 -> shrinkOne();
      case 12 -> watchOne();
      case 13, 14 -> repairOne();
      default -> replicateOne();
    }
  }

  private <T> T any(List<T> all) {
    return all.isEmpty() ? null : all.get(random.nextInt(all.size()));
  }

  private int anyNode(Set<Integer> without) {
    int[] usable =
        IntStream.range(0, topology.nodeCount())
            .filter(node -> !down.contains(node) && !without.contains(node))
            .toArray();
    return usable[random.nextInt(usable.length)];
  }

  private void write() {
    long fileId = nextId++;
    File file = new File();
    for (int i = 1 + random.nextInt(4); i > 0; i--) {
      Block block = new Block(nextId++, fileId);
      int first = anyNode(Set.of());
      block.replicas.add(first);
      int rack;
      do {
        rack = topology.rackOf(anyNode(block.replicas));
      } while (rack == topology.rackOf(first));
      for (int node = topology.firstNode(rack); node < topology.firstNode(rack + 1); node++) {
        if (block.replicas.size() < REPLICAS && !down.contains(node)) {
          block.replicas.add(node);
        }
      }
      blocks.put(block.id, block);
      file.blocks.add(block.id);
      join(block);
    }
    files.put(fileId, file);
  }

  private void join(Block block) {
    int[] nodes = block.replicas.stream().mapToInt(Integer::intValue).toArray();
    if (nodes.length > 1) {
      open.join(new WrittenBlock(block.id, 1, 3), nodes, topology, random, nowMs, this::note);
    }
  }

  private void note(StripeEvent event) {
    if (event instanceof StripeEvent.Sealed done) {
      sealed.add(done.stripe());
    }
  }

  /** Sometimes nearly a whole stripe at once. */
  private void deleteSome() {
    Stripe stripe = random.nextInt(3) == 0 ? any(stripes) : null;
    if (stripe == null) {
      delete(any(new ArrayList<>(files.keySet())));
      return;
    }
    stripe.record.members().stream()
        .limit(PARITY + 1)
        .map(member -> blocks.get(member.blockId()))
        .filter(block -> block != null && !block.isDeleted)
        .map(block -> block.file)
        .distinct()
        .toList()
        .forEach(this::delete);
  }

  private void delete(Long fileId) {
    File file = fileId == null ? null : files.remove(fileId);
    if (file != null) {
      log.add("delete " + fileId + " of " + file.blocks);
      for (long id : file.blocks) {
        Block block = blocks.get(id);
        block.isDeleted = true;
        open.withdraw(id, nowMs, this::note);
        if (!stripeOf.containsKey(id)) {
          blocks.remove(id); // nobody counts on its bytes
        }
      }
    }
  }

  /** An append: only when nothing depends on the block, or it has its replicas back. */
  private void change() {
    File file = any(new ArrayList<>(files.values()));
    if (file == null) {
      return;
    }
    file.replication = REPLICAS;
    Block block = blocks.get(file.blocks.get(file.blocks.size() - 1));
    Stripe stripe = stripeOf.get(block.id);
    boolean isFree = block.replicas.size() >= REPLICAS;
    if (stripe != null) {
      List<MemberState> after = new ArrayList<>(states(stripe));
      for (int i = 0; i < after.size(); i++) {
        if (stripe.record.members().get(i).blockId() == block.id) {
          after.set(i, MemberState.CHANGED);
        }
      }
      if (StripeMaintenance.decide(after, MARGIN, PARITY) == Care.GIVE_UP) {
        isFree &= areRestored(stripe);
      } else {
        isFree &= isDecodableWithout(stripe, List.of(block.id));
      }
    }
    if (isFree) {
      log.add("change " + block.id);
      open.withdraw(block.id, nowMs, this::note);
      block.generation++;
    }
  }

  private void keep() {
    File file = any(new ArrayList<>(files.values()));
    if (file != null && random.nextInt(4) == 0) {
      file.isKept = true;
      file.replication = REPLICAS;
    }
  }

  /** A node and all on it is gone, unless as many failures are not repaired yet as are promised. */
  private void fail() {
    int node = anyNode(Set.of());
    if (down.size() == FAILURES_MAX || down.size() >= FAILURES && !isBorne(node)) {
      for (int work = 0; work < CATCHING_UP && !isAllRepaired(); work++) {
        repairOne();
        replicateOne();
        watchOne();
        check();
      }
      if (isAllRepaired()) {
        down.clear(); // new machines in their places
      }
      return;
    }
    beyond += down.size() >= FAILURES ? 1 : 0;
    log.add("node " + node + " fails");
    down.add(node);
    blocks.values().forEach(block -> block.replicas.remove(node));
    stripes.forEach(stripe -> stripe.parity.forEach(nodes -> nodes.remove(node)));
  }

  /** Whether a node may fail and nothing is lost. */
  private boolean isBorne(int node) {
    return blocks.values().stream()
        .filter(block -> !block.isDeleted && Set.of(node).containsAll(block.replicas))
        .allMatch(
            block ->
                stripeOf.containsKey(block.id)
                    && RebuildPlanner.isDecodable(
                        where(stripeOf.get(block.id)).without(one -> one == node)));
  }

  private boolean isDecodableWithout(Stripe stripe, List<Long> blockIds) {
    List<StripeRecord.Member> members = stripe.record.members();
    return RebuildPlanner.isDecodable(
        where(stripe),
        block -> block < members.size() && blockIds.contains(members.get(block).blockId()));
  }

  private boolean isAllRepaired() {
    return blocks.values().stream()
            .filter(block -> !block.isDeleted)
            .allMatch(block -> block.replicas.size() >= wanted(block))
        && stripes.stream().noneMatch(stripe -> stripe.parity.contains(Set.of()))
        && stripes.stream().allMatch(stripe -> care(stripe) == Care.KEEP);
  }

  private int wanted(Block block) {
    return files.get(block.file).replication;
  }

  private boolean isIntact(StripeRecord.Member member) {
    Block block = blocks.get(member.blockId());
    return !member.hasLeft()
        && block != null
        && !block.isDeleted
        && block.generation == member.generationStamp();
  }

  private void encodeOne() {
    if (sealed.isEmpty()) {
      open.seal(id -> true, nowMs, this::note);
    }
    SealedStripe next = sealed.isEmpty() ? null : sealed.remove(0);
    if (next == null) {
      return;
    }
    List<Block> members = next.blockIdList().stream().map(blocks::get).toList();
    boolean isWhole =
        members.stream()
            .allMatch(
                block ->
                    block != null
                        && !block.isDeleted
                        && !stripeOf.containsKey(block.id)
                        && !files.get(block.file).isKept);
    if (!isWhole) {
      members.stream().filter(block -> block != null && !block.isDeleted).forEach(this::rejoin);
      return;
    }
    StripeLocations where =
        StripeLocations.replicated(
            topology.rackAt(next.coreRack()),
            TargetRacks.ALL,
            members.stream().map(block -> nodes(block.replicas)).toArray(int[][]::new));
    EncodingAdvice advice =
        new EncodingPlanner(RULES, topology)
            .plan(
                where,
                1,
                new RandomPlacement(topology, 16, topology.nodeCount()),
                (node, local) -> down.contains(node) ? Refusal.NOT_ALIVE : null,
                random);
    if (!(advice instanceof EncodingPlan plan)) {
      members.forEach(this::rejoin);
      return;
    }
    Stripe stripe = new Stripe();
    stripe.record =
        new StripeRecord(
            RULES.code(),
            RULES.rackLimit(),
            members.stream()
                .map(
                    block ->
                        new StripeRecord.Member(
                            block.id, block.generation, 1, block.file, REPLICAS))
                .toList());
    for (int node : plan.parityTargets()) {
      stripe.parity.add(new TreeSet<>(Set.of(node)));
    }
    stripes.add(stripe);
    members.forEach(block -> stripeOf.put(block.id, stripe));
    encoded++;
  }

  private void rejoin(Block block) {
    if (!stripeOf.containsKey(block.id) && !files.get(block.file).isKept) {
      join(block);
    }
  }

  private static int[] nodes(Set<Integer> replicas) {
    return replicas.stream().mapToInt(Integer::intValue).toArray();
  }

  private List<MemberState> states(Stripe stripe) {
    List<MemberState> states = new ArrayList<>();
    for (StripeRecord.Member member : stripe.record.members()) {
      Block block = blocks.get(member.blockId());
      if (member.hasLeft()) {
        states.add(MemberState.LEFT);
      } else if (isIntact(member)) {
        File file = files.get(block.file);
        boolean isKept = file.isKept && file.replication > 1;
        states.add(isKept ? MemberState.KEPT : MemberState.ENCODED);
      } else {
        states.add(block == null || block.isDeleted ? MemberState.DELETED : MemberState.CHANGED);
      }
    }
    return states;
  }

  private Care care(Stripe stripe) {
    return StripeMaintenance.decide(states(stripe), MARGIN, PARITY);
  }

  /** Replicas of what is as it was encoded; deleted blocks still have theirs. */
  private StripeLocations where(Stripe stripe) {
    int[][] data =
        stripe.record.members().stream()
            .map(
                member -> {
                  Block block = blocks.get(member.blockId());
                  boolean isThere =
                      !member.hasLeft()
                          && block != null
                          && block.generation == member.generationStamp();
                  return isThere ? nodes(block.replicas) : new int[0];
                })
            .toArray(int[][]::new);
    int[][] parity = stripe.parity.stream().map(StripeLifeModelTest::nodes).toArray(int[][]::new);
    return new StripeLocations(ClusterTopology.NONE, TargetRacks.ALL, data, parity);
  }

  private void shrinkOne() {
    File file = any(new ArrayList<>(files.values()));
    if (file == null || file.isKept || file.replication == 1) {
      return;
    }
    Map<Long, Integer> keepers = new HashMap<>();
    for (long id : file.blocks) {
      Stripe stripe = stripeOf.get(id);
      if (stripe == null || care(stripe) == Care.GIVE_UP) {
        return;
      }
      int[] staying =
          IntStream.range(0, stripe.record.members().size())
              .filter(i -> isIntact(stripe.record.members().get(i)))
              .toArray();
      StripeLocations where = where(stripe);
      int[] chosen =
          Keepers.choose(
                  RULES,
                  topology,
                  new StripeLocations(
                      where.coreRack(),
                      where.targets(),
                      IntStream.of(staying).mapToObj(i -> where.data()[i]).toArray(int[][]::new),
                      where.parity()),
                  random)
              .orElse(null);
      if (chosen == null) {
        return;
      }
      for (int i = 0; i < staying.length; i++) {
        keepers.putIfAbsent(stripe.record.members().get(staying[i]).blockId(), chosen[i]);
      }
    }
    if (keepers.keySet().containsAll(file.blocks)) {
      file.replication = 1;
      file.blocks.forEach(id -> blocks.get(id).replicas.retainAll(Set.of(keepers.get(id))));
      shrunk++;
    }
  }

  private boolean areRestored(Stripe stripe) {
    boolean areRestored = true;
    for (StripeRecord.Member member : stripe.record.members()) {
      if (isIntact(member)) {
        Block block = blocks.get(member.blockId());
        files.get(block.file).replication = REPLICAS;
        areRestored &= block.replicas.size() >= REPLICAS;
      }
    }
    return areRestored;
  }

  private void watchOne() {
    Stripe stripe = any(stripes);
    if (stripe == null) {
      return;
    }
    Care care = care(stripe);
    if (care == Care.LET_GO) {
      List<Long> leaving =
          stripe.record.members().stream()
              .filter(member -> !member.hasLeft() && !isIntact(member))
              .map(StripeRecord.Member::blockId)
              .toList();
      if (!isDecodableWithout(stripe, leaving)) {
        return;
      }
      stripe.record = stripe.record.without(Set.copyOf(leaving));
      leaving.forEach(this::release);
    } else if (care == Care.GIVE_UP && areRestored(stripe)) {
      stripes.remove(stripe);
      stripe.record.members().stream()
          .filter(member -> !member.hasLeft())
          .forEach(member -> release(member.blockId()));
      givenUp++;
    }
  }

  private void release(long id) {
    stripeOf.remove(id);
    Block block = blocks.get(id);
    if (block != null && block.isDeleted) {
      blocks.remove(id);
    } else if (block != null) {
      rejoin(block);
    }
  }

  private void repairOne() {
    Stripe stripe = any(stripes.stream().filter(one -> !missing(one).isEmpty()).toList());
    if (stripe == null) {
      return;
    }
    StripeLocations where = where(stripe);
    Set<Integer> missing = missing(stripe);
    new RebuildPlanner(RULES, topology, node -> false)
        .plan(where, missing::contains, (block, node) -> !down.contains(node), random)
        .ifPresent(
            plan -> {
              assertTrue(
                  Arrays.stream(plan.sources()).allMatch(one -> where.nodesOf(one).length > 0));
              for (int i = 0; i < plan.missing().length; i++) {
                replicasOf(stripe, plan.missing()[i]).add(plan.targets()[i]);
                decoded++;
              }
            });
  }

  private Set<Integer> missing(Stripe stripe) {
    Set<Integer> missing = new TreeSet<>();
    int members = stripe.record.members().size();
    for (int block = 0; block < members + PARITY; block++) {
      boolean isWanted = block >= members || isIntact(stripe.record.members().get(block));
      if (isWanted && replicasOf(stripe, block).isEmpty()) {
        missing.add(block);
      }
    }
    return missing;
  }

  private Set<Integer> replicasOf(Stripe stripe, int block) {
    int members = stripe.record.members().size();
    return block < members
        ? blocks.get(stripe.record.members().get(block).blockId()).replicas
        : stripe.parity.get(block - members);
  }

  /** HDFS copies a block that has fewer replicas than its file wants. */
  private void replicateOne() {
    Block block =
        any(
            blocks.values().stream()
                .filter(
                    one ->
                        !one.isDeleted
                            && !one.replicas.isEmpty()
                            && one.replicas.size() < wanted(one))
                .toList());
    if (block != null) {
      block.replicas.add(anyNode(block.replicas));
    }
  }

  /** Every block of every file is there or can be made, and that after two failures since. */
  private void check() {
    for (Block block : blocks.values()) {
      if (!block.isDeleted && block.replicas.isEmpty()) {
        Stripe stripe = stripeOf.get(block.id);
        boolean isSafe =
            stripe != null
                && stripe.record.members().stream()
                    .anyMatch(member -> member.blockId() == block.id && isIntact(member))
                && RebuildPlanner.isDecodable(where(stripe));
        assertTrue(isSafe, () -> "block " + block.id + " is lost; " + what());
      }
    }
  }
}
