package org.rackweave.hdfs.ear;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyList;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.Mockito.atLeastOnce;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.mockito.ArgumentCaptor;
import org.rackweave.ear.ErasureCode;
import org.rackweave.ear.SealReason;
import org.rackweave.ear.SealedStripe;
import org.rackweave.ear.StripeRecord;
import org.rackweave.hdfs.ClusterView;
import org.rackweave.hdfs.ConfigKeys;
import org.rackweave.hdfs.ConfiguredRules;
import org.rackweave.hdfs.EarConfig;
import org.rackweave.hdfs.ear.BlockLookup.StoredBlock;
import org.rackweave.hdfs.ear.BlockLookup.StoredFile;
import org.rackweave.hdfs.work.VerifyTask;
import org.rackweave.hdfs.work.WorkReport;

/** What has to hold before a stripe's record lasts: rs-4-3 over ten racks of two DataNodes. */
class StripeEncoderTest {
  private static final ErasureCode CODE = new ErasureCode(4, 3);
  private static final long BYTES = 1 << 20;
  private static final long PARITY_FILE = 900;
  private static final long BYTES_PER_SEC = 123_456;

  private final ClusterView nodes = StripeRepairTest.nodes();
  private final BlockLookup lookup = mock(BlockLookup.class);
  private final ParityFiles parityFiles = mock(ParityFiles.class);
  private final ParityFiles.Unfinished parity = mock(ParityFiles.Unfinished.class);
  private final StripeCommands commands = mock(StripeCommands.class);
  private final EncodedStripes encoded = new EncodedStripes();
  private final Map<Long, StoredFile> files = new HashMap<>();
  private final List<EncodeEngine.Work> given = new ArrayList<>();
  private final List<WorkReport> verified =
      new ArrayList<>(Collections.nCopies(CODE.parityBlocks(), report(WorkReport.State.DONE)));

  private static WorkReport report(WorkReport.State state) {
    List<Long> read = Collections.nCopies(CODE.dataBlocks(), BYTES);
    List<Integer> checksums = Collections.nCopies(CODE.blocks(), 7);
    return new WorkReport(1, state, BYTES, "not the same bytes", read, checksums);
  }

  @BeforeEach
  void fourFiles() throws Exception {
    for (long id = 0; id < CODE.dataBlocks(); id++) {
      file(id, 3);
    }
    when(lookup.file(anyLong())).then(asked -> files.get(asked.<Long>getArgument(0)));
    when(lookup.blocks(anyList()))
        .then(asked -> asked.<List<Long>>getArgument(0).stream().map(this::block).toList());
    when(lookup.storagePolicy(anyLong())).thenReturn(Optional.empty());
    when(commands.toRead(any(), any()))
        .then(asked -> located(asked.<StoredBlock>getArgument(0).id(), asked.getArgument(1)));
    when(commands.give(any(), any(VerifyTask.class), anyLong(), anyLong()))
        .then(asked -> CompletableFuture.completedFuture(verified.remove(0)));
    when(parityFiles.begin(any(), anyLong(), anyLong(), any(), anyList()))
        .then(
            asked -> {
              List<LocatedBlock> blocks = new ArrayList<>();
              for (DatanodeInfo target : asked.<List<DatanodeInfo>>getArgument(4)) {
                blocks.add(located(10 + blocks.size(), target));
              }
              when(parity.blocks()).thenReturn(blocks);
              return parity;
            });
    when(parity.commit(any())).thenReturn(PARITY_FILE);
  }

  private void file(long id, int replication) {
    files.put(
        100 + id,
        new StoredFile(
            100 + id,
            "/file" + id,
            replication,
            1,
            "",
            false,
            BYTES,
            BYTES,
            1,
            1,
            ReplicaMark.NONE,
            false,
            List.of(id)));
  }

  /** A replica in the core rack and two in a rack of the block's own. */
  private StoredBlock block(long id) {
    List<DatanodeDescriptor> holders = new ArrayList<>(inRack(1 + id));
    holders.add(inRack(0).get((int) id % 2));
    return new StoredBlock(id, 1, BYTES, 100 + id, true, 3, holders, List.of(), List.of());
  }

  private List<DatanodeDescriptor> inRack(long rack) {
    return Arrays.stream(nodes.datanodes())
        .filter(node -> node.getNetworkLocation().equals("/r" + rack))
        .toList();
  }

  private static LocatedBlock located(long id, DatanodeInfo node) {
    return new LocatedBlock(
        new ExtendedBlock("pool", id, BYTES, 1), new DatanodeInfo[] {node}, null, null);
  }

  /**
   * Encodes.
   *
   * @param meanwhile what happens while parity is made
   */
  private void encode(Runnable meanwhile) throws Exception {
    Configuration conf = new Configuration(false);
    conf.set(ConfiguredRules.CODES, "/=" + CODE.name());
    conf.set(ConfigKeys.PAPER, "ear.rack-limit=1");
    EncodeEngine engine =
        (work, nowMs) -> {
          meanwhile.run();
          given.add(work);
          return new EncodeEngine.Given(
              "a DataNode",
              CompletableFuture.completedFuture(report(WorkReport.State.DONE)),
              1000,
              work.readers());
        };
    SealedStripe stripe =
        new SealedStripe(
            1,
            CODE,
            "/r0",
            List.of(),
            LongStream.range(0, CODE.dataBlocks()).toArray(),
            List.of(),
            SealReason.FULL,
            0,
            0);
    new StripeEncoder(
            new EncodedView(
                () -> EarConfig.from(conf), lookup, encoded, null, () -> true, () -> nodes),
            parityFiles,
            commands,
            () -> engine,
            () -> BYTES_PER_SEC)
        .encode(stripe);
  }

  private EncodingRefusal refusal(Runnable meanwhile) {
    return assertThrows(EncodingFailedException.class, () -> encode(meanwhile)).reason();
  }

  private void verifyNotEncoded() throws Exception {
    verify(parity, never()).commit(any());
    verify(parity).abandon();
    assertFalse(encoded.hasTakenAny());
  }

  private StripeRecord committed() throws Exception {
    ArgumentCaptor<StripeRecord> record = ArgumentCaptor.forClass(StripeRecord.class);
    verify(parity).commit(record.capture());
    return record.getValue();
  }

  @Test
  void isEncodedOnceAllItsParityWasReadBackBySomebodyElse() throws Exception {
    encode(() -> {});
    assertEquals(List.of(), verified);
    assertEquals(Collections.nCopies(CODE.blocks(), 7), committed().checksums());
    assertTrue(encoded.contains(0));
  }

  @Test
  void isEncodedAtTheRateThatIsAskedFor() throws Exception {
    encode(() -> {});
    assertEquals(BYTES_PER_SEC, given.get(0).task().bytesPerSec());
    ArgumentCaptor<VerifyTask> tasks = ArgumentCaptor.forClass(VerifyTask.class);
    verify(commands, atLeastOnce()).give(any(), tasks.capture(), anyLong(), anyLong());
    tasks.getAllValues().forEach(task -> assertEquals(BYTES_PER_SEC, task.bytesPerSec()));
  }

  /** They may be dead. */
  @Test
  void noParityIsPutOnSilentDataNodesAndNothingCheckedThere() throws Exception {
    List<DatanodeInfo> silent = new ArrayList<>(inRack(5));
    for (int rack = 1; rack < 10; rack++) {
      silent.add(inRack(rack).get(0));
    }
    silent.forEach(node -> StripeRepairTest.silence((DatanodeDescriptor) node));
    encode(() -> {});
    ArgumentCaptor<List<DatanodeInfo>> targets = ArgumentCaptor.captor();
    verify(parityFiles).begin(any(), anyLong(), anyLong(), any(), targets.capture());
    assertTrue(Collections.disjoint(targets.getValue(), silent), targets.getValue()::toString);
    ArgumentCaptor<VerifyTask> tasks = ArgumentCaptor.forClass(VerifyTask.class);
    verify(commands, atLeastOnce()).give(any(), tasks.capture(), anyLong(), anyLong());
    for (VerifyTask task : tasks.getAllValues()) {
      for (LocatedBlock read : task.data()) {
        assertTrue(Collections.disjoint(List.of(read.getLocations()), silent), read::toString);
      }
    }
  }

  @Test
  void nothingIsReadOfASilentDataNodeInTheCoreRack() throws Exception {
    StripeRepairTest.silence(inRack(0).get(0));
    assertEquals(EncodingRefusal.NOT_ENCODABLE, refusal(() -> {}));
    assertEquals(List.of(), given);
  }

  @Test
  void isNotEncodedWhileAnyOfItsParityIsNotWhatItShouldBe() throws Exception {
    verified.set(2, report(WorkReport.State.FAILED));
    assertEquals(EncodingRefusal.NOT_VERIFIED, refusal(() -> {}));
    verifyNotEncoded();
  }

  @Test
  void itsRecordHasTheFactorsAsTheyAreInTheEnd() throws Exception {
    encode(() -> file(1, 2));
    assertEquals(
        List.of(3, 2, 3, 3),
        committed().members().stream().map(StripeRecord.Member::replication).toList());
  }

  @Test
  void isNotEncodedWhereThatSavesNothingInTheEnd() throws Exception {
    assertEquals(
        EncodingRefusal.SAVES_NOTHING,
        refusal(() -> List.of(0, 1, 2, 3).forEach(id -> file(id, 1))));
    verifyNotEncoded();
  }
}
