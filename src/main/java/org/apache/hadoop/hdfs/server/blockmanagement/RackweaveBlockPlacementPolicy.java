package org.apache.hadoop.hdfs.server.blockmanagement;

import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.conf.ReconfigurationException;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.AddBlockFlag;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.hdfs.server.blockmanagement.TargetDecision.Purpose;
import org.apache.hadoop.net.NetworkTopology;
import org.apache.hadoop.net.Node;
import org.apache.hadoop.util.Time;
import org.rackweave.hdfs.ClusterView;
import org.rackweave.hdfs.Feature;
import org.rackweave.hdfs.FeatureModes;
import org.rackweave.hdfs.LogThrottle;
import org.rackweave.hdfs.Mode;
import org.rackweave.hdfs.RackweaveConfig;
import org.rackweave.hdfs.eafr.CopySources;
import org.rackweave.hdfs.eafr.Destinations;
import org.rackweave.hdfs.ear.AddBlockCall;
import org.rackweave.hdfs.ear.KeptReplica;
import org.rackweave.hdfs.hook.Hook;
import org.rackweave.hdfs.hook.HookGuard;
import org.rackweave.hdfs.namenode.PlacementContext;
import org.rackweave.hdfs.namenode.PlacementContexts;
import org.rackweave.health.CircuitBreaker;
import org.rackweave.placement.FallbackReason;
import org.rackweave.trial.Arm;
import org.rackweave.trial.WriteTrials.Running;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Rackweave's placement inside an unpatched NameNode. Set {@code dfs.block.replicator.classname} to
 * this class and {@code dfs.namenode.plugins} to Rackweave's plugin.
 *
 * <p>Every request goes one way ({@link PlacementPath}): pools that leave nodes out (seats of the
 * block's stripe, hot servers), then a ranking of those left (room of the links, EAFR's odds,
 * chance) under HDFS's own rules, then stock placement, the superclass, under a {@link
 * FallbackReason}. Of a block with too many replicas the one stays that its stripe needs; else
 * EAFR's equation or HDFS says which one goes. Which features take part says their mode; what those
 * in shadow mode would have chosen is compared with what was.
 *
 * <p>A thin bridge: HDFS builds this class by reflection, several times, so it holds no state. All
 * of it is the {@link PlacementContext} of its topology.
 */
public class RackweaveBlockPlacementPolicy extends BlockPlacementPolicyDefault {
  private static final Logger LOG = LoggerFactory.getLogger(RackweaveBlockPlacementPolicy.class);

  /** A decision that takes longer counts as one that failed; usual are some 50 microseconds. */
  private static final long LONGEST_DECISION_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private static final LogThrottle FALLBACK_LOG = LogThrottle.oncePerMinute();

  private final Set<Feature> features;
  private final StorageTypeQuota.Memo storageTypes = new StorageTypeQuota.Memo();
  private FSClusterStats stats;
  private boolean localNodePreferred;
  private boolean loadByStorageType;
  private boolean loadByVolume;
  private volatile PlacementContext context;

  /** Built by HDFS through reflection. */
  public RackweaveBlockPlacementPolicy() {
    this(EnumSet.allOf(Feature.class));
  }

  /** With some features only, whatever the modes of the others are. */
  RackweaveBlockPlacementPolicy(Set<Feature> features) {
    this.features = features;
  }

  /** Whether a feature takes part in what this policy does, as its mode says. */
  final boolean serves(Feature feature) {
    return features.contains(feature);
  }

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
      RackweaveBlockPlacementPolicy.<RuntimeException>throwUndeclared(
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
    DatanodeStorageInfo[] targets = ours.targets() != null ? ours.targets() : stocks(call, ours);
    if (targets.length > 0 && !returnChosen && PlacementPath.isRepair(call)) {
      HookGuard.run(Hook.COPY_SOURCE, () -> chooseSource(call, targets));
    }
    return targets;
  }

  private DatanodeStorageInfo[] stocks(TargetCall call, Outcome ours) {
    DatanodeStorageInfo[] stock =
        super.chooseTarget(
            call.path(),
            call.replicas(),
            call.writer(),
            call.existing(),
            call.returnExisting(),
            call.excluded(),
            call.blockSizeBytes(),
            call.storagePolicy(),
            call.flags());
    HookGuard.run(Hook.PLACEMENT, () -> stockChose(call, ours, stock));
    return stock;
  }

  private void stockChose(TargetCall call, Outcome ours, DatanodeStorageInfo[] stock) {
    PlacementContext current = attachedContext();
    FallbackReason reason = ours.whyStock(stock);
    report(current, reason, call.path());
    HookGuard.run(Hook.DECISION_RECORD, () -> keep(call, ours, stock, reason, current));
  }

  private static void keep(
      TargetCall call,
      Outcome ours,
      DatanodeStorageInfo[] stock,
      FallbackReason reason,
      PlacementContext current) {
    if (current != null && current.decisions().admits(System.nanoTime())) {
      DecisionRecorder.Trial trial = ours.tried() == null ? null : ours.tried().trial();
      new DecisionRecorder(current, call).stockChose(trial, reason, stock, Time.now());
    }
  }

  /**
   * What became of a request.
   *
   * @param targets {@code null} when stock has to choose
   * @param reason why it has to, {@code null} in shadow mode
   * @param tried in shadow mode to be compared with stock's choice; {@code null} when there is none
   */
  private record Outcome(
      DatanodeStorageInfo[] targets, FallbackReason reason, TargetDecision tried) {
    static final Outcome FAILED = stock(FallbackReason.ERROR);

    static Outcome ours(DatanodeStorageInfo[] targets) {
      return new Outcome(targets, null, null);
    }

    static Outcome stock(FallbackReason reason) {
      return new Outcome(null, reason, null);
    }

    FallbackReason whyStock(DatanodeStorageInfo[] stock) {
      if (reason != null) {
        return reason;
      }
      tried.compare(stock);
      return FallbackReason.SHADOW_MODE;
    }
  }

  private Outcome decide(TargetCall call) {
    PlacementContext current = attachedContext();
    if (current != null
        && !call.isNewBlock()
        && !call.returnExisting()
        && isHeldBack(current, call)) {
      return Outcome.ours(DatanodeStorageInfo.EMPTY_ARRAY);
    }
    FallbackReason refusal = refuse(current);
    if (refusal != null) {
      return Outcome.stock(refusal);
    }
    CircuitBreaker breaker = current.breaker();
    if (!breaker.isClosed() && !breaker.admits(Time.monotonicNow())) {
      return Outcome.stock(FallbackReason.BREAKER_OPEN);
    }
    long startedNanos = System.nanoTime();
    boolean isDecided = false;
    try {
      Outcome outcome = decide(call, current);
      isDecided = true;
      return outcome;
    } finally {
      if (isDecided && System.nanoTime() - startedNanos <= LONGEST_DECISION_NANOS) {
        breaker.wentWell();
      } else {
        breaker.failed(Time.monotonicNow());
      }
    }
  }

  private Outcome decide(TargetCall call, PlacementContext current) {
    FeatureModes modes = current.modes();
    PlacementPath path =
        PlacementPath.of(call, current, feature -> serves(feature) && modes.isActive(feature));
    Running trial = current.trials().running();
    Arm arm = trial == null ? null : arm(trial, call, path, current);
    if (arm == Arm.STOCK && trial.isControl()) {
      return Outcome.stock(FallbackReason.CONTROL);
    }
    if (arm == Arm.RACKWEAVE) {
      return carryOut(call, PlacementPath.BY_LINKS, current);
    }
    if (!modes.hasShadow()) {
      return carryOut(call, path, current);
    }
    PlacementPath tried =
        PlacementPath.of(call, current, feature -> serves(feature) && !modes.isOff(feature));
    return tried.equals(path) ? carryOut(call, path, current) : compare(call, path, tried, current);
  }

  /**
   * The arm of a new block in a comparison, {@code null} for none. Also where stock acts in the
   * end, such as for want of a snapshot, which it would in either arm.
   */
  private Arm arm(Running trial, TargetCall call, PlacementPath path, PlacementContext current) {
    FeatureModes modes = current.modes();
    Mode needed = trial.isControl() ? Mode.ACTIVE : Mode.SHADOW;
    AddBlockCall addBlock = call.isNewBlock() ? AddBlockCall.current() : null;
    boolean isEligible =
        addBlock != null
            && serves(Feature.PLACEMENT)
            && modes.of(Feature.PLACEMENT) == needed
            && (trial.isControl() || path.whyStock() != null);
    Arm arm = isEligible ? trial.armOf(call.path(), addBlock.fileId()) : null;
    if (arm == null
        || !PlacementPath.of(
                call,
                current,
                feature ->
                    feature == Feature.PLACEMENT || (serves(feature) && modes.isActive(feature)))
            .equals(PlacementPath.BY_LINKS)) {
      return null;
    }
    addBlock.compare(trial.samples(), arm, call.blockSizeBytes());
    return arm;
  }

  private Outcome carryOut(TargetCall call, PlacementPath path, PlacementContext current) {
    TargetDecision decision = new TargetDecision(this, current, call, path, Purpose.ACT);
    FallbackReason reason = decision.decide();
    return reason == null ? Outcome.ours(decision.commit()) : new Outcome(null, reason, decision);
  }

  /** Features in shadow mode would go another way, or stock does not decide alone any more. */
  private Outcome compare(
      TargetCall call, PlacementPath path, PlacementPath tried, PlacementContext current) {
    boolean isAlone = path.whyStock() != null;
    TargetDecision shadow =
        new TargetDecision(
            this, current, call, tried, isAlone ? Purpose.SHADOW : Purpose.SHADOW_BESIDE);
    FallbackReason undecided = shadow.decide();
    if (isAlone) {
      return new Outcome(null, undecided, shadow);
    }
    Outcome outcome = carryOut(call, path, current);
    if (undecided == null && outcome.targets() != null) {
      shadow.compare(outcome.targets());
    }
    return outcome;
  }

  /**
   * Whether HDFS asks for the target of a new replica while that is Dayu's to choose, or while
   * sleeping servers that have the replica are being woken.
   */
  private boolean isHeldBack(PlacementContext current, TargetCall call) {
    boolean isMonitors = RedundancyMonitor.isCurrent();
    return current.holdsBack(isMonitors, call.existing().size())
        || (current.modes().isActive(Feature.RECOVERY)
            && current.recovery().holdsBack(this, isMonitors, Time.monotonicNow()));
  }

  /** Has a copy that HDFS's monitor is going to order read where Algorithm 4 says. */
  private void chooseSource(TargetCall call, DatanodeStorageInfo[] targets) {
    Destinations destinations = destinations();
    if (destinations == null || destinations.sources() == null) {
      return;
    }
    ClusterView state = attachedContext().state();
    int[] holders =
        call.existing().stream()
            .mapToInt(replica -> state.numberOf(replica.getDatanodeDescriptor()))
            .toArray();
    destinations
        .sources()
        .choose(
            destinations.servers(),
            state.datanodes(),
            new CopySources.Copy(targets, state.numberOf(call.writer()), holders),
            Time.monotonicNow());
  }

  /**
   * Who gets, loses and sends replicas, of the DataNodes that there are now; {@code null} where
   * that is stock's to say.
   */
  private Destinations destinations() {
    PlacementContext current = attachedContext();
    if (!serves(Feature.HEAT)
        || refuse(current) != null
        || !current.modes().isActive(Feature.HEAT)) {
      return null;
    }
    Destinations destinations = current.destinations();
    return destinations == null || !destinations.areOf(current.state().topology())
        ? null
        : destinations;
  }

  /**
   * Of a block that is being encoded the replica stays that its stripe needs; of another one with
   * too many, those go that Eq. 7 of EAFR says, or HDFS. Called under the namesystem's write lock;
   * looks at the block's replicas only.
   */
  @Override
  public List<DatanodeStorageInfo> chooseReplicasToDelete(
      Collection<DatanodeStorageInfo> available,
      Collection<DatanodeStorageInfo> candidates,
      int expectedReplicas,
      List<StorageType> excessTypes,
      DatanodeDescriptor added,
      DatanodeDescriptor hint) {
    DatanodeDescriptor kept = KeptReplica.current();
    if (kept != null) {
      return candidates.stream()
          .filter(storage -> storage.getDatanodeDescriptor() != kept)
          .limit(Math.max(0, available.size() - expectedReplicas))
          .toList();
    }
    // A replica that has been moved on purpose goes from where it was.
    if (added == null && hint == null) {
      List<DatanodeStorageInfo> chosen =
          HookGuard.call(
              Hook.EXCESS_REPLICAS,
              null,
              () -> leastRemaining(candidates, expectedReplicas, excessTypes));
      if (chosen != null) {
        return chosen;
      }
    }
    return super.chooseReplicasToDelete(
        available, candidates, expectedReplicas, excessTypes, added, hint);
  }

  private List<DatanodeStorageInfo> leastRemaining(
      Collection<DatanodeStorageInfo> candidates,
      int expectedReplicas,
      List<StorageType> excessTypes) {
    Destinations destinations = destinations();
    long heardSinceMs = Time.monotonicNow() - heartbeatInterval * tolerateHeartbeatMultiplier;
    return destinations == null
        ? null
        : ExcessReplicas.leastRemaining(
            candidates,
            expectedReplicas,
            excessTypes,
            destinations.deletion(),
            attachedContext().state(),
            heardSinceMs);
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
      HookGuard.run(Hook.PLACEMENT, () -> reportFavored(path));
    }
    return super.chooseTarget(
        path, replicas, writer, excluded, blockSizeBytes, favoured, storagePolicy, flags);
  }

  /** Where parity goes has been decided by who names the DataNodes. */
  private void reportFavored(String path) {
    PlacementContext current = attachedContext();
    if (current == null || !isParity(current, path)) {
      report(current, FallbackReason.FAVORED_NODES, path);
    }
  }

  private static boolean isParity(PlacementContext current, String path) {
    return path.startsWith(current.config().ear().parityDirectory() + "/");
  }

  /** Why every request is left to stock, {@code null} when it is not. */
  final FallbackReason refuse(PlacementContext current) {
    if (stats == null) {
      return FallbackReason.NO_STATISTICS;
    }
    if (current == null) {
      return FallbackReason.NO_PLUGIN;
    }
    if (isOff(current.modes())) {
      return FallbackReason.SWITCHED_OFF;
    }
    return current.state() == null ? FallbackReason.NO_SNAPSHOT : null;
  }

  private boolean isOff(FeatureModes modes) {
    for (Feature feature : features) {
      if (!modes.isOff(feature)) {
        return false;
      }
    }
    return true;
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
