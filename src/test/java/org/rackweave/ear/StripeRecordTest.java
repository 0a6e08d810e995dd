package org.rackweave.ear;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.rackweave.MixedRandom;
import org.rackweave.ear.StripeRecord.Member;

class StripeRecordTest {
  private static final StripeRecord SMALL =
      new StripeRecord(
          ErasureCode.named("rs-4-2"),
          1,
          List.of(
              new Member(1L << 30, 1001, 134_217_728, 16_386, 3),
              new Member(-7, 1002, 1, 16_387, 0)));

  private static StripeRecord random(Random random) {
    int data = random.nextInt(2, ErasureCode.BLOCKS_MAX);
    int parity = random.nextInt(1, ErasureCode.BLOCKS_MAX - data + 1);
    List<Member> members = new ArrayList<>();
    for (int i = random.nextInt(data); i >= 0; i--) {
      members.add(
          new Member(
              random.nextLong(),
              random.nextLong(),
              random.nextLong(1, StripeRecord.LENGTH_MAX + 1),
              random.nextLong(),
              random.nextInt(StripeRecord.REPLICATION_MAX + 1)));
    }
    int rackLimit = random.nextInt(1, ErasureCode.BLOCKS_MAX + 1);
    return new StripeRecord(new ErasureCode(data, parity), rackLimit, members);
  }

  @Test
  void comesBackFromItsBytes() {
    long seed = System.nanoTime();
    System.out.println("records, seed " + seed);
    Random random = MixedRandom.of(seed);
    for (int i = 0; i < 2000; i++) {
      StripeRecord record = random(random);
      assertEquals(record, StripeRecord.of(record.toBytes()));
      List<Integer> checksums =
          random.ints(record.members().size() + record.code().parityBlocks()).boxed().toList();
      StripeRecord proven = record.proven(checksums);
      assertEquals(proven, StripeRecord.of(proven.toBytes()));
      assertEquals(
          checksums, proven.without(Set.of(record.members().get(0).blockId())).checksums());
    }
  }

  /** HDFS takes 16 KB as the value of an extended attribute. */
  @Test
  void isShortWithTheWidestCode() {
    List<Member> members = new ArrayList<>();
    for (int i = 0; i < 254; i++) {
      members.add(new Member(i, i, 1, i, 3));
    }
    StripeRecord unproven = new StripeRecord(new ErasureCode(254, 1), 1, members);
    assertTrue(unproven.toBytes().length <= 8192);
    byte[] bytes = unproven.proven(Collections.nCopies(255, 7)).toBytes();
    assertEquals(StripeRecord.BYTES_MAX, bytes.length);
    assertTrue(bytes.length <= 10_000);
  }

  @Test
  void parityIsAsLongAsTheLongestMember() {
    assertEquals(134_217_728, SMALL.parityBytes());
  }

  @Test
  void anyChangedByteIsFound() {
    byte[] bytes = SMALL.toBytes();
    for (int at = 0; at < bytes.length; at++) {
      for (int bit = 0; bit < 8; bit++) {
        byte[] changed = bytes.clone();
        changed[at] ^= (byte) (1 << bit);
        assertThrows(IllegalArgumentException.class, () -> StripeRecord.of(changed));
      }
    }
  }

  @Test
  void anyOtherLengthIsFound() {
    byte[] bytes = SMALL.toBytes();
    for (int length = 0; length < bytes.length; length++) {
      byte[] cut = Arrays.copyOf(bytes, length);
      assertThrows(IllegalArgumentException.class, () -> StripeRecord.of(cut));
    }
    byte[] longer = Arrays.copyOf(bytes, bytes.length + 1);
    String said =
        assertThrows(IllegalArgumentException.class, () -> StripeRecord.of(longer)).getMessage();
    assertEquals("a stripe's record of 74 bytes: with 2 members it has 73", said);
  }

  @Test
  void isNoStripeWithTooManyOrEmptyOrRepeatedMembers() {
    ErasureCode code = ErasureCode.named("rs-2-1");
    Member one = new Member(1, 1, 1, 1, 3);
    Member two = new Member(2, 1, 1, 1, 3);
    Member three = new Member(3, 1, 1, 1, 3);
    refused(code, 1, "3 members: rs-2-1 has 1 to 2", one, two, three);
    refused(code, 1, "0 members: rs-2-1 has 1 to 2");
    refused(code, 0, "0 blocks a rack: allowed are 1 to 255", one);
    refused(code, 1, "block 9 of 0 bytes", new Member(9, 1, 0, 1, 3));
    refused(code, 1, "block 1 is there twice", one, one);
  }

  private static void refused(ErasureCode code, int rackLimit, String why, Member... members) {
    String said =
        assertThrows(
                IllegalArgumentException.class,
                () -> new StripeRecord(code, rackLimit, List.of(members)))
            .getMessage();
    assertEquals(why, said);
  }
}
