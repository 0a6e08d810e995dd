package org.rackweave.hdfs.ear;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyList;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.hdfs.server.protocol.NamenodeProtocols;
import org.apache.hadoop.util.Time;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.rackweave.ear.ErasureCode;
import org.rackweave.ear.StripeRecord;
import org.rackweave.hdfs.ClusterView;
import org.rackweave.hdfs.ConfigKeys;
import org.rackweave.hdfs.ConfiguredRules;
import org.rackweave.hdfs.EarConfig;
import org.rackweave.hdfs.degraded.Decoders;
import org.rackweave.hdfs.degraded.NameNodeQuery;
import org.rackweave.hdfs.ear.BlockLookup.StoredBlock;
import org.rackweave.hdfs.ear.BlockLookup.StoredFile;
import org.rackweave.hdfs.work.DecodeTask;
import org.rackweave.hdfs.work.MoveTask;
import org.rackweave.hdfs.work.Task;
import org.rackweave.hdfs.work.WorkCodec;

/** What a DataNode is told that is to make a block for a reader: rs-4-3 over seven racks. */
class DegradedReadsTest {
  private static final ErasureCode CODE = new ErasureCode(4, 3);
  private static final long BYTES = 1 << 20;
  private static final long PARITY_FILE = 1000;

  /** Has no block of the stripe. */
  private static final int ASKING = 19;

  private final ClusterView nodes = StripeRepairTest.nodes();
  private final EncodedStripes encoded = new EncodedStripes();
  private final Map<Long, StoredBlock> blocks = new HashMap<>();
  private final NameNode nameNode = mock(NameNode.class);
  private DegradedReads reads;

  @BeforeEach
  void encode() {
    List<StripeRecord.Member> members = new ArrayList<>();
    List<Long> parity = new ArrayList<>();
    for (long id = 0; id < CODE.blocks(); id++) {
      put(id, List.of(holder(id)), List.of());
      if (id < CODE.dataBlocks()) {
        members.add(new StripeRecord.Member(id, 1, BYTES, 100 + id, 3));
      } else {
        parity.add(id);
      }
    }
    encoded.add(PARITY_FILE, new StripeRecord(CODE, 1, members));
    BlockLookup lookup = mock(BlockLookup.class);
    when(lookup.blocks(anyList()))
        .then(asked -> asked.<List<Long>>getArgument(0).stream().map(blocks::get).toList());
    when(lookup.file(anyLong()))
        .thenReturn(
            new StoredFile(
                PARITY_FILE,
                "/parity",
                1,
                1,
                "",
                false,
                BYTES,
                0,
                0,
                0,
                ReplicaMark.NONE,
                false,
                parity));
    Configuration conf = new Configuration(false);
    conf.set(ConfiguredRules.CODES, "/=" + CODE.name());
    conf.set(ConfigKeys.PAPER, "ear.rack-limit=1");
    WithheldReplicas withheld =
        new WithheldReplicas(() -> true, block -> false, lookup, id -> {}, id -> {});
    RegisteredCaller caller = mock(RegisteredCaller.class);
    when(caller.is(any())).thenReturn(true);
    reads =
        new DegradedReads(
            nameNode,
            () -> EarConfig.from(conf),
            encoded,
            (stripe, known) -> LocatedStripe.of(stripe, lookup, withheld, known),
            new StripeCommands(null, "pool"),
            () -> nodes,
            caller);
  }

  private DatanodeDescriptor holder(long block) {
    return nodes.datanodes()[2 * (int) block];
  }

  private void put(long id, List<DatanodeDescriptor> replicas, List<DatanodeDescriptor> leaving) {
    long file = id < CODE.dataBlocks() ? 100 + id : PARITY_FILE;
    blocks.put(id, new StoredBlock(id, 1, BYTES, file, true, 1, replicas, leaving, List.of()));
  }

  private Task asked(String... unreachable) throws IOException {
    NameNodeQuery question =
        NameNodeQuery.Recipe.of(
            nodes.datanodes()[ASKING].getDatanodeUuid(),
            new ExtendedBlock("pool", 0, BYTES, 1),
            List.of(unreachable));
    return WorkCodec.reply(reads.answer(question.toBytes(), 1)).orders().get(0).task();
  }

  private static void assertDecoded(Task task) {
    assertEquals(CODE.dataBlocks(), assertInstanceOf(DecodeTask.class, task).blocksRead());
  }

  private void assertReadFrom(DatanodeDescriptor where, Task task) {
    String uuid = assertInstanceOf(MoveTask.class, task).from().getLocations()[0].getDatanodeUuid();
    assertEquals(where.getDatanodeUuid(), uuid);
  }

  @Test
  void whatIsThereIsReadThere() throws IOException {
    assertReadFrom(holder(0), asked());
  }

  /** HDFS tells readers of no replica that is on a DataNode in maintenance. */
  @Test
  void whatIsOnADataNodeInMaintenanceOnlyIsReadThereAndNotDecoded() throws IOException {
    holder(0).setInMaintenance();
    put(0, List.of(), List.of(holder(0)));
    assertReadFrom(holder(0), asked());
  }

  @Test
  void whatTheAskingOneCannotReachIsDecoded() throws IOException {
    holder(0).setInMaintenance();
    put(0, List.of(), List.of(holder(0)));
    Task task = asked(holder(0).getDatanodeUuid());
    assertDecoded(task);
  }

  /** It may be dead, and who reads there would wait in vain. */
  @Test
  void whatIsOnASilentDataNodeOnlyIsDecoded() throws IOException {
    StripeRepairTest.silence(holder(0));
    assertDecoded(asked());
  }

  @Test
  void whatCannotBeDecodedIsReadFromASilentDataNode() throws IOException {
    StripeRepairTest.silence(holder(0));
    for (long id = 1; id < CODE.parityBlocks(); id++) {
      put(id, List.of(), List.of());
    }
    assertDecoded(asked());
    put(CODE.parityBlocks(), List.of(), List.of());
    assertReadFrom(holder(0), asked());
  }

  /** A rack is cut off, or the NameNode stood still: one silent DataNode is less than several. */
  @Test
  void whereTooFewAreHeardOfTheReplicaIsReadBeforeSilentOnes() throws IOException {
    StripeRepairTest.silence(holder(0));
    for (long id = 1; id <= CODE.parityBlocks(); id++) {
      StripeRepairTest.silence(holder(id));
    }
    assertReadFrom(holder(0), asked());
    assertDecoded(asked(holder(0).getDatanodeUuid()));
  }

  @Test
  void clientsAreToldOfDecodersThatAreHeardOfBeforeOthers() throws IOException {
    when(nameNode.getRpcServer()).thenReturn(mock(NamenodeProtocols.class));
    for (DatanodeDescriptor node : nodes.datanodes()) {
      reads.answer(
          new NameNodeQuery.Announcement(node.getDatanodeUuid(), 1).toBytes(), Time.monotonicNow());
    }
    int heardOf = 3;
    for (int node = heardOf; node < nodes.datanodes().length; node++) {
      StripeRepairTest.silence(nodes.datanodes()[node]);
    }
    List<String> told =
        Decoders.decode(reads.decodersFor("/a", Time.monotonicNow()).orElseThrow()).stream()
            .map(DatanodeID::getDatanodeUuid)
            .toList();
    assertEquals(
        Stream.of(nodes.datanodes())
            .limit(heardOf)
            .map(DatanodeDescriptor::getDatanodeUuid)
            .collect(Collectors.toSet()),
        Set.copyOf(told.subList(0, heardOf)));
    assertTrue(told.size() > heardOf, "others fill up");
  }
}
