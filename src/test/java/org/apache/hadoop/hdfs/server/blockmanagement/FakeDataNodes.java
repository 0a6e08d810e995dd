package org.apache.hadoop.hdfs.server.blockmanagement;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.net.DFSNetworkTopology;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;
import org.apache.hadoop.hdfs.server.protocol.StorageReport;
import org.apache.hadoop.hdfs.server.protocol.VolumeFailureSummary;
import org.apache.hadoop.util.Time;
import org.rackweave.hdfs.ClusterView;
import org.rackweave.hdfs.ConfigKeys;
import org.rackweave.hdfs.RackweaveConfig;
import org.rackweave.hdfs.namenode.PlacementContext;
import org.rackweave.telemetry.HeartbeatReport;
import org.rackweave.telemetry.HeartbeatReportCodec;
import org.rackweave.telemetry.LinkRates;
import org.rackweave.telemetry.ReportReader;
import org.rackweave.telemetry.Saturation;

/** Real descriptors in a real topology, with reported load, for a policy outside a NameNode. */
final class FakeDataNodes implements FSClusterStats, AutoCloseable {
  static final long BLOCK_BYTES = 128L << 20;
  private static final long CAPACITY_BYTES = 1000 * BLOCK_BYTES;

  final Configuration conf = active();
  final DFSNetworkTopology topology = DFSNetworkTopology.getInstance(conf);
  final List<DatanodeDescriptor> nodes = new ArrayList<>();
  private final Set<DatanodeDescriptor> losing = new HashSet<>();
  private PlacementContext context;
  private final long startMs = Time.monotonicNow();

  private static Configuration active() {
    Configuration conf = new Configuration();
    conf.set(ConfigKeys.MODE, "active");
    return conf;
  }

  /** Adds the given numbers of DataNodes to the racks {@code /r0, /r1, ...}. */
  FakeDataNodes racks(int... nodesPerRack) {
    for (int rack = 0; rack < nodesPerRack.length; rack++) {
      for (int i = 0; i < nodesPerRack[rack]; i++) {
        add("/r" + rack, StorageType.DEFAULT);
      }
    }
    return this;
  }

  /** Adds a DataNode that has storage of one type. */
  DatanodeDescriptor add(String rack, StorageType type) {
    int number = nodes.size();
    DatanodeStorageInfo storage =
        DFSTestUtil.createDatanodeStorageInfo(
            "storage-" + number,
            "10.0." + number / 250 + "." + (1 + number % 250),
            rack,
            "h" + number,
            type,
            null);
    DatanodeDescriptor node = storage.getDatanodeDescriptor();
    node.setAlive(true);
    setRemaining(node, CAPACITY_BYTES);
    topology.add(node);
    nodes.add(node);
    return node;
  }

  /** Reports of a rack's nodes say that data are lost on the way to them. */
  FakeDataNodes losesDataOnTheWayTo(String rack) {
    nodes.stream().filter(node -> node.getNetworkLocation().equals(rack)).forEach(losing::add);
    return this;
  }

  /** Reports a node's free space and no transfers, as a heartbeat does. */
  void setRemaining(DatanodeDescriptor node, long remainingBytes) {
    report(node, remainingBytes, 0);
  }

  /** Reports an empty node's transfers. */
  void setTransfers(DatanodeDescriptor node, int transfers) {
    report(node, CAPACITY_BYTES, transfers);
  }

  private static void report(DatanodeDescriptor node, long remainingBytes, int transfers) {
    DatanodeStorageInfo storage = node.getStorageInfos()[0];
    StorageReport report =
        new StorageReport(
            new DatanodeStorage(
                storage.getStorageID(), storage.getState(), storage.getStorageType()),
            false,
            CAPACITY_BYTES,
            CAPACITY_BYTES - remainingBytes,
            remainingBytes,
            CAPACITY_BYTES - remainingBytes,
            0);
    node.updateHeartbeat(
        new StorageReport[] {report}, 0, 0, transfers, 0, (VolumeFailureSummary) null);
  }

  /** Starts a context in which every node reports the given receive load, in bytes per second. */
  PlacementContext start(long... rxBytesPerSec) {
    context = new PlacementContext(RackweaveConfig.from(conf), topology, () -> 30_000, startMs);
    context.refresh(startMs);
    for (int second = 0; second <= 30; second++) {
      for (int node = 0; node < nodes.size(); node++) {
        report(node, second, rxBytesPerSec.length == 0 ? 0 : rxBytesPerSec[node]);
      }
      context.refresh(startMs + 1000L * second);
    }
    context.attach();
    return context;
  }

  private void report(int node, int second, long rxBytesPerSec) {
    byte[] payload =
        HeartbeatReportCodec.encode(
            new HeartbeatReport(
                1,
                1,
                1 + 1000L * second,
                rxBytesPerSec * second,
                0,
                125_000_000,
                0,
                0,
                0,
                0,
                0,
                List.of(),
                HeartbeatReport.UNKNOWN,
                Optional.of(
                    new LinkRates(rxBytesPerSec, 0, rxBytesPerSec, 0, rxBytesPerSec, 0, 0, 0)),
                new Saturation(losing.contains(nodes.get(node)), false, 0)));
    ReportReader reader = new ReportReader();
    if (reader.read(payload, 0, payload.length) != null
        || context
                .collector()
                .accept(nodes.get(node).getDatanodeUuid(), reader, startMs + 1000L * second, 1)
            != null) {
      throw new AssertionError("report refused");
    }
  }

  RackweaveBlockPlacementPolicy policy() {
    RackweaveBlockPlacementPolicy policy = new SinbadBlockPlacementPolicy();
    policy.initialize(conf, this, topology, new Host2NodesMap());
    return policy;
  }

  BlockPlacementPolicyDefault stock() {
    BlockPlacementPolicyDefault stock = new BlockPlacementPolicyDefault();
    stock.initialize(conf, this, topology, new Host2NodesMap());
    return stock;
  }

  /** Takes a new snapshot, of the DataNodes that there are now. */
  void refresh() {
    context.topologyChanged();
    context.refresh(startMs + 30_000);
  }

  PlacementContext context() {
    return context;
  }

  ClusterView state() {
    return context.state();
  }

  @Override
  public void close() {
    if (context != null) {
      context.close();
    }
  }

  @Override
  public int getTotalLoad() {
    return nodes.stream().mapToInt(DatanodeDescriptor::getXceiverCount).sum();
  }

  @Override
  public boolean isAvoidingStaleDataNodesForWrite() {
    return conf.getBoolean(
        DFSConfigKeys.DFS_NAMENODE_AVOID_STALE_DATANODE_FOR_WRITE_KEY,
        DFSConfigKeys.DFS_NAMENODE_AVOID_STALE_DATANODE_FOR_WRITE_DEFAULT);
  }

  @Override
  public int getNumDatanodesInService() {
    return (int) nodes.stream().filter(DatanodeDescriptor::isInService).count();
  }

  @Override
  public double getInServiceXceiverAverage() {
    return nodes.isEmpty() ? 0 : (double) getTotalLoad() / nodes.size();
  }

  /** As if every other node had failed volumes and no load: stricter than the plain average. */
  @Override
  public double getInServiceXceiverAverageForVolume() {
    return getInServiceXceiverAverage() / 2;
  }

  @Override
  public Map<StorageType, StorageTypeStats> getStorageTypeStats() {
    Map<StorageType, StorageTypeStats> stats = new EnumMap<>(StorageType.class);
    for (DatanodeDescriptor node : nodes) {
      for (StorageType type : node.getStorageTypes()) {
        stats.computeIfAbsent(type, StorageTypeStats::new).addNode(node);
      }
    }
    return stats;
  }
}
