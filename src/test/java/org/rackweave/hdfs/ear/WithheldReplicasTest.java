package org.rackweave.hdfs.ear;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.BlockCommandProto;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.DatanodeCommandProto;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.HeartbeatResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsServerProtos.NNHAStatusHeartbeatProto;
import org.apache.hadoop.hdfs.protocolPB.PBHelper;
import org.apache.hadoop.hdfs.server.protocol.BlockCommand;
import org.apache.hadoop.hdfs.server.protocol.DatanodeCommand;
import org.apache.hadoop.hdfs.server.protocol.DatanodeProtocol;
import org.junit.jupiter.api.Test;

class WithheldReplicasTest {
  private static final String POOL = "BP-1";

  private final Set<Long> needed = new HashSet<>();
  private final List<Long> told = new ArrayList<>();
  private final List<Long> passedOn = new ArrayList<>();
  private final WithheldReplicas withheld =
      new WithheldReplicas(
          POOL, block -> needed.contains(block.getBlockId()), told::add, passedOn::add);

  private static HeartbeatResponseProto reply(DatanodeCommandProto... commands) {
    return HeartbeatResponseProto.newBuilder()
        .setHaStatus(
            NNHAStatusHeartbeatProto.newBuilder()
                .setState(NNHAStatusHeartbeatProto.State.ACTIVE)
                .setTxid(1))
        .addAllCmds(List.of(commands))
        .build();
  }

  private static DatanodeCommandProto deletion(long... ids) {
    Block[] blocks =
        LongStream.of(ids).mapToObj(id -> new Block(id, 100, 1001)).toArray(Block[]::new);
    return PBHelper.convert(
        (DatanodeCommand) new BlockCommand(DatanodeProtocol.DNA_INVALIDATE, POOL, blocks));
  }

  private static List<Long> deleted(HeartbeatResponseProto reply) {
    List<Long> ids = new ArrayList<>();
    for (DatanodeCommandProto command : reply.getCmdsList()) {
      assertEquals(BlockCommandProto.Action.INVALIDATE, command.getBlkCmd().getAction());
      assertEquals(POOL, command.getBlkCmd().getBlockPoolId());
      command.getBlkCmd().getBlocksList().forEach(block -> ids.add(block.getBlockId()));
    }
    return ids;
  }

  @Test
  void leavesRepliesAloneThatAskForNothingNeeded() {
    needed.add(9L);
    HeartbeatResponseProto empty = reply();
    assertSame(empty, withheld.filter("a", empty));
    HeartbeatResponseProto others = reply(deletion(1, 2));
    assertSame(others, withheld.filter("a", others));
    assertTrue(told.isEmpty());
    assertEquals(List.of(1L, 2L), passedOn);
    assertEquals(0, withheld.count());
  }

  @Test
  void takesOutWhatIsNeededAndGivesItWhenItIsNot() {
    needed.addAll(List.of(2L, 3L));
    assertEquals(List.of(1L, 4L), deleted(withheld.filter("a", reply(deletion(1, 2, 3, 4)))));
    assertEquals(List.of(), deleted(withheld.filter("b", reply(deletion(2)))));
    assertEquals(List.of(2L, 3L, 2L), told);
    assertEquals(List.of(1L, 4L), passedOn);
    assertEquals(Set.of("a", "b"), Set.copyOf(withheld.holders(2)));
    assertEquals(3, withheld.count());
    // Told again, as after a block report, it is the same replica.
    withheld.filter("a", reply(deletion(2)));
    assertEquals(3, withheld.count());

    withheld.release(2);
    assertEquals(List.of(), withheld.holders(2));
    assertEquals(List.of(5L, 2L), deleted(withheld.filter("a", reply(deletion(5)))));
    assertEquals(List.of(), deleted(withheld.filter("a", reply())));
    assertEquals(List.of(2L), deleted(withheld.filter("b", reply())));
    assertEquals(1, withheld.count());
  }

  @Test
  void releasesWhatTurnsOutNotToBeNeeded() {
    needed.addAll(List.of(1L, 2L));
    withheld.filter("a", reply(deletion(1, 2)));
    needed.remove(1L);
    withheld.releaseUnneeded();
    assertEquals(List.of(1L), deleted(withheld.filter("a", reply())));
    withheld.clear();
    assertEquals(0, withheld.count());
    assertEquals(List.of(), withheld.holders(2));
  }

  @Test
  void ordersNoMoreDeletionsAtOnceThanHdfs() {
    LongStream.range(0, 1500).forEach(needed::add);
    withheld.filter("a", reply(deletion(LongStream.range(0, 1500).toArray())));
    LongStream.range(0, 1500).forEach(withheld::release);
    assertEquals(1000, deleted(withheld.filter("a", reply())).size());
    assertEquals(500, deleted(withheld.filter("a", reply())).size());
    assertEquals(0, withheld.count());
  }
}
