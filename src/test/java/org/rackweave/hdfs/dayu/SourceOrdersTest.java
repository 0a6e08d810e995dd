package org.rackweave.hdfs.dayu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.DatanodeCommandProto;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.HeartbeatRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.HeartbeatResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsServerProtos.NNHAStatusHeartbeatProto;
import org.apache.hadoop.hdfs.protocolPB.PBHelper;
import org.apache.hadoop.hdfs.security.token.block.ExportedBlockKeys;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants.NodeType;
import org.apache.hadoop.hdfs.server.common.StorageInfo;
import org.apache.hadoop.hdfs.server.protocol.DatanodeRegistration;
import org.junit.jupiter.api.Test;
import org.rackweave.telemetry.BlockFigures;

class SourceOrdersTest {
  private static final int OPERATORS = 2;
  private static final int STREAMS_MAX = 8;

  private final DatanodeDescriptor source = DFSTestUtil.getDatanodeDescriptor("10.0.0.1", "/r1");
  private final DatanodeDescriptor target = DFSTestUtil.getDatanodeDescriptor("10.0.0.2", "/r2");
  private final CopyLimits limits = new CopyLimits(() -> OPERATORS, 3, () -> STREAMS_MAX);
  private final SourceOrders orders = new SourceOrders(queue(), limits);
  private int waiting;
  private int asked = -1;

  private ReconstructionQueue queue() {
    return new RefusingQueue() {
      @Override
      public int ordersWaiting(DatanodeDescriptor of) {
        return waiting;
      }

      @Override
      public DatanodeCommandProto nextOrders(DatanodeDescriptor of, int most) {
        asked = most;
        return DatanodeCommandProto.newBuilder()
            .setCmdType(DatanodeCommandProto.Type.BlockCommand)
            .build();
      }
    };
  }

  private void underWay(int copies, double bytesPerSec) {
    List<RunningCopy> running = new ArrayList<>();
    for (int i = 0; i < copies; i++) {
      running.add(
          RunningCopy.begun(new PlannedCopy(i, 3_000_000, 2, 1, source, target, bytesPerSec), 0));
    }
    limits.apply(running, 0);
  }

  private void agentMakes(int copies) {
    Map<Long, Long> done = new HashMap<>();
    for (long i = 0; i < copies; i++) {
      done.put(i, 7L);
    }
    limits.rates().heard(source.getDatanodeUuid(), BlockFigures.encode(done), 0);
  }

  private static HeartbeatRequestProto heartbeat(DatanodeDescriptor node, int transfers) {
    return HeartbeatRequestProto.newBuilder()
        .setRegistration(
            PBHelper.convert(
                new DatanodeRegistration(
                    node, new StorageInfo(NodeType.DATA_NODE), new ExportedBlockKeys(), "3")))
        .setXmitsInProgress(transfers)
        .build();
  }

  private static HeartbeatResponseProto answer(NNHAStatusHeartbeatProto.State state) {
    return HeartbeatResponseProto.newBuilder()
        .setHaStatus(NNHAStatusHeartbeatProto.newBuilder().setState(state).setTxid(1))
        .build();
  }

  private int hdfsSees(int transfers) {
    return orders.withoutOwn(heartbeat(source, transfers)).getXmitsInProgress();
  }

  @Test
  void copiesOfOursAreNotAmongThoseThatTheOperatorsLimitIsFor() {
    underWay(6, 1e6);
    waiting = 2;
    assertEquals(3, hdfsSees(7), "four have been told of");
    assertEquals(0, hdfsSees(3));
    waiting = 6;
    assertEquals(7, hdfsSees(7));
  }

  @Test
  void aSourceThatSaysWhatItMakesIsBelievedNoMoreThanItWasTold() {
    agentMakes(1);
    underWay(6, 1e6);
    assertEquals(6, hdfsSees(7));
    agentMakes(500);
    assertEquals(1, hdfsSees(7));
  }

  @Test
  void othersHeartbeatsAreNotTouched() {
    HeartbeatRequestProto other = heartbeat(target, 5);
    underWay(6, 1e6);
    assertSame(other, orders.withoutOwn(other));
    HeartbeatResponseProto answer = answer(NNHAStatusHeartbeatProto.State.ACTIVE);
    assertSame(answer, orders.withOrders(other, answer));
  }

  @Test
  void aSourceGetsAsManyAsItMayMakeBesideThoseThatItMakes() {
    underWay(10, 5e5); // five in a heartbeat, and one more
    waiting = 7;
    HeartbeatResponseProto answer = answer(NNHAStatusHeartbeatProto.State.ACTIVE);
    assertEquals(1, orders.withOrders(heartbeat(source, 4), answer).getCmdsCount());
    assertEquals(3, asked, "three of the four are ours");
  }

  @Test
  void nobodyGetsOrdersFromAStandby() {
    underWay(10, 5e5);
    HeartbeatResponseProto answer = answer(NNHAStatusHeartbeatProto.State.STANDBY);
    assertSame(answer, orders.withOrders(heartbeat(source, 0), answer));
    assertEquals(-1, asked);
  }
}
