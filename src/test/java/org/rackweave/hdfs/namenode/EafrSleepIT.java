package org.rackweave.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.rackweave.cli.eafr.EafrCommand;
import org.rackweave.hdfs.ConfigKeys;

/** Servers that sleep: nothing is copied for them, and nothing is lost by them. */
class EafrSleepIT {
  private static final String[] COLD = {"h0", "h4"};

  @RegisterExtension final PowerSwitch power = new PowerSwitch();

  private Configuration conf() {
    return SleepRig.conf(power, String.join(",", COLD));
  }

  private SleepRig.Kept asleep(RackCluster cluster) throws Exception {
    SleepRig.Kept kept = SleepRig.Kept.write(cluster.fs());
    SleepRig.letSleep(cluster.mini().getNameNode());
    SleepRig.awaitAsleep(cluster.mini().getNameNode(), COLD);
    assertEquals(COLD.length, power.off());
    kept.check(cluster.fs());
    return kept;
  }

  private static NameNode restart(RackCluster cluster) throws Exception {
    cluster.mini().restartNameNode(0, false);
    NameNode nameNode = cluster.mini().getNameNode();
    RackCluster.await("safe mode is left", () -> !nameNode.isInSafeMode());
    SleepRig.awaitAnswer(cluster);
    RackCluster.await(
        "copies are asked for and held back",
        () -> SleepRig.roles(cluster).path("copies_held_back").asLong() > 0);
    return nameNode;
  }

  @Test
  void aRestartOfTheNameNodeWakesThoseItDoesNotKnowAndCopiesNothing() throws Exception {
    try (RackCluster cluster = SleepRig.start(conf(), power)) {
      SleepRig.Kept kept = asleep(cluster);
      power.setWakes(false);
      NameNode nameNode = restart(cluster);
      assertTrue(EafrRig.pending(nameNode) > 0, "what sleeps is not known to be missed");
      assertEquals(0, SleepRig.copies(cluster.mini()));
      power.setWakes(true);
      SleepRig.awaitInService(nameNode, COLD);
      RackCluster.await("nothing is missed", () -> EafrRig.pending(nameNode) == 0);
      assertEquals(0, SleepRig.copies(cluster.mini()));
      kept.check(cluster.fs());
    }
  }

  @Test
  void afterARestartThoseThatCannotBeWokenAreGivenUpAndHdfsCopies() throws Exception {
    Configuration conf = conf();
    conf.set(ConfigKeys.EAFR_WAKE_TIMEOUT, "5s");
    try (RackCluster cluster = SleepRig.start(conf, power)) {
      SleepRig.Kept kept = asleep(cluster);
      power.setBroken(true);
      restart(cluster);
      RackCluster.await(
          "they are given up", () -> SleepRig.roles(cluster).path("given_up").asLong() == 2);
      kept.awaitWhole(cluster);
      assertTrue(power.failed() >= 2 * COLD.length, "each is called more than once");
      assertEquals(power.failed(), SleepRig.roles(cluster).path("commands_failed").asLong());
      assertEquals(0, SleepRig.cold(cluster));
      kept.check(cluster.fs());
    }
  }

  /** Nobody says whether they will come, and that must not keep what is missing from being made. */
  @Test
  void afterARestartCopiesAreNotHeldBackForEverByACommandThatDoesNotEnd() throws Exception {
    Configuration conf = conf();
    conf.set(ConfigKeys.EAFR_WAKE_TIMEOUT, "5s");
    conf.set(ConfigKeys.EAFR_POWER_TIMEOUT, "10m");
    try (RackCluster cluster = SleepRig.start(conf, power)) {
      SleepRig.Kept kept = asleep(cluster);
      power.setHangs(true);
      restart(cluster);
      kept.awaitWhole(cluster);
      assertEquals(0, SleepRig.roles(cluster).path("given_up").asLong());
      assertEquals(COLD.length, SleepRig.cold(cluster));
      kept.check(cluster.fs());
    }
  }

  private static JsonNode eafr(RackCluster cluster, String... args) {
    return EafrRig.run(SleepRig.fs(cluster).getConf(), EafrCommand::eafr, args);
  }

  @Test
  void aFailoverLeavesSleepersAsleepAndCopiesNothing() throws Exception {
    try (SleepRig.Pair pair = SleepRig.Pair.start(conf())) {
      SleepRig.Kept kept = SleepRig.Kept.write(pair.fs());
      pair.awaitAsleep(power, COLD);
      pair.failOver();
      kept.check(pair.fs());
      SleepRig.awaitLooks(pair.second());
      assertEquals(0, EafrRig.pending(pair.second()));
      assertEquals(0, SleepRig.copies(pair.mini()));
      assertEquals(0, power.count("wake"));
      assertEquals(COLD.length, power.off());
    }
  }

  /** A standby that was restarted while servers slept has never heard of their replicas. */
  @Test
  void aStandbyThatKnowsNothingWakesSleepersWhenItTakesOver() throws Exception {
    try (SleepRig.Pair pair = SleepRig.Pair.start(conf())) {
      SleepRig.Kept kept = SleepRig.Kept.write(pair.fs());
      pair.awaitAsleep(power, COLD);
      pair.mini().restartNameNode(1, false);
      pair.catchUp();
      pair.failOver();
      NameNode second = pair.second();
      SleepRig.awaitInService(second, COLD);
      RackCluster.await(
          "nothing is missed", () -> !second.isInSafeMode() && EafrRig.pending(second) == 0);
      assertEquals(0, SleepRig.copies(pair.mini()));
      assertEquals(COLD.length, power.count("wake"));
      kept.check(pair.fs());
    }
  }

  @Test
  void aFailureWakesOneServerWhereOneIsEnough() throws Exception {
    try (RackCluster cluster = SleepRig.start(conf(), power)) {
      DataNode victim = SleepRig.datanode(cluster, "h2");
      Path bereft = new Path("/bereft");
      byte[] content =
          SleepRig.writeTo(
              cluster,
              bereft,
              SleepRig.datanode(cluster, "h0"),
              SleepRig.datanode(cluster, "h4"),
              victim);
      SleepRig.Kept kept = SleepRig.Kept.write(cluster.fs());
      NameNode nameNode = cluster.mini().getNameNode();
      SleepRig.letSleep(nameNode);
      SleepRig.awaitAsleep(nameNode, COLD);
      assertEquals(0, power.count("wake"));
      cluster.mini().stopDataNode(cluster.mini().getDataNodes().indexOf(victim));
      RackCluster.await("one is woken", () -> power.count("wake") > 0);
      RackCluster.await(
          "the block is back", () -> EafrRig.replicas(SleepRig.fs(cluster), bereft) > 0);
      assertArrayEquals(content, DFSTestUtil.readFileAsBytes(cluster.fs(), bereft));
      RackCluster.await("nothing is missed", () -> EafrRig.pending(nameNode) == 0);
      assertEquals(1, power.count("wake"), power.orders().toString());
      assertEquals(1, power.off());
      kept.check(cluster.fs());
    }
  }

  @Test
  void aSoleReplicaKeepsItsServerAwake() throws Exception {
    try (RackCluster cluster = SleepRig.start(conf(), power)) {
      SleepRig.writeTo(cluster, new Path("/sole"), SleepRig.datanode(cluster, "h0"));
      NameNode nameNode = cluster.mini().getNameNode();
      SleepRig.letSleep(nameNode);
      SleepRig.awaitAsleep(nameNode, "h4");
      SleepRig.awaitInService(nameNode, "h0");
      assertEquals(1, power.count("sleep"));
      assertEquals(0, SleepRig.copies(cluster.mini()));
    }
  }

  @Test
  void aPowerCommandThatFailsLeavesTheServerInService() throws Exception {
    power.setBroken(true);
    failsToSleep(conf());
  }

  @Test
  void aPowerCommandThatHangsIsKilledAndLeavesTheServerInService() throws Exception {
    power.setHangs(true);
    Configuration conf = conf();
    conf.set(ConfigKeys.EAFR_POWER_TIMEOUT, "1s");
    failsToSleep(conf);
  }

  private void failsToSleep(Configuration conf) throws Exception {
    try (RackCluster cluster = SleepRig.start(conf, power)) {
      SleepRig.Kept kept = SleepRig.Kept.write(cluster.fs());
      SleepRig.letSleep(cluster.mini().getNameNode());
      RackCluster.await(
          "both were tried and are back",
          () -> {
            JsonNode roles = SleepRig.roles(cluster);
            return roles.path("commands_failed").asLong() >= 4
                && roles.path("back").asLong() == COLD.length;
          });
      SleepRig.awaitInService(cluster.mini().getNameNode(), COLD);
      assertEquals(0, SleepRig.copies(cluster.mini()));
      kept.check(cluster.fs());
    }
  }

  @Test
  void aServerThatDoesNotComeBackCountsAsFailed() throws Exception {
    Configuration conf = conf();
    conf.set(ConfigKeys.EAFR_ROLES_COLD, "h0");
    conf.set(ConfigKeys.EAFR_WAKE_TIMEOUT, "5s");
    try (RackCluster cluster = SleepRig.start(conf, power)) {
      SleepRig.Kept kept = SleepRig.Kept.write(cluster.fs());
      NameNode nameNode = cluster.mini().getNameNode();
      SleepRig.letSleep(nameNode);
      SleepRig.awaitAsleep(nameNode, "h0");
      power.setWakes(false);
      eafr(cluster, "wake", "h0");
      RackCluster.await(
          "it is given up", () -> SleepRig.roles(cluster).path("given_up").asLong() == 1);
      kept.awaitWhole(cluster);
      assertTrue(power.count("wake") > 1, "it was called but once");
      kept.check(cluster.fs());
      power.setWakes(true);
      SleepRig.awaitInService(nameNode, "h0");
    }
  }

  @Test
  void aWakeCommandThatFailsIsGivenAgainUntilTheServerIsThere() throws Exception {
    Configuration conf = conf();
    conf.set(ConfigKeys.EAFR_ROLES_COLD, "h0");
    conf.set(ConfigKeys.EAFR_WAKE_TIMEOUT, "20s"); // it is given five times in that
    try (RackCluster cluster = SleepRig.start(conf, power)) {
      SleepRig.Kept kept = SleepRig.Kept.write(cluster.fs());
      NameNode nameNode = cluster.mini().getNameNode();
      SleepRig.letSleep(nameNode);
      SleepRig.awaitAsleep(nameNode, "h0");
      power.setBroken(true);
      eafr(cluster, "wake", "h0");
      RackCluster.await("it has failed twice", () -> power.failed() >= 2);
      SleepRig.awaitAsleep(nameNode, "h0");
      assertEquals(0, EafrRig.pending(nameNode), "what sleeps is not missed");
      power.setBroken(false);
      SleepRig.awaitInService(nameNode, "h0");
      JsonNode roles = SleepRig.roles(cluster);
      assertEquals(power.failed(), roles.path("commands_failed").asLong());
      assertEquals(0, roles.path("given_up").asLong());
      assertEquals(0, SleepRig.copies(cluster.mini()));
      kept.check(cluster.fs());
    }
  }

  @Test
  void aSleeperIsWokenToVerifyDeletesWhatIsGoneAndSleepsAgain() throws Exception {
    Configuration conf = conf();
    conf.set(ConfigKeys.EAFR_ROLES_COLD, "h0");
    conf.set(ConfigKeys.EAFR_VERIFY_INTERVAL, "20s");
    conf.set(ConfigKeys.EAFR_AWAKE_MIN, "10s");
    try (RackCluster cluster = SleepRig.start(conf, power)) {
      Path gone = new Path("/gone");
      SleepRig.writeTo(
          cluster, gone, SleepRig.datanode(cluster, "h0"), SleepRig.datanode(cluster, "h1"));
      ExtendedBlock block = DFSTestUtil.getFirstBlock(cluster.fs(), gone);
      NameNode nameNode = cluster.mini().getNameNode();
      SleepRig.letSleep(nameNode);
      SleepRig.awaitAsleep(nameNode, "h0");
      assertTrue(cluster.fs().delete(gone, false));
      RackCluster.await("it is woken", () -> power.count("wake") == 1);
      RackCluster.await(
          "its replica is deleted",
          () -> {
            if (power.off() > 0) {
              return false;
            }
            FsDatasetSpi<?> replicas = SleepRig.datanode(cluster, "h0").getFSDataset();
            return replicas != null && !replicas.contains(block); // null until it has started
          });
      RackCluster.await("it sleeps again", () -> power.count("sleep") == 2);
      assertEquals(1, SleepRig.roles(cluster).path("woken_verify").asLong());
    }
  }

  @Test
  void operatorsSeeRolesAndWakeAndPutToSleep() throws Exception {
    Configuration conf = conf();
    conf.set(ConfigKeys.EAFR_ROLES_COLD, "h0,nosuchhost");
    conf.set(ConfigKeys.EAFR_ROLES_STANDBY, "h1");
    try (RackCluster cluster = SleepRig.start(conf, power)) {
      NameNode nameNode = cluster.mini().getNameNode();
      SleepRig.letSleep(nameNode);
      SleepRig.awaitAsleep(nameNode, "h0");
      JsonNode roles = SleepRig.roles(cluster);
      assertEquals("nosuchhost", roles.path("unknown_hosts").asText());
      assertEquals("cold", role(roles, "h0"));
      assertEquals("standby", role(roles, "h1"));
      assertEquals("hot", role(roles, "h2"));
      RackCluster.await(
          "sleeping saves",
          () -> SleepRig.roles(cluster).path("energy_saved_kwh_per_day").asDouble() > 0);
      eafr(cluster, "wake", "h0");
      SleepRig.awaitInService(nameNode, "h0");
      eafr(cluster, "sleep", "h3");
      SleepRig.awaitAsleep(nameNode, "h3");
      assertEquals(List.of("sleep", "wake", "sleep"), power.words());
    }
  }

  @Test
  void drawnRolesAreTheSameAfterARestart() throws Exception {
    Configuration conf = SleepRig.conf(power, "");
    conf.set(ConfigKeys.EAFR_ROLES, "drawn");
    conf.set(ConfigKeys.EAFR_ROLES_STANDBY_SHARE, "0.5");
    try (RackCluster cluster = SleepRig.start(conf, power)) {
      SleepRig.letSleep(cluster.mini().getNameNode());
      RackCluster.await("one of each rack is drawn", () -> standby(cluster).size() == 3);
      Set<String> drawn = standby(cluster);
      cluster.mini().restartNameNode(0, true);
      // Nobody is drawn in shadow mode, which it is again after the restart.
      RackCluster.await("the same are standby", () -> isStandby(cluster, drawn));
      assertEquals(0, power.orders().size());
    }
  }

  /** False also when the first call over a connection from before the restart fails. */
  private static boolean isStandby(RackCluster cluster, Set<String> uuids) {
    try {
      return standby(cluster).equals(uuids);
    } catch (AssertionError e) {
      return false;
    }
  }

  private static Set<String> standby(RackCluster cluster) {
    Set<String> standby = new TreeSet<>();
    for (JsonNode server : SleepRig.roles(cluster).path("servers")) {
      if (server.path("role").asText().equals("standby")) {
        standby.add(server.path("uuid").asText());
      }
    }
    return standby;
  }

  private static String role(JsonNode roles, String host) {
    for (JsonNode server : roles.path("servers")) {
      if (server.path("datanode").asText().startsWith(host + ':')) {
        return server.path("role").asText();
      }
    }
    throw new AssertionError(host + " is not in " + roles);
  }
}
