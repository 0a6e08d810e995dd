package org.rackweave.hdfs.dayu;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.HeartbeatRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.HeartbeatResponseProto;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockManager;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.util.Time;
import org.rackweave.dayu.Brake.Judgement;
import org.rackweave.dayu.RecoveryGoal;
import org.rackweave.hdfs.ActiveTerm;
import org.rackweave.hdfs.DayuConfig;
import org.rackweave.hdfs.LogThrottle;
import org.rackweave.hdfs.Mode;
import org.rackweave.hdfs.admin.AdminAnswer;
import org.rackweave.hdfs.copies.CopyState;
import org.rackweave.hdfs.durability.Survey;
import org.rackweave.hdfs.hook.ActiveService;
import org.rackweave.hdfs.hook.Hook;
import org.rackweave.hdfs.hook.HookTimer;
import org.rackweave.history.Event.Kind;
import org.rackweave.history.EventLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has lost replicas made again, slot by slot, in an active NameNode out of safe mode.
 *
 * <p>One thread looks once a tick whether recovery is Dayu's and renews the claim that holds stock
 * HDFS back, sees to the copies under way, and lets {@link RecoverySlots} plan when it is time.
 * Another thread gives HDFS what was ordered when the first one has not renewed its claim.
 *
 * <p>Whatever Dayu cannot do is stock's: single blocks are handed over, everything when there is a
 * {@link StockReason}. Soft state, some 200 bytes a copy under way, at most twice {@code
 * rackweave.dayu.blocks.max} of them; a failover loses it, and the next NameNode plans anew.
 */
public final class NameNodeRecovery implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(NameNodeRecovery.class);
  private static final LogThrottle STOCK_LOG = LogThrottle.oncePerMinute();

  /** A quarter of the shortest claim. */
  private static final long TICK_MS = 250;

  /** A NameNode that stops waits no longer for a tick. */
  private static final long LAST_TICK_MS = 5000;

  /** Until an agent has been asked to end a copy, and until it has said that it has. */
  private static final int HEARTBEATS_TO_CANCEL = 2;

  /** An agent that has missed some heartbeats may still answer. */
  private static final int HEARTBEATS_TO_ANSWER = 10;

  private static final long SURVEY_MS = 60_000;
  private static final long GOAL_MS = 1000;

  private final NameNode nameNode;

  /** With the delays of this NameNode. */
  private final Supplier<DayuConfig> config;

  private final long heartbeatMs;
  private final ReconstructionQueue queue;
  private final Survey survey;
  private final RecoveryClaim claim;
  private final Supplier<RecoveryCluster> cluster;
  private final EventLog events;
  private final OutageBrake brake;
  private final OutageHold hold = new OutageHold();
  private final DeadNodeMonitor deaths;
  private final CopyLimits limits;
  private final SourceOrders orders;
  private final RunningCopies running;
  private final StocksShare share;
  private final RecoverySlots slots;
  private final Readiness readiness;
  private final WhatIfRequests whatIf;
  private final RecoveryGoals goals;
  private final RecoveryCounts counts = new RecoveryCounts();
  private final RecoveryMetrics metrics = new RecoveryMetrics(this);
  private final RecoverySwitch admin = new RecoverySwitch(this);
  private final HookTimer clock = new HookTimer("rackweave-recovery");
  private final HookTimer watch = new HookTimer("rackweave-recovery-watch");
  private final HookTimer goalClock = new HookTimer("rackweave-recovery-goal");

  private volatile boolean isClosed;
  private volatile StockReason stocks = StockReason.NOT_ACTIVE;
  private volatile boolean isBraked;

  /** Whether anything waited or was under way at the last look. */
  private boolean hadWork;

  private final ActiveService service;

  /**
   * What a NameNode has for it.
   *
   * @param claim what the placement policy asks
   * @param cluster asked for the DataNodes and their links
   * @param events told of what begins and ends
   */
  public record Environment(
      RecoveryClaim claim, Supplier<RecoveryCluster> cluster, EventLog events) {}

  /**
   * @param survey asked what deaths would do
   */
  public NameNodeRecovery(
      NameNode nameNode,
      ReconstructionQueue queue,
      Configuration conf,
      Supplier<DayuConfig> settings,
      Survey survey,
      Environment around) {
    Supplier<RecoveryCluster> cluster = around.cluster();
    RecoveryClaim claim = around.claim();
    EventLog events = around.events();
    this.nameNode = nameNode;
    this.events = events;
    heartbeatMs =
        seconds(
            conf,
            DFSConfigKeys.DFS_HEARTBEAT_INTERVAL_KEY,
            DFSConfigKeys.DFS_HEARTBEAT_INTERVAL_DEFAULT);
    config = () -> settings.get().withDelays(HEARTBEATS_TO_CANCEL * heartbeatMs, heartbeatMs);
    this.claim = claim;
    this.cluster = cluster;
    this.queue = queue;
    this.survey = survey;
    readiness = new Readiness(nameNode, settings, queue, cluster);
    whatIf = new WhatIfRequests(nameNode, settings, queue, cluster, survey);
    BlockManager blocks = nameNode.getNamesystem().getBlockManager();
    long recheckMs =
        conf.getInt(
            DFSConfigKeys.DFS_NAMENODE_HEARTBEAT_RECHECK_INTERVAL_KEY,
            DFSConfigKeys.DFS_NAMENODE_HEARTBEAT_RECHECK_INTERVAL_DEFAULT);
    brake =
        new OutageBrake(
            () -> settings.get().brake(),
            () -> blocks.getDatanodeManager().getDatanodeListForReport(DatanodeReportType.ALL),
            blocks.getDatanodeManager()::getNumLiveDataNodes,
            heartbeatMs,
            2 * recheckMs + 10 * heartbeatMs);
    goals = new RecoveryGoals(nameNode, forGoals(), text -> events.add(Kind.RECOVERY, text));
    deaths = new DeadNodeMonitor(queue, hold, heartbeatMs);
    limits =
        new CopyLimits(
            blocks::getMaxReplicationStreams,
            heartbeatMs / 1000.0,
            () -> settings.get().streamsMax());
    orders = new SourceOrders(queue, limits);
    share =
        new StocksShare(
            queue,
            counts,
            seconds(
                conf,
                DFSConfigKeys.DFS_NAMENODE_REDUNDANCY_INTERVAL_SECONDS_KEY,
                DFSConfigKeys.DFS_NAMENODE_REDUNDANCY_INTERVAL_SECONDS_DEFAULT));
    running = new RunningCopies(queue, counts, limits, share, HEARTBEATS_TO_ANSWER * heartbeatMs);
    slots =
        new RecoverySlots(
            config,
            queue,
            cluster,
            new RecoverySlots.Copying(limits, running, share, counts, events),
            turn());
    service = new ActiveService(nameNode, this::follow, this::plan);
  }

  private RecoverySlots.Turn turn() {
    return new RecoverySlots.Turn() {
      @Override
      public void renew() {
        NameNodeRecovery.this.renew();
      }

      @Override
      public boolean isOn() {
        return NameNodeRecovery.this.isOn();
      }

      @Override
      public double share() {
        return goals.share();
      }
    };
  }

  private RecoveryGoals.Recovery forGoals() {
    return new RecoveryGoals.Recovery() {
      private volatile SlotPlan plannedFor;
      private volatile RecoveryGoal.Work work;

      @Override
      public String whyNot() {
        StockReason reason = stocks;
        if (reason != null) {
          return "stock HDFS recovers lost replicas: " + reason.label();
        }
        return isDraining() ? "DataNodes are decommissioning or entering maintenance" : null;
      }

      @Override
      public boolean isDone() {
        return waiting() + underWay() == 0 && !isDraining();
      }

      @Override
      public long arrived() {
        return counts.ended(CopyState.ARRIVED);
      }

      @Override
      public RecoveryGoal.Work work() {
        if (isDraining()) {
          return null;
        }
        SlotPlan plan = slots.lastWholePlan();
        if (plan != plannedFor) {
          work = RecoveryReport.work(NameNodeRecovery.this); // counting takes a while
          plannedFor = plan;
        }
        return isDone() ? new RecoveryGoal.Work(0, 0, 0) : work;
      }

      @Override
      public double shareTaken() {
        RecoverySlots.WholePlan whole = slots.lastWhole();
        return whole == null ? Double.NaN : whole.portion();
      }
    };
  }

  /** Whether HDFS goes on adding blocks to the queue, so that it is not all there is to do. */
  private boolean isDraining() {
    return nameNode
        .getNamesystem()
        .getBlockManager()
        .getDatanodeManager()
        .getDatanodeListForReport(DatanodeReportType.LIVE)
        .stream()
        .anyMatch(node -> node.isDecommissionInProgress() || node.isEnteringMaintenance());
  }

  RecoveryGoals goals() {
    return goals;
  }

  private static long seconds(Configuration conf, String key, long byDefault) {
    return Math.max(
        1, conf.getTimeDuration(key, byDefault, TimeUnit.SECONDS, TimeUnit.MILLISECONDS));
  }

  /** Begins; returns at once. */
  public void start() {
    long tickMs = Math.min(TICK_MS, heartbeatMs / 4);
    clock.every(Hook.RECOVERY, tickMs, this::tick);
    watch.every(Hook.RECOVERY_WATCH, tickMs, this::lookAfter);
    watch.every(Hook.HEALTH, SURVEY_MS, survey::look);
    goalClock.every(Hook.RECOVERY_GOAL, GOAL_MS, goals::look);
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
   * @param transfers how far its copies are, {@code null} where it does not say
   * @return what its copies' rates are, {@code null} when it makes none
   */
  public byte[] heard(String datanodeUuid, byte[] transfers) {
    if (transfers != null && stocks == null) {
      limits.rates().heard(datanodeUuid, transfers, Time.monotonicNow());
    }
    return limits.rates().of(datanodeUuid);
  }

  /** A heartbeat as HDFS is to see it: its limit of transfers is not for those of ours. */
  public HeartbeatRequestProto withoutOwnTransfers(HeartbeatRequestProto heartbeat) {
    return orders.withoutOwn(heartbeat);
  }

  /** HDFS's answer to a heartbeat, with orders of ours. */
  public HeartbeatResponseProto withOrders(
      HeartbeatRequestProto heartbeat, HeartbeatResponseProto response) {
    return orders.withOrders(heartbeat, response);
  }

  @Override
  public void close() {
    // Not interrupted: it may be inside HDFS.
    clock.close();
    watch.close();
    goalClock.close();
    isClosed = true; // the last tick ends sooner
    awaitTheLastTick();
    letGo();
  }

  /** One that is under way would raise the limit, name rates and renew the claim once more. */
  private void awaitTheLastTick() {
    try {
      if (!clock.awaitEnd(LAST_TICK_MS)) {
        LOG.warn(
            "The thread rackweave-recovery still runs {} ms after it was stopped", LAST_TICK_MS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Whether an operator has not switched it off in the middle of a turn. */
  private boolean isOn() {
    return !isClosed && cluster.get().mode() == Mode.ACTIVE;
  }

  /** Whether sources and rates of copies are this one's to choose; for any thread. */
  public boolean choosesCopies() {
    return isOn() && readiness.policy() != null;
  }

  /** Takes the operator's word; one that is to become active later takes none. */
  void overrideBrake(boolean go) {
    brake.override(go && service.isCurrent(), Time.monotonicNow());
  }

  private void tick() throws Exception {
    boolean isOver = false;
    try {
      long nowMs = Time.monotonicNow();
      brake.settle(nowMs); // also while nothing waits or all is stock's
      // Twice, since a death may be noticed after the brake counts it.
      hold.forgetBefore(nowMs - Math.round(2000 * config.get().brake().graceSec()));
      service.tick();
      isOver = true;
    } finally {
      if (!isOver) {
        rest(StockReason.ERROR);
      }
    }
  }

  /** Knows what is known of the dead when it is its turn, and nothing of copies. */
  private void follow() {
    forget();
    rest(isClosed ? StockReason.SWITCHED_OFF : StockReason.NOT_ACTIVE);
    if (ActiveTerm.of(nameNode) == ActiveTerm.NONE && readiness.mayTakeOver()) {
      deaths.look(Time::monotonicNow, () -> {});
    }
  }

  private void plan(long term) {
    long nowMs = Time.monotonicNow();
    StockReason reason = whyStock(nowMs);
    if (reason == null) {
      goOn(term, nowMs);
    } else {
      rest(reason);
      running.look();
    }
  }

  private StockReason whyStock(long nowMs) {
    if (isClosed) {
      return StockReason.SWITCHED_OFF;
    }
    StockReason reason = readiness.whyStock();
    return reason == null && slots.hasToRest(nowMs) ? StockReason.NO_PROGRESS : reason;
  }

  /** Leaves everything to stock. */
  private void rest(StockReason reason) {
    letGo();
    if (reason != stocks) {
      events.add(Kind.RECOVERY, "stock HDFS recovers lost replicas: " + reason.label());
      stocks = reason;
      counts.stocksTurn(reason);
      if (!reason.isUnexpected()) {
        LOG.info("Stock HDFS recovers lost replicas: {}", reason.label());
      } else if (STOCK_LOG.shouldLog()) {
        LOG.warn("Stock HDFS recovers lost replicas: {}", reason.label());
      }
    }
  }

  private void letGo() {
    claim.release();
    limits.letGo();
    queue.handOverOrders();
  }

  private void forget() {
    running.replace(List.of());
    queue.forgetOrders();
    share.forget();
    slots.forget();
    brake.forget();
    isBraked = false;
    hadWork = false;
  }

  private void goOn(long term, long nowMs) {
    renew();
    if (stocks != null) {
      stocks = null;
      events.add(Kind.RECOVERY, "Rackweave recovers lost replicas");
      LOG.debug("Dayu recovers lost replicas");
    }
    deaths.look(Time::monotonicNow, this::renew);
    running.settle(term, nowMs);
    // What is under way at the end of it all may be late, too.
    boolean hasWork = waiting() > 0 || underWay() > 0;
    if (hasWork != hadWork) {
      long arrived = counts.ended(CopyState.ARRIVED);
      events.add(
          Kind.RECOVERY,
          hasWork
              ? "recovery begins: " + waiting() + " blocks wait for replicas"
              : "recovery is over: " + arrived + " copies have arrived since the start");
      hadWork = hasWork;
    }
    isBraked = hasWork && mustWait(nowMs);
    if (hasWork && slots.isDue(nowMs)) {
      slots.plan(term, nowMs, isBraked ? hold.because(brake.vanished()) : block -> false);
    }
    share.serve(nowMs);
    limits.apply(running.all(), nowMs);
  }

  private void renew() {
    if (isOn()) {
      claim.renew(readiness.policy(), Time.monotonicNow() + config.get().claimMs());
    }
  }

  private boolean mustWait(long nowMs) {
    Judgement judgement = brake.judge(nowMs);
    hold.retain(brake.vanished());
    boolean waits = !judgement.mayRecover();
    if (waits && !isBraked) {
      counts.braked();
      events.add(Kind.RECOVERY, "recovery waits: " + brake.describe());
      LOG.warn(
          "{}; to recover at once: hdfs dfsadmin -refresh {} {} go",
          brake.describe(),
          nameNode.getNameNodeAddressHostPortString(),
          RecoverySwitch.IDENTIFIER);
    } else if (isBraked && !waits) {
      LOG.info("Recovery no longer waits: {}", brake.describe());
      events.add(Kind.RECOVERY, "recovery no longer waits: " + brake.describe());
    }
    return waits;
  }

  /** On a thread of its own: does what the other would have, had it not hung. */
  private void lookAfter() {
    if (claim.hasRunOut(Time.monotonicNow())) {
      if (stocks != StockReason.HUNG) {
        stocks = StockReason.HUNG;
        counts.stocksTurn(StockReason.HUNG);
        events.add(Kind.RECOVERY, "stock HDFS recovers lost replicas: " + StockReason.HUNG.label());
        LOG.error(
            "The thread rackweave-recovery has not run for {} ms; stock HDFS recovers lost"
                + " replicas",
            config.get().claimMs());
      }
      limits.letGo();
      queue.handOverOrders();
    }
  }

  WhatIfRequests whatIf() {
    return whatIf;
  }

  List<RunningCopy> running() {
    return running.all();
  }

  /** What is planned, and was last. */
  RecoverySlots slots() {
    return slots;
  }

  /** Why recovery waits, or would but for the operator; empty when nothing unusual is lost. */
  String brakeText() {
    return isBraked || brake.isOverridden() ? brake.describe() : "";
  }

  /** Blocks that wait, striped ones too. */
  int waiting() {
    return queue.waitingCount();
  }

  /** The same by priority, the most urgent first. */
  int[] waitingByPriority() {
    return queue.waitingByPriority();
  }

  /** The longest that it held the namesystem's lock. */
  long longestHoldNanos() {
    return queue.longestHoldNanos();
  }

  int underWay() {
    return running.all().size();
  }

  RecoveryCounts counts() {
    return counts;
  }

  CopyRates rates() {
    return limits.rates();
  }

  RecoveryClaim claim() {
    return claim;
  }

  /** Copies that sources have not been told of. */
  int ordersWaiting() {
    return queue.ordersWaiting();
  }

  long brakeWaitSec() {
    return isBraked ? (long) Math.ceil(brake.last().waitSec()) : 0;
  }

  /** Why stock HDFS makes lost replicas again against expectation, {@code null} if it does not. */
  public String stocksAgainstExpectation() {
    StockReason reason = stocks;
    return reason == null || !reason.isUnexpected() ? null : reason.label();
  }

  /** Whether it waits for much that was lost at once. */
  public boolean isWaiting() {
    return stocks == null && isBraked && !brake.isOverridden();
  }

  /** In a word or two. */
  String state() {
    StockReason reason = stocks;
    if (reason != null) {
      return "stock: " + reason.label();
    }
    if (isWaiting()) {
      return "waiting";
    }
    return running.all().isEmpty() && waiting() == 0 ? "idle" : "recovering";
  }

  /** In a line. */
  AdminAnswer status() {
    AdminAnswer answer =
        new AdminAnswer()
            .with("namenode", nameNode.getNameNodeAddressHostPortString())
            .with("state", state())
            .with("brake", brakeText())
            .with("blocks_waiting", waiting())
            .with("copies_under_way", underWay())
            .with("copies_arrived", counts.ended(CopyState.ARRIVED));
    Map<String, Long> stocks = new LinkedHashMap<>();
    for (LeftReason reason : LeftReason.values()) {
      if (reason.isStocks() && counts.left(reason) > 0) {
        stocks.put(reason.label(), counts.left(reason));
      }
    }
    return answer.with("blocks_left_to_stock", stocks);
  }
}
