package org.rackweave.hdfs.ear;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.junit.jupiter.api.Test;
import org.rackweave.ear.ErasureCode;
import org.rackweave.hdfs.work.EncodeTask;
import org.rackweave.hdfs.work.WorkCodec;
import org.rackweave.hdfs.work.WorkQueue;
import org.rackweave.hdfs.work.WorkReport;

/** Which DataNodes of a rack encode. */
class DataNodeEngineTest {
  private static final long NOW_MS = 1_000;

  private final WorkQueue commands = new WorkQueue("DataNode", 60_000, 1);
  private final DataNodeEngine engine = new DataNodeEngine(new StripeCommands(commands, "pool"));
  private final List<DatanodeDescriptor> rack = rack(3);

  private static List<DatanodeDescriptor> rack(int nodes) {
    List<DatanodeDescriptor> rack = new ArrayList<>();
    for (int node = 0; node < nodes; node++) {
      rack.add(
          new DatanodeDescriptor(
              new DatanodeID("10.0.0." + node, "host" + node, "uuid" + node, 1, 2, 3, 4), "/r0"));
    }
    return rack;
  }

  private void give(int stripes) {
    LocatedBlock block =
        new LocatedBlock(
            new ExtendedBlock("pool", 1, 1, 1),
            new DatanodeInfo[] {rack.get(0)},
            new String[] {"storage"},
            new StorageType[] {StorageType.DISK});
    EncodeTask task =
        new EncodeTask(ErasureCode.named("rs-2-1"), List.of(block), List.of(block), 0);
    for (int stripe = 0; stripe < stripes; stripe++) {
      engine.give(new EncodeEngine.Work(task, "/r0", rack, 1), NOW_MS);
    }
  }

  private List<Integer> outstanding() {
    return rack.stream().map(node -> commands.outstanding(node.getDatanodeUuid())).toList();
  }

  @Test
  void stripesOfARackAreSharedAmongItsNodes() {
    give(3);
    assertEquals(List.of(1, 1, 1), outstanding());
    give(5);
    assertEquals(List.of(3, 3, 2), outstanding());
  }

  @Test
  void whoIsFasterGetsMore() throws Exception {
    give(3);
    String fast = rack.get(1).getDatanodeUuid();
    long id = WorkCodec.reply(commands.heard(fast, null, NOW_MS)).orders().get(0).id();
    WorkReport done = new WorkReport(id, WorkReport.State.DONE, 1, "");
    commands.heard(fast, WorkCodec.encode(List.of(done)), NOW_MS);
    assertEquals(List.of(1, 0, 1), outstanding());
    give(1);
    assertEquals(List.of(1, 1, 1), outstanding());
  }
}
