package org.rackweave.cli.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.DatanodeInfoBuilder;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.rackweave.cli.demo.cluster.HotNodes;
import org.rackweave.cli.experiment.BlockWrite;

class BlockClockTest {

  private static final String FILE = "/file";
  private static final ExtendedBlock BLOCK = new ExtendedBlock("pool", 1);

  private final ClientProtocol nameNode = mock(ClientProtocol.class);
  private final List<BlockWrite> done = new ArrayList<>();
  private final Heat heat = new Heat();
  private final ClientProtocol watched = BlockClock.watch(nameNode, heat, 0, done::add);

  /** Addresses are the numbers themselves. */
  private static final class Heat implements HotNodes {
    private int hot = -1;

    @Override
    public int nodeAt(String address) {
      return Integer.parseInt(address);
    }

    @Override
    public boolean isHot(int node) {
      return node == hot;
    }
  }

  @BeforeEach
  void placeOnNodesZeroOneTwo() throws IOException {
    DatanodeInfo[] targets = new DatanodeInfo[3];
    for (int node = 0; node < 3; node++) {
      targets[node] = new DatanodeInfoBuilder().setIpAddr(String.valueOf(node)).build();
    }
    String[] storages = {"a", "b", "c"};
    StorageType[] types = {StorageType.DISK, StorageType.DISK, StorageType.DISK};
    when(nameNode.addBlock(any(), any(), any(), any(), anyLong(), any(), any()))
        .thenReturn(new LocatedBlock(BLOCK, targets, storages, types));
  }

  private void addBlock() throws IOException {
    watched.addBlock(FILE, "client", null, null, 1, null, null);
  }

  private void complete() throws IOException {
    watched.complete(FILE, "client", BLOCK, 1);
  }

  @Test
  void endsABlockWhenTheNextIsAskedForOrTheFileIsComplete() throws Exception {
    addBlock();
    assertEquals(0, done.size());
    addBlock();
    assertEquals(1, done.size());
    complete();
    complete();
    assertEquals(2, done.size());
  }

  @Test
  void countsFromTheFirstRequestWhenItIsRefusedAndRepeated() throws Exception {
    LocatedBlock granted = nameNode.addBlock(FILE, "client", null, null, 1, null, null);
    when(nameNode.addBlock(any(), any(), any(), any(), anyLong(), any(), any()))
        .thenThrow(new IOException("not yet"))
        .thenReturn(granted);
    long before = System.nanoTime();
    assertThrows(IOException.class, this::addBlock);
    long between = System.nanoTime();
    addBlock();
    complete();
    assertTrue(done.get(0).startNs() >= before && done.get(0).startNs() <= between);
    assertEquals(1, done.size());
  }

  @Test
  void countsABlockOnceWhenItsPipelineIsSetUpAgain() throws Exception {
    addBlock();
    watched.abandonBlock(BLOCK, 1, FILE, "client");
    addBlock();
    complete();
    assertEquals(1, done.size());
  }

  @Test
  void tellsHotWritersFromHotTargets() throws Exception {
    heat.hot = 0;
    addBlock();
    complete();
    assertTrue(done.get(0).writerHot());
    assertFalse(done.get(0).targetHot());
    heat.hot = 2;
    addBlock();
    heat.hot = -1;
    complete();
    assertFalse(done.get(1).writerHot());
    assertTrue(done.get(1).targetHot());
  }
}
