package org.rackweave.hdfs.ear;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
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
  private final Set<Long> inFiles = new HashSet<>();
  private boolean areStripesKnown = true;

  /** What is in HDFS's queue again, by DataNode. */
  private final Map<String, List<Long>> queued = new TreeMap<>();

  private final WithheldReplicas withheld = withheld(1000);

  private WithheldReplicas withheld(int max) {
    return new WithheldReplicas(
        () -> areStripesKnown,
        block -> needed.contains(block.getBlockId()),
        new WithheldReplicas.DeletionQueue() {
          @Override
          public List<Block> ofNoFile(List<Block> blocks) {
            return blocks.stream().filter(block -> !inFiles.contains(block.getBlockId())).toList();
          }

          @Override
          public void deleteLater(String datanodeUuid, List<Block> replicas) {
            replicas.forEach(
                one ->
                    queued
                        .computeIfAbsent(datanodeUuid, uuid -> new ArrayList<>())
                        .add(one.getBlockId()));
          }
        },
        told::add,
        passedOn::add,
        max);
  }

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
  void whatWasFoundBeforeItIsOrderedToBeDeletedIsHeldLikeTheRest() {
    needed.add(2L);
    withheld.found("a", new Block(1, 100, 1001));
    withheld.found("a", new Block(2, 100, 1001));
    assertEquals(List.of("a"), withheld.holders(2));
    assertEquals(1, withheld.count());
    assertEquals(List.of(2L), told);
    withheld.release(2);
    assertEquals(Map.of("a", List.of(2L)), queued);
  }

  @Test
  void takesOutWhatIsNeededAndHasItOrderedAgainWhenItIsNot() {
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
    assertEquals(Map.of(), queued);

    withheld.release(2);
    assertEquals(List.of(), withheld.holders(2));
    assertEquals(Map.of("a", List.of(2L), "b", List.of(2L)), queued);
    assertEquals(1, withheld.count());
    needed.remove(2L);
    assertEquals(List.of(2L), deleted(withheld.filter("a", reply(deletion(2)))));
  }

  @Test
  void putsBackAllOfDeletedFilesWhileStripesAreNotKnown() {
    areStripesKnown = false;
    inFiles.add(3L);
    assertEquals(List.of(3L), deleted(withheld.filter("a", reply(deletion(1, 2, 3)))));
    assertEquals(Map.of("a", List.of(1L, 2L)), queued);
    assertEquals(2, withheld.putBackCount());
    assertEquals(0, withheld.count());
    assertEquals(List.of(3L), passedOn);
    assertEquals(List.of(), told);

    areStripesKnown = true;
    assertEquals(0, withheld.waitingMs());
    needed.add(2L);
    assertEquals(List.of(1L), deleted(withheld.filter("a", reply(deletion(1, 2)))));
    assertEquals(List.of("a"), withheld.holders(2));
  }

  @Test
  void forgetsNoOrderForWantOfRoom() {
    WithheldReplicas small = withheld(2);
    needed.addAll(List.of(1L, 2L, 3L));
    assertEquals(List.of(), deleted(small.filter("a", reply(deletion(1, 2, 3)))));
    assertEquals(2, small.count());
    assertEquals(Map.of("a", List.of(3L)), queued);
    assertEquals(List.of(1L, 2L, 3L), told, "stripes are asked of all");

    small.release(1);
    assertEquals(List.of(), deleted(small.filter("a", reply(deletion(3)))));
    assertEquals(List.of("a"), small.holders(3));
  }

  @Test
  void putsBackWhatCouldNotBeJudged() {
    HeartbeatResponseProto reply = reply(deletion(1, 2));
    withheld.putBack("a", reply);
    assertEquals(Map.of("a", List.of(1L, 2L)), queued);
    assertEquals(List.of(), deleted(WithheldReplicas.withoutDeletions(reply)));
  }

  @Test
  void forgetsEverythingWhenAnotherNameNodeGivesTheOrders() {
    needed.add(1L);
    withheld.filter("a", reply(deletion(1)));
    withheld.clear();
    assertEquals(0, withheld.count());
    assertEquals(List.of(), withheld.holders(1));
    assertEquals(Map.of(), queued);
  }
}
