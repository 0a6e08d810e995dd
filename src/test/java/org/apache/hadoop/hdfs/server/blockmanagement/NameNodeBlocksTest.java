package org.apache.hadoop.hdfs.server.blockmanagement;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.junit.jupiter.api.Test;
import org.rackweave.hdfs.ear.BlockLookup;
import org.rackweave.hdfs.ear.ReplicaMark;

class NameNodeBlocksTest {
  private final NameNode nameNode = mock(NameNode.class);
  private final BlockManager blockManager = mock(BlockManager.class);

  /** Stock's policy would keep whichever replicas it likes, and not those a stripe needs. */
  @Test
  void noReplicaGoesWhereAnotherPolicyWouldChooseIt() {
    FSNamesystem namesystem = mock(FSNamesystem.class);
    when(nameNode.getNamesystem()).thenReturn(namesystem);
    when(namesystem.getBlockManager()).thenReturn(blockManager);
    when(blockManager.getBlockPlacementPolicy()).thenReturn(new BlockPlacementPolicyDefault());
    BlockLookup.StoredFile file =
        new BlockLookup.StoredFile(
            1, "/file", 3, 1, "", false, 1, 1, 1, 1, ReplicaMark.NONE, false, List.of(7L));
    BlockLookup lookup = new NameNodeBlocks(nameNode);
    String message =
        assertThrows(IOException.class, () -> lookup.shrink(file, Map.of())).getMessage();
    assertEquals(
        "dfs.block.replicator.classname = '"
            + BlockPlacementPolicyDefault.class.getName()
            + "': allowed is "
            + RackweaveBlockPlacementPolicy.class.getName()
            + " where replicas of encoded blocks are to go, since others choose which ones",
        message);
  }
}
