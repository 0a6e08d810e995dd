package org.rackweave.hdfs.dayu;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockManager;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.util.Time;
import org.rackweave.dayu.Brake.Judgement;
import org.rackweave.dayu.RecoverySnapshot;
import org.rackweave.hdfs.DayuConfig;
import org.rackweave.hdfs.LogThrottle;
import org.rackweave.hdfs.Mode;
import org.rackweave.telemetry.HeartbeatReportCodec;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has lost replicas made again, slot by slot, in an active NameNode out of safe mode.
 *
 * <p>One thread looks once a tick whether recovery is Dayu's and renews the claim that holds stock
 * HDFS back. When a slot is due it reads the queue in parts, plans without any lock, and has the
 * copies scheduled in parts, every block being looked at again. Slots overlap: the next one is
 * planned before the one under way ends, and copies under way are in its plan. Another thread puts
 * the stream limit back when the first one has not renewed its claim.
 *
 * <p>Whatever Dayu cannot do is stock's: single blocks are handed over, everything when there is a
 * {@link StockReason}. Soft state, some 200 bytes a copy under way, at most twice {@code
 * rackweave.dayu.blocks.max} of them; a failover loses it, and the next NameNode plans anew.
 */
public final class NameNodeRecovery implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(NameNodeRecovery.class);
  private static final LogThrottle ERROR_LOG = LogThrottle.oncePerMinute();
  private static final LogThrottle STOCK_LOG = LogThrottle.oncePerMinute();
  private static final long TICK_MS = 500;
  private static final long EARLY_PLAN_MS = 1000;

  /** Slots in which nothing could be done before stock gets its turn. */
  private static final int FRUITLESS_MAX = 3;

  private final NameNode nameNode;
  private final DayuConfig config;
  private final ReconstructionQueue queue;
  private final RecoveryClaim claim;
  private final Supplier<RecoveryCluster> cluster;
  private final OutageBrake brake;
  private final StreamLimit limit;
  private final Backlog backlog;
  private final CopyRates rates = new CopyRates();
  private final RecoveryCounts counts = new RecoveryCounts();
  private final RecoveryMetrics metrics = new RecoveryMetrics(this);
  private final RecoverySwitch admin = new RecoverySwitch(this);
  private final long stockIntervalMs;
  private final long heartbeatMs;
  private final long slotMs;
  private final ScheduledExecutorService clock = thread("rackweave-recovery");
  private final ScheduledExecutorService watch = thread("rackweave-recovery-watch");

  private volatile boolean isOn = true;
  private volatile StockReason stocks = StockReason.NOT_ACTIVE;
  private volatile List<RunningCopy> running = List.of();
  private volatile SlotPlan lastPlan;
  private volatile boolean isBraked;

  private long term = -1;
  private long nextPlanMs;
  private long plannedMs;
  private long stockServedMs;
  private int fruitless;
  private int waitingThen;
  private boolean lastPlanBoreFruit;
  private List<WaitingBlock> forStock = List.of();
  private Set<Long> refusedLast = Set.of();

  /**
   * @param claim what the placement policy asks
   * @param cluster asked for the DataNodes and their links
   */
  public NameNodeRecovery(
      NameNode nameNode,
      Configuration conf,
      DayuConfig config,
      RecoveryClaim claim,
      Supplier<RecoveryCluster> cluster) {
    this.nameNode = nameNode;
    this.config = config;
    this.claim = claim;
    this.cluster = cluster;
    queue = ReconstructionQueue.of(nameNode);
    BlockManager blocks = nameNode.getNamesystem().getBlockManager();
    heartbeatMs =
        seconds(
            conf,
            DFSConfigKeys.DFS_HEARTBEAT_INTERVAL_KEY,
            DFSConfigKeys.DFS_HEARTBEAT_INTERVAL_DEFAULT);
    long recheckMs =
        conf.getInt(
            DFSConfigKeys.DFS_NAMENODE_HEARTBEAT_RECHECK_INTERVAL_KEY,
            DFSConfigKeys.DFS_NAMENODE_HEARTBEAT_RECHECK_INTERVAL_DEFAULT);
    brake =
        new OutageBrake(
            config.brake(),
            blocks.getDatanodeManager(),
            heartbeatMs,
            2 * recheckMs + 10 * heartbeatMs);
    limit =
        new StreamLimit(
            blocks::getMaxReplicationStreams,
            blocks::setMaxReplicationStreams,
            () ->
                nameNode
                    .getConf()
                    .getInt(
                        DFSConfigKeys.DFS_NAMENODE_REPLICATION_MAX_STREAMS_KEY,
                        DFSConfigKeys.DFS_NAMENODE_REPLICATION_MAX_STREAMS_DEFAULT),
            config.streamsMax());
    backlog = new Backlog(queue, counts, config.blocksMax());
    stockIntervalMs =
        seconds(
            conf,
            DFSConfigKeys.DFS_NAMENODE_REDUNDANCY_INTERVAL_SECONDS_KEY,
            DFSConfigKeys.DFS_NAMENODE_REDUNDANCY_INTERVAL_SECONDS_DEFAULT);
    slotMs = (long) (1000 * config.slot().lengthSec());
  }

  private static long seconds(Configuration conf, String key, long byDefault) {
    return Math.max(
        1, conf.getTimeDuration(key, byDefault, TimeUnit.SECONDS, TimeUnit.MILLISECONDS));
  }

  private static ScheduledExecutorService thread(String name) {
    return Executors.newSingleThreadScheduledExecutor(
        work -> {
          Thread thread = new Thread(work, name);
          thread.setDaemon(true);
          return thread;
        });
  }

  /** Begins; returns at once. */
  public void start() {
    long tickMs = Math.min(TICK_MS, config.claimMs() / 4);
    clock.scheduleWithFixedDelay(this::tick, 0, tickMs, TimeUnit.MILLISECONDS);
    watch.scheduleWithFixedDelay(this::lookAfter, tickMs, tickMs, TimeUnit.MILLISECONDS);
  }

  /** For operators. */
  public RecoverySwitch admin() {
    return admin;
  }

  public RecoveryMetrics metrics() {
    return metrics;
  }

  /**
   * Takes an agent's report.
   *
   * @return what its copies' rates are, {@code null} when it makes none
   */
  public byte[] heard(String datanodeUuid, byte[] report) {
    byte[] named = rates.of(datanodeUuid);
    byte[] transfers = named == null ? null : HeartbeatReportCodec.transfers(report);
    if (transfers != null) {
      rates.heard(datanodeUuid, transfers, Time.monotonicNow());
    }
    return named;
  }

  @Override
  public void close() {
    // Not interrupted: it may be inside HDFS.
    clock.shutdown();
    watch.shutdown();
    switchOn(false);
  }

  void switchOn(boolean on) {
    isOn = on;
    if (!on) {
      letGo();
    }
  }

  void overrideBrake(boolean go) {
    brake.override(go);
  }

  private void tick() {
    try {
      long nowMs = Time.monotonicNow();
      StockReason reason = whyStock(nowMs);
      if (reason != null) {
        rest(reason);
        return;
      }
      goOn(nowMs);
    } catch (RuntimeException | LinkageError e) {
      rest(StockReason.ERROR);
      if (ERROR_LOG.shouldLog()) {
        LOG.error("Planning recovery failed; stock HDFS acts until it works again", e);
      }
    }
  }

  /** Why recovery is stock's now, {@code null} when it is not. */
  private StockReason whyStock(long nowMs) {
    if (!isOn) {
      return StockReason.SWITCHED_OFF;
    }
    if (!nameNode.isActiveState()) {
      return StockReason.NOT_ACTIVE;
    }
    if (nameNode.isInSafeMode() || !queue.isPopulated()) {
      return StockReason.SAFE_MODE;
    }
    if (queue.holdingPolicy() == null) {
      return StockReason.OTHER_POLICY;
    }
    RecoveryCluster now = cluster.get();
    if (now.mode() != Mode.ACTIVE) {
      return now.mode() == Mode.SHADOW ? StockReason.SHADOW_MODE : StockReason.SWITCHED_OFF;
    }
    if (now.links() == null) {
      return StockReason.NO_SNAPSHOT;
    }
    if (now.isStale()) {
      return StockReason.STALE_SNAPSHOT;
    }
    if (now.links().coverage() < now.coverageMin()) {
      return StockReason.LOW_COVERAGE;
    }
    return fruitless >= FRUITLESS_MAX && nowMs < nextPlanMs ? StockReason.NO_PROGRESS : null;
  }

  /** Leaves everything to stock. */
  private void rest(StockReason reason) {
    letGo();
    if (reason == StockReason.NOT_ACTIVE) {
      forget();
    }
    if (reason != stocks) {
      stocks = reason;
      counts.stocksTurn(reason);
      if (!reason.isUnexpected()) {
        LOG.info("Lost replicas are made again by stock HDFS: {}", reason.label());
      } else if (STOCK_LOG.shouldLog()) {
        LOG.warn("Lost replicas are made again by stock HDFS: {}", reason.label());
      }
    }
  }

  private void letGo() {
    claim.release();
    limit.restore();
    rates.withdraw();
  }

  private void forget() {
    running = List.of();
    forStock = List.of();
    refusedLast = Set.of();
    lastPlan = null;
    isBraked = false;
    fruitless = 0;
    nextPlanMs = 0;
  }

  private void goOn(long nowMs) {
    long now = nameNode.getLastHATransitionTime();
    if (now != term) {
      forget(); // it was another's turn meanwhile
      term = now;
    }
    renew();
    if (stocks != null) {
      stocks = null;
      LOG.debug("Lost replicas are made again by Dayu");
    }
    settle();
    boolean mayPlan = waiting() > 0 && !mustWait(nowMs);
    if (mayPlan && isDue(nowMs)) {
      planSlot(nowMs);
    } else if (waiting() == 0) {
      isBraked = false;
    }
    serveStock(nowMs);
    raiseLimit(nowMs);
    rates.publish(running, limit.current());
  }

  private void renew() {
    if (isOn) {
      claim.renew(queue.holdingPolicy(), Time.monotonicNow() + config.claimMs());
    }
  }

  private boolean mustWait(long nowMs) {
    Judgement judgement = brake.judge(nowMs);
    boolean waits = !judgement.mayRecover();
    if (waits && !isBraked) {
      counts.braked();
      LOG.warn(
          "{}; to recover at once: hdfs dfsadmin -refresh {} {} go",
          brake.describe(),
          nameNode.getNameNodeAddressHostPortString(),
          RecoverySwitch.IDENTIFIER);
    } else if (isBraked && !waits) {
      LOG.info("Recovery waits no longer: {}", brake.describe());
    }
    isBraked = waits;
    return waits;
  }

  /** When its time has come, or when there is nothing to do and new blocks wait. */
  private boolean isDue(long nowMs) {
    boolean hasNews = lastPlanBoreFruit || waiting() != waitingThen;
    return nowMs >= nextPlanMs
        || (running.isEmpty() && hasNews && nowMs - plannedMs >= EARLY_PLAN_MS);
  }

  private void planSlot(long nowMs) {
    plannedMs = nowMs;
    nextPlanMs = nowMs + slotMs;
    RecoveryCluster known = cluster.get();
    int room = 2 * config.blocksMax() - running.size();
    List<WaitingBlock> waiting = backlog.read(room, this::renew);
    RecoverySnapshot snapshot =
        new IdleBandwidth(known, config.bandwidth(), running, nowMs).snapshot(queue::isStaleTarget);
    long began = System.nanoTime();
    SlotPlan plan =
        new SlotPlan(config, known, snapshot, running, waiting, nowMs, ThreadLocalRandom.current());
    counts.planned(System.nanoTime() - began);
    counts.left(plan.leftCounts());
    renew();
    adoptRates(plan, nowMs);
    List<PlannedCopy> copies = plan.copies();
    forStock = new ArrayList<>(plan.left());
    int scheduled = schedule(copies, waiting);
    lastPlan = plan;
    waitingThen = waiting();
    lastPlanBoreFruit = scheduled > 0;
    boolean isInVain =
        scheduled == 0 && running.isEmpty() && (plan.deferred() > 0 || !copies.isEmpty());
    fruitless = isInVain ? fruitless + 1 : 0;
    if (scheduled == 0) {
      backlog.wasInVain();
    }
    LOG.debug(
        "Slot of {} ms: {} blocks read, {} copies scheduled, {} under way, {} left to stock",
        slotMs,
        waiting.size(),
        scheduled,
        running.size(),
        forStock.size());
  }

  private void adoptRates(SlotPlan plan, long nowMs) {
    running = plan.running(nowMs);
  }

  /**
   * HDFS gives a source new transfers on its heartbeat only. Where agents hold transfers to their
   * rates, all of a slot may run at once. Else a source that is to be busy needs as many as it
   * finishes from one heartbeat to the next, and one more; others would only be in the way.
   */
  private void raiseLimit(long nowMs) {
    Map<String, Integer> bySource = new HashMap<>();
    for (RunningCopy copy : running) {
      bySource.merge(copy.copy().source().getDatanodeUuid(), 1, Integer::sum);
    }
    if (bySource.isEmpty()) {
      limit.restore();
      return;
    }
    int most = Collections.max(bySource.values());
    boolean areHeld = bySource.keySet().stream().allMatch(uuid -> rates.isEnforcedBy(uuid, nowMs));
    double share = areHeld ? 1 : Math.min(1.0, (double) heartbeatMs / slotMs);
    limit.raise((int) Math.ceil(most * share) + 1);
  }

  /** Has copies made, part by part; returns how many are. */
  private int schedule(List<PlannedCopy> copies, List<WaitingBlock> waiting) {
    List<RunningCopy> all = new ArrayList<>(running);
    Set<Long> refused = new HashSet<>();
    int before = all.size();
    for (int from = 0; from < copies.size() && isOn; ) {
      List<PlannedCopy> part =
          copies.subList(from, Math.min(copies.size(), from + queue.batchSize()));
      long began = System.nanoTime();
      List<CopyOutcome> outcomes = queue.schedule(part, term);
      counts.locked(System.nanoTime() - began);
      if (outcomes.isEmpty()) {
        break; // it is another's turn
      }
      long nowMs = Time.monotonicNow();
      for (int i = 0; i < part.size(); i++) {
        counts.tried(part.get(i), outcomes.get(i));
        if (outcomes.get(i) == CopyOutcome.SCHEDULED) {
          all.add(RunningCopy.begun(part.get(i), nowMs));
        } else if (outcomes.get(i).stillWaits()) {
          refused.add(part.get(i).blockId());
        }
      }
      from += part.size();
      renew();
    }
    running = List.copyOf(all);
    handOverRefused(refused, waiting);
    return all.size() - before;
  }

  /** What HDFS has refused twice in a row is stock's. */
  private void handOverRefused(Set<Long> refused, List<WaitingBlock> waiting) {
    Set<Long> twice = new HashSet<>(refused);
    twice.retainAll(refusedLast);
    if (!twice.isEmpty()) {
      counts.left(LeftReason.REFUSED, twice.size());
      waiting.stream().filter(block -> twice.contains(block.id())).forEach(forStock::add);
    }
    refusedLast = refused;
  }

  /** Gives stock what is its own, as much and as often as it would take by itself. */
  private void serveStock(long nowMs) {
    if (forStock.isEmpty() || nowMs - stockServedMs < stockIntervalMs) {
      return;
    }
    stockServedMs = nowMs;
    int size = Math.min(queue.batchSize(), forStock.size());
    List<WaitingBlock> part = List.copyOf(forStock.subList(0, size));
    forStock.subList(0, size).clear();
    counts.handedOver(queue.leaveToStock(part));
  }

  /** Looks how copies under way stand. */
  private void settle() {
    List<RunningCopy> all = running;
    if (all.isEmpty()) {
      return;
    }
    List<RunningCopy> left = new ArrayList<>(all.size());
    for (int from = 0; from < all.size(); ) {
      List<RunningCopy> part = all.subList(from, Math.min(all.size(), from + queue.batchSize()));
      from += part.size();
      List<PlannedCopy> copies = part.stream().map(RunningCopy::copy).toList();
      List<CopyState> states = queue.states(copies);
      List<PlannedCopy> broken = new ArrayList<>();
      for (int i = 0; i < copies.size(); i++) {
        switch (states.get(i)) {
          case UNDER_WAY -> left.add(rates.measured(part.get(i)));
          case BROKEN -> broken.add(copies.get(i));
          default -> counts.ended(copies.get(i), states.get(i));
        }
      }
      if (!broken.isEmpty()) {
        queue.release(broken, term);
        broken.forEach(copy -> counts.ended(copy, CopyState.BROKEN));
      }
    }
    running = List.copyOf(left);
  }

  /** On a thread of its own: does what the other would have, had it not hung. */
  private void lookAfter() {
    try {
      long nowMs = Time.monotonicNow();
      if (claim.hasRunOut(nowMs)) {
        if (stocks != StockReason.HUNG) {
          stocks = StockReason.HUNG;
          counts.stocksTurn(StockReason.HUNG);
          LOG.error(
              "The thread rackweave-recovery has not been seen for {} ms; stock HDFS makes lost"
                  + " replicas again",
              config.claimMs());
        }
        limit.restore();
        rates.withdraw();
      }
    } catch (RuntimeException e) {
      if (ERROR_LOG.shouldLog()) {
        LOG.error("Looking after recovery failed", e);
      }
    }
  }

  /** Blocks that wait, striped ones too. */
  int waiting() {
    return queue.waitingCount();
  }

  int underWay() {
    return running.size();
  }

  RecoveryCounts counts() {
    return counts;
  }

  CopyRates rates() {
    return rates;
  }

  RecoveryClaim claim() {
    return claim;
  }

  StreamLimit limit() {
    return limit;
  }

  long brakeWaitSec() {
    return isBraked ? (long) Math.ceil(brake.last().waitSec()) : 0;
  }

  /** In a word or two. */
  String state() {
    StockReason reason = stocks;
    if (reason != null) {
      return "stock: " + reason.label();
    }
    if (isBraked) {
      return "waiting";
    }
    return running.isEmpty() && waiting() == 0 ? "idle" : "recovering";
  }

  /** In a line. */
  String status() {
    StringBuilder text =
        new StringBuilder("Recovery on ")
            .append(nameNode.getNameNodeAddressHostPortString())
            .append(": ")
            .append(state());
    if (isBraked) {
      text.append(" (").append(brake.describe()).append(')');
    }
    text.append(", ").append(waiting()).append(" blocks wait, ");
    text.append(underWay()).append(" copies under way, ");
    text.append(counts.ended(CopyState.ARRIVED)).append(" arrived");
    for (LeftReason reason : LeftReason.values()) {
      if (reason.isStocks() && counts.left(reason) > 0) {
        text.append(", ").append(reason.label()).append(' ').append(counts.left(reason));
      }
    }
    return text.toString();
  }
}
