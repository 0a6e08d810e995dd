package org.rackweave.hdfs.ear;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.ArgumentMatchers.anyList;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.ArgumentMatchers.anyString;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.hdfs.server.protocol.NamenodeProtocols;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.rackweave.ear.ErasureCode;
import org.rackweave.ear.StripeRecord;
import org.rackweave.hdfs.ClusterView;
import org.rackweave.hdfs.ConfigKeys;
import org.rackweave.hdfs.ConfiguredRules;
import org.rackweave.hdfs.EarConfig;
import org.rackweave.hdfs.ear.BlockLookup.StoredBlock;
import org.rackweave.hdfs.ear.BlockLookup.StoredFile;

/** Appends to a block of a stripe that cannot do without it. */
class EncodedFileGuardTest {
  private static final ErasureCode CODE = new ErasureCode(3, 2);
  private static final long PARITY_FILE = 900;
  private static final long BYTES = 1 << 20;
  private static final long PATIENT_MS = 60_000;
  private static final long IMPATIENT_MS = 300;

  private final ClusterView nodes = StripeRepairTest.nodes();
  private final NameNode nameNode = mock(NameNode.class);
  private final BlockLookup lookup = mock(BlockLookup.class);
  private final WithheldReplicas withheld = mock(WithheldReplicas.class);
  private final EncodedStripes encoded = new EncodedStripes();
  private final Map<Long, StoredBlock> blocks = new HashMap<>();
  private final Map<Long, StoredFile> files = new HashMap<>();

  /** Which the first of all calls does, and takes longer than these tests wait. */
  @BeforeAll
  static void logIn() throws IOException {
    UserGroupInformation.getLoginUser();
  }

  @BeforeEach
  void encode() throws IOException {
    List<StripeRecord.Member> members = new ArrayList<>();
    for (long id = 0; id < CODE.dataBlocks(); id++) {
      members.add(new StripeRecord.Member(id, 1, BYTES, 100 + id, 3));
      file(100 + id, 1, List.of(id));
      replicas(id, 1);
    }
    file(PARITY_FILE, 1, List.of(10L, 11L));
    replicas(10, 1);
    replicas(11, 1);
    encoded.add(PARITY_FILE, new StripeRecord(CODE, 1, members));
    when(lookup.blocks(anyList()))
        .then(asked -> asked.<List<Long>>getArgument(0).stream().map(blocks::get).toList());
    when(lookup.file(anyLong())).then(asked -> files.get(asked.<Long>getArgument(0)));
    when(lookup.raise(anyLong(), anyInt()))
        .then(
            asked -> {
              long id = asked.getArgument(0);
              file(id, asked.getArgument(1), files.get(id).blockIds());
              return null;
            });
    NamenodeProtocols hdfs = mock(NamenodeProtocols.class);
    HdfsFileStatus status = mock(HdfsFileStatus.class);
    when(nameNode.isActiveState()).thenReturn(true);
    when(nameNode.getRpcServer()).thenReturn(hdfs);
    when(hdfs.getFileInfo(anyString())).thenReturn(status);
    when(status.getFileId()).thenReturn(100L);
  }

  /** A file with room in its last block. */
  private void file(long id, int replication, List<Long> blockIds) {
    files.put(
        id,
        new StoredFile(
            id,
            "/file" + id,
            replication,
            1,
            "",
            false,
            2 * BYTES,
            BYTES,
            0,
            0,
            ReplicaMark.NONE,
            false,
            blockIds));
  }

  /** What HDFS has of a block of which it wants three. */
  private void replicas(long id, int count) {
    List<DatanodeDescriptor> holders =
        Arrays.asList(nodes.datanodes()).subList((int) id, (int) id + count);
    long file = id < CODE.dataBlocks() ? 100 + id : PARITY_FILE;
    blocks.put(id, new StoredBlock(id, 1, BYTES, file, true, 3, holders, List.of(), List.of()));
  }

  private final ReplicaSearch search = mock(ReplicaSearch.class);

  /** How long a call may wait. */
  private long waitMs = PATIENT_MS;

  private String append(int margin) throws IOException {
    return guarded(
        margin, guard -> guard.<String, IOException>append("/file100", false, () -> "appended"));
  }

  /** What is asked of a guard. */
  private interface Asked {
    String of(EncodedFileGuard guard) throws IOException;
  }

  private String guarded(int margin, Asked asked) throws IOException {
    return guarded(margin, true, asked);
  }

  private String guarded(int margin, boolean knowsStripes, Asked asked) throws IOException {
    Configuration conf = new Configuration(false);
    conf.set(ConfiguredRules.CODES, "/=" + CODE.name());
    conf.setInt(ConfigKeys.EAR_MARGIN, margin);
    EarConfig config = EarConfig.from(conf);
    EncodedView view =
        new EncodedView(() -> config, lookup, encoded, withheld, () -> knowsStripes, () -> nodes);
    try (HandlerWaitLimit waits = new HandlerWaitLimit(4, () -> waitMs)) {
      EncodedFileGuard guard =
          new EncodedFileGuard(
              nameNode,
              view,
              new FileRestoring(lookup, 1000, () -> 0),
              new FileShrinking(view),
              mock(StripeMonitor.class),
              search,
              waits);
      return asked.of(guard);
    }
  }

  private String refusal(int margin) {
    waitMs = IMPATIENT_MS;
    String message = assertThrows(RetriableException.class, () -> append(margin)).getMessage();
    waitMs = PATIENT_MS;
    return message;
  }

  @Test
  void theBlockHasToHaveItsReplicas() throws Exception {
    assertTrue(refusal(0).contains("blk_0 (1 of 3)"));
    replicas(0, 3);
    assertEquals("appended", append(0));
  }

  @Test
  void twoReplicasSufficeOnceTheWaitIsOver() throws Exception {
    replicas(0, 2);
    waitMs = IMPATIENT_MS;
    assertEquals("appended", append(0));
  }

  @Test
  void othersOfAStripeThatIsGivenUpForItHaveToHaveTheirs() throws Exception {
    replicas(0, 3);
    replicas(2, 3);
    replicas(1, 0);
    assertTrue(refusal(2).contains("blk_1 (0 of 3)"));
    replicas(1, 3);
    assertEquals("appended", append(2));
  }

  @Test
  void whatIsLostForGoodHoldsNobodyUp() throws Exception {
    replicas(0, 3);
    replicas(2, 3);
    replicas(1, 0);
    replicas(10, 0);
    assertTrue(refusal(2).contains("blk_1"), "three suffice to decode");
    replicas(11, 0);
    replicas(2, 1);
    assertTrue(refusal(2).contains("blk_2 (1 of 3)"), "what survives is to have replicas");
    replicas(2, 3);
    assertEquals("appended", append(2));
  }

  @Test
  void whatIsMissingIsMadeAgainBeforeABlockChangesThatItIsMadeOf() throws Exception {
    replicas(0, 3);
    replicas(1, 0);
    replicas(10, 0);
    assertTrue(refusal(0).contains("[blk_1, blk_10]"), "three suffice to decode, with it");
    replicas(1, 1);
    assertEquals("appended", append(0));

    replicas(1, 0);
    replicas(11, 0);
    assertEquals("appended", append(0), "what is lost for good holds nobody up");
  }

  /** A NameNode that has just become active does not know who has a deleted block's replica. */
  @Test
  void aBlockDoesNotChangeWhileADeletedOneMayTurnUpThatIsToBeDecodedWithIt() throws Exception {
    replicas(0, 3);
    replicas(1, 0);
    replicas(10, 0);
    blocks.put(2L, null);
    when(search.mayTurnUp(2)).thenReturn(true);
    assertTrue(refusal(0).contains("blk_1 (0 of 3)"), "its stripe is given up");
    when(search.mayTurnUp(2)).thenReturn(false);
    assertEquals("appended", append(0), "it is gone");

    replicas(10, 1);
    for (boolean mayTurnUp : new boolean[] {false, true}) {
      when(search.mayTurnUp(2)).thenReturn(mayTurnUp);
      assertTrue(refusal(0).contains("blk_1 (0 of 3)"), "three suffice to decode, with it");
    }
  }

  @Test
  void aStripeWithoutParityThatMissesNothingHoldsUpNobody() throws Exception {
    files.remove(PARITY_FILE);
    for (long id = 0; id < CODE.dataBlocks(); id++) {
      replicas(id, 3);
    }
    assertEquals("appended", append(0));
  }

  private String setReplication() throws IOException {
    return setReplication(2);
  }

  private String setReplication(int replication) throws IOException {
    return guarded(
        0,
        guard -> guard.<String, IOException>setReplication("/file100", replication, () -> "set"));
  }

  /** The factor was raised before this NameNode was active, and the replicas are not made yet. */
  @Test
  void nothingOfOneReplicaIsAppendedToWhileItIsNotKnownWhatIsEncoded() throws IOException {
    file(100, 3, List.of(0L));
    Asked append = guard -> guard.<String, IOException>append("/file100", false, () -> "appended");
    waitMs = IMPATIENT_MS;
    assertThrows(RetriableException.class, () -> guarded(0, false, append));
    replicas(0, 3);
    assertEquals("appended", guarded(0, false, append));
  }

  /** HDFS has as many attributes of a file as it bears, or too many calls wait. */
  @Test
  void oneReplicaIsSetEvenIfItCannotBeMarkedAndMoreAreNot() throws IOException {
    doThrow(new IOException("too many attributes")).when(lookup).mark(anyLong(), any());
    assertEquals("set", setReplication(1));
    assertThrows(IOException.class, () -> setReplication(2));
  }

  /** Its blocks may be encoded: then it would be shrunk. */
  @Test
  void aFactorThatIsSetWhileItIsNotKnownWhatIsEncodedStays() throws IOException {
    file(100, 3, List.of(0L));
    guarded(
        0, false, guard -> guard.<String, IOException>setReplication("/file100", 2, () -> "set"));
    verify(lookup).mark(100, ReplicaMark.KEEP);
  }

  @Test
  void aFactorThatIsSetWhileAFileIsEncodedStays() throws IOException {
    file(100, 3, List.of(20L));
    setReplication();
    verify(lookup, never()).mark(anyLong(), any());
    assertEquals(Optional.empty(), encoded.claim(List.of(20L, 21L)));
    assertEquals(Optional.of(20L), encoded.claim(List.of(22L, 20L)));
    assertEquals(Optional.empty(), encoded.claim(List.of(22L)));
    setReplication();
    verify(lookup).mark(100, ReplicaMark.KEEP);
    encoded.release(List.of(20L, 21L));
    setReplication();
    verify(lookup).mark(anyLong(), any());
  }
}
