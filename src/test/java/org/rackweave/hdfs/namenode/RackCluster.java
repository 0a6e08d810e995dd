package org.rackweave.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.ipc.RefreshResponse;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.test.GenericTestUtils;
import org.rackweave.hdfs.ConfigKeys;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A MiniDFSCluster with racks, Rackweave's plugin and policy, and what the tests ask of it. */
public final class RackCluster implements AutoCloseable {
  static final int BLOCK_BYTES = 64 * 1024;
  private static final long SLOW_BYTES_PER_SEC = 24 * 1024;
  private static final long DEADLINE_MS = 120_000;
  private static final Logger LOG = LoggerFactory.getLogger(RackCluster.class);

  private final MiniDFSCluster cluster;

  private RackCluster(MiniDFSCluster cluster) {
    this.cluster = cluster;
  }

  /** Configuration with plugin and policy on, short heartbeats and small blocks. */
  public static Configuration conf() {
    Configuration conf = stockConf();
    conf.set(DFSConfigKeys.DFS_NAMENODE_PLUGINS_KEY, RackweaveNameNodePlugin.class.getName());
    conf.set(ConfigKeys.MODE, "active");
    conf.set(DFSConfigKeys.DFS_BLOCK_REPLICATOR_CLASSNAME_KEY, PolicyAdvice.SINBAD);
    conf.set(ConfigKeys.SNAPSHOT_INTERVAL, "50ms");
    conf.set(ConfigKeys.BLACK_BOX_DIRECTORY, "off");
    return conf;
  }

  /** The same without Rackweave. */
  public static Configuration stockConf() {
    Configuration conf = new Configuration();
    conf.setTimeDuration(DFSConfigKeys.DFS_HEARTBEAT_INTERVAL_KEY, 1, TimeUnit.SECONDS);
    conf.setLong(DFSConfigKeys.DFS_BLOCK_SIZE_KEY, BLOCK_BYTES);
    conf.setLong(DFSConfigKeys.DFS_NAMENODE_MIN_BLOCK_SIZE_KEY, 1024);
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_REDUNDANCY_INTERVAL_SECONDS_KEY, 1);
    return conf;
  }

  /**
   * Has DataNodes copy so slowly that tests can look on: a block takes some seconds. They send
   * small packets, because HDFS's throttler forgets how long it has waited for a packet when its
   * thread wakes a second late: for one that is worth many periods it waits for ever on a busy
   * machine.
   */
  static void copySlowly(Configuration conf) {
    conf.setLong(DFSConfigKeys.DFS_DATANODE_DATA_TRANSFER_BANDWIDTHPERSEC_KEY, SLOW_BYTES_PER_SEC);
    conf.setBoolean(DFSConfigKeys.DFS_DATANODE_TRANSFERTO_ALLOWED_KEY, false);
  }

  /** Starts racks {@code /r0, /r1, ...} with the given number of DataNodes each. */
  public static RackCluster start(Configuration conf, int... nodesPerRack) throws IOException {
    String[] racks = racks(nodesPerRack);
    return start(new MiniDFSCluster.Builder(conf).numDataNodes(racks.length).racks(racks));
  }

  static RackCluster start(MiniDFSCluster.Builder builder) throws IOException {
    RackCluster started = new RackCluster(builder.build());
    started.cluster.waitActive();
    return started;
  }

  /** The same with two NameNodes, the first of which becomes active. */
  static RackCluster startHa(MiniDFSCluster.Builder builder) throws IOException {
    RackCluster started = new RackCluster(builder.build());
    started.cluster.transitionToActive(0);
    started.cluster.waitActive(0);
    return started;
  }

  /**
   * What a NameNode says that does not start. HDFS counts NameNodes that begin to start and those
   * that stop; one more of the former, and metrics of all later NameNodes of the process, and so
   * these, would be kept for good.
   */
  static Throwable refusalToStart(Configuration conf) {
    Throwable refused = assertThrows(Throwable.class, () -> start(conf, 1).close());
    DefaultMetricsSystem.shutdown();
    return refused;
  }

  /** Whether a file can be read and holds these bytes. */
  static boolean reads(FileSystem fs, Path file, byte[] bytes) {
    try {
      return Arrays.equals(bytes, DFSTestUtil.readFileAsBytes(fs, file));
    } catch (IOException e) {
      return false;
    }
  }

  /** One rack path per DataNode. */
  static String[] racks(int... nodesPerRack) {
    List<String> racks = new ArrayList<>();
    for (int rack = 0; rack < nodesPerRack.length; rack++) {
      for (int node = 0; node < nodesPerRack[rack]; node++) {
        racks.add("/r" + rack);
      }
    }
    return racks.toArray(String[]::new);
  }

  public MiniDFSCluster mini() {
    return cluster;
  }

  public DistributedFileSystem fs() throws IOException {
    return cluster.getFileSystem();
  }

  /** Changes modes as an operator does, who then has the last word. */
  void sayMode(String... words) {
    try {
      RefreshResponse answer =
          mini().getNameNodeRpc().refresh(RuntimeSwitch.IDENTIFIER, words).iterator().next();
      assertEquals(0, answer.getReturnCode(), answer.getMessage());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Context of the (first) NameNode. */
  public PlacementContext context() {
    return contextOf(cluster.getNameNode());
  }

  static PlacementContext contextOf(NameNode nameNode) {
    return PlacementContexts.find(
        nameNode.getNamesystem().getBlockManager().getDatanodeManager().getNetworkTopology());
  }

  /** Waits until the load of every DataNode is known. */
  public RackCluster awaitCoverage() {
    int nodes = cluster.getDataNodes().size();
    await(
        "load of all " + nodes + " DataNodes known",
        () ->
            context() != null
                && context().state() != null
                && context().state().links().liveCount() == nodes
                && context().state().links().coverage() == 1);
    return this;
  }

  /** Waits for a condition, failing with its name after two minutes. */
  public static void await(String what, BooleanSupplier condition) {
    await(what, condition, () -> "");
  }

  /**
   * @param found what there is instead, for who has to find out why
   */
  static void await(String what, BooleanSupplier condition, Supplier<String> found) {
    try {
      GenericTestUtils.waitFor(condition::getAsBoolean, 20, DEADLINE_MS);
    } catch (TimeoutException e) {
      // Its message lists all threads, in which what was awaited would drown.
      LOG.error("Still waiting for: {}", what, e);
      throw new AssertionError(
          "after " + DEADLINE_MS + " ms still waiting for: " + what + ' ' + found.get());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted while waiting for: " + what, e);
    }
  }

  /** Writes a file of whole blocks. */
  public Path write(String path, int blocks, int replication) throws IOException {
    return write(fs(), path, blocks, replication);
  }

  static Path write(FileSystem fs, String path, int blocks, int replication) throws IOException {
    Path file = new Path(path);
    DFSTestUtil.createFile(
        fs, file, (long) blocks * BLOCK_BYTES, (short) replication, path.hashCode());
    awaitReplicas(fs, file, replication);
    return file;
  }

  /** Waits until the NameNode has heard of every replica, which comes after the write's end. */
  static void awaitReplicas(FileSystem fs, Path file, int replication) {
    await(
        replication + " replicas of " + file,
        () -> {
          try {
            for (BlockLocation block : fs.getFileBlockLocations(file, 0, Long.MAX_VALUE)) {
              if (block.getHosts().length < replication) {
                return false;
              }
            }
            return true;
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
  }

  /** Racks of a file's replicas, one list a block. */
  public List<List<String>> racksOf(Path file) throws IOException {
    List<List<String>> racks = new ArrayList<>();
    for (LocatedBlock block : DFSTestUtil.getAllBlocks(fs(), file)) {
      List<String> blockRacks = new ArrayList<>();
      for (var location : block.getLocations()) {
        blockRacks.add(location.getNetworkLocation());
      }
      racks.add(blockRacks);
    }
    return racks;
  }

  /** What the NameNode knows of a DataNode. */
  public DatanodeDescriptor descriptor(int index) {
    return cluster
        .getNamesystem()
        .getBlockManager()
        .getDatanodeManager()
        .getDatanode(cluster.getDataNodes().get(index).getDatanodeUuid());
  }

  @Override
  public void close() {
    cluster.shutdown(true);
  }
}
