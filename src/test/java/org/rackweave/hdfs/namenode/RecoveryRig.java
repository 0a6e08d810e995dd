package org.rackweave.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.Field;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.MiniDFSCluster.DataNodeProperties;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockManager;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockManagerTestUtil;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.ipc.RefreshRegistry;
import org.apache.hadoop.ipc.RefreshResponse;
import org.apache.hadoop.util.Time;
import org.rackweave.hdfs.AgentConfig;
import org.rackweave.hdfs.AgentKeys;
import org.rackweave.hdfs.ConfigKeys;
import org.rackweave.hdfs.Feature;
import org.rackweave.hdfs.Mode;
import org.rackweave.hdfs.RemovedKeys;
import org.rackweave.hdfs.datanode.ChosenRpcEngine;
import org.rackweave.hdfs.datanode.RackweaveDataNodePlugin;

/** A cluster whose lost replicas Dayu makes again, and what tests of that ask of it. */
final class RecoveryRig implements AutoCloseable {
  /** HDFS takes DataNodes of these tests for dead after a little less. */
  private static final long SILENT_MS = 11_000;

  private static final String METRICS = "RackweaveRecovery";
  private static final String HANDLER = "rackweave-recovery";

  private final RackCluster cluster;
  private final FileSystem fs;
  private final Map<Path, Integer> files = new LinkedHashMap<>();
  private int active;

  private RecoveryRig(RackCluster cluster, FileSystem fs) {
    this.cluster = cluster;
    this.fs = fs;
  }

  /** Short slots, no brake, and nothing but Dayu of Rackweave's policies. */
  static Configuration conf() {
    Configuration conf = RackCluster.conf();
    conf.set(DFSConfigKeys.DFS_BLOCK_REPLICATOR_CLASSNAME_KEY, PolicyAdvice.DAYU);
    recoverSoon(conf);
    return conf;
  }

  /** All features, with agents, and all that takes its time done soon. */
  static void allFeaturesSoon(Configuration conf) {
    conf.set(DFSConfigKeys.DFS_BLOCK_REPLICATOR_CLASSNAME_KEY, PolicyAdvice.RACKWEAVE);
    ChosenRpcEngine.agentOn(conf);
    conf.set(DFSConfigKeys.DFS_DATANODE_PLUGINS_KEY, AgentConfig.PLUGIN);
    conf.set(AgentKeys.SAMPLER, "datanode");
    conf.set(AgentKeys.DECODE_ADDRESS, "127.0.0.1:0");
    conf.set(ConfigKeys.EAR_SEAL_AGE, "3s");
    conf.set(ConfigKeys.EAR_SEARCH_INTERVAL, "1s");
    conf.set(RemovedKeys.EAR_ENCODE_AGE, "0s");
    conf.setInt(ConfigKeys.EAR_ENCODE_CONCURRENT, 4);
    recoverSoon(conf);
  }

  /** Dayu with short slots and no brake, and deaths that are noticed soon. */
  static void recoverSoon(Configuration conf) {
    conf.set(ConfigKeys.DAYU_TIMESLOT, "2s");
    conf.set(ConfigKeys.DAYU_CLAIM, "3s");
    conf.set(ConfigKeys.DAYU_BRAKE_GRACE, "0");
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_HEARTBEAT_RECHECK_INTERVAL_KEY, 500);
    // A small cluster's mean load is next to nothing, and everybody is above twice that.
    conf.setBoolean(DFSConfigKeys.DFS_NAMENODE_REDUNDANCY_CONSIDERLOAD_KEY, false);
  }

  /** The same with DataNodes that copy so slowly that tests can look on. */
  static Configuration slowConf() {
    Configuration conf = conf();
    RackCluster.copySlowly(conf);
    conf.set(ConfigKeys.DAYU_TIMESLOT, "1s");
    return conf;
  }

  /** The same with agents that hold copies to rates. */
  static Configuration agentConf(int blockBytes, long linkBytesPerSec) {
    Configuration conf = conf();
    ChosenRpcEngine.agentOn(conf);
    conf.set(DFSConfigKeys.DFS_DATANODE_PLUGINS_KEY, RackweaveDataNodePlugin.class.getName());
    conf.setLong(AgentKeys.LINK_BYTES_PER_SEC, linkBytesPerSec);
    conf.setLong(ConfigKeys.HOST_BYTES_PER_SEC, linkBytesPerSec);
    conf.set(AgentKeys.DECODE_ADDRESS, "0.0.0.0:0");
    conf.setLong(DFSConfigKeys.DFS_BLOCK_SIZE_KEY, blockBytes);
    // What writing the files has loaded is forgotten soon.
    return conf;
  }

  static RecoveryRig start(Configuration conf, int... nodesPerRack) throws IOException {
    RackCluster cluster = RackCluster.start(conf, nodesPerRack).awaitCoverage();
    return new RecoveryRig(cluster, cluster.fs());
  }

  static RecoveryRig of(RackCluster cluster, FileSystem fs) {
    return new RecoveryRig(cluster, fs);
  }

  RackCluster cluster() {
    return cluster;
  }

  MiniDFSCluster mini() {
    return cluster.mini();
  }

  /** Says which NameNode is active. */
  void activeIs(int index) {
    active = index;
  }

  NameNode nameNode() {
    return mini().getNameNode(active);
  }

  BlockManager blocks() {
    return nameNode().getNamesystem().getBlockManager();
  }

  Path write(String path, int blocks, int replication) throws IOException {
    Path file = RackCluster.write(fs, path, blocks, replication);
    files.put(file, blocks * RackCluster.BLOCK_BYTES);
    return file;
  }

  /** Writes whole blocks of the cluster's size, each with a replica on all the DataNodes. */
  void writeTo(List<DataNode> dataNodes, String path, int blocks) throws Exception {
    Path file = new Path(path);
    int blockBytes = (int) fs.getDefaultBlockSize(file);
    InetSocketAddress[] favored =
        dataNodes.stream().map(DataNode::getXferAddress).toArray(InetSocketAddress[]::new);
    short replication = (short) favored.length;
    int bytes = blocks * blockBytes;
    DFSTestUtil.createFile(
        fs, file, false, 4096, bytes, blockBytes, replication, path.hashCode(), false, favored);
    RackCluster.awaitReplicas(fs, file, replication);
    assertOnlyOn(dataNodes, file);
    files.put(file, bytes);
  }

  /** HDFS takes such a wish for advice. */
  private void assertOnlyOn(List<DataNode> dataNodes, Path file) throws IOException {
    Set<String> wanted = new HashSet<>();
    dataNodes.forEach(dataNode -> wanted.add(dataNode.getDatanodeUuid()));
    for (LocatedBlock block : DFSTestUtil.getAllBlocks(fs, file)) {
      Set<String> holders = new HashSet<>();
      for (DatanodeInfo location : block.getLocations()) {
        holders.add(location.getDatanodeUuid());
      }
      assertEquals(wanted, holders, block::toString);
    }
  }

  /** Replicas that there are of all files, as far as the NameNode knows. */
  long replicas() {
    long replicas = 0;
    try {
      for (Path file : files.keySet()) {
        for (LocatedBlock block : DFSTestUtil.getAllBlocks(fs, file)) {
          replicas += block.getLocations().length;
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return replicas;
  }

  /** Blocks of three replicas that wait for some, by HDFS's priority. */
  Map<Long, Long> waitingByPriority() throws IOException {
    Map<Long, Long> blocks = new TreeMap<>();
    for (Path file : files.keySet()) {
      for (LocatedBlock block : DFSTestUtil.getAllBlocks(fs, file)) {
        int replicas = block.getLocations().length;
        if (replicas < 3) {
          blocks.merge(replicas == 1 ? 0L : 2L, 1L, Long::sum);
        }
      }
    }
    return blocks;
  }

  void delete(Path file) throws IOException {
    files.remove(file);
    fs.delete(file, true);
  }

  /** Metrics of recovery in the active NameNode, {@code null} where there is none. */
  RecordedMetrics metrics() {
    String address = nameNode().getNameNodeAddressHostPortString().replace(':', '-');
    RecordedMetrics own = RecordedMetrics.of(METRICS + "-" + address);
    return own == null ? RecordedMetrics.of(METRICS) : own;
  }

  long metric(String name) {
    return metrics().get(name);
  }

  /** Waits until a metric is at least so large. */
  void awaitMetric(String name, long atLeast) {
    try {
      RackCluster.await(
          name + " of at least " + atLeast, () -> metrics() != null && metric(name) >= atLeast);
    } catch (AssertionError e) {
      throw new AssertionError(e.getMessage() + ", " + this, e);
    }
  }

  /** Puts recovery in a mode, on the active NameNode only. */
  void recover(Mode mode) {
    PlacementContext context = RackCluster.contextOf(nameNode());
    context.setModes(context.modes().with(Feature.RECOVERY.label() + "=" + mode));
  }

  /** Says something to recovery as {@code dfsadmin -refresh} does. */
  String say(String... words) {
    RefreshResponse response =
        RefreshRegistry.defaultRegistry().dispatch(HANDLER, words).iterator().next();
    assertEquals(0, response.getReturnCode(), response.getMessage());
    return response.getMessage();
  }

  int limit() {
    return blocks().getMaxReplicationStreams();
  }

  DatanodeDescriptor descriptor(String uuid) {
    return blocks().getDatanodeManager().getDatanode(uuid);
  }

  /** Stops a DataNode, and has its NameNode notice at once. */
  DataNodeProperties kill(String uuid) {
    DataNodeProperties stopped = stop(uuid);
    declareDead(uuid, 0);
    return stopped;
  }

  /**
   * The same of one that sends: HDFS lets one that is stopped send on for 15 seconds, which one
   * that dies does not.
   */
  void crash(String uuid) {
    for (DataNode dataNode : mini().getDataNodes()) {
      if (dataNode.getDatanodeUuid().equals(uuid)) {
        breakOffTransfers(dataNode);
      }
    }
    kill(uuid);
  }

  private static void breakOffTransfers(DataNode dataNode) {
    try {
      Field transfers = DataNode.class.getDeclaredField("xferService");
      transfers.setAccessible(true);
      ((ExecutorService) transfers.get(dataNode)).shutdownNow();
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("HDFS has its transfers elsewhere", e);
    }
  }

  /** Stops a DataNode. */
  DataNodeProperties stop(String uuid) {
    for (int i = 0; i < mini().getDataNodes().size(); i++) {
      if (mini().getDataNodes().get(i).getDatanodeUuid().equals(uuid)) {
        return mini().stopDataNode(i);
      }
    }
    throw new AssertionError("no DataNode " + uuid);
  }

  /** Has the NameNode believe that it has not heard of a DataNode since a monotonic time. */
  void declareDead(String uuid, long heardMs) {
    DatanodeDescriptor datanode = descriptor(uuid);
    datanode.setLastUpdateMonotonic(heardMs);
    RackCluster.await(uuid + " dead", () -> !datanode.isAlive());
  }

  /** DataNodes of a rack. */
  List<String> nodesIn(String rack) {
    return mini().getDataNodes().stream()
        .map(datanode -> datanode.getDatanodeUuid())
        .filter(uuid -> descriptor(uuid).getNetworkLocation().equals(rack))
        .toList();
  }

  /** DataNodes that run. */
  List<DataNode> dataNodes(String... uuids) {
    List<String> wanted = List.of(uuids);
    return mini().getDataNodes().stream()
        .filter(dataNode -> wanted.contains(dataNode.getDatanodeUuid()))
        .toList();
  }

  /** Replicas of each block of a file, as far as the NameNode knows; drained ones too. */
  List<Integer> replicasOf(String path) throws IOException {
    return DFSTestUtil.getAllBlocks(fs, new Path(path)).stream()
        .map(block -> block.getLocations().length)
        .toList();
  }

  void awaitReplicas(String path, int replicas) throws Exception {
    RackCluster.awaitReplicas(fs, new Path(path), (short) replicas);
  }

  void setReplication(String path, int replicas) throws IOException {
    fs.setReplication(new Path(path), (short) replicas);
  }

  /** Begins to decommission a DataNode. */
  void drain(String uuid) {
    nameNode().getNamesystem().writeLock();
    try {
      blocks().getDatanodeManager().getDatanodeAdminManager().startDecommission(descriptor(uuid));
    } finally {
      nameNode().getNamesystem().writeUnlock("test");
    }
  }

  /** Stops DataNodes, silent for as long as makes them dead: they were lost just now, together. */
  void loseAtOnce(List<String> uuids) {
    loseAtOnce(uuids, Time.monotonicNow() - SILENT_MS);
  }

  /** Stops DataNodes, and has the NameNode believe that it has not heard of them since then. */
  void loseAtOnce(List<String> uuids, long heardMs) {
    uuids.forEach(this::stop);
    uuids.forEach(uuid -> descriptor(uuid).setLastUpdateMonotonic(heardMs));
    uuids.forEach(uuid -> declareDead(uuid, heardMs));
  }

  /** Stops the DataNode with most replicas; returns how many that were. */
  int killFullest() {
    String fullest = null;
    int most = -1;
    for (var datanode : mini().getDataNodes()) {
      int replicas = descriptor(datanode.getDatanodeUuid()).numBlocks();
      if (replicas > most) {
        most = replicas;
        fullest = datanode.getDatanodeUuid();
      }
    }
    kill(fullest);
    return most;
  }

  /** DataNodes that send a block to another now. */
  List<String> sending() {
    return mini().getDataNodes().stream()
        .filter(datanode -> datanode.getXmitsInProgress() > 0)
        .map(datanode -> datanode.getDatanodeUuid())
        .toList();
  }

  /** Waits until every block has its replicas, no fewer and no more, and none is under way. */
  void awaitWhole() {
    try {
      RackCluster.await(
          "every block with its replicas",
          () -> {
            BlockManagerTestUtil.updateState(blocks());
            return isWhole()
                && blocks().getPendingReconstructionBlocksCount() == 0
                && blocks().getLowRedundancyBlocksCount() == 0
                && blocks().getExcessBlocksCount() == 0;
          });
    } catch (AssertionError e) {
      throw new AssertionError(
          String.format(
              "%d pending, %d low, %d excess, whole: %s, %s",
              blocks().getPendingReconstructionBlocksCount(),
              blocks().getLowRedundancyBlocksCount(),
              blocks().getExcessBlocksCount(),
              isWhole(),
              this),
          e);
    }
  }

  private boolean isWhole() {
    try {
      for (Path file : files.keySet()) {
        int replication = fs.getFileStatus(file).getReplication();
        for (LocatedBlock block : DFSTestUtil.getAllBlocks(fs, file)) {
          Set<String> racks = new HashSet<>();
          for (DatanodeInfo location : block.getLocations()) {
            racks.add(location.getNetworkLocation());
          }
          if (block.getLocations().length != replication || (replication > 1 && racks.size() < 2)) {
            return false;
          }
        }
      }
      return true;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Compares every file, and every replica of its blocks, with what was written. */
  void readAll() throws IOException {
    for (var written : files.entrySet()) {
      Path file = written.getKey();
      byte[] wanted =
          DFSTestUtil.calculateFileContentsFromSeed(
              file.toUri().getPath().hashCode(), written.getValue());
      assertArrayEquals(wanted, DFSTestUtil.readFileAsBytes(fs, file), file.toString());
      for (LocatedBlock block : DFSTestUtil.getAllBlocks(fs, file)) {
        int from = (int) block.getStartOffset();
        byte[] part = Arrays.copyOfRange(wanted, from, from + (int) block.getBlockSize());
        for (DatanodeInfo location : block.getLocations()) {
          assertArrayEquals(part, replica(block.getBlock(), location), block + " on " + location);
        }
      }
    }
  }

  private byte[] replica(ExtendedBlock block, DatanodeInfo location) throws IOException {
    try (InputStream in =
        mini().getDataNode(location.getIpcPort()).getFSDataset().getBlockInputStream(block, 0)) {
      return in.readAllBytes();
    }
  }

  @Override
  public String toString() {
    return String.valueOf(metrics());
  }

  @Override
  public void close() {
    cluster.close();
  }
}
