package org.rackweave.cli.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.protocol.BlockType;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.DatanodeProtocolService;
import org.apache.hadoop.hdfs.protocolPB.DatanodeProtocolServerSideTranslatorPB;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicies;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicy;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeManager;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.hdfs.server.protocol.NamespaceInfo;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.net.DNSToSwitchMapping;
import org.apache.hadoop.net.NetworkTopology;
import org.apache.hadoop.thirdparty.protobuf.BlockingService;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.apache.hadoop.util.Time;
import org.rackweave.hdfs.RackweaveConfig;
import org.rackweave.hdfs.namenode.NameNodeBridge;
import org.rackweave.hdfs.namenode.PlacementContext;
import org.rackweave.hdfs.namenode.PlacementContexts;
import org.rackweave.telemetry.ReportReader;

/**
 * A real NameNode with DataNodes that exist as registrations and heartbeats only, twenty to a rack,
 * a third of the racks hot. The NameNode runs stock; Rackweave's context stands beside it and moves
 * only when {@link #advance} is called, so that nothing runs beside what is being measured.
 */
final class SimulatedCluster implements AutoCloseable {
  private static final long SEED = 20_130_812;
  private static final int MAX_DATA_LENGTH = 64 << 20;

  private final Path directory;
  private final Configuration conf;
  private final NameNode nameNode;
  private final List<SimulatedDatanode> datanodes;
  private final ReportReader reader = new ReportReader();
  private PlacementContext context;
  private int nextToReport;

  private SimulatedCluster(
      Path directory, Configuration conf, NameNode nameNode, List<SimulatedDatanode> datanodes) {
    this.directory = directory;
    this.conf = conf;
    this.nameNode = nameNode;
    this.datanodes = datanodes;
  }

  /** Starts a NameNode in a new directory, registers the DataNodes and hears each of them twice. */
  static SimulatedCluster start(Configuration base, int nodes) throws IOException {
    DefaultMetricsSystem.setMiniClusterMode(true);
    Path directory = Files.createTempDirectory("rackweave-bench");
    Configuration conf = configuration(base, directory);
    NameNode.format(conf);
    NameNode nameNode = new NameNode(conf);
    SimulatedCluster cluster =
        new SimulatedCluster(directory, conf, nameNode, registered(nameNode, nodes));
    cluster.configure("rackweave.mode", "active");
    return cluster;
  }

  /** Starts Rackweave anew with one more setting, and hears every DataNode twice. */
  void configure(String key, String value) {
    conf.set(key, value);
    if (context != null) {
      context.close();
    }
    context =
        new PlacementContext(
            RackweaveConfig.from(conf),
            network(),
            () -> NameNodeBridge.of(nameNode).blocks().staleMs(),
            Time.monotonicNow());
    PlacementContexts.register(network(), context);
    context.refresh(Time.monotonicNow());
    for (int left = 2 * snapshotsPerHeartbeat(); left > 0; left--) {
      advance();
    }
  }

  private static Configuration configuration(Configuration base, Path directory) {
    Configuration conf = new Configuration(base);
    conf.set(DFSConfigKeys.FS_DEFAULT_NAME_KEY, "hdfs://127.0.0.1:0");
    conf.set(DFSConfigKeys.DFS_NAMENODE_RPC_ADDRESS_KEY, "127.0.0.1:0");
    conf.set(DFSConfigKeys.DFS_NAMENODE_HTTP_ADDRESS_KEY, "127.0.0.1:0");
    conf.set(DFSConfigKeys.DFS_NAMENODE_NAME_DIR_KEY, directory.resolve("name").toUri().toString());
    conf.setClass(
        DFSConfigKeys.NET_TOPOLOGY_NODE_SWITCH_MAPPING_IMPL_KEY,
        SimulatedRacks.class,
        DNSToSwitchMapping.class);
    // Nobody may die or grow stale while others are measured.
    conf.setLong(DFSConfigKeys.DFS_NAMENODE_HEARTBEAT_RECHECK_INTERVAL_KEY, 3_600_000);
    conf.set("rackweave.telemetry.stale.interval", "10m");
    return conf;
  }

  private static List<SimulatedDatanode> registered(NameNode nameNode, int nodes)
      throws IOException {
    SplittableRandom random = new SplittableRandom(SEED);
    NamespaceInfo namespace = nameNode.getRpcServer().versionRequest();
    var heartbeats =
        new DatanodeProtocolServerSideTranslatorPB(nameNode.getRpcServer(), MAX_DATA_LENGTH);
    List<SimulatedDatanode> datanodes = new ArrayList<>(nodes);
    for (int node = 0; node < nodes; node++) {
      double rackLoad = SimulatedRacks.rackOf(node) % 3 == 0 ? 0.6 : 0.15;
      SimulatedDatanode datanode = new SimulatedDatanode(node, namespace, rackLoad, random.split());
      nameNode.getRpcServer().registerDatanode(datanode.registration());
      try {
        heartbeats.sendHeartbeat(null, datanode.heartbeat());
      } catch (ServiceException e) {
        throw new IOException("heartbeat of simulated DataNode " + node, e);
      }
      datanodes.add(datanode);
    }
    return datanodes;
  }

  /** How many snapshots are taken while every DataNode reports once. */
  private int snapshotsPerHeartbeat() {
    return (int) (SimulatedDatanode.HEARTBEAT_MS / context.config().snapshotIntervalMs());
  }

  /**
   * One snapshot interval passes: the DataNodes whose turn it is report, and a snapshot is taken.
   */
  void advance() {
    int due = (datanodes.size() + snapshotsPerHeartbeat() - 1) / snapshotsPerHeartbeat();
    for (int i = 0; i < due; i++) {
      SimulatedDatanode datanode = datanodes.get(nextToReport);
      nextToReport = (nextToReport + 1) % datanodes.size();
      byte[] report = datanode.nextReport();
      reader.read(report, 0, report.length);
      context.collector().accept(datanode.uuid(), reader, Time.monotonicNow(), Time.now());
    }
    context.refresh(Time.monotonicNow());
  }

  /** A policy on this NameNode's own topology and statistics, as HDFS itself builds it. */
  BlockPlacementPolicy policy(Class<? extends BlockPlacementPolicy> type) {
    Configuration named = new Configuration(conf);
    named.setClass(
        DFSConfigKeys.DFS_BLOCK_REPLICATOR_CLASSNAME_KEY, type, BlockPlacementPolicy.class);
    DatanodeManager known = datanodeManager();
    return new BlockPlacementPolicies(
            named, known.getFSClusterStats(), network(), known.getHost2DatanodeMap())
        .getPolicy(BlockType.CONTIGUOUS);
  }

  private DatanodeManager datanodeManager() {
    return nameNode.getNamesystem().getBlockManager().getDatanodeManager();
  }

  private NetworkTopology network() {
    return datanodeManager().getNetworkTopology();
  }

  NameNode nameNode() {
    return nameNode;
  }

  /** What DataNodes call on the NameNode, behind HDFS's own translation. */
  BlockingService datanodeProtocol() {
    return DatanodeProtocolService.newReflectiveBlockingService(
        new DatanodeProtocolServerSideTranslatorPB(nameNode.getRpcServer(), MAX_DATA_LENGTH));
  }

  PlacementContext context() {
    return context;
  }

  int size() {
    return datanodes.size();
  }

  SimulatedDatanode datanode(int node) {
    return datanodes.get(node);
  }

  /** The NameNode's own record of a DataNode. */
  DatanodeDescriptor descriptor(int node) {
    return datanodeManager().getDatanode(datanodes.get(node).uuid());
  }

  @Override
  public void close() {
    PlacementContexts.unregister(network());
    context.close();
    nameNode.stop();
    FileUtil.fullyDelete(directory.toFile());
  }
}
