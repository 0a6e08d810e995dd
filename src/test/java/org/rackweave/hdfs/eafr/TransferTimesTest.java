package org.rackweave.hdfs.eafr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.BlockCommandProto;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.ReceivedDeletedBlockInfoProto.BlockStatus;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.BlockProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.DatanodeIDProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.DatanodeInfoProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.DatanodeInfosProto;
import org.apache.hadoop.hdfs.protocolPB.PBHelperClient;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.junit.jupiter.api.Test;
import org.rackweave.hdfs.ClusterView;
import org.rackweave.hdfs.ClusterViews;
import org.rackweave.model.ClusterTopology;

class TransferTimesTest {
  private static final long BYTES = 1 << 20;
  private static final long WINDOW_MS = 10_000;

  private final DatanodeDescriptor[] datanodes = {
    DFSTestUtil.getDatanodeDescriptor("10.0.0.1", "/r0"),
    DFSTestUtil.getDatanodeDescriptor("10.0.0.2", "/r0"),
  };
  private final ClusterView cluster =
      ClusterViews.of(ClusterTopology.of(List.of()), datanodes, Map.of());
  private final TransferTimes times = new TransferTimes(() -> 0.3);

  private static DatanodeIDProto id(DatanodeDescriptor datanode) {
    return PBHelperClient.convert((DatanodeID) datanode);
  }

  private static BlockProto block(long id) {
    return BlockProto.newBuilder().setBlockId(id).setGenStamp(1).setNumBytes(BYTES).build();
  }

  private void order(long blockId, DatanodeDescriptor target) {
    BlockCommandProto copy =
        BlockCommandProto.newBuilder()
            .setAction(BlockCommandProto.Action.TRANSFER)
            .setBlockPoolId("pool")
            .addBlocks(block(blockId))
            .addTargets(
                DatanodeInfosProto.newBuilder()
                    .addDatanodes(DatanodeInfoProto.newBuilder().setId(id(target))))
            .build();
    times.answered(Replies.of(copy));
  }

  private void received(long blockId, DatanodeDescriptor by) {
    times.received(Reports.of(by, BlockStatus.RECEIVED, blockId));
  }

  @Test
  void timesACopyFromItsOrderUntilItsDestinationHasIt() {
    times.look(cluster, 0);
    order(1, datanodes[1]);
    order(2, datanodes[1]);
    assertEquals(2, times.underWay());
    received(1, datanodes[0]); // another's replica of the same block
    assertEquals(2, times.underWay());
    received(1, datanodes[1]);
    received(1, datanodes[1]);
    assertEquals(1, times.underWay());
    times.look(cluster, 2 * WINDOW_MS);
    double[] speeds = times.bytesPerSec();
    assertEquals(2, speeds.length);
    // A megabyte in less than the test takes; the server nobody sent to counts as the other.
    assertTrue(speeds[1] > BYTES / 60.0, speeds[1] + " bytes/s");
    assertEquals(speeds[1], speeds[0]);
  }

  @Test
  void keepsNoMoreThanItMay() {
    times.look(cluster, 0);
    for (int block = 0; block < 20_010; block++) {
      order(block, datanodes[0]);
    }
    assertEquals(20_000, times.underWay());
  }
}
