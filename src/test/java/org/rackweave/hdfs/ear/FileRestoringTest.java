package org.rackweave.hdfs.ear;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.ArgumentMatchers.anyList;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.ArgumentMatchers.eq;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.rackweave.hdfs.ear.BlockLookup.StoredBlock;
import org.rackweave.hdfs.ear.BlockLookup.StoredFile;

/** One file whose replicas HDFS cannot make holds up no other. */
class FileRestoringTest {
  private static final int USABLE = 5;
  private static final int BLOCKS_MAX = 2;
  private static final DatanodeDescriptor HOLDER =
      new DatanodeDescriptor(new DatanodeID("10.0.0.1", "host", "uuid", 1, 2, 3, 4));

  private final BlockLookup lookup = mock(BlockLookup.class);
  private final Map<Long, StoredFile> files = new HashMap<>();
  private final Map<Long, StoredBlock> blocks = new HashMap<>();
  private long nowMs;
  private final FileRestoring restoring = new FileRestoring(lookup, BLOCKS_MAX, () -> nowMs);

  @BeforeEach
  void answer() throws IOException {
    when(lookup.file(anyLong())).then(asked -> files.get(asked.<Long>getArgument(0)));
    when(lookup.blocks(anyList()))
        .then(asked -> asked.<List<Long>>getArgument(0).stream().map(blocks::get).toList());
    when(lookup.raise(anyLong(), anyInt()))
        .then(
            asked -> {
              long id = asked.getArgument(0);
              file(id, asked.getArgument(1), files.get(id).blockIds().size());
              return null;
            });
  }

  /** A file whose blocks have one replica each. */
  private void file(long id, int replication, int count) {
    List<Long> ids = LongStream.range(10 * id, 10 * id + count).boxed().toList();
    files.put(
        id,
        new StoredFile(
            id, "/file" + id, replication, 1, "", false, 1, 1, 0, 0, ReplicaMark.NONE, false, ids));
    ids.forEach(block -> block(block, true, replication, List.of(HOLDER)));
  }

  private void block(long id, boolean isComplete, int expected, List<DatanodeDescriptor> replicas) {
    blocks.put(
        id,
        new StoredBlock(id, 1, 1, id / 10, isComplete, expected, replicas, List.of(), List.of()));
  }

  private void verifyRaised(long id) throws IOException {
    verify(lookup).raise(eq(id), eq(3));
  }

  private void verifyWaits(long id) throws IOException {
    verify(lookup, never()).raise(eq(id), anyInt());
  }

  /** Has a file of two blocks raised, behind which another waits that is larger than the limit. */
  private void raiseOneOfTwo() throws IOException {
    file(1, 1, 2);
    file(2, 1, 3);
    restoring.want(1, 3);
    restoring.want(2, 3);
    restoring.tick(USABLE);
    verifyRaised(1);
    verifyWaits(2);
  }

  @Test
  void aFileWaitsUntilTheOneBeforeHasItsReplicas() throws Exception {
    raiseOneOfTwo();
    restoring.tick(USABLE);
    verifyWaits(2);
    block(10, true, 3, List.of(HOLDER, HOLDER, HOLDER));
    restoring.tick(USABLE);
    verifyWaits(2);
    block(11, true, 3, List.of(HOLDER, HOLDER, HOLDER));
    restoring.tick(USABLE);
    verifyRaised(2);
    assertEquals(1, restoring.pending());
  }

  @Test
  void blocksThatAreWrittenOrLostAreNotWaitedFor() throws Exception {
    raiseOneOfTwo();
    block(10, false, 3, List.of(HOLDER));
    block(11, true, 3, List.of());
    restoring.tick(USABLE);
    verifyRaised(2);
  }

  @Test
  void replicasInMaintenanceAreNotWaitedFor() throws Exception {
    raiseOneOfTwo();
    block(10, true, 1, List.of(HOLDER));
    block(11, true, 2, List.of(HOLDER, HOLDER));
    restoring.tick(USABLE);
    verifyRaised(2);
  }

  @Test
  void aFileWhoseReplicasAreNeverMadeKeepsOthersWaitingForABoundedTime() throws Exception {
    raiseOneOfTwo();
    nowMs = FileRestoring.COUNTED_MS - 1;
    restoring.tick(USABLE);
    verifyWaits(2);
    nowMs = FileRestoring.COUNTED_MS;
    restoring.tick(USABLE);
    verifyRaised(2);
  }

  @Test
  void aFactorThatItsOwnerHasSetMeanwhileStays() throws Exception {
    for (long id = 1; id <= 3; id++) {
      file(id, 1, 1);
      restoring.want(id, 3);
    }
    file(1, 2, 1);
    StoredFile two = files.get(2L);
    files.put(
        2L,
        new StoredFile(
            2, two.path(), 1, 1, "", false, 1, 1, 0, 0, ReplicaMark.ONE, false, two.blockIds()));
    restoring.tick(USABLE);
    verifyWaits(1);
    verifyWaits(2);
    verifyRaised(3);
  }

  @Test
  void aFileThatHdfsRefusesToRaiseHoldsUpNoOther() throws Exception {
    file(1, 1, 1);
    file(2, 1, 1);
    doThrow(new IOException("exceeds maximum")).when(lookup).raise(eq(1L), anyInt());
    restoring.want(1, 10);
    restoring.want(2, 3);
    restoring.tick(USABLE);
    verifyRaised(2);
    assertEquals(1, restoring.pending());
  }
}
