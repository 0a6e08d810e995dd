package org.rackweave.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.MiniDFSNNTopology;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.rackweave.hdfs.ConfigKeys;

/** Servers whose machines are there for more than replicas of one namespace. */
@Tag("newest-hadoop")
class EafrSleepMachinesIT {
  @RegisterExtension final PowerSwitch power = new PowerSwitch();

  private static RackCluster start(Configuration conf, MiniDFSNNTopology nameNodes)
      throws Exception {
    conf.set(ConfigKeys.EAFR_ROLES_COLD_SHARE, "0.9");
    return RackCluster.start(
        new MiniDFSCluster.Builder(conf)
            .numDataNodes(4)
            .racks(RackCluster.racks(2, 2))
            .hosts(new String[] {"h0", "h1", "h2", "h2"})
            .dataNodeConfOverlays(LastingPorts.of(4))
            .checkDataNodeAddrConfig(true)
            .nnTopology(nameNodes));
  }

  private static JsonNode roles(DistributedFileSystem fs, String host) {
    for (JsonNode server : SleepRig.roles(fs).path("servers")) {
      if (server.path("datanode").asText().startsWith(host + ':')) {
        return server;
      }
    }
    throw new AssertionError(host + " is not listed");
  }

  @Test
  void nobodySleepsWhoHasReplicasOfAnotherNamespaceOrSharesItsMachine() throws Exception {
    Configuration conf = SleepRig.conf(power, "h0,h2");
    try (RackCluster cluster = start(conf, MiniDFSNNTopology.simpleFederatedTopology(2))) {
      power.wire(cluster.mini());
      DistributedFileSystem fs = cluster.mini().getFileSystem(0);
      DistributedFileSystem other = cluster.mini().getFileSystem(1);
      Path sole = new Path("/sole");
      byte[] content = SleepRig.writeTo(other, sole, SleepRig.datanode(cluster, "h0"));
      SleepRig.letSleep(cluster.mini().getNameNode(0));
      RackCluster.await(
          "intervals have ended",
          () -> power.count("sleep") > 0 || asleepOrKept(EafrRig.eafr(fs.getConf(), "plan")));
      assertEquals(List.of(), power.orders());
      assertTrue(RackCluster.reads(other, sole, content), "the only replica is off");
      assertEquals("other_namespace", roles(fs, "h0").path("stays_awake").asText());
      assertEquals("shared_machine", roles(fs, "h2").path("stays_awake").asText());
      String refusal =
          assertThrows(AssertionError.class, () -> EafrRig.eafr(fs.getConf(), "sleep", "h1"))
              .getMessage();
      assertTrue(refusal.contains("h1 stays awake: it serves another namespace, too"), refusal);
    }
  }

  private static boolean asleepOrKept(JsonNode plan) {
    return plan.path("stay_awake_other_namespace").asInt() == 1
        && plan.path("stay_awake_shared_machine").asInt() == 2;
  }

  @Test
  void whoIsGivenAnotherNamespaceBeforeItIsSwitchedOffStaysOn() throws Exception {
    Configuration conf = SleepRig.conf(power, "h0");
    conf.set(ConfigKeys.EAFR_SLEEP_SETTLE, "1h");
    MiniDFSNNTopology one = MiniDFSNNTopology.simpleFederatedTopology(1);
    try (RackCluster cluster = start(conf, one)) {
      NameNode nameNode = cluster.mini().getNameNode(0);
      DistributedFileSystem fs = cluster.mini().getFileSystem(0);
      SleepRig.letSleep(nameNode);
      RackCluster.await(
          "h0 is about to be switched off",
          () -> roles(fs, "h0").path("phase").asText().equals("settling"));
      cluster.mini().addNameNode(new Configuration(conf), 0);
      SleepRig.awaitInService(nameNode, "h0");
      assertEquals(List.of("wake"), power.words());
      assertEquals("other_namespace", roles(fs, "h0").path("stays_awake").asText());
    }
  }
}
