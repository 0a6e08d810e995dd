package org.rackweave.hdfs.namenode;

import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.net.NetworkTopology;
import org.apache.hadoop.net.Node;
import org.apache.hadoop.net.NodeBase;
import org.apache.hadoop.util.Time;
import org.rackweave.hdfs.ClusterView;
import org.rackweave.hdfs.Feature;
import org.rackweave.hdfs.FeatureModes;
import org.rackweave.hdfs.LogThrottle;
import org.rackweave.hdfs.Mode;
import org.rackweave.hdfs.RackweaveConfig;
import org.rackweave.hdfs.dayu.RecoveryClaim;
import org.rackweave.hdfs.eafr.Destinations;
import org.rackweave.hdfs.eafr.ReadRouting;
import org.rackweave.hdfs.ear.StripeRegistry;
import org.rackweave.hdfs.hook.Hook;
import org.rackweave.hdfs.hook.HookGuard;
import org.rackweave.hdfs.roles.WakeHold;
import org.rackweave.hdfs.work.WorkQueue;
import org.rackweave.health.CircuitBreaker;
import org.rackweave.history.EventLog;
import org.rackweave.history.History;
import org.rackweave.history.PlacementRecord;
import org.rackweave.history.ShadowAccount;
import org.rackweave.model.ClusterTopology;
import org.rackweave.model.NodePlace;
import org.rackweave.placement.ReplicaChooser;
import org.rackweave.sinbad.SinbadPlacement;
import org.rackweave.sinbad.StockOutlook;
import org.rackweave.telemetry.DropCause;
import org.rackweave.telemetry.HeartbeatReport;
import org.rackweave.telemetry.LearnedCapacities;
import org.rackweave.telemetry.LinkClaims;
import org.rackweave.telemetry.LinkLedger;
import org.rackweave.telemetry.LinkSnapshot;
import org.rackweave.telemetry.NodeEstimate;
import org.rackweave.telemetry.ReportInbox;
import org.rackweave.telemetry.UtilisationCollector;
import org.rackweave.trial.WriteTrials;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Everything one NameNode needs for its decisions. Soft state: it is rebuilt from heartbeats after
 * a restart or failover. Memory: a few hundred bytes a DataNode.
 *
 * <p>{@link #refresh} runs on one thread; everything else may be called from any.
 */
public final class PlacementContext implements AutoCloseable {
  /** The topology is read anew at least this often, for changes that no registration announces. */
  private static final long RESCAN_MS = 10_000;

  /** Without an agent, one transfer is assumed to take this share of a host's link. */
  private static final double DERIVED_TRANSFER_SHARE = 0.05;

  /** A DataNode's own server threads that every heartbeat counts among its transfers. */
  private static final int IDLE_TRANSFERS = 1;

  /** A DataNode that has not mentioned its work for so long will not do it. */
  private static final long WORK_SILENCE_MS = 60_000;

  /** In which no more decisions are kept than there is room for. */
  private static final long DECISIONS_SPAN_NANOS = TimeUnit.MINUTES.toNanos(10);

  private static final Logger LOG = LoggerFactory.getLogger(PlacementContext.class);

  /** Hourly, of settings that are far from what is seen. */
  private final LogThrottle disagreementLog =
      new LogThrottle(TimeUnit.HOURS.toMillis(1), Time::monotonicNow);

  private volatile RackweaveConfig config;
  private final NetworkTopology network;
  private final LongSupplier staleMs;
  private final UtilisationCollector collector;
  private final ReportInbox inbox = new ReportInbox();
  private final PlacementMetrics metrics;
  private volatile SinbadPlacement sinbad;
  private final FileProgress fileProgress = new FileProgress(10_000);
  private final StripeRegistry stripes;

  private final RecoveryClaim recovery = new RecoveryClaim();

  private final WorkQueue work = new WorkQueue("DataNode", WORK_SILENCE_MS, Time.now());

  /** {@code null} as long as nobody has drawn any up. */
  private volatile Destinations destinations;

  /** {@code null} as long as stock HDFS sorts. */
  private volatile ReadRouting readRouting;

  /** What keeps replicas that sleep from being made again, {@code null} where no server sleeps. */
  private volatile CopyHold copyHold;

  private final LearnedCapacities learned;

  private volatile History<PlacementRecord> decisions;

  private final EventLog events = new EventLog(Time::now, System::nanoTime);
  private final ShadowAccount shadow = new ShadowAccount();
  private final CircuitBreaker breaker = new CircuitBreaker();
  private final WriteTrials trials = new WriteTrials();

  /** {@code null} before the first snapshot. */
  private volatile StockOutlook stockOutlook;

  private volatile FeatureModes modes;
  private volatile int linksDoubted;
  private volatile double rackLinkLearned;
  private volatile String disagreement = "";
  private volatile ClusterView state;
  private volatile boolean topologyStale = true;
  private volatile boolean closed;

  private long scannedAtMs;
  private ClusterTopology topology;
  private List<NodePlace> places = List.of();
  private DatanodeDescriptor[] datanodes = {};
  private Map<Node, Integer> numbers = Map.of();
  private NodeEstimate[] estimates = {};

  /**
   * @param staleMs a DataNode that has been silent for so long is stale, as HDFS has it
   */
  public PlacementContext(
      RackweaveConfig config, NetworkTopology network, LongSupplier staleMs, long nowMs) {
    this.config = config;
    this.network = network;
    this.staleMs = staleMs;
    modes = config.modes();
    learned = new LearnedCapacities(config.network());
    decisions = new History<>(config.decisionsKept(), DECISIONS_SPAN_NANOS);
    collector = new UtilisationCollector(config.collector(), nowMs);
    metrics = new PlacementMetrics(this);
    sinbad = new SinbadPlacement(config.spread(), ReplicaChooser.CANDIDATES_MAX);
    stripes = new StripeRegistry(() -> this.config.ear(), events);
  }

  public RackweaveConfig config() {
    return config;
  }

  /**
   * Puts other settings and rules in force, which agree with these in all that is {@link
   * org.rackweave.hdfs.StartOnly}.
   */
  public void setConfig(RackweaveConfig latest) {
    if (latest.spread() != config.spread()) {
      sinbad = new SinbadPlacement(latest.spread(), ReplicaChooser.CANDIDATES_MAX);
    }
    learned.declare(latest.network());
    if (latest.decisionsKept() != config.decisionsKept()) {
      decisions = new History<>(latest.decisionsKept(), DECISIONS_SPAN_NANOS);
    }
    config = latest;
  }

  public UtilisationCollector collector() {
    return collector;
  }

  public PlacementMetrics metrics() {
    return metrics;
  }

  public SinbadPlacement sinbad() {
    return sinbad;
  }

  /** What was decided lately. */
  public History<PlacementRecord> decisions() {
    return decisions;
  }

  /** What has happened lately. */
  public EventLog events() {
    return events;
  }

  /** What leaves all requests to stock HDFS while decisions fail. */
  public CircuitBreaker breaker() {
    return breaker;
  }

  /** How long blocks take to be written. */
  public WriteTrials trials() {
    return trials;
  }

  /** What placement in shadow mode would have changed. */
  public ShadowAccount shadow() {
    return shadow;
  }

  /** What a block would meet where stock puts it, {@code null} before the first snapshot. */
  public StockOutlook stockOutlook() {
    return stockOutlook;
  }

  public FileProgress fileProgress() {
    return fileProgress;
  }

  /** The stripes. */
  public StripeRegistry stripes() {
    return stripes;
  }

  /** Who gets replicas that follow their readers, {@code null} where none do or it is unknown. */
  public Destinations destinations() {
    return destinations;
  }

  /** Replaces them; {@code null} leaves replicas to stock placement. */
  public void setDestinations(Destinations latest) {
    destinations = latest;
  }

  /** Who sends readers to replicas, {@code null} where stock HDFS does. */
  public ReadRouting readRouting() {
    return readRouting;
  }

  /** Replaces it; {@code null} leaves readers to stock. */
  public void setReadRouting(ReadRouting latest) {
    readRouting = latest;
  }

  /** What DataNodes have been told to do. */
  public WorkQueue work() {
    return work;
  }

  private record CopyHold(WakeHold hold, LongSupplier term) {}

  /**
   * Has copies held back as long as sleeping servers are being woken.
   *
   * @param term the change of state since which the NameNode is active
   */
  void holdCopies(WakeHold hold, LongSupplier term) {
    copyHold = new CopyHold(hold, term);
  }

  /** Whether nobody is to copy anything; only asked while the NameNode is active. */
  boolean areCopiesHeld() {
    CopyHold now = copyHold;
    return now != null
        && !modes.isOff(Feature.SLEEP)
        && now.hold().holds(now.term().getAsLong(), Time.monotonicNow());
  }

  /**
   * Whether a copy is to wait.
   *
   * @param isMonitors whether HDFS's own monitor wants it
   * @param replicas that the block has
   */
  public boolean holdsBack(boolean isMonitors, int replicas) {
    CopyHold now = copyHold;
    return now != null
        && !modes.isOff(Feature.SLEEP)
        && now.hold().holdsBack(isMonitors, replicas, now.term().getAsLong(), Time.monotonicNow());
  }

  /** What holds stock's recovery back; held by nobody where Dayu is off. */
  public RecoveryClaim recovery() {
    return recovery;
  }

  /** What is done with decisions. */
  public FeatureModes modes() {
    return modes;
  }

  /** The same of one feature. */
  public Mode mode(Feature feature) {
    return modes.of(feature);
  }

  /** Whether agents are to say what is read most of their DataNodes. */
  boolean wantsReadCounts() {
    return config.eafr().isOn() && !(modes.isOff(Feature.HEAT) && modes.isOff(Feature.SLEEP));
  }

  /** Whether the NameNode has stopped; policies then look for another context. */
  public boolean isClosed() {
    return closed;
  }

  /** Makes policies of this context's topology find it. */
  public void attach() {
    PlacementContexts.register(network, this);
  }

  /** Leaves the policies to stock placement. */
  @Override
  public void close() {
    closed = true;
    PlacementContexts.unregister(network);
  }

  /** Switches at run time; affects the next decision. */
  public void setModes(FeatureModes newModes) {
    modes = newModes;
  }

  /** The latest state, or {@code null} before the first snapshot. */
  public ClusterView state() {
    return state;
  }

  /**
   * Whether new snapshots have failed to appear for so long that every link in the last one is
   * stale by now.
   *
   * @param nowMs monotonic time
   */
  public boolean isStale(LinkSnapshot snapshot, long nowMs) {
    return nowMs - snapshot.takenAtMs()
        > config.snapshotIntervalMs() + config.collector().staleAfterMs();
  }

  /** What is known of the links before the first snapshot: nothing. */
  LinkSnapshot noLinks() {
    return new LinkSnapshot.Builder(ClusterTopology.of(List.of()), config.network(), 0).build();
  }

  /** Says that DataNodes came or went: the next refresh reads the topology anew. */
  public void topologyChanged() {
    topologyStale = true;
  }

  /**
   * Takes a new snapshot of the links.
   *
   * @param nowMs monotonic time
   */
  public void refresh(long nowMs) {
    if (topologyStale || topology == null || nowMs - scannedAtMs > RESCAN_MS) {
      topologyStale = false;
      boolean isScanned = false;
      try {
        scanTopology(nowMs);
        isScanned = true;
      } finally {
        topologyStale |= !isScanned;
      }
      scannedAtMs = nowMs;
      stripes.expire(nowMs);
    }
    readReports(nowMs);
    LinkSnapshot.Builder snapshot =
        new LinkSnapshot.Builder(topology, config.network(), nowMs).believe(believableLink());
    learned.tell(snapshot, nowMs);
    double transferBytesPerSec = config.collector().assumedBytesPerSec() * DERIVED_TRANSFER_SHARE;
    for (int node = 0; node < datanodes.length; node++) {
      DatanodeDescriptor datanode = datanodes[node];
      NodeEstimate estimate = estimates[node];
      estimate.derive(
          datanode.getLastUpdateMonotonic(),
          datanode.getDfsUsed(),
          Math.max(0, datanode.getXceiverCount() - IDLE_TRANSFERS),
          transferBytesPerSec);
      estimate.settle(datanode.getBlocksScheduled());
      estimate.copyTo(snapshot, node, nowMs);
      if (datanode.isAlive()) {
        snapshot.storage(node, datanode.getDfsUsedPercent() / 100);
      }
    }
    LinkSnapshot links = snapshot.build();
    learned.look(
        links, Arrays.stream(estimates).mapToDouble(NodeEstimate::diskWriteBytesPerSec).toArray());
    rackLinkLearned = learned.rackBytesPerSec(nowMs);
    disagreement = learned.disagreement().orElse("");
    if (!disagreement.isEmpty() && disagreementLog.shouldLog()) {
      LOG.warn("Check the rackweave.network settings: {}", disagreement);
    }
    ClusterView before = state;
    LinkLedger ledger = new LinkLedger(links, before == null ? null : before.ledger(), estimates);
    if (config.decisionsKept() > 0) {
      HookGuard.run(
          Hook.DECISION_RECORD,
          () -> stockOutlook = StockOutlook.draw(ledger, ThreadLocalRandom.current()));
    }
    state = new ClusterView(ledger, datanodes, numbers, staleMs.getAsLong());
  }

  /** The fastest that a link is believed to be; counts those that are said to be faster. */
  private double believableLink() {
    double[] claims =
        Arrays.stream(estimates).mapToDouble(NodeEstimate::claimedBytesPerSec).toArray();
    if (Arrays.stream(claims).allMatch(claim -> claim == 0)) {
      claims = Arrays.stream(estimates).mapToDouble(NodeEstimate::linkBytesPerSec).toArray();
    }
    double most = LinkClaims.most(claims, config.collector().assumedBytesPerSec());
    linksDoubted =
        (int) Arrays.stream(estimates).filter(one -> one.linkBytesPerSec() > most).count();
    return most;
  }

  /** What is declared of the network and far from what is seen, in words; empty for nothing. */
  String disagreement() {
    return disagreement;
  }

  /** DataNodes whose agents say that their links are faster than is believed. */
  public int linksDoubted() {
    return linksDoubted;
  }

  /** What a full link of a rack was learned to carry, bytes per second; 0 as long as none was. */
  double rackLinkLearned() {
    return rackLinkLearned;
  }

  /** Leaves the report that came on a heartbeat for {@link #readReports}. */
  void reportArrived(String datanodeUuid, byte[] report) {
    if (report.length > HeartbeatReport.MAX_ENCODED_BYTES) {
      // At once, for an inbox full of these would be large.
      collector.drop(datanodeUuid, DropCause.OVERSIZED);
    } else {
      inbox.put(datanodeUuid, report);
    }
  }

  /**
   * Reads the reports that have arrived.
   *
   * @param nowMs monotonic time
   */
  public void readReports(long nowMs) {
    inbox.deliverTo(collector, nowMs, Time.now());
  }

  private record Placed(DatanodeDescriptor datanode, NodePlace place) {
    static Placed of(DatanodeDescriptor datanode) {
      return new Placed(
          datanode,
          new NodePlace(
              datanode.getXferAddr(), datanode.getNetworkLocation(), datanode.getUpgradeDomain()));
    }
  }

  private void scanTopology(long nowMs) {
    List<Placed> found =
        network.getLeaves(NodeBase.ROOT).stream()
            .filter(DatanodeDescriptor.class::isInstance)
            .map(leaf -> Placed.of((DatanodeDescriptor) leaf))
            .sorted(Comparator.comparing(placed -> placed.place().rackPath()))
            .toList();
    if (topology != null && isKnown(found)) {
      return; // keep the topology object, and with it the promises made to its links
    }
    List<NodePlace> foundPlaces = found.stream().map(Placed::place).toList();
    DatanodeDescriptor[] foundNodes =
        found.stream().map(Placed::datanode).toArray(DatanodeDescriptor[]::new);
    Set<String> ids = new HashSet<>();
    Map<Node, Integer> byIdentity = new IdentityHashMap<>();
    for (int node = 0; node < foundNodes.length; node++) {
      ids.add(foundNodes[node].getDatanodeUuid());
      byIdentity.put(foundNodes[node], node);
    }
    collector.retainOnly(ids, nowMs);
    NodeEstimate[] foundEstimates =
        Arrays.stream(foundNodes)
            .map(datanode -> collector.estimate(datanode.getDatanodeUuid()))
            .toArray(NodeEstimate[]::new);
    ClusterTopology foundTopology = ClusterTopology.of(foundPlaces);
    List<String> uuids =
        Arrays.stream(foundNodes).map(DatanodeDescriptor::getDatanodeUuid).toList();
    stripes.adopt(foundTopology, uuids, nowMs);
    // All or none: they go by the same numbers, and what is known is not read again.
    places = foundPlaces;
    datanodes = foundNodes;
    numbers = byIdentity;
    estimates = foundEstimates;
    topology = foundTopology;
  }

  private boolean isKnown(List<Placed> found) {
    if (found.size() != datanodes.length) {
      return false;
    }
    for (int node = 0; node < datanodes.length; node++) {
      if (found.get(node).datanode() != datanodes[node]
          || !found.get(node).place().equals(places.get(node))) {
        return false;
      }
    }
    return true;
  }
}
