package org.rackweave.cli.demo.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BlockTrafficTest {

  @ParameterizedTest
  @CsvSource({
    "127.10.1.1, 127.10.2.1, HDFS_READ, 4096",
    "127.10.1.1, 127.10.2.2, HDFS_WRITE, 4096",
    "127.10.1.1, 127.10.1.2, HDFS_READ, 0",
    "127.10.0.3, 127.10.2.1, HDFS_WRITE, 0",
    "127.10.1.1, 127.10.2.1, REQUEST_SHORT_CIRCUIT_FDS, 0",
  })
  void readsAndWritesOfClientsCountWhereTheyLeaveARack(
      String from, String to, String operation, long bytes) {
    String line =
        String.format(
            "src: /%s:9866, dest: /%s:52330, volume: , bytes: 4096, op: %s, cliID: c, offset: 0,"
                + " srvID: uuid, blockid: BP-1-10.0.0.3-1:blk_1073741825_1001, duration(ns): 7",
            from, to, operation);
    assertEquals(bytes, BlockTraffic.crossRackBytes(line));
  }

  @ParameterizedTest
  @CsvSource({"127.10.1.1, 127.10.2.1, 77", "127.10.2.2, 127.10.2.1, 0"})
  void blocksOfOtherDataNodesCountWhereTheyLeaveARack(String from, String to, long bytes) {
    String line =
        String.format(
            "Received BP-1-10.0.0.3-1:blk_1073741825_1001 src: /%s:36812 dest: /%s:9866 volume:"
                + " /data/1 of size 77",
            from, to);
    assertEquals(bytes, BlockTraffic.crossRackBytes(line));
    assertEquals(0, BlockTraffic.crossRackBytes("Receiving BP-1:blk_1_1 src: /127.10.1.1:1"));
  }

  @Test
  void whatIsClosedTwiceLeavesTheNextAlone() {
    Logger log = Logger.getLogger(DataNode.class.getName() + ".clienttrace");
    Level before = log.getLevel();
    BlockTraffic first = BlockTraffic.count();
    first.close();
    try (BlockTraffic next = BlockTraffic.count()) {
      first.close();
      log.info(
          "src: /127.10.1.1:9866, dest: /127.10.2.1:52330, volume: , bytes: 4096, op: HDFS_WRITE");
      assertEquals(4096, next.crossRackBytes());
    }
    assertEquals(before, log.getLevel());
  }
}
