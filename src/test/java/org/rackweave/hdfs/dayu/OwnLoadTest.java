package org.rackweave.hdfs.dayu;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import java.util.stream.Stream;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.junit.jupiter.api.Test;
import org.rackweave.hdfs.dayu.OwnLoad.CopyLoad;

class OwnLoadTest {
  private final DatanodeDescriptor a = DFSTestUtil.getLocalDatanodeDescriptor();
  private final DatanodeDescriptor b = DFSTestUtil.getLocalDatanodeDescriptor();

  @Test
  void countsBothEndsOfEveryCopyAndWhatSurroundsItsBytes() {
    CopyLoad there = new CopyLoad(a, b, 1000, 2000);
    CopyLoad back = new CopyLoad(b, a, 3000, 3000);
    Map<DatanodeDescriptor, OwnLoad> all = OwnLoad.of(Stream.of(there, there, back));
    assertEquals(Map.of(a, new OwnLoad(3150, 2100), b, new OwnLoad(4200, 3150)), all);
  }

  @Test
  void aCopyThatSendsNothingIsNoLoad() {
    assertEquals(Map.of(), OwnLoad.of(Stream.of(new CopyLoad(a, b, 0, 0))));
  }
}
