package org.rackweave.hdfs.datanode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.HeartbeatResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsServerProtos.NNHAStatusHeartbeatProto;
import org.apache.hadoop.hdfs.protocolPB.PBHelper;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.protocol.BlockCommand;
import org.apache.hadoop.hdfs.server.protocol.DatanodeCommand;
import org.apache.hadoop.hdfs.server.protocol.DatanodeProtocol;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.rackweave.hdfs.hook.Hook;
import org.rackweave.hdfs.hook.HookGuard;
import org.rackweave.hdfs.namenode.RackCluster;
import org.rackweave.telemetry.BlockFigures;

class PacedTransfersTest {
  private static final String UUID = "uuid";
  private static final long SIZE = 1000;
  private static final long RATE = 1L << 40;
  private static final long LONG_SILENCE_MS = 600_000;

  private final FakeDataNode dataNode = new FakeDataNode();
  private final AgentMetrics metrics = new AgentMetrics();
  private final PacedTransfers transfers =
      new PacedTransfers(uuid -> dataNode, metrics, LONG_SILENCE_MS);

  @AfterEach
  void close() {
    transfers.close();
  }

  /** A reply of the active NameNode that orders copies of blocks. */
  private static HeartbeatResponseProto ordering(long... ids) {
    Block[] blocks =
        Arrays.stream(ids).mapToObj(id -> new Block(id, SIZE, 1)).toArray(Block[]::new);
    DatanodeInfo target = DFSTestUtil.getDatanodeDescriptor("10.0.0.2", "/r2");
    DatanodeInfo[][] targets = new DatanodeInfo[ids.length][];
    StorageType[][] types = new StorageType[ids.length][];
    String[][] storages = new String[ids.length][];
    Arrays.fill(targets, new DatanodeInfo[] {target});
    Arrays.fill(types, new StorageType[] {StorageType.DISK});
    Arrays.fill(storages, new String[] {"s"});
    BlockCommand command =
        new BlockCommand(DatanodeProtocol.DNA_TRANSFER, "pool", blocks, targets, types, storages);
    return Heartbeats.reply().toBuilder()
        .addCmds(PBHelper.convert((DatanodeCommand) command))
        .build();
  }

  /** Follows a reply; returns the blocks whose copies are left for HDFS. */
  private List<Long> follow(Map<Long, Long> rates, HeartbeatResponseProto reply) {
    HeartbeatResponseProto left = transfers.follow(BlockFigures.encode(rates), reply, UUID);
    return left.getCmdsList().stream()
        .flatMap(command -> command.getBlkCmd().getBlocksList().stream())
        .map(block -> block.getBlockId())
        .toList();
  }

  private Map<Long, Long> progress() {
    byte[] encoded = transfers.progress(UUID);
    return encoded == null ? null : BlockFigures.decode(encoded);
  }

  private Pace begun(long block) throws InterruptedException {
    Begun begun = dataNode.begun.poll(30, TimeUnit.SECONDS);
    assertEquals(block, begun.block());
    return begun.pace();
  }

  @Test
  void saysThatItCouldHoldCopiesToRatesWhereItCould() {
    assertEquals(Map.of(), progress());
    try (PacedTransfers without = new PacedTransfers(uuid -> null, metrics, LONG_SILENCE_MS)) {
      assertNull(without.progress(UUID));
    }
  }

  @Test
  void startsWhatHasARateAndLeavesTheRestForHdfs() throws Exception {
    assertEquals(List.of(2L), follow(Map.of(1L, RATE), ordering(1, 2)));
    Pace pace = begun(1);
    pace.pass(300);
    assertEquals(Map.of(1L, 300L), progress());
    follow(Map.of(), Heartbeats.reply());
    assertEquals(Map.of(), progress());
    assertEquals(Pace.UNLIMITED, pace.bytesPerSec());
  }

  @Test
  void aSecondCopyOfABlockDoesNotLeaveTheFirstAtARateForGood() throws Exception {
    follow(Map.of(1L, 1L), ordering(1));
    Pace first = begun(1);
    follow(Map.of(1L, 1L), ordering(1));
    Pace second = begun(1);
    assertEquals(Pace.UNLIMITED, first.bytesPerSec());
    assertEquals(Pace.LEAST_BYTES_PER_SEC, second.bytesPerSec());
  }

  @Test
  void endsACopyAndSaysSo() throws Exception {
    follow(Map.of(1L, RATE, 2L, RATE), ordering(1, 2));
    Pace first = begun(1);
    Pace second = begun(2);
    second.pass(SIZE);
    follow(Map.of(1L, BlockFigures.CANCEL, 2L, BlockFigures.CANCEL), Heartbeats.reply());
    assertTrue(first.isCancelled());
    assertFalse(second.isCancelled(), "it has sent everything");
    assertEquals(Map.of(1L, BlockFigures.CANCELLED, 2L, SIZE), progress());
    follow(Map.of(), Heartbeats.reply());
    assertTrue(first.isCancelled(), "for good");
  }

  @Test
  void doesNotBeginWhatIsToEnd() throws Exception {
    assertEquals(
        List.of(), follow(Map.of(1L, BlockFigures.CANCEL, 2L, RATE), ordering(1, 2)), "nor HDFS");
    begun(2);
    assertTrue(dataNode.begun.isEmpty());
    assertEquals(Map.of(1L, BlockFigures.CANCELLED, 2L, 0L), progress());
  }

  @Test
  void copiesAnEndedBlockToAnotherTarget() throws Exception {
    follow(Map.of(1L, RATE), ordering(1));
    Pace ended = begun(1);
    follow(Map.of(1L, BlockFigures.CANCEL), Heartbeats.reply());
    follow(Map.of(1L, RATE), ordering(1));
    Pace going = begun(1);
    going.pass(10);
    assertTrue(ended.isCancelled());
    assertFalse(going.isCancelled());
    assertEquals(Map.of(1L, 10L), progress());
  }

  @Test
  void whatHasBeenSentLeavesItsRateToTheSlowestUntilTheNameNodeSaysOtherwise() throws Exception {
    Map<Long, Long> rates = Map.of(1L, 2_000_000L, 2L, 1_000_000L, 3L, 1L);
    follow(rates, ordering(1, 2, 3));
    Pace first = begun(1);
    Pace second = begun(2);
    Pace third = begun(3);
    first.pass(SIZE - 1);
    assertEquals(Pace.LEAST_BYTES_PER_SEC, third.bytesPerSec());
    first.pass(1);
    assertEquals(2_000_000 + Pace.LEAST_BYTES_PER_SEC, third.bytesPerSec());
    second.pass(SIZE);
    assertEquals(3_000_000 + Pace.LEAST_BYTES_PER_SEC, third.bytesPerSec());

    follow(rates, Heartbeats.reply());
    assertEquals(
        3_000_000 + Pace.LEAST_BYTES_PER_SEC, third.bytesPerSec(), "it has not heard of the ends");
    follow(Map.of(3L, 2_500_000L), Heartbeats.reply());
    assertEquals(2_500_000, third.bytesPerSec());
    third.pass(SIZE);
  }

  private static HeartbeatResponseProto ofStandby() {
    return Heartbeats.reply().toBuilder()
        .setHaStatus(
            Heartbeats.reply().getHaStatus().toBuilder()
                .setState(NNHAStatusHeartbeatProto.State.STANDBY))
        .build();
  }

  @Test
  void copiesKeepTheirRatesWhenTheirNameNodeHasBecomeAStandby() throws Exception {
    follow(Map.of(1L, 2_000_000L, 2L, 1L), ordering(1, 2));
    Pace first = begun(1);
    Pace second = begun(2);
    HeartbeatResponseProto reply = ofStandby();
    assertSame(reply, transfers.follow(null, reply, UUID));
    assertEquals(2_000_000, first.bytesPerSec());
    assertEquals(Pace.LEAST_BYTES_PER_SEC, second.bytesPerSec());
    assertEquals(2, metrics.copiesHeld());

    first.pass(SIZE);
    assertEquals(
        2_000_000 + Pace.LEAST_BYTES_PER_SEC, second.bytesPerSec(), "all of it is used yet");
    transfers.follow(null, reply, UUID);
    assertEquals(1, metrics.copiesHeld(), "the other is done");
    transfers.follow(null, Heartbeats.reply(), UUID);
    assertEquals(Pace.UNLIMITED, second.bytesPerSec(), "it is active again and names none");
  }

  @Test
  void aStandbysRepliesAreSilence() throws Exception {
    try (PacedTransfers impatient = new PacedTransfers(uuid -> dataNode, metrics, 100)) {
      impatient.follow(BlockFigures.encode(Map.of(1L, Long.valueOf(1))), ordering(1), UUID);
      Pace pace = begun(1);
      RackCluster.await(
          "no limit",
          () -> {
            impatient.follow(null, ofStandby(), UUID);
            return pace.bytesPerSec() == Pace.UNLIMITED;
          });
    }
  }

  @Test
  void letsCopiesGoOnWhenTheNameNodeIsSilent() throws Exception {
    try (PacedTransfers impatient = new PacedTransfers(uuid -> dataNode, metrics, 100)) {
      byte[] slow = BlockFigures.encode(Map.of(1L, Long.valueOf(1)));
      impatient.follow(slow, ordering(1), UUID);
      Pace pace = begun(1);
      assertEquals(Pace.LEAST_BYTES_PER_SEC, pace.bytesPerSec());
      RackCluster.await("no limit", () -> pace.bytesPerSec() == Pace.UNLIMITED);
      RackCluster.await("none held", () -> metrics.copiesHeld() == 0);
      assertEquals(Map.of(1L, 0L), BlockFigures.decode(impatient.progress(UUID)), "it still goes");

      impatient.follow(slow, Heartbeats.reply(), UUID);
      RackCluster.await("no limit again", () -> pace.bytesPerSec() == Pace.UNLIMITED);
    }
  }

  @Test
  void letsCopiesGoOnThoughTheFirstLookFails() throws Exception {
    AtomicBoolean hasFailed = new AtomicBoolean();
    HookGuard.inject(
        hook -> {
          if (hook == Hook.TRANSFER_LAPSE && hasFailed.compareAndSet(false, true)) {
            throw new OutOfMemoryError("injected");
          }
        });
    try (PacedTransfers impatient = new PacedTransfers(uuid -> dataNode, metrics, 100)) {
      impatient.follow(BlockFigures.encode(Map.of(1L, Long.valueOf(1))), ordering(1), UUID);
      Pace pace = begun(1);
      RackCluster.await("no limit", () -> pace.bytesPerSec() == Pace.UNLIMITED);
      assertTrue(hasFailed.get());
    } finally {
      HookGuard.inject(null);
    }
  }

  @Test
  void countsWhatItHoldsAndHoldsNothingWhenItEnds() throws Exception {
    follow(Map.of(1L, RATE, 2L, RATE), ordering(1, 2));
    Pace first = begun(1);
    assertEquals(2, metrics.copiesHeld());
    follow(Map.of(1L, RATE, 2L, BlockFigures.CANCEL), Heartbeats.reply());
    assertEquals(1, metrics.copiesHeld());
    transfers.close();
    assertEquals(0, metrics.copiesHeld());
    assertEquals(Pace.UNLIMITED, first.bytesPerSec());
  }

  private record Begun(long block, Pace pace) {}

  /** Says what it is to transfer. */
  private static final class FakeDataNode implements OwnTraffic {
    private final BlockingQueue<Begun> begun = new LinkedBlockingQueue<>();

    @Override
    public void transfer(
        ExtendedBlock block, DatanodeInfo[] targets, StorageType[] types, String[] ids, Pace pace) {
      begun.add(new Begun(block.getBlockId(), pace));
    }

    @Override
    public DataNode dataNode() {
      throw new AssertionError();
    }

    @Override
    public String datanodeUuid() {
      return UUID;
    }

    @Override
    public int namespaces() {
      throw new AssertionError();
    }

    @Override
    public void attach() {
      throw new AssertionError();
    }

    @Override
    public void detach() {
      throw new AssertionError();
    }

    @Override
    public long bytesWritten() {
      throw new AssertionError();
    }

    @Override
    public long bytesSent() {
      throw new AssertionError();
    }

    @Override
    public long packetsReceived() {
      throw new AssertionError();
    }

    @Override
    public long downstreamAcks() {
      throw new AssertionError();
    }

    @Override
    public int readers() {
      throw new AssertionError();
    }

    @Override
    public int writers() {
      throw new AssertionError();
    }

    @Override
    public boolean heartbeatNow() {
      throw new AssertionError();
    }
  }
}
