package org.rackweave.ear;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.rackweave.MixedRandom;
import org.rackweave.model.ClusterTopology;

class StripeSavingTest {
  private static final ErasureCode CODE = ErasureCode.named("rs-10-4");
  private static final long MB = 1 << 20;
  private static final int CASES = 60;

  private static StripeSaving of(int replication, long... lengths) {
    StripeSaving saving = StripeSaving.none(CODE);
    for (long length : lengths) {
      saving = saving.with(length, replication);
    }
    return saving;
  }

  @Test
  void oneLongBlockWithNineShortOnesTakesMoreThanItsReplicas() {
    StripeSaving saving = of(3, 128 * MB, MB, MB, MB, MB, MB, MB, MB, MB, MB);
    assertEquals((256 + 18 - 512) * MB, saving.savedBytes());
    assertFalse(saving.isWorthwhile());
    assertFalse(saving.isDense());
  }

  @Test
  void twoBlocksTakeAsMuchAsTheirReplicasAndThreeTakeLess() {
    assertEquals(0, of(3, MB, MB).savedBytes());
    assertFalse(of(3, MB, MB).isWorthwhile());
    assertTrue(of(3, MB, MB, MB).isWorthwhile());
    assertTrue(of(3, MB, MB, MB).isDense());
  }

  @Test
  void lessThanATenthOfTheSurplusIsNotWorthwhile() {
    long parity = 4 * 90;
    long[] nineTenths = {90, 90, 20};
    assertEquals(parity, of(3, nineTenths).parityBytes());
    assertEquals(400, of(3, nineTenths).surplusBytes());
    assertTrue(of(3, nineTenths).isWorthwhile());
    nineTenths[2]--;
    assertFalse(of(3, nineTenths).isWorthwhile());
  }

  @Test
  void ofARecordIsAsBeforeMembersLeft() {
    StripeRecord record =
        new StripeRecord(
            CODE,
            1,
            List.of(
                new StripeRecord.Member(1, 1, 30, 1, 3),
                new StripeRecord.Member(2, 1, 50, 1, 2),
                new StripeRecord.Member(3, 1, 10, 1, 0)));
    assertEquals(60 + 50 - 4 * 50, StripeSaving.of(record).savedBytes());
    assertEquals(200 * 3 / 8, record.parityShareBytes(30));
    assertEquals(200 * 5 / 8, record.parityShareBytes(50));
  }

  @Test
  void anEstimateTakesEachLengthForItselfAndLetsTheRareOnesGoAlong() {
    SavingEstimate estimate = new SavingEstimate(CODE);
    for (int block = 0; block < 25; block++) {
      estimate.add(100 * MB, 3);
    }
    estimate.add(3 * MB, 3);
    assertEquals(
        new SavingEstimate.Sum(2 * 2503 * MB, 3 * 4 * 100 * MB),
        estimate.sum(),
        "three stripes, and one block that goes along");
    SavingEstimate tooFew = new SavingEstimate(CODE);
    tooFew.add(100 * MB, 3);
    tooFew.add(3 * MB, 3);
    assertEquals(new SavingEstimate.Sum(0, 0), tooFew.sum());
  }

  /** Files of all lengths in one directory, found where stock put them. */
  private static final class Warehouse {
    final Random dice;
    final ErasureCode code;
    final ClusterTopology topology;
    final OpenStripes stripes;
    final List<WrittenBlock> all = new ArrayList<>();
    final Map<Long, WrittenBlock> blocks = new HashMap<>();
    final List<List<WrittenBlock>> sealed = new ArrayList<>();
    final List<StripeSaving> savings = new ArrayList<>();

    Warehouse(long seed) {
      dice = MixedRandom.of(seed);
      code = new ErasureCode(4 + dice.nextInt(7), 1 + dice.nextInt(4));
      topology = Racks.even(code.blocks() + 1 + dice.nextInt(4), 4);
      stripes = new OpenStripes(StripeRules.of(code), topology);
    }

    void find(int count) {
      for (long id = 0; id < count; id++) {
        long bytes = 1 + (long) (128 * MB / Math.pow(2, 20 * Math.pow(dice.nextDouble(), 2)));
        WrittenBlock block = new WrittenBlock(id, bytes, 3);
        all.add(block);
        blocks.put(id, block);
        int core = dice.nextInt(topology.rackCount());
        int other = (core + 1 + dice.nextInt(topology.rackCount() - 1)) % topology.rackCount();
        int[] nodes = {4 * core + dice.nextInt(4), 4 * other, 4 * other + 1 + dice.nextInt(3)};
        assertTrue(stripes.join(block, nodes, topology, dice, 0, this::note));
      }
      stripes.seal(any -> true, 0, this::note);
    }

    private void note(StripeEvent event) {
      if (event instanceof StripeEvent.Sealed one) {
        List<WrittenBlock> members =
            one.stripe().blockIdList().stream().map(blocks::remove).toList();
        StripeSaving saving = StripeSaving.none(code);
        for (WrittenBlock member : members) {
          saving = saving.with(member.lengthBytes(), member.replication());
        }
        sealed.add(members);
        savings.add(saving);
      }
    }

    /** Bytes on disks as they are counted by hand. */
    long savedByHand() {
      long saved = 0;
      for (List<WrittenBlock> stripe : sealed) {
        long before = stripe.stream().mapToLong(block -> 3 * block.lengthBytes()).sum();
        long data = stripe.stream().mapToLong(WrittenBlock::lengthBytes).sum();
        long longest = stripe.stream().mapToLong(WrittenBlock::lengthBytes).max().orElseThrow();
        saved += before - data - code.parityBlocks() * longest;
      }
      return saved;
    }

    /** What stripes of the same blocks would save, k at a time as they came. */
    long savedInOrderOfArrival() {
      long saved = 0;
      for (int at = 0; at < all.size(); at += code.dataBlocks()) {
        StripeSaving saving = StripeSaving.none(code);
        for (WrittenBlock block : all.subList(at, Math.min(all.size(), at + code.dataBlocks()))) {
          saving = saving.with(block.lengthBytes(), block.replication());
        }
        saved += saving.savedBytes();
      }
      return saved;
    }

    /** The least parity there can be for the blocks that were encoded: by length, k at a time. */
    long leastParity() {
      List<WrittenBlock> encoded = new ArrayList<>(sealed.stream().flatMap(List::stream).toList());
      encoded.sort(Comparator.comparingLong(WrittenBlock::lengthBytes).reversed());
      long parity = 0;
      for (int at = 0; at < encoded.size(); at += code.dataBlocks()) {
        parity += code.parityBlocks() * encoded.get(at).lengthBytes();
      }
      return parity;
    }
  }

  @Test
  void everyStripeSavesAndAllTogetherMoreThanIfLengthsDidNotMatter() {
    long first = System.nanoTime();
    System.out.println("lengths of blocks, first seed " + first);
    for (long seed = first; seed < first + CASES; seed++) {
      Warehouse warehouse = new Warehouse(seed);
      warehouse.find(2000);
      String failed = "seed " + seed + ' ' + warehouse.code.name();
      long saved = 0;
      long full = 0;
      for (StripeSaving saving : warehouse.savings) {
        assertTrue(saving.isWorthwhile() && saving.isDense(), failed + ' ' + saving);
        saved += saving.savedBytes();
        full += saving.blocks() == warehouse.code.dataBlocks() ? saving.parityBytes() : 0;
      }
      assertEquals(warehouse.savedByHand(), saved, failed);
      // Full ones are more than half as long in the mean as their longest block.
      assertTrue(full <= 2 * warehouse.leastParity(), failed + ' ' + full);
      assertTrue(saved > warehouse.savedInOrderOfArrival(), failed + ' ' + saved);
    }
  }
}
