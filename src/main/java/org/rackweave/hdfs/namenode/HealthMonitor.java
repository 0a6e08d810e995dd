package org.rackweave.hdfs.namenode;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.util.Time;
import org.rackweave.hdfs.ClusterView;
import org.rackweave.hdfs.Feature;
import org.rackweave.hdfs.FeatureModes;
import org.rackweave.hdfs.Mode;
import org.rackweave.hdfs.RackweaveConfig;
import org.rackweave.hdfs.dayu.NameNodeRecovery;
import org.rackweave.hdfs.ear.EncodingCounts;
import org.rackweave.hdfs.hook.Hook;
import org.rackweave.hdfs.hook.HookGuard;
import org.rackweave.hdfs.hook.HookTimer;
import org.rackweave.health.CircuitBreaker;
import org.rackweave.health.Finding;
import org.rackweave.health.HealthChecks;
import org.rackweave.health.HealthFacts;
import org.rackweave.history.Event.Kind;
import org.rackweave.history.EventLog;
import org.rackweave.history.LinkHistory;
import org.rackweave.model.ClusterTopology;
import org.rackweave.placement.FallbackReason;
import org.rackweave.telemetry.LinkSnapshot;
import org.rackweave.telemetry.LinkSource;
import org.rackweave.telemetry.NodeEstimate;
import org.rackweave.trial.Canary;

/**
 * Looks every few seconds how this NameNode does: keeps what has changed as events, and counts of
 * the last minutes for {@link HealthChecks}. Runs on every NameNode, so that all but those that
 * only the active one knows outlive a failover. Bounded: events as {@link EventLog} has it, and a
 * line for each of {@value #MINUTES} minutes.
 */
final class HealthMonitor implements AutoCloseable {
  private static final int MINUTES = 10;
  private static final long LOOK_MS = 5_000;
  private static final long MINUTE_MS = TimeUnit.MINUTES.toMillis(1);
  private static final long LINKS_STEP_MS = TimeUnit.MINUTES.toMillis(5);
  private static final long LINKS_KEPT_MS = TimeUnit.DAYS.toMillis(1);

  /** DataNodes of a rack whose speeds must be known to say what is usual there. */
  private static final int PEERS_LEAST = 3;

  /** So many DataNodes are named when many come or go at once. */
  private static final int NAMED_AT_ONCE = 20;

  private final NameNode nameNode;
  private final PlacementContext context;

  /** {@code null} until recovery has started. */
  private volatile NameNodeRecovery recovery;

  private volatile String notStarted = "";

  /** {@code null} for none. */
  private volatile BlackBox blackBox;

  private final LinkHistory linkHistory =
      new LinkHistory(LINKS_STEP_MS, (int) (LINKS_KEPT_MS / LINKS_STEP_MS));
  private final HookTimer timer = new HookTimer("rackweave-health");

  /** Counts of a minute's end. */
  private record Counts(
      long atMs, long decisions, Map<FallbackReason, Long> fallbacks, Map<Hook, Long> failures) {}

  private final Deque<Counts> minutes = new ArrayDeque<>();

  private FeatureModes modes;
  private RackweaveConfig config;
  private boolean wasActive;
  private Canary canary;
  private CircuitBreaker.State breaker = CircuitBreaker.State.CLOSED;
  private Map<String, Boolean> alive;

  /** When each finding there is was seen last, by code. */
  private final Map<String, Long> foundMs = new TreeMap<>();

  HealthMonitor(NameNode nameNode, PlacementContext context) {
    this.nameNode = nameNode;
    this.context = context;
    minutes.add(counts(Time.monotonicNow()));
  }

  /** Has it look after recovery, too. */
  void recoveryStarted(NameNodeRecovery started) {
    recovery = started;
  }

  /** Says that something has not started. */
  void notStarted(String what, Throwable why) {
    notStarted = what + " (" + why + ')';
    tell(Kind.START, notStarted + " has not started");
  }

  /** Has frames kept in a black box. */
  void keepIn(BlackBox box) {
    blackBox = box;
  }

  void start() {
    tell(Kind.START, "Rackweave runs on " + nameNode.getNameNodeAddressHostPortString());
    timer.after(Hook.HEALTH, LOOK_MS, this::look);
  }

  /** The last day's. */
  LinkHistory linkHistory() {
    return linkHistory;
  }

  private void tell(Kind kind, String text) {
    context.events().add(kind, text);
  }

  /** Notes what has changed since the last look. */
  synchronized void look() {
    long nowMs = Time.monotonicNow();
    lookAtRole();
    lookAtCanary();
    lookAtSettings();
    lookAtDataNodes();
    lookAtLinks(nowMs);
    lookAtBreaker();
    if (nowMs - minutes.getLast().atMs() >= MINUTE_MS) {
      minutes.add(counts(nowMs));
      while (minutes.size() > MINUTES + 1) {
        minutes.removeFirst();
      }
    }
    for (Finding finding : HealthChecks.of(facts(nowMs))) {
      if (foundMs.put(finding.code(), nowMs) == null) {
        tell(Kind.HEALTH, finding.code() + ": " + finding.summary());
      }
    }
    foundMs
        .entrySet()
        .removeIf(
            finding -> {
              boolean isOver = nowMs - finding.getValue() >= MINUTE_MS; // not one that flaps
              if (isOver) {
                tell(Kind.HEALTH, finding.getKey() + " is over");
              }
              return isOver;
            });
  }

  private void lookAtRole() {
    boolean isActive = nameNode.isActiveState();
    if (isActive != wasActive) {
      tell(Kind.ROLE, "this NameNode is " + (isActive ? "active" : "no longer active"));
    }
    wasActive = isActive;
  }

  private void lookAtSettings() {
    FeatureModes latestModes = context.modes();
    RackweaveConfig latest = context.config();
    if (modes != null && !modes.equals(latestModes)) {
      tell(Kind.MODE, modes + " -> " + latestModes);
    }
    if (config != null && config != latest) {
      tell(Kind.SETTINGS, "settings or rules were put in force");
    }
    modes = latestModes;
    config = latest;
  }

  private void lookAtCanary() {
    Canary latest = context.trials().known();
    boolean hasLooked = modes != null; // what was before a restart is no event
    if (hasLooked && latest != null && !latest.equals(canary)) {
      tell(Kind.CANARY, latest.sentence());
    }
    canary = latest;
  }

  private void lookAtDataNodes() {
    ClusterView state = context.state();
    if (state == null) {
      return;
    }
    Map<String, Boolean> now = new HashMap<>();
    List<String> lost = new ArrayList<>();
    List<String> back = new ArrayList<>();
    for (DatanodeDescriptor datanode : state.datanodes()) {
      String place = ClusterView.placeOf(datanode);
      boolean isAlive = datanode.isAlive();
      now.put(place, isAlive);
      Boolean before = alive == null ? Boolean.valueOf(isAlive) : alive.get(place);
      if (before == null ? isAlive : isAlive && !before) {
        back.add(place);
      } else if (before != null && before && !isAlive) {
        lost.add(place);
      }
    }
    if (alive != null) {
      alive.forEach(
          (place, wasAlive) -> {
            if (wasAlive && !now.containsKey(place)) {
              lost.add(place);
            }
          });
    }
    alive = now;
    tellOf(lost, "lost");
    tellOf(back, "here");
  }

  private void lookAtBreaker() {
    CircuitBreaker.State now = context.breaker().state();
    if (now != breaker) {
      tell(
          Kind.BREAKER,
          switch (now) {
            case OPEN -> "placement is left to stock HDFS for now: most decisions failed";
            case HALF_OPEN -> "placement tries a few decisions";
            case CLOSED -> "placement decides again";
          });
    }
    breaker = now;
  }

  private void lookAtLinks(long nowMs) {
    ClusterView state = context.state();
    if (state != null && !context.isStale(state.links(), nowMs)) {
      LinkHistory.Frame over = linkHistory.add(Time.now(), state.links());
      BlackBox box = blackBox;
      if (over != null && box != null) {
        box.offer(over);
      }
    }
  }

  private void tellOf(List<String> places, String what) {
    places.stream()
        .limit(NAMED_AT_ONCE)
        .forEach(place -> context.events().add(Kind.DATANODE, place, () -> place + " is " + what));
    if (places.size() > NAMED_AT_ONCE) {
      tell(
          Kind.DATANODE,
          (places.size() - NAMED_AT_ONCE) + " more DataNodes are " + what + " at the same time");
    }
  }

  private Counts counts(long nowMs) {
    Map<FallbackReason, Long> fallbacks = new EnumMap<>(FallbackReason.class);
    for (FallbackReason reason : FallbackReason.values()) {
      // That nobody has odds follows from rules, mostly.
      if (reason.isUnexpected() && reason != FallbackReason.NO_ODDS) {
        fallbacks.put(reason, context.metrics().fallbackCount(reason));
      }
    }
    Map<Hook, Long> failures = new EnumMap<>(Hook.class);
    for (Hook hook : Hook.values()) {
      failures.put(hook, HookGuard.failures(hook));
    }
    long decisions = context.metrics().decisionCount() + context.metrics().shadowDecisionCount();
    return new Counts(nowMs, decisions, fallbacks, failures);
  }

  /** What is wrong now. */
  synchronized List<Finding> findings() {
    return HealthChecks.of(facts(Time.monotonicNow()));
  }

  private HealthFacts facts(long nowMs) {
    Counts first = minutes.getFirst();
    Counts last = counts(nowMs);
    Map<String, Long> fallbacks = new TreeMap<>();
    last.fallbacks()
        .forEach(
            (reason, count) ->
                grown(fallbacks, reason.label(), first.fallbacks().get(reason), count));
    Map<String, Long> failures = new TreeMap<>();
    last.failures()
        .forEach((hook, count) -> grown(failures, hook.label(), first.failures().get(hook), count));
    EncodingCounts counts = context.stripes().counts();
    NameNodeRecovery recovers = recovery;
    BlackBox box = blackBox;
    boolean recoveryIsOn = context.mode(Feature.RECOVERY) == Mode.ACTIVE && recovers != null;
    return new HealthFacts(
        notStarted,
        !context.modes().equals(FeatureModes.all(Mode.OFF)),
        nameNode.isActiveState(),
        telemetry(nowMs),
        new HealthFacts.Decisions(
            Math.max(1, (nowMs - first.atMs()) / MINUTE_MS),
            last.decisions() - first.decisions(),
            fallbacks,
            context.breaker().state(),
            context.breaker().slower(),
            context.trials().aborted()),
        new HealthFacts.Recovery(
            recoveryIsOn ? recovers.stocksAgainstExpectation() : null,
            recoveryIsOn && recovers.isWaiting()),
        new HealthFacts.Stripes(
            counts.lost(),
            counts.decodable(),
            (int) context.stripes().encoded().unreadableCount(),
            counts.deletionAlarm()),
        new HealthFacts.Faults(
            failures,
            HookGuard.lateTimers(),
            box == null ? "" : box.fault(),
            PolicyAdvice.unknownHadoop(),
            HookGuard.unlinked()));
  }

  private static void grown(Map<String, Long> into, String label, long before, long now) {
    if (now > before) {
      into.put(label, now - before);
    }
  }

  private HealthFacts.Telemetry telemetry(long nowMs) {
    ClusterView state = context.state();
    double coverageMin = context.config().coverageMin();
    if (state == null || context.isStale(state.links(), nowMs)) {
      return new HealthFacts.Telemetry(false, 0, 0, 0, coverageMin, List.of(), 0, List.of(), "");
    }
    LinkSnapshot links = state.links();
    List<String> silent = new ArrayList<>();
    for (int node = 0; node < state.datanodes().length; node++) {
      if (state.datanodes()[node].isAlive() && links.source(node) != LinkSource.MEASURED) {
        silent.add(links.topology().placeOf(node) + ": " + whySilent(state, node, nowMs));
      }
    }
    return new HealthFacts.Telemetry(
        true,
        links.liveCount(),
        links.measuredCount(),
        links.coverage(),
        coverageMin,
        silent,
        context.linksDoubted(),
        slowLinks(state),
        context.disagreement());
  }

  /** DataNodes whose agents name a speed of half of what is usual in their racks, or less. */
  private List<String> slowLinks(ClusterView state) {
    ClusterTopology topology = state.topology();
    List<String> slow = new ArrayList<>();
    for (int rack = 0; rack < topology.rackCount(); rack++) {
      int first = topology.firstNode(rack);
      double[] claims = new double[topology.rackSize(rack)];
      for (int i = 0; i < claims.length; i++) {
        NodeEstimate estimate =
            context.collector().estimate(state.datanodes()[first + i].getDatanodeUuid());
        claims[i] = estimate == null ? 0 : estimate.claimedBytesPerSec();
      }
      double[] known = Arrays.stream(claims).filter(claim -> claim > 0).sorted().toArray();
      double usual = known.length < PEERS_LEAST ? 0 : known[known.length / 2];
      for (int i = 0; i < claims.length; i++) {
        if (claims[i] > 0 && claims[i] <= usual / 2) {
          slow.add(
              String.format(
                  Locale.ROOT,
                  "%s: %.0f MB/s among %.0f MB/s",
                  topology.placeOf(first + i),
                  claims[i] / 1e6,
                  usual / 1e6));
        }
      }
    }
    return slow;
  }

  /** Why a DataNode's load is not measured. */
  String whySilent(ClusterView state, int node, long nowMs) {
    NodeEstimate estimate = context.collector().estimate(state.datanodes()[node].getDatanodeUuid());
    if (estimate == null) {
      return "registered just now";
    }
    if (estimate.dropped() != null) {
      return "its reports are dropped: " + estimate.dropped().label();
    }
    long heardAtMs = estimate.heardAtMs();
    return heardAtMs == Long.MIN_VALUE
        ? "no report yet: no jar or no agent there"
        : "no report for " + (nowMs - heardAtMs) / 1000 + " s";
  }

  @Override
  public void close() {
    timer.close();
  }
}
