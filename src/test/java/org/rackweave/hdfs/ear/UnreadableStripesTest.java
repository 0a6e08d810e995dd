package org.rackweave.hdfs.ear;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.eq;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import org.rackweave.ear.ErasureCode;
import org.rackweave.ear.StripeRecord;
import org.rackweave.hdfs.ear.BlockLookup.StoredFile;

/** As long as a record cannot be read, nobody knows what is encoded. */
class UnreadableStripesTest {
  private static final ErasureCode CODE = new ErasureCode(3, 2);
  private static final long SOUND = 900;
  private static final long DAMAGED = 901;
  private static final String PATH = "/.rackweave/parity/rs-3-2/0/1";

  private final BlockLookup lookup = mock(BlockLookup.class);
  private final ParityFiles parityFiles = mock(ParityFiles.class);
  private final EncodedStripes encoded = new EncodedStripes();
  private final UnreadableStripes unreadable = new UnreadableStripes(encoded, lookup, parityFiles);

  private static StripeRecord record(long blockId) {
    return new StripeRecord(
        CODE, 1, List.of(new StripeRecord.Member(blockId, 1, 1, 100 + blockId, 3)));
  }

  private void load(byte[] damaged) throws Exception {
    when(parityFiles.codes()).thenReturn(List.of(CODE));
    doAnswer(
            asked -> {
              BiConsumer<Long, byte[]> each = asked.getArgument(1);
              each.accept(SOUND, record(1).toBytes());
              each.accept(DAMAGED, damaged);
              return null;
            })
        .when(parityFiles)
        .forEach(eq(CODE), any());
    when(parityFiles.isParity(PATH)).thenReturn(true);
    when(parityFiles.recordAt(PATH)).thenReturn(Optional.empty());
    when(lookup.file(DAMAGED)).thenReturn(at(PATH));
    encoded.load(parityFiles);
  }

  private static StoredFile at(String path) {
    return new StoredFile(
        DAMAGED, path, 1, 1, "", false, 1, 0, 0, 0, ReplicaMark.NONE, false, List.of(10L, 11L));
  }

  private void verifyNotKnown() throws Exception {
    unreadable.look();
    assertFalse(encoded.isKnown());
    assertTrue(encoded.isLoaded(), "stripes that can be read are looked after");
    assertTrue(encoded.contains(1));
    assertEquals(1, encoded.unreadableCount());
    assertEquals(List.of(PATH), unreadable.paths());
  }

  @Test
  void aRecordOfANewerVersionIsKnownOnceItsParityIsGone() throws Exception {
    byte[] newer = record(2).toBytes();
    newer[0] = 3;
    load(newer);
    verifyNotKnown();
    when(lookup.file(DAMAGED)).thenReturn(at("/user/hdfs/.Trash/Current/1"));
    unreadable.look();
    assertTrue(encoded.isKnown());
  }

  @Test
  void aDamagedRecordIsKnownOnceItIsRestored() throws Exception {
    byte[] flipped = record(2).toBytes();
    flipped[10] ^= 1;
    load(flipped);
    verifyNotKnown();
    when(parityFiles.recordAt(PATH)).thenReturn(Optional.of(record(2)));
    unreadable.look();
    assertTrue(encoded.isKnown());
    assertTrue(encoded.contains(2));
  }

  @Test
  void parityWithoutARecordMayBeOfAnyStripe() throws Exception {
    load(null);
    verifyNotKnown();
  }

  @Test
  void allAreKnownWhenAllCanBeRead() throws Exception {
    load(record(2).toBytes());
    assertTrue(encoded.isKnown());
    assertTrue(encoded.contains(2));
  }
}
