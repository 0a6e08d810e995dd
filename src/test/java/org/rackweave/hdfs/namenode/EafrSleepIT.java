package org.rackweave.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
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

  private static final int READERS = 3;
  private static final double READS_PER_SEC = 10;

  /** More than the test waits for. */
  private static final int READS_MAX = 5_000;

  /** Reads are tried again after this and longer each time, so often within two minutes. */
  private static final int READ_AGAIN_MS = 200;

  private static final int PATIENCE = 28;

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
      // What it does not know of those that are awake HDFS would copy, whoever sleeps.
      pair.awaitSameReplicas("h1", "h2", "h3", "h5");
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

  /** Readers of the cluster's files, who wait for a block that nobody has now. */
  private static SkewedReaders readers(
      RackCluster cluster, double readsPerSec, Map<Path, byte[]> contents, int attempts)
      throws IOException {
    Configuration conf = new Configuration(cluster.fs().getConf());
    conf.setInt(HdfsClientConfigKeys.DFS_CLIENT_MAX_BLOCK_ACQUIRE_FAILURES_KEY, attempts);
    conf.setInt(HdfsClientConfigKeys.Retry.WINDOW_BASE_KEY, READ_AGAIN_MS);
    List<FileSystem> clients = new ArrayList<>();
    for (int i = 0; i < READERS; i++) {
      clients.add(FileSystem.newInstance(cluster.fs().getUri(), conf));
    }
    return new SkewedReaders(clients, readsPerSec, contents);
  }

  /** One awake, one that is to sleep, and one that fails have the replicas of each file. */
  private static Map<Path, byte[]> writeToThirds(RackCluster cluster, DataNode victim)
      throws IOException {
    Map<Path, byte[]> contents = new LinkedHashMap<>();
    for (String awake : List.of("h1", "h3", "h5")) {
      for (String cold : COLD) {
        Path file = new Path("/read/" + awake + cold);
        contents.put(
            file,
            SleepRig.writeTo(
                cluster,
                file,
                SleepRig.datanode(cluster, awake),
                SleepRig.datanode(cluster, cold),
                victim));
      }
    }
    return contents;
  }

  @Test
  void aFailureUnderReadsWakesOneServerWhereOneIsEnoughAndNoReadFails() throws Exception {
    long seed = new SplittableRandom().nextLong();
    System.out.println("reads while a server fails and others sleep, seed " + seed);
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
      Map<Path, byte[]> read = writeToThirds(cluster, victim);
      SleepRig.Kept kept = SleepRig.Kept.write(cluster.fs());
      NameNode nameNode = cluster.mini().getNameNode();
      SleepRig.letSleep(nameNode);
      SleepRig.awaitAsleep(nameNode, COLD);
      assertEquals(0, power.count("wake"));
      try (SkewedReaders readers =
              readers(
                  cluster,
                  READS_PER_SEC,
                  read,
                  HdfsClientConfigKeys.DFS_CLIENT_MAX_BLOCK_ACQUIRE_FAILURES_DEFAULT);
          SkewedReaders patient = readers(cluster, 1, Map.of(bereft, content), PATIENCE);
          SkewedReaders.Load load = readers.begin(List.copyOf(read.keySet()), seed, READS_MAX);
          SkewedReaders.Load waiting = patient.begin(List.of(bereft), ~seed, READS_MAX)) {
        RackCluster.await(
            "reads of what will need no waking, and of what will",
            () -> load.done() > 0 && waiting.done() > 0);
        cluster.mini().stopDataNode(cluster.mini().getDataNodes().indexOf(victim));
        long readBefore = load.done();
        RackCluster.await("one is woken", () -> power.count("wake") > 0);
        long readMeanwhile = load.done() - readBefore;
        assertTrue(readMeanwhile > 0, "nobody was kept from reading");
        RackCluster.await(
            "the block is back", () -> EafrRig.replicas(SleepRig.fs(cluster), bereft) > 0);
        long waitedFor = waiting.done();
        RackCluster.await("nothing is missed", () -> EafrRig.pending(nameNode) == 0);
        RackCluster.await("the block is read again", () -> waiting.done() > waitedFor);
        System.out.printf(
            "%d reads before, %d until one was woken, %d in all, %d of the block it was woken for%n",
            readBefore, readMeanwhile, load.done(), waiting.done());
      }
      assertArrayEquals(content, DFSTestUtil.readFileAsBytes(cluster.fs(), bereft));
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
      assertEquals(6, roles.path("datanodes").asInt());
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

  /** No interval ends here. */
  private Configuration confForPlans() {
    Configuration conf = conf();
    conf.set(ConfigKeys.EAFR_INTERVAL, "1h");
    conf.set(ConfigKeys.EAFR_ROLES_COLD, "h0");
    conf.set(ConfigKeys.EAFR_ROLES_STANDBY, "h1,h2,h3");
    conf.set(ConfigKeys.EAFR_ROLES_COLD_SHARE, "0.67"); // four of six
    conf.set(ConfigKeys.EAFR_LATE_UPDATES_MAX, "1");
    conf.setLong(ConfigKeys.EAFR_RESERVE_BYTES, 1L << 60); // so that all are full
    return conf;
  }

  @Test
  void aPlanShowsWhoIsToSleepAndWhyAndChangesNothing() throws Exception {
    try (RackCluster cluster = SleepRig.start(confForPlans(), power)) {
      SleepRig.writeTo(cluster, new Path("/sole"), SleepRig.datanode(cluster, "h2"));
      RackCluster.await("roles are known", () -> standby(cluster).size() == 4);
      JsonNode plan = eafr(cluster, "plan");
      assertEquals(
          Set.of("h0 standby->cold NAMED", "h1 standby->cold EQ8", "h3 standby->cold EQ8"),
          changes(plan),
          plan.toString());
      assertEquals("h0", host(plan.at("/servers/0")), "who is named is first");
      String because = plan.at("/servers/1/because").asText();
      assertTrue(
          because.matches("EQ8: free space < tau_s \\([0-9]+ against " + (1L << 60) + " bytes\\)"),
          because);
      assertEquals(1, plan.path("stay_awake_needed").asInt(), plan.toString());
      assertEquals("in active mode, or by --apply", plan.path("falling_asleep").asText());
      assertEquals(0, plan.path("changes").size());
      assertEquals(0, plan.path("cold").asInt(-1));
      assertEquals(4, plan.path("cold_max").asInt());
      eafr(cluster, "pause");
      JsonNode left = eafr(cluster, "plan", "--apply", plan.path("plan").asText());
      assertEquals(
          Map.of("h0", "switched_off", "h1", "switched_off", "h3", "switched_off"), outcomes(left));
      assertEquals(0, left.path("servers_done").asInt(-1));
      plan = eafr(cluster, "plan");
      assertEquals("not while paused", plan.path("falling_asleep").asText());
      assertEquals(Set.of(), changes(plan));
      assertEquals(0, SleepRig.cold(cluster));
      assertEquals(List.of(), power.orders());
    }
  }

  @Test
  void aPlanThatIsAppliedPutsToSleepAndWakesTheVeryServersItShows() throws Exception {
    try (RackCluster cluster = SleepRig.start(confForPlans(), power)) {
      Path gone = new Path("/gone");
      SleepRig.writeTo(
          cluster, gone, SleepRig.datanode(cluster, "h0"), SleepRig.datanode(cluster, "h5"));
      SleepRig.writeTo(cluster, new Path("/sole"), SleepRig.datanode(cluster, "h2"));
      NameNode nameNode = cluster.mini().getNameNode();
      SleepRig.letSleep(nameNode);
      RackCluster.await("roles are known", () -> standby(cluster).size() == 4);
      AtomicReference<JsonNode> shown = new AtomicReference<>();
      RackCluster.await(
          "all but one are to sleep",
          () -> {
            shown.set(eafr(cluster, "plan"));
            return changes(shown.get()).size() == 3;
          });
      JsonNode plan = shown.get();
      assertEquals("at the end of the interval", plan.path("falling_asleep").asText());
      eafr(cluster, "sleep", "h3");
      JsonNode applied = eafr(cluster, "plan", "--apply", plan.path("plan").asText());
      assertEquals(
          Map.of("h0", "done", "h1", "done", "h3", "changed_meanwhile"), outcomes(applied));
      assertEquals(2, applied.path("servers_done").asInt());
      SleepRig.awaitAsleep(nameNode, "h0", "h1", "h3");
      assertEquals(List.of("sleep", "sleep", "sleep"), power.words());
      assertEquals(3, SleepRig.cold(cluster));

      assertTrue(cluster.fs().delete(gone, false));
      RackCluster.await(
          "one has a late update, and the others are as they are to be",
          () -> changes(eafr(cluster, "plan")).equals(Set.of("h0 cold->standby LATE_UPDATES")));
      assertEquals(0, power.count("wake"), "nobody is woken by a plan");
      assertEquals(Map.of("h0", "done"), outcomes(eafr(cluster, "plan", "--apply")));
      SleepRig.awaitInService(nameNode, "h0");
      assertEquals(1, power.count("wake"));
      SleepRig.awaitAsleep(nameNode, "h1", "h3");
      assertEquals(1, SleepRig.roles(cluster).path("woken_late_updates").asLong());
      assertEquals(0, SleepRig.copies(cluster.mini()));
    }
  }

  private static Map<String, String> outcomes(JsonNode applied) {
    Map<String, String> outcomes = new LinkedHashMap<>();
    for (JsonNode server : applied.path("servers")) {
      outcomes.put(host(server), server.path("outcome").asText());
    }
    return outcomes;
  }

  /** What a plan says of servers. */
  private static Set<String> changes(JsonNode plan) {
    Set<String> changes = new TreeSet<>();
    for (JsonNode server : plan.path("servers")) {
      changes.add(
          String.format(
              "%s %s->%s %s",
              host(server),
              server.path("from").asText(),
              server.path("to").asText(),
              server.path("equation").asText()));
    }
    return changes;
  }

  private static String host(JsonNode server) {
    return server.path("datanode").asText().replaceFirst(":[0-9]+$", "");
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
      if (host(server).equals(host)) {
        return server.path("role").asText();
      }
    }
    throw new AssertionError(host + " is not in " + roles);
  }
}
