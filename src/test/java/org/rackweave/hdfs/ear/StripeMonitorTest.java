package org.rackweave.hdfs.ear;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.ArgumentMatchers.anyList;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.ArgumentMatchers.eq;
import static org.mockito.Mockito.atLeastOnce;
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
import org.apache.hadoop.util.Time;
import org.junit.jupiter.api.Test;
import org.rackweave.ear.ErasureCode;
import org.rackweave.ear.StripeRecord;
import org.rackweave.hdfs.ClusterView;
import org.rackweave.hdfs.ClusterViews;
import org.rackweave.hdfs.ConfigKeys;
import org.rackweave.hdfs.ConfiguredRules;
import org.rackweave.hdfs.EarConfig;
import org.rackweave.hdfs.ear.BlockLookup.StoredBlock;
import org.rackweave.hdfs.ear.BlockLookup.StoredFile;
import org.rackweave.model.ClusterTopology;
import org.rackweave.model.NodePlace;

/** What a stripe counts on goes only when its record, where it lasts, does not name it any more. */
class StripeMonitorTest {
  private static final ErasureCode CODE = new ErasureCode(3, 2);
  private static final long PARITY_FILE = 900;
  private static final long BYTES = 1 << 20;
  private static final long DELETED = 2;

  /** Longer than any test. */
  private static final long STALE_MS = 3_600_000;

  private static final DatanodeDescriptor HOLDER =
      new DatanodeDescriptor(new DatanodeID("10.0.0.1", "host", "uuid", 1, 2, 3, 4));

  private final BlockLookup lookup = mock(BlockLookup.class);
  private final ParityFiles parityFiles = mock(ParityFiles.class);
  private final EncodedStripes encoded = new EncodedStripes();
  private final Map<Long, StoredBlock> blocks = new HashMap<>();
  private final Map<Long, StoredFile> files = new HashMap<>();
  private final WithheldReplicas withheld = mock(WithheldReplicas.class);

  private final StripeRepair repair = mock(StripeRepair.class);

  private StripeMonitor monitor(int margin) throws IOException {
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
    conf.set(ConfiguredRules.CODES, "/=" + CODE.name());
    conf.setInt(ConfigKeys.EAR_MARGIN, margin);
    HOLDER.setAlive(true);
    HOLDER.setLastUpdateMonotonic(Time.monotonicNow());
    ClusterView nodes =
        ClusterViews.of(
            ClusterTopology.of(List.of(new NodePlace("uuid", "/rack", null))),
            new DatanodeDescriptor[] {HOLDER},
            new IdentityHashMap<>(Map.of(HOLDER, 0)),
            STALE_MS);
    return new StripeMonitor(
        new EncodedView(
            () -> EarConfig.from(conf), lookup, encoded, withheld, () -> true, () -> nodes),
        parityFiles,
        new FileRestoring(lookup, 1000, () -> 0),
        repair,
        mock(PlaceVerifier.class),
        new EncodingCounts());
  }

  private StoredBlock block(long id) {
    return blocks.get(id);
  }

  private void store(long id, long file) {
    blocks.put(
        id, new StoredBlock(id, 1, BYTES, file, true, 1, List.of(HOLDER), List.of(), List.of()));
  }

  private void file(long id, String path, int replication, List<Long> blockIds) {
    file(id, path, replication, ReplicaMark.NONE, false, blockIds);
  }

  private void file(
      long id,
      String path,
      int replication,
      ReplicaMark mark,
      boolean isLazyPersist,
      List<Long> blockIds) {
    files.put(
        id,
        new StoredFile(
            id, path, replication, 1, "", false, BYTES, 0, 0, 0, mark, isLazyPersist, blockIds));
  }

  @Test
  void aDeletedMemberIsKeptUntilTheRecordNamesItNoMore() throws Exception {
    StripeMonitor monitor = monitor(0);
    doThrow(new IOException("safe mode")).when(parityFiles).replaceRecord(anyLong(), any());
    monitor.suspect(DELETED);
    monitor.look(0);
    verify(withheld, never()).release(anyLong());
    assertTrue(encoded.contains(DELETED));

    doNothing().when(parityFiles).replaceRecord(anyLong(), any());
    monitor.suspect(DELETED);
    monitor.look(0);
    verify(withheld).release(DELETED);
  }

  @Test
  void aDeletedMemberIsKeptUntilTheParityOfAStripeThatIsGivenUpIsDeleted() throws Exception {
    StripeMonitor monitor = monitor(2);
    doThrow(new IOException("safe mode")).when(parityFiles).delete(any());
    monitor.suspect(DELETED);
    monitor.look(0);
    verify(withheld, never()).release(anyLong());
    assertTrue(encoded.contains(DELETED));
  }

  @Test
  void parityStaysWhileReplicasThatAreToReplaceItAreOnSilentDataNodes() throws Exception {
    StripeMonitor monitor = monitor(2);
    HOLDER.setLastUpdateMonotonic(Time.monotonicNow() - STALE_MS);
    monitor.suspect(DELETED);
    monitor.look(0);
    verify(parityFiles, never()).delete(any());
    HOLDER.setLastUpdateMonotonic(Time.monotonicNow());
    monitor.goOn(0);
    verify(parityFiles).delete(files.get(PARITY_FILE));
  }

  @Test
  void aStripeThatCannotBeSeenToHoldsUpNoOther() throws Exception {
    StripeMonitor monitor = monitor(2);
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
    monitor.suspect(DELETED);
    monitor.suspect(20 + DELETED);
    monitor.look(0);
    verify(parityFiles).delete(files.get(otherParity));
    assertFalse(encoded.contains(20 + DELETED));
    assertTrue(encoded.contains(DELETED));
  }

  @Test
  void parityThatWasMovedIsNotCountedOnAndNotDeleted() throws Exception {
    StripeMonitor monitor = monitor(0);
    store(DELETED, 100 + DELETED);
    file(100 + DELETED, "/file" + DELETED, 3, List.of(DELETED));
    file(PARITY_FILE, "/user/hdfs/.Trash/Current/0", 1, List.of(10L, 11L));
    file(100, "/file0", 1, List.of(0L));
    monitor.suspect(0);
    monitor.look(0);
    monitor.goOn(0);
    verify(lookup).raise(eq(100L), eq(3));
    assertTrue(encoded.contains(0));

    file(100, "/file0", 3, List.of(0L));
    monitor.goOn(0);
    assertFalse(encoded.contains(0));
    verify(parityFiles, never()).delete(any());
  }

  private void lose(long id) {
    StoredBlock block = block(id);
    blocks.put(
        id,
        new StoredBlock(
            id, 1, BYTES, block.fileId(), true, 1, List.of(), List.of(), List.of(HOLDER)));
  }

  /** A stripe whose files have one replica each. */
  private StripeMonitor watchOfShrunk() throws IOException {
    StripeMonitor monitor = monitor(0);
    for (long id = 0; id < CODE.dataBlocks(); id++) {
      store(id, 100 + id);
      file(100 + id, "/file" + id, 1, List.of(id));
    }
    return monitor;
  }

  /** Three of five blocks are left, one of which is deleted now. */
  private StripeMonitor watchOfWhatNeedsADeletedBlock() throws IOException {
    StripeMonitor monitor = monitor(0);
    when(withheld.holders(DELETED)).thenReturn(List.of(HOLDER.getDatanodeUuid()));
    lose(0);
    lose(10);
    return monitor;
  }

  private void verifyKept() throws IOException {
    verify(parityFiles, never()).replaceRecord(anyLong(), any());
    verify(withheld, never()).release(anyLong());
    assertTrue(encoded.contains(DELETED));
  }

  @Test
  void aDeletedMemberIsKeptUntilWhatIsMissingHasBeenMadeOfIt() throws Exception {
    StripeMonitor monitor = watchOfWhatNeedsADeletedBlock();
    monitor.suspect(DELETED);
    monitor.look(0);
    verify(repair, atLeastOnce()).suspect(encoded.of(DELETED).orElseThrow());
    verifyKept();
    monitor.goOn(10 * StripeMonitor.LOST_AFTER_MS);
    verifyKept();

    store(0, 100);
    monitor.goOn(10 * StripeMonitor.LOST_AFTER_MS); // the walk does not come by
    verify(parityFiles).replaceRecord(eq(PARITY_FILE), any());
    verify(withheld).release(DELETED);
  }

  /** Who has it may be unknown, and what is down may come back after days. */
  @Test
  void aDeletedMemberIsKeptAsLongAsMayBeDecodedWithItWhatCannotNow() throws Exception {
    StripeMonitor monitor = watchOfWhatNeedsADeletedBlock();
    when(withheld.holders(DELETED)).thenReturn(List.of());
    look(monitor, 0);
    monitor.goOn(1000 * StripeMonitor.LOST_AFTER_MS);
    verifyKept();

    store(0, 100);
    store(10, PARITY_FILE);
    monitor.goOn(1000 * StripeMonitor.LOST_AFTER_MS);
    verify(withheld).release(DELETED);
  }

  private void look(StripeMonitor monitor, long nowMs) {
    monitor.suspect(0);
    monitor.look(nowMs);
    monitor.goOn(nowMs);
  }

  @Test
  void survivorsOfAStripeThatStaysBeyondDecodingGetTheirReplicasBack() throws Exception {
    StripeMonitor monitor = watchOfShrunk();
    lose(1);
    lose(10);
    look(monitor, 0);
    look(monitor, StripeMonitor.LOST_AFTER_MS);
    verify(lookup, never()).raise(anyLong(), anyInt());

    lose(11);
    look(monitor, StripeMonitor.LOST_AFTER_MS + 1);
    look(monitor, 2 * StripeMonitor.LOST_AFTER_MS);
    verify(lookup, never()).raise(anyLong(), anyInt());
    look(monitor, 2 * StripeMonitor.LOST_AFTER_MS + 1);
    verify(lookup).raise(eq(100L), eq(3));
    verify(lookup).raise(eq(102L), eq(3));
    verify(parityFiles, never()).delete(any());
    assertTrue(encoded.contains(1), "what comes back may make it decodable");
  }

  @Test
  void aStripeThatCanBeDecodedAgainForAWhileWasNotLostForGood() throws Exception {
    StripeMonitor monitor = watchOfShrunk();
    lose(1);
    lose(10);
    lose(11);
    look(monitor, 0);
    store(11, PARITY_FILE);
    monitor.goOn(1000); // the walk does not come by
    lose(11);
    look(monitor, StripeMonitor.LOST_AFTER_MS);
    look(monitor, 2 * StripeMonitor.LOST_AFTER_MS - 1);
    verify(lookup, never()).raise(anyLong(), anyInt());
    look(monitor, 2 * StripeMonitor.LOST_AFTER_MS);
    verify(lookup).raise(eq(100L), eq(3));
  }

  /** DataNodes are told one by one to delete them, and few are known of to have them still. */
  @Test
  void aStripeOfWhichAllIsDeletedIsNotRememberedAsLost() throws Exception {
    StripeMonitor monitor = monitor(2);
    for (long id = 0; id < CODE.dataBlocks(); id++) {
      blocks.remove(id);
    }
    look(monitor, 0);
    assertFalse(encoded.contains(0));
    assertEquals(0, monitor.lostCount());
  }

  @Test
  void aFileThatHdfsWouldDeleteForAMissingBlockGetsItsReplicasBack() throws Exception {
    StripeMonitor monitor = watchOfShrunk();
    file(101, "/file1", 1, ReplicaMark.NONE, true, List.of(1L));
    look(monitor, 0);
    verify(lookup).raise(eq(101L), eq(3));
    verify(lookup, never()).raise(eq(100L), anyInt());
    verify(lookup, never()).raise(eq(102L), anyInt());
  }

  @Test
  void aFileThatIsToHaveOneReplicaGetsNoMoreWhenItIsNotWholeOrItsStripeIsGivenUp()
      throws Exception {
    StripeMonitor monitor = monitor(2);
    file(100, "/file0", 1, ReplicaMark.ONE, false, List.of(0L, 77L));
    file(101, "/file1", 1, ReplicaMark.NONE, false, List.of(1L));
    monitor.suspect(DELETED);
    look(monitor, 0);
    verify(lookup, never()).raise(eq(100L), anyInt());
    verify(lookup).raise(eq(101L), eq(3));

    file(101, "/file1", 3, List.of(1L));
    look(monitor, 0);
    assertFalse(encoded.contains(0), "one replica is all that is wanted");
  }

  @Test
  void aBlockThatOnlyASnapshotKeepsOfAFileThatIsThereRaisesNothingAndKeepsItsStripe()
      throws Exception {
    StripeMonitor monitor = monitor(2);
    file(100, "/file0", 1, List.of(78L));
    look(monitor, 0);
    verify(lookup, never()).raise(anyLong(), anyInt());
    assertTrue(encoded.contains(0), "as long as there is the snapshot");
  }
}
