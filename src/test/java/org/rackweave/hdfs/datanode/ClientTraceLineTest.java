package org.rackweave.hdfs.datanode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.junit.jupiter.api.Test;

class ClientTraceLineTest {
  static final String POOL = "BP-1-10.0.0.3-1";

  @Test
  void readsTheLineOfARead() {
    assertEquals(
        new ClientTraceLine("uuid-1", POOL, 1_073_741_825L),
        ClientTraceLine.parse(line("HDFS_READ", "client", "uuid-1", 1_073_741_825L)));
  }

  @Test
  void readsNegativeBlockIds() {
    assertEquals(
        new ClientTraceLine("uuid-1", POOL, -9_223_372_036_854_775_792L),
        ClientTraceLine.parse(line("HDFS_READ", "c", "uuid-1", -9_223_372_036_854_775_792L)));
  }

  @Test
  void ignoresWhatIsNoRead() {
    assertNull(ClientTraceLine.parse(line("HDFS_WRITE", "client", "uuid-1", 1)));
    assertNull(ClientTraceLine.parse(""));
    assertNull(ClientTraceLine.parse("src: a, op: HDFS_READ, cliID: b"));
    assertNull(ClientTraceLine.parse(", op: HDFS_READ, cliID: , srvID: u, blockid: BP:blk_x_1"));
    assertNull(ClientTraceLine.parse(", op: HDFS_READ, cliID: , srvID: u, blockid: BP:blk_5"));
  }

  @Test
  void isNotFooledByTheNameOfAClient() {
    String name = "x, offset: 0, srvID: uuid-2, blockid: BP-1:blk_7_1, duration(ns): 1";
    assertEquals(
        new ClientTraceLine("uuid-1", POOL, 42),
        ClientTraceLine.parse(line("HDFS_READ", name, "uuid-1", 42)));
  }

  static String line(String op, String client, String datanodeUuid, long blockId) {
    return String.format(
        DataNode.DN_CLIENTTRACE_FORMAT,
        "/10.0.0.1:9866",
        "/10.0.0.2:52330",
        "",
        66_048,
        op,
        client,
        0,
        datanodeUuid,
        new ExtendedBlock(POOL, blockId, 10, 1001),
        7);
  }
}
