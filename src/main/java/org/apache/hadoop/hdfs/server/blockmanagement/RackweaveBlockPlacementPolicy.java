package org.apache.hadoop.hdfs.server.blockmanagement;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.conf.ReconfigurationException;
import org.apache.hadoop.hdfs.AddBlockFlag;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.net.NetworkTopology;
import org.apache.hadoop.net.Node;
import org.apache.hadoop.util.Time;
import org.rackweave.hdfs.LogThrottle;
import org.rackweave.hdfs.Mode;
import org.rackweave.hdfs.RackweaveConfig;
import org.rackweave.hdfs.hook.Hook;
import org.rackweave.hdfs.hook.HookGuard;
import org.rackweave.hdfs.namenode.PlacementContext;
import org.rackweave.hdfs.namenode.PlacementContexts;
import org.rackweave.placement.FallbackReason;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Network-balanced placement (Sinbad) inside an unpatched NameNode. Set {@code
 * dfs.block.replicator.classname} to this class and {@code dfs.namenode.plugins} to Rackweave's
 * plugin.
 *
 * <p>A thin bridge: requests are translated in {@link SinbadDecision}, decided by the pure
 * algorithm under HDFS's own admission rules, and whatever cannot be decided is left to stock
 * placement, the superclass, under a {@link FallbackReason}. HDFS builds this class by reflection,
 * several times, so it holds no state: all of it is the {@link PlacementContext} of its topology.
 */
public class SinbadBlockPlacementPolicy extends BlockPlacementPolicyDefault {
  private static final Logger LOG = LoggerFactory.getLogger(SinbadBlockPlacementPolicy.class);
  private static final LogThrottle FALLBACK_LOG = LogThrottle.oncePerMinute();

  private final StorageTypeQuota.Memo storageTypes = new StorageTypeQuota.Memo();
  private FSClusterStats stats;
  private boolean localNodePreferred;
  private boolean loadByStorageType;
  private boolean loadByVolume;
  private volatile PlacementContext context;

  /** Built by HDFS through reflection. */
  public SinbadBlockPlacementPolicy() {}

  /**
   * @throws IllegalArgumentException when a {@code rackweave.} key is out of range; the NameNode
   *     then does not start, a refresh keeps the policy in force
   */
  @Override
  public void initialize(
      Configuration conf,
      FSClusterStats clusterStats,
      NetworkTopology topology,
      Host2NodesMap hosts) {
    check(conf, topology);
    super.initialize(conf, clusterStats, topology, hosts);
    stats = clusterStats;
    loadByStorageType =
        conf.getBoolean(
            DFSConfigKeys.DFS_NAMENODE_REDUNDANCY_CONSIDERLOADBYSTORAGETYPE_KEY,
            DFSConfigKeys.DFS_NAMENODE_REDUNDANCY_CONSIDERLOADBYSTORAGETYPE_DEFAULT);
    loadByVolume =
        conf.getBoolean(
            DFSConfigKeys.DFS_NAMENODE_REDUNDANCY_CONSIDERLOADBYVOLUME_KEY,
            DFSConfigKeys.DFS_NAMENODE_REDUNDANCY_CONSIDERLOADBYVOLUME_DEFAULT);
    localNodePreferred =
        conf.getBoolean(
            DFSConfigKeys.DFS_NAMENODE_BLOCKPLACEMENTPOLICY_DEFAULT_PREFER_LOCAL_NODE_KEY,
            DFSConfigKeys.DFS_NAMENODE_BLOCKPLACEMENTPOLICY_DEFAULT_PREFER_LOCAL_NODE_DEFAULT);
  }

  /**
   * Refuses bad settings. While a NameNode is running, only {@code dfsadmin -reconfig} comes here,
   * and its task handles no other exception than the checked {@link ReconfigurationException}:
   * anything else would leave the task marked as running, and reconfiguration blocked, until a
   * restart.
   */
  private static void check(Configuration conf, NetworkTopology topology) {
    try {
      RackweaveConfig.from(conf);
    } catch (IllegalArgumentException e) {
      if (PlacementContexts.find(topology) == null) {
        throw e;
      }
      String key = DFSConfigKeys.DFS_BLOCK_REPLICATOR_CLASSNAME_KEY;
      SinbadBlockPlacementPolicy.<RuntimeException>throwUndeclared(
          new ReconfigurationException(key, conf.get(key), null, e));
    }
  }

  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <T extends Throwable> void throwUndeclared(Throwable thrown) throws T {
    throw (T) thrown;
  }

  @Override
  public DatanodeStorageInfo[] chooseTarget(
      String path,
      int replicas,
      Node writer,
      List<DatanodeStorageInfo> chosen,
      boolean returnChosen,
      Set<Node> excluded,
      long blockSizeBytes,
      BlockStoragePolicy storagePolicy,
      EnumSet<AddBlockFlag> flags) {
    TargetCall call =
        new TargetCall(
            path,
            replicas,
            writer,
            chosen,
            returnChosen,
            excluded,
            blockSizeBytes,
            storagePolicy,
            flags);
    Outcome ours = HookGuard.call(Hook.PLACEMENT, Outcome.FAILED, () -> decide(call));
    if (ours.targets() != null) {
      return ours.targets();
    }
    DatanodeStorageInfo[] stock =
        super.chooseTarget(
            path,
            replicas,
            writer,
            chosen,
            returnChosen,
            excluded,
            blockSizeBytes,
            storagePolicy,
            flags);
    HookGuard.run(Hook.PLACEMENT, () -> report(attachedContext(), ours.whyStock(stock), path));
    return stock;
  }

  /**
   * What became of a request.
   *
   * @param targets {@code null} when stock has to choose
   * @param reason why it has to, {@code null} in shadow mode
   * @param decision to be compared with stock's, {@code null} when there is none
   */
  private record Outcome(
      DatanodeStorageInfo[] targets, FallbackReason reason, SinbadDecision decision) {
    static final Outcome FAILED = stock(FallbackReason.ERROR);

    static Outcome stock(FallbackReason reason) {
      return new Outcome(null, reason, null);
    }

    FallbackReason whyStock(DatanodeStorageInfo[] stock) {
      if (reason != null) {
        return reason;
      }
      decision.compare(stock);
      return FallbackReason.SHADOW_MODE;
    }
  }

  private Outcome decide(TargetCall call) {
    PlacementContext current = attachedContext();
    if (current != null
        && !call.isNewBlock()
        && !call.returnExisting()
        && isHeldBack(current, call)) {
      return new Outcome(DatanodeStorageInfo.EMPTY_ARRAY, null, null);
    }
    FallbackReason refusal = refuse(current);
    if (refusal != null) {
      return Outcome.stock(refusal);
    }
    SinbadDecision decision = decision(current, call);
    FallbackReason reason = decision.decide();
    if (reason != null) {
      return Outcome.stock(reason);
    }
    return current.mode() == Mode.SHADOW
        ? new Outcome(null, null, decision)
        : new Outcome(decision.commit(), null, null);
  }

  /**
   * Whether HDFS asks for the target of a new replica while that is Dayu's to choose, or while
   * sleeping servers that have the replica are being woken.
   */
  private boolean isHeldBack(PlacementContext current, TargetCall call) {
    return current.holdsBack(Thread.currentThread(), call.existing().size())
        || current.recovery().holdsBack(this, Thread.currentThread(), Time.monotonicNow());
  }

  /** One request, to be decided; to be overridden by who decides otherwise. */
  SinbadDecision decision(PlacementContext current, TargetCall call) {
    return new SinbadDecision(this, current, call);
  }

  /**
   * HDFS places favoured nodes by itself, and what is left over through its own 10-argument call.
   */
  @Override
  DatanodeStorageInfo[] chooseTarget(
      String path,
      int replicas,
      Node writer,
      Set<Node> excluded,
      long blockSizeBytes,
      List<DatanodeDescriptor> favoured,
      BlockStoragePolicy storagePolicy,
      EnumSet<AddBlockFlag> flags) {
    if (favoured != null && !favoured.isEmpty()) {
      HookGuard.run(
          Hook.PLACEMENT, () -> report(attachedContext(), FallbackReason.FAVORED_NODES, path));
    }
    return super.chooseTarget(
        path, replicas, writer, excluded, blockSizeBytes, favoured, storagePolicy, flags);
  }

  /** Why every request is left to stock, {@code null} when it is not. */
  final FallbackReason refuse(PlacementContext current) {
    if (stats == null) {
      return FallbackReason.NO_STATISTICS;
    }
    if (current == null) {
      return FallbackReason.NO_PLUGIN;
    }
    if (current.mode() == Mode.OFF) {
      return FallbackReason.SWITCHED_OFF;
    }
    return current.state() == null ? FallbackReason.NO_SNAPSHOT : null;
  }

  final PlacementContext attachedContext() {
    PlacementContext known = context;
    if (known == null || known.isClosed()) {
      known = PlacementContexts.find(clusterMap);
      context = known;
    }
    return known;
  }

  private static void report(PlacementContext current, FallbackReason reason, String path) {
    if (current != null) {
      current.metrics().fellBack(reason);
    }
    if (reason.isUnexpected() && FALLBACK_LOG.shouldLog()) {
      LOG.warn("Stock HDFS placement acts for {}: {}", path, reason.label());
    }
  }

  boolean considersLoad() {
    return considerLoad;
  }

  /** Whether HDFS looks at more of a DataNode's load than {@link #maxLoad}. */
  boolean considersMoreThanMaxLoad() {
    return loadByStorageType || loadByVolume;
  }

  /**
   * Load above which HDFS refuses a DataNode, computed as HDFS does; infinite where it looks at no
   * load, or at one for each kind of storage.
   */
  double maxLoad() {
    double limit = loadByStorageType ? 0 : considerLoadFactor * stats.getInServiceXceiverAverage();
    return considerLoad && limit > 0 ? limit : Double.POSITIVE_INFINITY;
  }

  /** Racks with a DataNode, counted as HDFS does: without those that are being drained. */
  int racks() {
    return clusterMap.getNumOfNonEmptyRacks();
  }

  boolean prefersLocalNode() {
    return localNodePreferred;
  }

  StorageTypeQuota.Memo storageTypes() {
    return storageTypes;
  }

  boolean avoidsStaleNodes() {
    return stats.isAvoidingStaleDataNodesForWrite();
  }
}
