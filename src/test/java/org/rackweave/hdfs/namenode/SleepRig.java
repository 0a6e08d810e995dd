package org.rackweave.hdfs.namenode;

import static org.apache.hadoop.test.MetricsAsserts.getLongCounter;
import static org.apache.hadoop.test.MetricsAsserts.getMetrics;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.MiniDFSNNTopology;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.hdfs.server.namenode.ha.HATestUtil;
import org.rackweave.hdfs.ConfigKeys;
import org.rackweave.hdfs.ConfiguredRules;
import org.rackweave.hdfs.FeatureModes;
import org.rackweave.hdfs.Mode;
import org.rackweave.hdfs.RolesConfig;
import org.rackweave.hdfs.datanode.ChosenRpcEngine;
import org.rackweave.hdfs.datanode.RackweaveDataNodePlugin;

/** What tests of sleeping servers have in common. */
final class SleepRig {
  /** Three racks of two; the first of each is {@code h0}, {@code h2}, {@code h4}. */
  static final int[] RACKS = {2, 2, 2};

  private static final int FILES = 20;

  private SleepRig() {}

  /**
   * Settings that make minutes of weeks. Nobody falls asleep before {@link #letSleep}.
   *
   * @param cold hosts that are to sleep
   */
  static Configuration conf(PowerSwitch power, String cold) {
    Configuration conf = EafrRig.conf();
    ChosenRpcEngine.agentOn(conf);
    conf.set(DFSConfigKeys.DFS_DATANODE_PLUGINS_KEY, RackweaveDataNodePlugin.class.getName());
    conf.unset(ConfiguredRules.HEAT);
    conf.set(ConfigKeys.MODE, "shadow");
    conf.set(DFSConfigKeys.DFS_BLOCK_REPLICATOR_CLASSNAME_KEY, PolicyAdvice.EAFR);
    conf.set(DFSConfigKeys.DFS_NAMENODE_HOSTS_PROVIDER_CLASSNAME_KEY, RolesConfig.HOSTS_PROVIDER);
    conf.set(ConfigKeys.EAFR_ROLES, "named");
    conf.set(ConfigKeys.EAFR_ROLES_COLD, cold);
    conf.set(ConfigKeys.EAFR_ROLES_COLD_SHARE, "0.34");
    conf.set(ConfigKeys.EAFR_POWER_COMMAND, power.command());
    conf.set(ConfigKeys.EAFR_SLEEP_SETTLE, "0");
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_DECOMMISSION_INTERVAL_KEY, 1);
    // DataNodes are dead after eleven seconds.
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_HEARTBEAT_RECHECK_INTERVAL_KEY, 500);
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_STALE_DATANODE_INTERVAL_KEY, 3000);
    // After a restart all who are awake have reported before anything is copied.
    conf.setInt(MiniDFSCluster.DFS_NAMENODE_SAFEMODE_EXTENSION_TESTING_KEY, 3000);
    // HDFS forgets a copy that failed after five minutes, and these tests do not wait that long.
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_RECONSTRUCTION_PENDING_TIMEOUT_SEC_KEY, 20);
    return conf;
  }

  static MiniDFSCluster.Builder cluster(Configuration conf) {
    String[] racks = RackCluster.racks(RACKS);
    return new MiniDFSCluster.Builder(conf)
        .numDataNodes(racks.length)
        .racks(racks)
        .dataNodeConfOverlays(LastingPorts.of(racks.length))
        .checkDataNodeAddrConfig(true)
        .hosts(IntStream.range(0, racks.length).mapToObj(i -> "h" + i).toArray(String[]::new));
  }

  /** A cluster whose machines obey a switch. */
  static RackCluster start(Configuration conf, PowerSwitch power) throws IOException {
    RackCluster cluster = RackCluster.start(cluster(conf));
    power.wire(cluster.mini());
    RackCluster.await("nothing keeps machines on", () -> machinesKeptOn(cluster) == 0);
    return cluster;
  }

  private static long machinesKeptOn(RackCluster cluster) {
    long kept = 0;
    for (JsonNode server : roles(cluster).path("servers")) {
      kept += server.path("stays_awake").asText().isEmpty() ? 0 : 1;
    }
    return kept;
  }

  static DataNode datanode(RackCluster cluster, String host) {
    return cluster.mini().getDataNodes().stream()
        .filter(one -> one.getDatanodeHostname().equals(host))
        .findFirst()
        .orElseThrow();
  }

  /** Two NameNodes and clients of whichever is active, which is the first until it fails over. */
  record Pair(RackCluster cluster, DistributedFileSystem fs) implements AutoCloseable {
    /** Nobody's orders are obeyed before {@link #awaitAsleep} or {@link PowerSwitch#wire}. */
    static Pair start(Configuration conf) throws Exception {
      conf.setInt(DFSConfigKeys.DFS_HA_TAILEDITS_PERIOD_KEY, 1);
      // After a change of state nobody sleeps, and nothing is deleted, before DataNodes have
      // reported anew.
      conf.setLong(DFSConfigKeys.DFS_BLOCKREPORT_INTERVAL_MSEC_KEY, 2000);
      RackCluster cluster =
          RackCluster.startHa(
              SleepRig.cluster(conf).nnTopology(MiniDFSNNTopology.simpleHATopology()));
      return new Pair(cluster, HATestUtil.configureFailoverFs(cluster.mini(), conf));
    }

    MiniDFSCluster mini() {
      return cluster.mini();
    }

    NameNode first() {
      return mini().getNameNode(0);
    }

    NameNode second() {
      return mini().getNameNode(1);
    }

    /** Has servers fall asleep as both NameNodes know, which then know all of their replicas. */
    void awaitAsleep(PowerSwitch power, String... hosts) throws Exception {
      letSleep(first());
      awaitMaintenance(first(), hosts);
      catchUp();
      awaitMaintenance(second(), hosts);
      awaitSameReplicas(hosts);
      power.wire(mini()); // nobody was switched off until now
      SleepRig.awaitAsleep(first(), hosts);
      SleepRig.awaitAsleep(second(), hosts);
    }

    /**
     * Waits until both know the same replicas on hosts, of which one may just have been started.
     */
    void awaitSameReplicas(String... hosts) {
      for (String host : hosts) {
        RackCluster.await(
            "both know the same replicas on " + host,
            () -> {
              DatanodeDescriptor there = on(second(), host);
              return there != null && there.numBlocks() == on(first(), host).numBlocks();
            });
      }
    }

    /** A mini-cluster's standby cannot have the log rolled by itself. */
    void catchUp() throws Exception {
      HATestUtil.waitForStandbyToCatchUp(first(), second());
    }

    void failOver() throws IOException {
      mini().transitionToStandby(0);
      mini().transitionToActive(1);
    }

    @Override
    public void close() {
      cluster.close();
    }
  }

  static void letSleep(NameNode nameNode) {
    RackCluster.contextOf(nameNode).setModes(FeatureModes.all(Mode.ACTIVE));
  }

  /** Files of known content, three replicas each, which are all still there or not. */
  record Kept(List<Path> files) {
    static Kept write(DistributedFileSystem fs) throws IOException {
      List<Path> files = new ArrayList<>();
      for (int i = 0; i < FILES; i++) {
        files.add(RackCluster.write(fs, "/kept/file" + i, 2, 3));
      }
      return new Kept(files);
    }

    /** Blocks of which so many replicas are known and awake. */
    Set<ExtendedBlock> blocksOf(DistributedFileSystem fs, int replicas) {
      Set<ExtendedBlock> blocks = new HashSet<>();
      try {
        for (Path file : files) {
          for (LocatedBlock block : DFSTestUtil.getAllBlocks(fs, file)) {
            if (block.getLocations().length == replicas) {
              blocks.add(block.getBlock());
            }
          }
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return blocks;
    }

    /** Waits until HDFS has made again what it misses. */
    void awaitWhole(RackCluster cluster) {
      RackCluster.await(
          "all replicas that are missed are made again",
          () ->
              EafrRig.pending(cluster.mini().getNameNode()) == 0
                  && files.stream().allMatch(file -> EafrRig.replicas(fs(cluster), file) == 3));
    }

    void check(DistributedFileSystem fs) throws IOException {
      for (Path file : files) {
        byte[] wanted =
            DFSTestUtil.calculateFileContentsFromSeed(
                file.toUri().getPath().hashCode(), 2 * RackCluster.BLOCK_BYTES);
        assertArrayEquals(wanted, DFSTestUtil.readFileAsBytes(fs, file), file.toString());
      }
    }
  }

  /** Writes a block to some DataNodes, given by their place in the cluster. */
  static byte[] writeTo(RackCluster cluster, Path file, DataNode... on) throws IOException {
    return writeTo(cluster.fs(), file, on);
  }

  static byte[] writeTo(DistributedFileSystem fs, Path file, DataNode... on) throws IOException {
    byte[] content = new byte[RackCluster.BLOCK_BYTES];
    new SplittableRandom(file.hashCode()).nextBytes(content);
    writeTo(fs, file, content, on);
    return content;
  }

  static void writeTo(DistributedFileSystem fs, Path file, byte[] content, DataNode... on)
      throws IOException {
    InetSocketAddress[] wanted = new InetSocketAddress[on.length];
    for (int i = 0; i < on.length; i++) {
      wanted[i] = on[i].getXferAddress();
    }
    try (FSDataOutputStream out =
        fs.create(
            file,
            FsPermission.getFileDefault(),
            true,
            4096,
            (short) on.length,
            RackCluster.BLOCK_BYTES,
            null,
            wanted)) {
      out.write(content);
    }
    RackCluster.await("all replicas of " + file, () -> EafrRig.replicas(fs, file) == on.length);
  }

  /** What {@code bin/rackweave eafr} says. */
  static JsonNode eafr(RackCluster cluster, String... args) {
    return EafrRig.eafr(fs(cluster).getConf(), args);
  }

  /** What {@code eafr roles} says. */
  static JsonNode roles(DistributedFileSystem fs) {
    return EafrRig.eafr(fs.getConf(), "roles");
  }

  static JsonNode roles(RackCluster cluster) {
    return eafr(cluster, "roles");
  }

  /** How many servers are cold, asleep or not. */
  static long cold(RackCluster cluster) {
    long cold = 0;
    for (JsonNode server : roles(cluster).path("servers")) {
      cold += server.path("role").asText().equals("cold") ? 1 : 0;
    }
    return cold;
  }

  static DistributedFileSystem fs(RackCluster cluster) {
    try {
      return cluster.fs();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** After a restart; the first call over a connection from before fails. */
  static void awaitAnswer(RackCluster cluster) {
    RackCluster.await(
        "the NameNode answers clients",
        () -> {
          try {
            return fs(cluster).exists(new Path("/"));
          } catch (IOException e) {
            return false;
          }
        });
  }

  /** Blocks that DataNodes which run have copied to others. */
  /** Each of these blocks lacked two replicas, and nothing else was copied. */
  static void assertCopiesOf(Set<ExtendedBlock> blocks, MiniDFSCluster cluster) {
    long copies = copies(cluster);
    assertTrue(
        blocks.size() <= copies && copies <= 2L * blocks.size(),
        () -> copies + " copies of " + blocks);
  }

  static long copies(MiniDFSCluster cluster) {
    long copies = 0;
    for (DataNode datanode : cluster.getDataNodes()) {
      copies += getLongCounter("BlocksReplicated", getMetrics(datanode.getMetrics().name()));
    }
    return copies;
  }

  /** What a NameNode knows of a host's DataNode, {@code null} for nothing. */
  static DatanodeDescriptor on(NameNode nameNode, String host) {
    return nameNode.getNamesystem().getBlockManager().getDatanodeManager().getDatanodes().stream()
        .filter(datanode -> datanode.getHostName().equals(host))
        .findFirst()
        .orElse(null);
  }

  private static void awaitMaintenance(NameNode nameNode, String... hosts) {
    for (String host : hosts) {
      RackCluster.await(host + " is in maintenance", () -> on(nameNode, host).isInMaintenance());
    }
  }

  /** Seconds from when on HDFS looked for missing replicas last, which it does each second. */
  static long lookedAtSec(NameNode nameNode) {
    return nameNode.getNamesystem().getBlockManager().getLastRedundancyMonitorTS() / 1000;
  }

  /** Waits until a NameNode's HDFS has looked for missing replicas a few times more. */
  static void awaitLooks(NameNode nameNode) {
    long done = lookedAtSec(nameNode);
    RackCluster.await(
        "HDFS has looked for missing replicas", () -> lookedAtSec(nameNode) > done + 3);
  }

  /** Waits until a NameNode takes hosts' DataNodes for asleep: dead, and in maintenance. */
  static void awaitAsleep(NameNode nameNode, String... hosts) {
    for (String host : hosts) {
      RackCluster.await(
          host + " is asleep",
          () -> {
            DatanodeDescriptor datanode = on(nameNode, host);
            return datanode != null && !datanode.isAlive() && datanode.isInMaintenance();
          });
    }
  }

  static void awaitInService(NameNode nameNode, String... hosts) {
    for (String host : hosts) {
      RackCluster.await(
          host + " is in service",
          () -> {
            DatanodeDescriptor datanode = on(nameNode, host);
            return datanode != null && datanode.isAlive() && datanode.isInService();
          });
    }
  }
}
