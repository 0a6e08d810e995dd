package org.rackweave.cli.demo.cluster;

import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.MiniDFSCluster.DataNodeProperties;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockManager;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockManagerTestUtil;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicyDefault;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.LinkThrottles;
import org.apache.hadoop.hdfs.server.datanode.ReplicaInfo;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.hdfs.util.DataTransferThrottler;
import org.rackweave.cli.demo.DemoSettings;

/**
 * A whole HDFS in this JVM: a real NameNode, real DataNodes in racks, each with an address and a
 * link of its own. DataNodes are numbered from 0, rack by rack.
 */
public final class EmbeddedCluster implements Closeable, HotNodes {

  private static final int RETRY_MS = 10;

  /** HDFS uses 500 ms, in which a whole block of the demo would pass unthrottled. */
  private static final int THROTTLE_PERIOD_MS = 100;

  /**
   * The link into one DataNode, modelled by the DataNode's own throttles: writes pass one of them,
   * background block moves (the Balancer's path) the other. The first changes at run time, for
   * writes in flight too.
   */
  private static final class ModelledLink {
    private final DataTransferThrottler writes;
    private final long capacityBytesPerSec;
    private final long hotWriteBytesPerSec;
    private volatile boolean isHot;

    ModelledLink(DataNode node, long capacityBytesPerSec, long hotWriteBytesPerSec) {
      this.capacityBytesPerSec = capacityBytesPerSec;
      this.hotWriteBytesPerSec = hotWriteBytesPerSec;
      writes = new DataTransferThrottler(THROTTLE_PERIOD_MS, capacityBytesPerSec);
      LinkThrottles.receive(node, writes);
    }

    void setHot(boolean hot) {
      isHot = hot;
      writes.setBandwidth(hot ? hotWriteBytesPerSec : capacityBytesPerSec);
    }
  }

  private final DemoSettings settings;
  private final MiniDFSCluster cluster;
  private final Map<String, String> properties;
  private final Map<Integer, DataNodeProperties> stopped = new ConcurrentHashMap<>();
  private final List<ModelledLink> links = new CopyOnWriteArrayList<>();

  private EmbeddedCluster(
      DemoSettings settings, MiniDFSCluster cluster, Map<String, String> properties) {
    this.settings = settings;
    this.cluster = cluster;
    this.properties = properties;
  }

  /**
   * Starts the cluster.
   *
   * @param directory where it keeps its blocks; deleted by {@link #close}
   */
  public static EmbeddedCluster start(DemoSettings settings, Path directory) throws IOException {
    return start(settings, directory, Map.of());
  }

  /**
   * The same with further properties of NameNode, DataNodes and clients, which have the last word.
   *
   * @param directory where it keeps its blocks; deleted by {@link #close}
   */
  public static EmbeddedCluster start(
      DemoSettings settings, Path directory, Map<String, String> properties) throws IOException {
    Configuration conf = nameNodeConf(settings);
    properties.forEach(conf::set);
    conf.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, directory.toString());
    MiniDFSCluster.Builder builder =
        new MiniDFSCluster.Builder(conf)
            .numDataNodes(settings.nodes())
            .storagesPerDatanode(1)
            .useConfiguredTopologyMappingClass(true)
            .checkDataNodeAddrConfig(true)
            .checkDataNodeHostConfig(true)
            .dataNodeConfOverlays(dataNodeConfs(settings, properties));
    return new EmbeddedCluster(settings, buildQuietly(builder), Map.copyOf(properties));
  }

  /** Formatting a NameNode prints to the standard output, which is for results here. */
  private static MiniDFSCluster buildQuietly(MiniDFSCluster.Builder builder) throws IOException {
    PrintStream out = System.out;
    System.setOut(new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8));
    try {
      return builder.build();
    } finally {
      System.setOut(out);
    }
  }

  /** From now on what DataNodes receive is limited; before, they take all they can. */
  public void limitLinks() {
    for (DataNode node : cluster.getDataNodes()) {
      links.add(new ModelledLink(node, settings.linkBytesPerSec(), settings.hotWriteBytesPerSec()));
    }
  }

  /** From now on what DataNodes send to readers, and copy to one another, is limited, too. */
  public void limitSending() {
    for (DataNode node : cluster.getDataNodes()) {
      LinkThrottles.send(
          node, new DataTransferThrottler(THROTTLE_PERIOD_MS, settings.linkBytesPerSec()));
    }
  }

  private static Configuration nameNodeConf(DemoSettings settings) {
    Configuration conf = new HdfsConfiguration();
    conf.setClass(
        CommonConfigurationKeysPublic.NET_TOPOLOGY_NODE_SWITCH_MAPPING_IMPL_KEY,
        LoopbackRacks.class,
        org.apache.hadoop.net.DNSToSwitchMapping.class);
    conf.setLong(DFSConfigKeys.DFS_BLOCK_SIZE_KEY, settings.blockBytes());
    conf.setInt(DFSConfigKeys.DFS_REPLICATION_KEY, DemoSettings.REPLICATION);
    // Copies that background moves leave behind are deleted soon, so that disks do not fill.
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_REDUNDANCY_INTERVAL_SECONDS_KEY, 1);
    conf.setInt(DFSConfigKeys.DFS_HEARTBEAT_INTERVAL_KEY, 1);
    conf.setInt(DFSConfigKeys.DFS_DATANODE_SCAN_PERIOD_HOURS_KEY, -1);
    conf.setInt(DFSConfigKeys.DFS_DATANODE_HANDLER_COUNT_KEY, 2);
    RackweaveWiring.addToNameNode(conf, settings);
    return conf;
  }

  private static Configuration[] dataNodeConfs(
      DemoSettings settings, Map<String, String> properties) {
    Configuration[] overlays = new Configuration[settings.nodes()];
    for (int node = 0; node < overlays.length; node++) {
      String address = addressOf(settings, node);
      Configuration overlay = new Configuration(false);
      overlay.set(DFSConfigKeys.DFS_DATANODE_ADDRESS_KEY, address + ":0");
      overlay.set(DFSConfigKeys.DFS_DATANODE_IPC_ADDRESS_KEY, address + ":0");
      overlay.set(DFSConfigKeys.DFS_DATANODE_HTTP_ADDRESS_KEY, address + ":0");
      overlay.set(DFSConfigKeys.DFS_DATANODE_HOST_NAME_KEY, address);
      overlay.set(DFSConfigKeys.DFS_HEARTBEAT_INTERVAL_KEY, settings.heartbeatMs() + "ms");
      overlay.setLong(
          DFSConfigKeys.DFS_DATANODE_BALANCE_BANDWIDTHPERSEC_KEY, settings.backgroundBytesPerSec());
      BoundSocketFactory.bind(overlay, address);
      RackweaveWiring.addToDataNode(overlay, settings, address);
      properties.forEach(overlay::set);
      overlays[node] = overlay;
    }
    return overlays;
  }

  private static String addressOf(DemoSettings settings, int node) {
    int rack = settings.rackOf(node);
    return LoopbackAddresses.ofNode(rack, node - rack * settings.nodesPerRack());
  }

  /** The address of DataNode {@code node}. */
  public String addressOf(int node) {
    return addressOf(settings, node);
  }

  @Override
  public int nodeAt(String address) {
    for (int node = 0; node < settings.nodes(); node++) {
      if (addressOf(node).equals(address)) {
        return node;
      }
    }
    return -1;
  }

  /** The DataNodes that run, in order. */
  public List<DataNode> dataNodes() {
    return stopped.isEmpty() ? cluster.getDataNodes() : runningInOrder();
  }

  /** One that was stopped and started again is HDFS's last. */
  private List<DataNode> runningInOrder() {
    return cluster.getDataNodes().stream()
        .sorted(Comparator.comparingInt(node -> nodeAt(node.getDatanodeId().getIpAddr())))
        .toList();
  }

  /** Stops DataNode {@code node}, which the NameNode learns from its silence. */
  public void stop(int node) {
    for (int i = 0; i < cluster.getDataNodes().size(); i++) {
      if (nodeAt(cluster.getDataNodes().get(i).getDatanodeId().getIpAddr()) == node) {
        stopped.put(node, cluster.stopDataNode(i));
        return;
      }
    }
    throw new IllegalArgumentException("DataNode " + node + " does not run");
  }

  /** Whether the NameNode takes DataNode {@code node} for dead. */
  public boolean isDead(int node) {
    DatanodeDescriptor descriptor =
        blockManager().getDatanodeManager().getDatanodeByHost(addressOf(node));
    return descriptor == null || !descriptor.isAlive();
  }

  /** Blocks that lack a replica, or a unit if they are striped, being made again or not. */
  public long blocksIncomplete() {
    BlockManagerTestUtil.updateState(blockManager());
    return blockManager().getLowRedundancyBlocksCount()
        + blockManager().getPendingReconstructionBlocksCount();
  }

  /** Bytes of complete replicas on all DataNodes that run. */
  public long storedBytes() {
    String pool = nameNode().getNamesystem().getBlockPoolId();
    long bytes = 0;
    for (DataNode node : cluster.getDataNodes()) {
      for (ReplicaInfo replica : node.getFSDataset().getFinalizedBlocks(pool)) {
        bytes += replica.getNumBytes();
      }
    }
    return bytes;
  }

  private BlockManager blockManager() {
    return nameNode().getNamesystem().getBlockManager();
  }

  /** Starts DataNode {@code node} again, with what it had stored when it was stopped. */
  public void restart(int node) throws IOException {
    cluster.restartDataNode(stopped.get(node), true);
  }

  /** The NameNode. */
  public NameNode nameNode() {
    return cluster.getNameNode();
  }

  /** Where clients find the NameNode. */
  public URI uri() {
    return cluster.getURI();
  }

  /** A client's configuration; what is built from it sends from {@code address}. */
  public Configuration clientConf(String address) {
    Configuration conf = new HdfsConfiguration(cluster.getConfiguration(0));
    BoundSocketFactory.bind(conf, address);
    properties.forEach(conf::set);
    // A client that asks before the DataNode has reported waits this long and asks again.
    conf.setInt(
        HdfsClientConfigKeys.BlockWrite.LOCATEFOLLOWINGBLOCK_INITIAL_DELAY_MS_KEY, RETRY_MS);
    return conf;
  }

  /** From now on exactly the DataNodes of {@code racks} have the slow links. */
  public void setHotRacks(Set<Integer> racks) {
    for (int node = 0; node < links.size(); node++) {
      links.get(node).setHot(racks.contains(settings.rackOf(node)));
    }
  }

  /** The racks that have slow links at this moment, in order. */
  public Set<Integer> hotRacks() {
    Set<Integer> racks = new TreeSet<>();
    for (int node = 0; node < links.size(); node++) {
      if (links.get(node).isHot) {
        racks.add(settings.rackOf(node));
      }
    }
    return racks;
  }

  @Override
  public boolean isHot(int node) {
    return links.get(node).isHot;
  }

  /**
   * Makes the NameNode place blocks by the class of that name, null being stock HDFS. This is what
   * {@code dfsadmin -reconfig} does with a changed site file.
   */
  public void placeBy(String policyClass) {
    Configuration conf = new HdfsConfiguration(cluster.getConfiguration(0));
    String name = policyClass == null ? BlockPlacementPolicyDefault.class.getName() : policyClass;
    conf.set(DFSConfigKeys.DFS_BLOCK_REPLICATOR_CLASSNAME_KEY, name);
    blockManager().refreshBlockPlacementPolicy(conf);
  }

  /** Blocks whose placement Rackweave has left to stock HDFS so far, whatever the reason. */
  public long fallbacks() {
    return RackweaveWiring.contextOf(nameNode()).metrics().fallbackCount();
  }

  /** Blocks that Rackweave has encoded. */
  public int encodedBlocks() {
    return RackweaveWiring.contextOf(nameNode()).stripes().encoded().blockCount();
  }

  /** Stops everything and deletes the blocks. */
  @Override
  public void close() {
    cluster.shutdown(true);
  }
}
