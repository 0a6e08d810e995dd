package org.rackweave.hdfs.namenode;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.namenode.FSDirectory;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.util.VersionInfo;
import org.rackweave.hdfs.ClusterView;
import org.rackweave.hdfs.Feature;
import org.rackweave.hdfs.LockHolder;
import org.rackweave.hdfs.Mode;
import org.rackweave.health.DoctorChecks;
import org.rackweave.health.DoctorFacts;
import org.rackweave.health.Finding;
import org.rackweave.placement.FallbackReason;
import org.rackweave.telemetry.NodeEstimate;

/** Gathers what {@link DoctorChecks} judges, when somebody asks. */
final class Doctor {
  /** A Balancer or a Mover keeps its file open for writing as long as it runs. */
  private static final List<String> MOVERS = List.of("/system/balancer.id", "/system/mover.id");

  private final NameNode nameNode;
  private final PlacementContext context;
  private final HealthMonitor monitor;

  Doctor(NameNode nameNode, PlacementContext context, HealthMonitor monitor) {
    this.nameNode = nameNode;
    this.context = context;
    this.monitor = monitor;
  }

  /** What is wrong now, health's findings among them; the worst first. */
  List<Finding> findings() throws IOException {
    List<Finding> all = new ArrayList<>(monitor.findings());
    all.addAll(DoctorChecks.of(facts()));
    all.sort(Comparator.comparing(Finding::severity).reversed());
    return all;
  }

  private DoctorFacts facts() throws IOException {
    String policy = PolicyAdvice.policy(nameNode.getConf());
    PlacementMetrics metrics = context.metrics();
    Map<String, Long> clocksMs = new TreeMap<>();
    List<Double> links = new ArrayList<>();
    for (DatanodeDescriptor datanode : datanodes(context.state())) {
      NodeEstimate estimate = context.collector().estimate(datanode.getDatanodeUuid());
      if (estimate != null && estimate.hasClock()) {
        clocksMs.put(ClusterView.placeOf(datanode), estimate.clockAheadMs());
        links.add(estimate.linkBytesPerSec());
      }
    }
    int clocks = clocksMs.size();
    clocksMs.values().removeIf(ms -> Math.abs(ms) < DoctorChecks.CLOCK_OFF_MS);
    links.sort(Comparator.naturalOrder());
    return new DoctorFacts(
        !context.modes().isOff(Feature.PLACEMENT),
        context.mode(Feature.RECOVERY) == Mode.ACTIVE || context.mode(Feature.HEAT) == Mode.ACTIVE,
        PolicyAdvice.OURS.contains(policy) ? "" : policy,
        clocks,
        clocksMs,
        VersionInfo.getVersion(),
        datanodeVersions(context.state()),
        movers(),
        links.isEmpty() ? 0 : links.get(links.size() / 2),
        metrics.decisionCount() + metrics.fallbackCount(),
        metrics.fallbackCount(FallbackReason.SMALL_BLOCK),
        settings(nameNode.getConf()));
  }

  /** Those that are alive. */
  static List<DatanodeDescriptor> datanodes(ClusterView state) {
    return state == null
        ? List.of()
        : Arrays.stream(state.datanodes()).filter(DatanodeDescriptor::isAlive).toList();
  }

  /** How many live DataNodes have which version of Hadoop; none where none are known yet. */
  static Map<String, Integer> datanodeVersions(ClusterView state) {
    Map<String, Integer> versions = new TreeMap<>();
    datanodes(state).forEach(one -> versions.merge(one.getSoftwareVersion(), 1, Integer::sum));
    return versions;
  }

  private List<String> movers() throws IOException {
    List<String> running = new ArrayList<>();
    FSNamesystem namesystem = nameNode.getNamesystem();
    namesystem.readLock();
    try {
      for (String path : MOVERS) {
        INode file = namesystem.getFSDirectory().getINode(path, FSDirectory.DirOp.READ);
        if (file != null && file.isFile() && file.asFile().isUnderConstruction()) {
          running.add(path);
        }
      }
    } finally {
      namesystem.readUnlock(LockHolder.NAME);
    }
    return running;
  }

  private static Map<String, Double> settings(Configuration conf) {
    Map<String, Double> set = new HashMap<>();
    set.put(DoctorChecks.STREAMS, conf.getDouble(DoctorChecks.STREAMS, 2));
    set.put(DoctorChecks.HARD_LIMIT, conf.getDouble(DoctorChecks.HARD_LIMIT, 4));
    set.put(DoctorChecks.BALANCER, (double) conf.getLongBytes(DoctorChecks.BALANCER, 100 << 20));
    set.put(DoctorChecks.BLOCK_SIZE, (double) conf.getLongBytes(DoctorChecks.BLOCK_SIZE, 1 << 27));
    set.put(
        DoctorChecks.LOAD_FACTOR,
        conf.getBoolean(DFSConfigKeys.DFS_NAMENODE_REDUNDANCY_CONSIDERLOAD_KEY, true)
            ? conf.getDouble(DoctorChecks.LOAD_FACTOR, 2)
            : 0);
    set.put(DoctorChecks.PROMETHEUS, conf.getBoolean(DoctorChecks.PROMETHEUS, false) ? 1.0 : 0.0);
    return set;
  }
}
