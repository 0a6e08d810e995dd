package org.rackweave.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.protocol.DatanodeAdminProperties;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.AdminStates;
import org.apache.hadoop.hdfs.server.blockmanagement.CombinedHostFileManager;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.hdfs.util.CombinedHostsFileWriter;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.rackweave.Nightly;
import org.rackweave.hdfs.ConfigKeys;

/** The operator's own rules for hosts, with both of HDFS's providers, while a server sleeps. */
@Nightly
class EafrSleepRulesIT {
  private static final String SLEEPER = "h0";
  private static final String OTHER = "h3";

  @RegisterExtension final PowerSwitch power = new PowerSwitch();
  @TempDir Path directory;
  private Path rules;

  @BeforeEach
  void nameRules() {
    rules = directory.resolve("rules");
  }

  private static void refresh(RackCluster cluster, Configuration conf) throws IOException {
    NameNode nameNode = cluster.mini().getNameNode();
    nameNode.getNamesystem().getBlockManager().getDatanodeManager().refreshNodes(conf);
  }

  private static void await(RackCluster cluster, String host, AdminStates state) {
    RackCluster.await(
        host + " is " + state,
        () -> SleepRig.on(cluster.mini().getNameNode(), host).getAdminState() == state);
  }

  private Configuration combinedConf() throws IOException {
    Configuration conf = SleepRig.conf(power, SLEEPER);
    conf.set(ConfigKeys.EAFR_HOSTS_PROVIDER, CombinedHostFileManager.class.getName());
    conf.set(DFSConfigKeys.DFS_HOSTS, rules.toString());
    Files.writeString(rules, "");
    return conf;
  }

  /** How an operator has a host drained, or none if there is none to name. */
  private interface Drain {
    void write(NameNode nameNode, String host) throws IOException;
  }

  @Test
  void excludedHostsAreDrainedAndOneThatSleepsIsWokenForIt() throws Exception {
    Configuration conf = SleepRig.conf(power, SLEEPER);
    Files.writeString(rules, "");
    conf.set(DFSConfigKeys.DFS_HOSTS_EXCLUDE, rules.toString());
    drainsHosts(
        conf,
        (nameNode, host) ->
            Files.writeString(
                rules, host == null ? "" : SleepRig.on(nameNode, host).getXferAddr() + "\n"));
  }

  @Test
  void decommissionedHostsAreDrainedAndOneThatSleepsIsWokenForIt() throws Exception {
    drainsHosts(
        combinedConf(), (nameNode, host) -> write(nameNode, host, AdminStates.DECOMMISSIONED));
  }

  private void drainsHosts(Configuration conf, Drain drain) throws Exception {
    try (RackCluster cluster = SleepRig.start(conf, power)) {
      SleepRig.Kept kept = SleepRig.Kept.write(cluster.fs());
      NameNode nameNode = cluster.mini().getNameNode();
      SleepRig.letSleep(nameNode);
      SleepRig.awaitAsleep(nameNode, SLEEPER);

      drain.write(nameNode, OTHER);
      refresh(cluster, conf);
      await(cluster, OTHER, AdminStates.DECOMMISSIONED);
      SleepRig.awaitAsleep(nameNode, SLEEPER);
      assertEquals(0, power.count("wake"));
      drain.write(nameNode, null);
      refresh(cluster, conf);
      SleepRig.awaitInService(nameNode, OTHER);

      drain.write(nameNode, SLEEPER);
      refresh(cluster, conf);
      await(cluster, SLEEPER, AdminStates.DECOMMISSIONED);
      assertTrue(SleepRig.on(nameNode, SLEEPER).isAlive(), "drained without being there");
      assertEquals(1, power.count("wake"));
      kept.check(cluster.fs());
    }
  }

  @Test
  void aSleeperThatIsNoLongerIncludedIsForgottenAndItsReplicasAreMadeAgain() throws Exception {
    Configuration conf = SleepRig.conf(power, SLEEPER);
    Files.writeString(rules, "");
    conf.set(DFSConfigKeys.DFS_HOSTS, rules.toString());
    try (RackCluster cluster = SleepRig.start(conf, power)) {
      SleepRig.Kept kept = SleepRig.Kept.write(cluster.fs());
      NameNode nameNode = cluster.mini().getNameNode();
      SleepRig.letSleep(nameNode);
      SleepRig.awaitAsleep(nameNode, SLEEPER);
      assertTrue(SleepRig.on(nameNode, SLEEPER).numBlocks() > 0, "nothing would be missed");

      include(nameNode, datanode -> true);
      refresh(cluster, conf);
      SleepRig.awaitLooks(nameNode);
      SleepRig.awaitAsleep(nameNode, SLEEPER);
      assertEquals(0, SleepRig.copies(cluster.mini()));

      include(nameNode, datanode -> !datanode.getHostName().equals(SLEEPER));
      refresh(cluster, conf);
      kept.awaitWhole(cluster);
      assertEquals(0, SleepRig.cold(cluster));
      assertEquals(0, power.count("wake"));
      kept.check(cluster.fs());
    }
  }

  private void include(NameNode nameNode, Predicate<DatanodeDescriptor> isIncluded)
      throws IOException {
    Files.write(
        rules,
        nameNode.getNamesystem().getBlockManager().getDatanodeManager().getDatanodes().stream()
            .filter(isIncluded)
            .map(DatanodeDescriptor::getXferAddr)
            .toList());
  }

  @Test
  void theOperatorsMaintenanceOutlivesASleepAndDoesNotWakeAnybody() throws Exception {
    Configuration conf = combinedConf();
    try (RackCluster cluster = SleepRig.start(conf, power)) {
      SleepRig.Kept kept = SleepRig.Kept.write(cluster.fs());
      NameNode nameNode = cluster.mini().getNameNode();
      SleepRig.letSleep(nameNode);
      SleepRig.awaitAsleep(nameNode, SLEEPER);

      write(nameNode, OTHER, AdminStates.IN_MAINTENANCE);
      refresh(cluster, conf);
      await(cluster, OTHER, AdminStates.IN_MAINTENANCE);
      write(nameNode, SLEEPER, AdminStates.IN_MAINTENANCE);
      refresh(cluster, conf);
      SleepRig.awaitInService(nameNode, OTHER);
      SleepRig.awaitAsleep(nameNode, SLEEPER);
      assertEquals(0, power.count("wake"));

      SleepRig.eafr(cluster, "wake", SLEEPER);
      RackCluster.await(
          SLEEPER + " is no longer cold",
          () -> SleepRig.roles(cluster).path("back").asLong() == 1,
          () -> SleepRig.on(nameNode, SLEEPER).dumpDatanode() + '\n' + SleepRig.roles(cluster));
      DatanodeDescriptor sleeper = SleepRig.on(nameNode, SLEEPER);
      assertTrue(
          sleeper.isAlive() && sleeper.isInMaintenance(), sleeper.getAdminState().toString());
      write(nameNode, SLEEPER, AdminStates.NORMAL);
      refresh(cluster, conf);
      SleepRig.awaitInService(nameNode, SLEEPER);
      kept.check(cluster.fs());
      assertEquals(0, SleepRig.copies(cluster.mini()));
    }
  }

  /** Rules that name all hosts, and one, unless it is {@code null}, with another state. */
  private void write(NameNode nameNode, String host, AdminStates state) throws IOException {
    Set<DatanodeAdminProperties> all = new HashSet<>();
    for (DatanodeDescriptor datanode :
        nameNode.getNamesystem().getBlockManager().getDatanodeManager().getDatanodes()) {
      DatanodeAdminProperties one = new DatanodeAdminProperties();
      one.setHostName(datanode.getIpAddr());
      one.setPort(datanode.getXferPort());
      if (datanode.getHostName().equals(host)) {
        one.setAdminState(state);
        one.setMaintenanceExpireTimeInMS(Long.MAX_VALUE);
      }
      all.add(one);
    }
    assertEquals(SleepRig.RACKS.length * 2, all.size());
    CombinedHostsFileWriter.writeFile(rules.toString(), all);
  }
}
