package org.rackweave.hdfs.ear;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.ArgumentMatchers.anyList;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.ArgumentMatchers.eq;
import static org.mockito.Mockito.doNothing;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.junit.jupiter.api.Test;
import org.rackweave.ear.ErasureCode;
import org.rackweave.ear.StripeRecord;
import org.rackweave.hdfs.ConfigKeys;
import org.rackweave.hdfs.EarConfig;
import org.rackweave.hdfs.ear.BlockLookup.StoredBlock;
import org.rackweave.hdfs.ear.BlockLookup.StoredFile;
import org.rackweave.model.ClusterTopology;

/** What a stripe counts on goes only when its record, where it lasts, does not name it any more. */
class StripeWatchTest {
  private static final ErasureCode CODE = new ErasureCode(3, 2);
  private static final long PARITY_FILE = 900;
  private static final long BYTES = 1 << 20;
  private static final long DELETED = 2;
  private static final DatanodeDescriptor HOLDER =
      new DatanodeDescriptor(new DatanodeID("10.0.0.1", "host", "uuid", 1, 2, 3, 4));

  private final BlockLookup lookup = mock(BlockLookup.class);
  private final ParityFiles parityFiles = mock(ParityFiles.class);
  private final EncodedStripes encoded = new EncodedStripes();
  private final Map<Long, StoredBlock> blocks = new HashMap<>();
  private final Map<Long, StoredFile> files = new HashMap<>();
  private final WithheldReplicas withheld = mock(WithheldReplicas.class);

  private final FactorRaise factors = mock(FactorRaise.class);

  private StripeWatch watch(int margin) throws IOException {
    when(parityFiles.isParity(any()))
        .then(asked -> asked.<String>getArgument(0).startsWith("/.rackweave/parity/"));
    List<StripeRecord.Member> members = new ArrayList<>();
    for (long id = 0; id < CODE.dataBlocks(); id++) {
      members.add(new StripeRecord.Member(id, 1, BYTES, 100 + id, 3));
      if (id != DELETED) {
        store(id, 100 + id);
        file(100 + id, "/file" + id, 3, List.of(id));
      }
    }
    store(10, PARITY_FILE);
    store(11, PARITY_FILE);
    file(PARITY_FILE, "/.rackweave/parity/rs-3-2/0/0", 1, List.of(10L, 11L));
    encoded.add(PARITY_FILE, new StripeRecord(CODE, 1, members));
    when(lookup.blocks(anyList()))
        .then(asked -> asked.<List<Long>>getArgument(0).stream().map(this::block).toList());
    when(lookup.file(anyLong())).then(asked -> files.get(asked.<Long>getArgument(0)));
    Configuration conf = new Configuration(false);
    conf.set(ConfigKeys.EAR_PATHS, "/=" + CODE.name());
    conf.setInt(ConfigKeys.EAR_MARGIN, margin);
    EncodingCluster nodes =
        new EncodingCluster(
            ClusterTopology.of(List.of()),
            new DatanodeDescriptor[0],
            new IdentityHashMap<>(),
            Long.MAX_VALUE);
    return new StripeWatch(
        EarConfig.from(conf),
        lookup,
        parityFiles,
        encoded,
        withheld,
        new FileRestoring(null, factors, lookup, 1000),
        mock(StripeRepair.class),
        mock(PlaceVerifier.class),
        new EncodingCounts(),
        () -> nodes);
  }

  private StoredBlock block(long id) {
    return blocks.get(id);
  }

  private void store(long id, long file) {
    blocks.put(
        id, new StoredBlock(id, 1, BYTES, file, true, List.of(HOLDER), List.of(), List.of()));
  }

  private void file(long id, String path, int replication, List<Long> blockIds) {
    files.put(
        id, new StoredFile(id, path, replication, 1, "", false, BYTES, 0, 0, 0, false, blockIds));
  }

  @Test
  void aDeletedMemberIsKeptUntilTheRecordNamesItNoMore() throws Exception {
    StripeWatch watch = watch(0);
    doThrow(new IOException("safe mode")).when(parityFiles).replaceRecord(anyLong(), any());
    watch.suspect(DELETED);
    watch.look(0);
    verify(withheld, never()).release(anyLong());
    assertTrue(encoded.contains(DELETED));

    doNothing().when(parityFiles).replaceRecord(anyLong(), any());
    watch.suspect(DELETED);
    watch.look(0);
    verify(withheld).release(DELETED);
  }

  @Test
  void aDeletedMemberIsKeptUntilTheParityOfAStripeThatIsGivenUpIsDeleted() throws Exception {
    StripeWatch watch = watch(2);
    doThrow(new IOException("safe mode")).when(parityFiles).delete(any());
    watch.suspect(DELETED);
    watch.look(0);
    verify(withheld, never()).release(anyLong());
    assertTrue(encoded.contains(DELETED));
  }

  @Test
  void aStripeThatCannotBeSeenToHoldsUpNoOther() throws Exception {
    StripeWatch watch = watch(2);
    for (long id = 0; id < CODE.dataBlocks(); id++) {
      long block = 20 + id;
      if (id != DELETED) {
        store(block, 120 + id);
        file(120 + id, "/other" + id, 3, List.of(block));
      }
    }
    long otherParity = PARITY_FILE + 1;
    store(30, otherParity);
    store(31, otherParity);
    file(otherParity, "/.rackweave/parity/rs-3-2/0/1", 1, List.of(30L, 31L));
    encoded.add(
        otherParity,
        new StripeRecord(
            CODE,
            1,
            List.of(
                new StripeRecord.Member(20, 1, BYTES, 120, 3),
                new StripeRecord.Member(21, 1, BYTES, 121, 3),
                new StripeRecord.Member(20 + DELETED, 1, BYTES, 122, 3))));
    doThrow(new IOException("refused")).when(parityFiles).delete(files.get(PARITY_FILE));
    watch.suspect(DELETED);
    watch.suspect(20 + DELETED);
    watch.look(0);
    verify(parityFiles).delete(files.get(otherParity));
    assertFalse(encoded.contains(20 + DELETED));
    assertTrue(encoded.contains(DELETED));
  }

  @Test
  void parityThatWasMovedIsNotCountedOnAndNotDeleted() throws Exception {
    StripeWatch watch = watch(0);
    store(DELETED, 100 + DELETED);
    file(100 + DELETED, "/file" + DELETED, 3, List.of(DELETED));
    file(PARITY_FILE, "/user/hdfs/.Trash/Current/0", 1, List.of(10L, 11L));
    file(100, "/file0", 1, List.of(0L));
    watch.suspect(0);
    watch.look(0);
    watch.goOn();
    verify(factors).raise(any(), eq(100L), eq(3));
    assertTrue(encoded.contains(0));

    file(100, "/file0", 3, List.of(0L));
    watch.goOn();
    assertFalse(encoded.contains(0));
    verify(parityFiles, never()).delete(any());
  }

  @Test
  void aFileThatHdfsRefusesToRaiseHoldsUpNoOther() throws Exception {
    FileRestoring restoring = new FileRestoring(null, factors, lookup, 1000);
    when(lookup.file(anyLong())).then(asked -> files.get(asked.<Long>getArgument(0)));
    when(lookup.blocks(anyList())).thenReturn(List.of());
    file(1, "/refused", 1, List.of(1L));
    file(2, "/next", 1, List.of(2L));
    when(factors.raise(any(), eq(1L), anyInt())).thenThrow(new IOException("exceeds maximum"));
    restoring.want(1, 10);
    restoring.want(2, 3);
    restoring.tick(5);
    verify(factors).raise(any(), eq(2L), eq(3));
    assertEquals(1, restoring.pending());
  }
}
