package org.rackweave.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.ReplicaNotFoundException;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rackweave.cli.eafr.EafrCommand;
import org.rackweave.hdfs.ConfigKeys;

/** Files that are written on while one of their replicas sleeps. */
class EafrLateUpdatesIT {
  /** Half a block: what is appended goes into the block that sleeps. */
  private static final int HALF = RackCluster.BLOCK_BYTES / 2;

  @TempDir java.nio.file.Path directory;
  private PowerSwitch power;

  @BeforeEach
  void installPower() throws Exception {
    power = new PowerSwitch(directory);
  }

  @AfterEach
  void removePower() {
    power.close();
  }

  private static DataNode datanode(RackCluster cluster, String host) {
    return cluster.mini().getDataNodes().stream()
        .filter(one -> one.getDatanodeHostname().equals(host))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void aServerIsWokenForAsManyLateUpdatesAsMayWaitAndItsStaleReplicasGo() throws Exception {
    Configuration conf = SleepRig.conf(power, "h0");
    conf.set(ConfigKeys.EAFR_LATE_UPDATES_MAX, "2");
    conf.set(HdfsClientConfigKeys.BlockWrite.ReplaceDatanodeOnFailure.POLICY_KEY, "NEVER");
    try (RackCluster cluster = RackCluster.start(SleepRig.cluster(conf))) {
      power.wire(cluster.mini());
      DistributedFileSystem fs = cluster.fs();
      Path first = new Path("/first");
      Path second = new Path("/second");
      write(cluster, first);
      write(cluster, second);
      SleepRig.Kept kept = SleepRig.Kept.write(fs);
      NameNode nameNode = cluster.mini().getNameNode();
      SleepRig.letSleep(nameNode);
      SleepRig.awaitAsleep(nameNode, "h0");
      int asleep = SleepRig.on(nameNode, "h0").numBlocks();

      append(fs, first);
      RackCluster.await(
          "its sleeping replica counts no more",
          () -> SleepRig.on(nameNode, "h0").numBlocks() == asleep - 1);
      RackCluster.await("another is made", () -> EafrRig.replicas(fs, first) == 3);
      assertEquals(0, power.count("wake"), "one late update may wait");

      append(fs, second);
      RackCluster.await("the server is woken", () -> power.count("wake") > 0);
      SleepRig.awaitInService(nameNode, "h0");
      assertEquals(
          1, EafrRig.run(conf(fs), EafrCommand::eafr, "roles").path("woken_late_updates").asLong());
      awaitNoStaleReplica(cluster, first);
      awaitNoStaleReplica(cluster, second);
      RackCluster.await(
          "all replicas",
          () -> EafrRig.replicas(fs, first) == 3 && EafrRig.replicas(fs, second) == 3);
      assertArrayEquals(content(first), DFSTestUtil.readFileAsBytes(fs, first));
      assertArrayEquals(content(second), DFSTestUtil.readFileAsBytes(fs, second));
      kept.check(fs);
    }
  }

  private static Configuration conf(DistributedFileSystem fs) {
    return fs.getConf();
  }

  private static byte[] content(Path file) {
    byte[] content = new byte[2 * HALF];
    new SplittableRandom(file.hashCode()).nextBytes(content);
    return content;
  }

  private static void write(RackCluster cluster, Path file) throws IOException {
    SleepRig.writeTo(
        cluster.fs(),
        file,
        Arrays.copyOf(content(file), HALF),
        datanode(cluster, "h0"),
        datanode(cluster, "h2"),
        datanode(cluster, "h3"));
  }

  private static void append(DistributedFileSystem fs, Path file) throws IOException {
    try (FSDataOutputStream out = fs.append(file)) {
      out.write(content(file), HALF, HALF);
    }
  }

  private static void awaitNoStaleReplica(RackCluster cluster, Path file) throws IOException {
    ExtendedBlock now = DFSTestUtil.getFirstBlock(cluster.fs(), file);
    RackCluster.await("no stale replica of " + file, () -> isCurrentOrGone(cluster, now));
  }

  private static boolean isCurrentOrGone(RackCluster cluster, ExtendedBlock now) {
    FsDatasetSpi<?> replicas = datanode(cluster, "h0").getFSDataset();
    if (replicas == null) {
      return false; // it has not started yet
    }
    try {
      Block stored = replicas.getStoredBlock(now.getBlockPoolId(), now.getBlockId());
      return stored == null || stored.getGenerationStamp() == now.getGenerationStamp();
    } catch (ReplicaNotFoundException e) {
      return true;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
