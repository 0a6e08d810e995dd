package org.rackweave.ear;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.rackweave.MixedRandom;
import org.rackweave.ear.StripeRecord.Member;

class StripeIndexTest {
  private static final ErasureCode CODE = ErasureCode.named("rs-6-3");

  private final StripeIndex index = new StripeIndex(CODE);

  private static StripeRecord stripe(long... blockIds) {
    List<Member> members =
        LongStream.of(blockIds).mapToObj(id -> new Member(id, 1001, 64 << 20, id / 2, 3)).toList();
    return new StripeRecord(CODE, 1, members)
        .proven(Collections.nCopies(members.size() + CODE.parityBlocks(), 7));
  }

  @Test
  void findsAStripeByEachOfItsBlocks() {
    int one = index.add(7, stripe(1, 2, 3));
    int other = index.add(8, stripe(4));
    assertEquals(one, index.stripeOf(2));
    assertEquals(other, index.stripeOf(4));
    assertEquals(StripeIndex.NONE, index.stripeOf(5));
    assertEquals(stripe(1, 2, 3), index.record(one));
    assertEquals(8, index.parityFile(other));
    index.remove(one);
    assertEquals(StripeIndex.NONE, index.stripeOf(2));
    assertThrows(IllegalArgumentException.class, () -> index.record(one));
  }

  @Test
  void aBlockIsInOneStripeOnly() {
    index.add(7, stripe(1, 2, 3));
    String said =
        assertThrows(IllegalArgumentException.class, () -> index.add(8, stripe(9, 3))).getMessage();
    assertEquals("block 3 is in the stripe of parity file 7 and cannot be in that of 8", said);
    assertEquals(StripeIndex.NONE, index.stripeOf(9));
    assertEquals(1, index.stripeCount());
  }

  @Test
  void aBlockThatHasLeftMayBeInAnother() {
    int one = index.add(7, stripe(1, 2, 3));
    StripeRecord left = index.leave(one, Set.of(2L, 99L));
    assertEquals(left, index.record(one));
    assertTrue(left.members().get(1).hasLeft());
    assertEquals(StripeIndex.NONE, index.stripeOf(2));
    assertEquals(one, index.stripeOf(3));
    int other = index.add(8, stripe(2));
    assertEquals(StripeIndex.NONE, index.next(2));
    assertEquals(other, index.next(one + 1));
    index.leave(one, Set.of(2L));
    index.remove(one);
    assertEquals(other, index.stripeOf(2));
    assertEquals(other, index.next(0));
    assertEquals(1, index.blockCount());
    StripeIndex again = new StripeIndex(CODE);
    again.add(7, left);
    assertEquals(StripeIndex.NONE, again.stripeOf(2));
    assertEquals(2, again.blockCount());
  }

  @Test
  void takesStripesOfItsOwnCodeOnly() {
    StripeRecord other =
        new StripeRecord(ErasureCode.named("rs-4-2"), 1, List.of(new Member(1, 1, 1, 1, 3)));
    String said =
        assertThrows(IllegalArgumentException.class, () -> index.add(7, other)).getMessage();
    assertEquals("the stripe of parity file 7 is of rs-4-2, not of rs-6-3", said);
  }

  @Test
  void isWhatAMapIsThroughAnyChanges() {
    long seed = System.nanoTime();
    System.out.println("stripes, seed " + seed);
    Random random = MixedRandom.of(seed);
    Map<Integer, StripeRecord> stripes = new HashMap<>();
    Map<Long, Integer> blocks = new HashMap<>();
    for (int step = 0; step < 20_000; step++) {
      int dice = random.nextInt(6);
      if (dice < 3 || stripes.isEmpty()) {
        StripeRecord record =
            stripe(random.longs(1 + random.nextInt(6), 0, 5000).distinct().toArray());
        if (record.members().stream().noneMatch(member -> blocks.containsKey(member.blockId()))) {
          int stripe = index.add(step, record);
          stripes.put(stripe, record);
          record.members().forEach(member -> blocks.put(member.blockId(), stripe));
        }
      } else if (dice == 3) {
        int stripe = any(stripes.keySet(), random);
        long block = stripes.get(stripe).members().get(0).blockId();
        stripes.put(stripe, index.leave(stripe, Set.of(block)));
        blocks.remove(block, stripe);
      } else {
        int stripe = any(stripes.keySet(), random);
        index.remove(stripe);
        stripes.remove(stripe).members().forEach(member -> blocks.remove(member.blockId(), stripe));
      }
      long asked = random.nextInt(5000);
      assertEquals(blocks.getOrDefault(asked, StripeIndex.NONE), index.stripeOf(asked));
    }
    for (long block = 0; block < 5000; block++) {
      assertEquals(blocks.getOrDefault(block, StripeIndex.NONE), index.stripeOf(block));
    }
    stripes.forEach((stripe, record) -> assertEquals(record, index.record(stripe)));
    assertEquals(blocks.size(), index.blockCount());
    assertEquals(stripes.size(), index.stripeCount());
    index.clear();
    assertEquals(0, index.blockCount() + index.stripeCount());
  }

  private static int any(Set<Integer> stripes, Random random) {
    return new ArrayList<>(stripes).get(random.nextInt(stripes.size()));
  }

  /** 64 bytes a block whatever their number: the table doubles, so some are tried. */
  @Test
  void takesLittleMemory() {
    long next = 1L << 30;
    for (int stripes = 1; stripes <= 40_000; stripes++) {
      long first = next;
      index.add(stripes, stripe(LongStream.range(first, first + 6).toArray()));
      next += 6;
      if (stripes > 1000 && stripes % 97 == 0) {
        double bytes = (double) index.memoryBytes() / index.blockCount();
        assertTrue(bytes <= 64, bytes + " bytes a block of " + index.blockCount());
      }
    }
  }
}
