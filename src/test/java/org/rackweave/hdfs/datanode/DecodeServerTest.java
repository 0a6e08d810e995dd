package org.rackweave.hdfs.datanode;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.junit.jupiter.api.Test;

class DecodeServerTest {
  private static final int PORT = 9863;

  private final Configuration conf = new Configuration(false);

  private Optional<String> whyNot(boolean isKerberosOn, int port) {
    return DecodeServer.whyNot(isKerberosOn, conf, port);
  }

  /** HDFS would refuse each client, as it does where its own port is like that. */
  @Test
  void doesNotListenWhereConnectionsCannotBeSecured() {
    String why = whyNot(true, PORT).orElseThrow();
    assertTrue(why.contains("dfs.data.transfer.protection"), why);
    conf.set(DFSConfigKeys.DFS_DATA_TRANSFER_PROTECTION_KEY, " ");
    assertTrue(whyNot(true, PORT).isPresent());
  }

  @Test
  void listensWhereTheyCanOrNeedNotBe() {
    assertTrue(whyNot(false, PORT).isEmpty());
    assertTrue(whyNot(true, 1004).isEmpty());
    conf.set(DFSConfigKeys.DFS_DATA_TRANSFER_PROTECTION_KEY, "integrity");
    assertTrue(whyNot(true, PORT).isEmpty());
    conf.unset(DFSConfigKeys.DFS_DATA_TRANSFER_PROTECTION_KEY);
    conf.setBoolean(DFSConfigKeys.DFS_ENCRYPT_DATA_TRANSFER_KEY, true);
    assertTrue(whyNot(true, PORT).isEmpty());
  }
}
