package org.rackweave.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
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
import org.rackweave.Nightly;
import org.rackweave.hdfs.ConfigKeys;
import org.rackweave.hdfs.ConfiguredRules;

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
  void aRestartOfTheNameNodeWakesThoseItDoesNotKnowAndCopiesWhatHasOneReplicaOnly()
      throws Exception {
    try (RackCluster cluster = SleepRig.start(conf(), power)) {
      SleepRig.Kept kept = asleep(cluster);
      Set<ExtendedBlock> singles = kept.blocksOf(cluster.fs(), 1);
      Set<ExtendedBlock> pairs = kept.blocksOf(cluster.fs(), 2);
      assertFalse(pairs.isEmpty());
      power.setWakes(false);
      NameNode nameNode = restart(cluster);
      assertTrue(EafrRig.pending(nameNode) > 0, "what sleeps is not known to be missed");
      RackCluster.await(
          "no block has one replica", () -> kept.blocksOf(SleepRig.fs(cluster), 1).isEmpty());
      assertTrue(kept.blocksOf(cluster.fs(), 2).containsAll(pairs), "others are copied, too");
      power.setWakes(true);
      SleepRig.awaitInService(nameNode, COLD);
      RackCluster.await("nothing is missed", () -> EafrRig.pending(nameNode) == 0);
      SleepRig.assertCopiesOf(singles, cluster.mini());
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
  @Nightly
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
  @Nightly
  @Test
  void aStandbyThatKnowsNothingWakesSleepersWhenItTakesOver() throws Exception {
    try (SleepRig.Pair pair = SleepRig.Pair.start(conf())) {
      SleepRig.Kept kept = SleepRig.Kept.write(pair.fs());
      pair.awaitAsleep(power, COLD);
      pair.mini().restartNameNode(1, false);
      pair.catchUp();
      Set<ExtendedBlock> singles = kept.blocksOf(pair.fs(), 1);
      // What it does not know of those that are awake HDFS would copy, whoever sleeps.
      pair.awaitSameReplicas("h1", "h2", "h3", "h5");
      pair.failOver();
      NameNode second = pair.second();
      SleepRig.awaitInService(second, COLD);
      RackCluster.await(
          "nothing is missed", () -> !second.isInSafeMode() && EafrRig.pending(second) == 0);
      // Those that are awake again before HDFS looks need no copies.
      assertTrue(SleepRig.copies(pair.mini()) <= 2L * singles.size());
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

  @Nightly
  @Test
  void aFailureUnderReadsWakesOneServerWhereOneIsEnoughAndNoReadFails() throws Exception {
    long seed = new SplittableRandom().nextLong();
    System.out.println("reads while a server fails and others sleep, seed " + seed);
    Configuration conf = conf();
    conf.set(ConfigKeys.EAFR_CAPACITY, "100"); // readers alone wake nobody
    try (RackCluster cluster = SleepRig.start(conf, power)) {
      DataNode victim = SleepRig.datanode(cluster, "h2");
      Path unreadable = new Path("/unreadable");
      byte[] content =
          SleepRig.writeTo(
              cluster,
              unreadable,
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
          SkewedReaders patient = readers(cluster, 1, Map.of(unreadable, content), PATIENCE);
          SkewedReaders.Load load = readers.begin(List.copyOf(read.keySet()), seed, READS_MAX);
          SkewedReaders.Load waiting = patient.begin(List.of(unreadable), ~seed, READS_MAX)) {
        RackCluster.await(
            "reads of what will need no waking, and of what will",
            () -> load.done() > 0 && waiting.done() > 0);
        cluster.mini().stopDataNode(cluster.mini().getDataNodes().indexOf(victim));
        long readBefore = load.done();
        RackCluster.await("one is woken", () -> power.count("wake") > 0);
        long readMeanwhile = load.done() - readBefore;
        assertTrue(readMeanwhile > 0, "nobody was kept from reading");
        RackCluster.await(
            "the block is back", () -> EafrRig.replicas(SleepRig.fs(cluster), unreadable) > 0);
        long waitedFor = waiting.done();
        RackCluster.await("nothing is missed", () -> EafrRig.pending(nameNode) == 0);
        RackCluster.await("the block is read again", () -> waiting.done() > waitedFor);
        System.out.printf(
            "%d reads before, %d until one was woken, %d in all, %d of the block it was woken for%n",
            readBefore, readMeanwhile, load.done(), waiting.done());
      }
      assertArrayEquals(content, DFSTestUtil.readFileAsBytes(cluster.fs(), unreadable));
      assertEquals(1, power.count("wake"), power.orders().toString());
      assertEquals(1, power.off());
      RackCluster.await(
          "who was woken by a failure is hot, and stays so",
          () -> {
            JsonNode roles = SleepRig.roles(cluster);
            return roles.path("back").asLong() == 1
                && roles.path("servers").findValuesAsText("role").stream()
                        .filter("hot"::equals)
                        .count()
                    == 5;
          });
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

  @Nightly
  @Test
  void aPowerCommandThatFailsLeavesTheServerInService() throws Exception {
    power.setBroken(true);
    Configuration conf = conf();
    conf.set(ConfigKeys.EAFR_POWER_TIMEOUT, "2s"); // for which it is heard of before it is back
    failsToSleep(conf);
  }

  @Nightly
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
  void aFileOfWhichAReplicaSleepsFollowsItsReaders() throws Exception {
    Configuration conf = conf();
    conf.set(ConfigKeys.EAFR_ROLES_COLD, "h0");
    conf.set(ConfiguredRules.HEAT, "/data=adapt max=4");
    try (RackCluster cluster = SleepRig.start(conf, power)) {
      NameNode nameNode = cluster.mini().getNameNode();
      Path file = new Path("/data/read");
      byte[] content =
          SleepRig.writeTo(
              cluster,
              file,
              SleepRig.datanode(cluster, "h0"),
              SleepRig.datanode(cluster, "h2"),
              SleepRig.datanode(cluster, "h4"));
      SleepRig.letSleep(nameNode);
      SleepRig.awaitAsleep(nameNode, "h0");
      cluster
          .context()
          .setModes(cluster.context().modes().with("sleep=shadow")); // readers wake none
      assertEquals(2, EafrRig.replicas(cluster.fs(), file));
      RackCluster.await(
          "a replica more is awake",
          () -> {
            EafrRig.read(SleepRig.fs(cluster), file);
            return EafrRig.replicas(SleepRig.fs(cluster), file) == 3;
          },
          () -> SleepRig.eafr(cluster, "status").toString());
      assertEquals(4, EafrRig.factor(cluster.fs(), file));
      RackCluster.await(
          "its own factor again", () -> EafrRig.factor(SleepRig.fs(cluster), file) == 3);
      SleepRig.awaitAsleep(nameNode, "h0");
      assertTrue(RackCluster.reads(cluster.fs(), file, content));
      SleepRig.eafr(cluster, "wake", "h0");
      SleepRig.awaitInService(nameNode, "h0");
      assertTrue(RackCluster.reads(cluster.fs(), file, content));
    }
  }

  @Nightly
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
      SleepRig.eafr(cluster, "wake", "h0");
      RackCluster.await(
          "it is given up", () -> SleepRig.roles(cluster).path("given_up").asLong() == 1);
      kept.awaitWhole(cluster);
      assertTrue(power.count("wake") > 1, "it was called but once");
      kept.check(cluster.fs());
      power.setWakes(true);
      SleepRig.awaitInService(nameNode, "h0");
    }
  }

  @Nightly
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
      SleepRig.eafr(cluster, "wake", "h0");
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

  @Nightly
  @Test
  void aSleeperIsWokenToVerifyDeletesWhatIsGoneAndSleepsAgain() throws Exception {
    Configuration conf = conf();
    conf.set(ConfigKeys.EAFR_ROLES_COLD, "h0");
    conf.set(ConfigKeys.EAFR_VERIFY_INTERVAL, "20s");
    conf.set(ConfigKeys.EAFR_WAKE_TIMEOUT, "15s");
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
}
