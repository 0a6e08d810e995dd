package org.rackweave.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.ReplicaNotFoundException;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.rackweave.Nightly;
import org.rackweave.hdfs.ConfigKeys;
import org.rackweave.hdfs.FeatureModes;
import org.rackweave.hdfs.Mode;

/** Files that are written again or deleted while one of their replicas sleeps. */
@Tag("newest-hadoop")
class EafrLateUpdatesIT {
  /** Half a block: what is appended goes into the block that sleeps. */
  private static final int HALF = RackCluster.BLOCK_BYTES / 2;

  private static final String SLEEPER = "h0";

  @RegisterExtension final PowerSwitch power = new PowerSwitch();

  private Configuration conf() {
    Configuration conf = SleepRig.conf(power, SLEEPER);
    // Nobody is to be missed but who is switched off, however slow this machine is.
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_HEARTBEAT_RECHECK_INTERVAL_KEY, 30_000);
    return conf;
  }

  @Nightly
  @Test
  void aServerIsWokenForAsManyLateUpdatesAsMayWaitAndItsStaleReplicasGo() throws Exception {
    Configuration conf = conf();
    conf.set(ConfigKeys.EAFR_LATE_UPDATES_MAX, "3");
    conf.set(ConfigKeys.EAFR_AWAKE_MIN, "0");
    conf.set(ConfigKeys.EAFR_POWER_TIMEOUT, "10m");
    conf.set(HdfsClientConfigKeys.BlockWrite.ReplaceDatanodeOnFailure.POLICY_KEY, "NEVER");
    try (RackCluster cluster = SleepRig.start(conf, power)) {
      DistributedFileSystem fs = cluster.fs();
      NameNode nameNode = cluster.mini().getNameNode();
      Path first = new Path("/first");
      Path second = new Path("/second");
      Path gone = new Path("/gone");
      Path lowered = new Path("/lowered");
      write(cluster, fs, first, Arrays.copyOf(content(first), HALF));
      write(cluster, fs, second, Arrays.copyOf(content(second), HALF));
      write(cluster, fs, gone, content(gone));
      write(cluster, fs, lowered, content(lowered));
      ExtendedBlock deleted = DFSTestUtil.getFirstBlock(fs, gone);
      SleepRig.Kept kept = SleepRig.Kept.write(fs);
      power.setLingers(true);
      SleepRig.letSleep(nameNode);
      SleepRig.awaitAsleep(nameNode, SLEEPER);
      RackCluster.contextOf(nameNode)
          .setModes(FeatureModes.all(Mode.SHADOW)); // it is not to sleep again at once

      append(fs, first);
      RackCluster.await("a replica takes the stale one's place", () -> isWhole(fs, first));
      power.setLingers(false);
      awaitLateUpdates(fs, 1); // the server was off before the command ended
      assertTrue(fs.delete(gone, false));
      awaitLateUpdates(fs, 2);
      assertTrue(fs.setReplication(lowered, (short) 2)); // what sleeps is not stale by that
      assertEquals(2, lateUpdates(fs));
      assertEquals(0, power.count("wake"), "so many may wait");

      append(fs, second);
      RackCluster.await("the server is woken", () -> power.count("wake") > 0);
      SleepRig.awaitInService(nameNode, SLEEPER);
      assertEquals(1, SleepRig.roles(fs).path("woken_late_updates").asLong());
      RackCluster.await("the deleted file's replica goes", () -> !has(cluster, deleted));
      for (Path file : List.of(first, second)) {
        ExtendedBlock now = DFSTestUtil.getFirstBlock(fs, file);
        RackCluster.await("no stale replica of " + file, () -> isCurrentOrGone(cluster, now));
        RackCluster.await("all replicas of " + file, () -> isWhole(fs, file));
      }
      RackCluster.await("no replica too many", () -> EafrRig.replicas(fs, lowered) == 2);

      SleepRig.letSleep(nameNode);
      RackCluster.await("it sleeps again", () -> power.count("sleep") == 2);
      SleepRig.awaitAsleep(nameNode, SLEEPER);
      for (Path file : List.of(first, second, lowered)) {
        assertArrayEquals(content(file), DFSTestUtil.readFileAsBytes(fs, file), file.toString());
      }
      kept.check(fs);
      assertEquals(0, lateUpdates(fs));
      assertEquals(List.of("sleep", "wake", "sleep"), power.words());
    }
  }

  @Test
  void aNameNodeThatTakesOverKnowsWhatWasDeletedBefore() throws Exception {
    Configuration conf = conf();
    conf.set(ConfigKeys.EAFR_LATE_UPDATES_MAX, "2");
    try (SleepRig.Pair pair = SleepRig.Pair.start(conf)) {
      RackCluster cluster = pair.cluster();
      DistributedFileSystem fs = pair.fs();
      NameNode after = pair.second();
      Path first = new Path("/first");
      Path second = new Path("/second");
      write(cluster, fs, first, content(first));
      write(cluster, fs, second, content(second));
      List<ExtendedBlock> deleted =
          List.of(DFSTestUtil.getFirstBlock(fs, first), DFSTestUtil.getFirstBlock(fs, second));
      SleepRig.Kept kept = SleepRig.Kept.write(fs);
      pair.awaitAsleep(power, SLEEPER);

      assertTrue(fs.delete(first, false));
      pair.catchUp();
      pair.failOver();
      SleepRig.awaitLooks(after);
      assertEquals(0, power.count("wake"), "so many may wait, and its replicas are known");
      assertTrue(fs.delete(second, false));
      RackCluster.await("the server is woken", () -> power.count("wake") > 0);
      SleepRig.awaitInService(after, SLEEPER);
      for (ExtendedBlock block : deleted) {
        RackCluster.await("the deleted files' replicas go", () -> !has(cluster, block));
      }
      kept.check(fs);
    }
  }

  private static long lateUpdates(DistributedFileSystem fs) {
    long updates = 0;
    for (JsonNode server : SleepRig.roles(fs).path("servers")) {
      updates += server.path("late_updates").asLong();
    }
    return updates;
  }

  private static void awaitLateUpdates(DistributedFileSystem fs, long count) {
    RackCluster.await(count + " late updates", () -> lateUpdates(fs) == count);
  }

  private static boolean isWhole(DistributedFileSystem fs, Path file) {
    return EafrRig.replicas(fs, file) == 3;
  }

  private static byte[] content(Path file) {
    byte[] content = new byte[2 * HALF];
    new SplittableRandom(file.hashCode()).nextBytes(content);
    return content;
  }

  private static void write(
      RackCluster cluster, DistributedFileSystem fs, Path file, byte[] content) throws IOException {
    SleepRig.writeTo(
        fs,
        file,
        content,
        SleepRig.datanode(cluster, SLEEPER),
        SleepRig.datanode(cluster, "h2"),
        SleepRig.datanode(cluster, "h3"));
  }

  private static void append(DistributedFileSystem fs, Path file) throws IOException {
    try (FSDataOutputStream out = fs.append(file)) {
      out.write(content(file), HALF, HALF);
    }
  }

  private static boolean has(RackCluster cluster, ExtendedBlock block) {
    FsDatasetSpi<?> replicas = SleepRig.datanode(cluster, SLEEPER).getFSDataset();
    return replicas == null || replicas.contains(block); // null until it has started
  }

  private static boolean isCurrentOrGone(RackCluster cluster, ExtendedBlock now) {
    FsDatasetSpi<?> replicas = SleepRig.datanode(cluster, SLEEPER).getFSDataset();
    try {
      Block stored =
          replicas == null ? null : replicas.getStoredBlock(now.getBlockPoolId(), now.getBlockId());
      return replicas != null
          && (stored == null || stored.getGenerationStamp() == now.getGenerationStamp());
    } catch (ReplicaNotFoundException e) {
      return true;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
