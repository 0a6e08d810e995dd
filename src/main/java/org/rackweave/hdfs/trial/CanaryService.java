package org.rackweave.hdfs.trial;

import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.util.Time;
import org.rackweave.hdfs.ActiveTerm;
import org.rackweave.hdfs.AuditLog;
import org.rackweave.hdfs.Mode;
import org.rackweave.hdfs.RootMark;
import org.rackweave.hdfs.admin.AdminAnswer;
import org.rackweave.hdfs.admin.AdminHandler;
import org.rackweave.hdfs.admin.AdminRequest;
import org.rackweave.hdfs.hook.Hook;
import org.rackweave.hdfs.hook.HookTimer;
import org.rackweave.hdfs.rules.NamespaceRules;
import org.rackweave.health.CircuitBreaker;
import org.rackweave.trial.Arm;
import org.rackweave.trial.ArmSamples;
import org.rackweave.trial.Canary;
import org.rackweave.trial.Canary.State;
import org.rackweave.trial.Comparison;
import org.rackweave.trial.ControlShare;
import org.rackweave.trial.WriteTrials;
import org.rackweave.trial.WriteTrials.Running;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Canaries: {@code hdfs dfsadmin -refresh HOST:PORT rackweave-canary status | start path=PATH
 * [share=N%] [abort-if=CONDITIONS] [for=TIME] | stop}. One at a time, at work while placement is in
 * mode shadow. It is kept as {@value #MARK} of the root directory, with what it has found: it
 * outlives restarts, and goes on after a failover, with counts that begin anew. Federated
 * namespaces each have their own.
 *
 * <p>While placement is active and its breaker closed, a {@link ControlShare} takes its place, and
 * opens that when ours are worse. Neither compares anything while heat places, too.
 */
public final class CanaryService implements AdminHandler, AutoCloseable {
  /** Name of the handler. */
  public static final String IDENTIFIER = "rackweave-canary";

  private static final Logger LOG = LoggerFactory.getLogger(CanaryService.class);

  static final String MARK = "trusted.rackweave.canary";
  private static final long LOOK_MS = 1000;
  private static final int SHARE_LEAST = 1;
  private static final int SHARE_MOST = 50;
  private static final Pattern PERCENT = Pattern.compile("(\\d{1,3}(?:\\.\\d{1,3})?)%?");
  private static final Map<String, Set<String>> WORDS =
      Map.of(
          "status", Set.of(),
          "stop", Set.of(),
          "start", Set.of("path", "share", "abort-if", "for"));

  private final NameNode nameNode;
  private final RootMark mark;
  private final WriteTrials trials;
  private final Supplier<Mode> placement;
  private final BooleanSupplier heatPlaces;
  private final CircuitBreaker breaker;
  private final HookTimer timer = new HookTimer("rackweave-canary");

  private long term = ActiveTerm.NONE;
  private final ControlShare control = new ControlShare();

  /** The last canary there was, {@code null} for none, and how it was written down. */
  private Canary canary;

  private String seen;

  /** How that is over, {@code null} while it is not, or once this is written down. */
  private Canary ending;

  /** What was measured of it here since when, {@code null} for nothing. */
  private Running measured;

  private long measuredSinceMs;
  private List<Comparison> comparisons = List.of();

  /**
   * @param placement the mode of placement
   * @param heatPlaces whether the odds of servers have a say in every placement, so that there is
   *     none to compare
   * @param breaker what leaves placement to stock when blocks are written more slowly by it
   */
  public CanaryService(
      NameNode nameNode,
      WriteTrials trials,
      Supplier<Mode> placement,
      BooleanSupplier heatPlaces,
      CircuitBreaker breaker) {
    this.nameNode = nameNode;
    this.trials = trials;
    this.placement = placement;
    this.heatPlaces = heatPlaces;
    this.breaker = breaker;
    mark = new RootMark(nameNode, MARK);
  }

  /** Begins; returns at once. */
  public void start() {
    timer.every(Hook.WRITE_TIMES, LOOK_MS, this::look);
  }

  @Override
  public void close() {
    timer.close();
  }

  private synchronized void look() throws IOException {
    long nowMs = Time.monotonicNow();
    if (term != ActiveTerm.of(nameNode)) {
      term = ActiveTerm.of(nameNode);
      trials.clear();
      measured = null;
      ending = null;
      comparisons = List.of();
      control.look(false, nowMs);
    }
    String text = mark.read();
    if (!Objects.equals(text, seen)) { // another NameNode's word, or ours before a restart
      seen = text;
      put(text == null ? null : read(text));
    }
    trials.expire(System.nanoTime());
    trials.run(toRun(nowMs));
    String worse = control.worse(nowMs, ThreadLocalRandom.current());
    if (worse != null && worse.isEmpty()) {
      breaker.notSlower();
    } else if (worse != null) {
      breaker.slower(worse, nowMs);
    }
    if (canary != null && canary.isRunning() && term != ActiveTerm.NONE) {
      judgeCanary();
    }
  }

  /** What cannot be read is no canary. */
  private static Canary read(String text) {
    try {
      return Canary.parse(text);
    } catch (IllegalArgumentException e) {
      LOG.error("{} of / is unreadable; no canary runs until one is started", MARK, e);
      return null;
    }
  }

  private void put(Canary latest) {
    canary = latest;
    ending = null;
    trials.know(latest);
    if (latest == null || measured == null || latest.salt() != measured.canary().salt()) {
      measured = null;
      comparisons = List.of();
    }
    trials.run(toRun(Time.monotonicNow()));
  }

  private Running toRun(long nowMs) {
    boolean mayCompare = term != ActiveTerm.NONE && !heatPlaces.getAsBoolean();
    boolean isOn = placement.get() == Mode.ACTIVE && mayCompare && breaker.isClosed();
    Running compared = control.look(isOn, nowMs);
    if (placement.get() != Mode.SHADOW) {
      return compared;
    }
    if (canary == null || !canary.isRunning() || ending != null || !mayCompare) {
      return null;
    }
    if (measured == null) {
      measured = new Running(canary, new ArmSamples(), false);
      measuredSinceMs = Time.now();
    }
    return measured;
  }

  private void judgeCanary() throws IOException {
    if (ending == null) {
      judge();
    }
    if (ending != null && !nameNode.isInSafeMode()) { // in which nobody writes
      say(ending);
    }
  }

  private void judge() {
    boolean isOver = canary.untilMs() > 0 && Time.now() >= canary.untilMs();
    if (measured != null && (measured.samples().hasGrown() || isOver)) {
      comparisons = measured.samples().compare(Long.MIN_VALUE, ThreadLocalRandom.current());
    }
    boolean isBroken = canary.isBroken(comparisons);
    if (isBroken || isOver) {
      end(isBroken ? State.ABORTED : State.ENDED);
    }
  }

  /** From now on it places nothing, even if that cannot be written down as yet. */
  private void end(State how) {
    ending = canary.over(how, found());
    trials.run(toRun(Time.monotonicNow()));
  }

  private String found() {
    return canary.watched(comparisons).stream()
        .map(Comparison::sentence)
        .collect(Collectors.joining("; ", canary.verdict(comparisons) + ", ", ""));
  }

  @Override
  public synchronized AdminAnswer answer(List<String> words) throws IOException {
    AdminRequest request = AdminRequest.parse(words.isEmpty() ? List.of("status") : words, WORDS);
    if (!request.what().equals("status") && !nameNode.isActiveState()) {
      throw new IllegalStateException("this NameNode is not active; use the active one");
    }
    if (request.what().equals("start")) {
      start(request.options());
    } else if (request.what().equals("stop")) {
      if (canary == null) {
        throw new IllegalStateException("there is no canary");
      }
      if (canary.isRunning()) {
        end(State.STOPPED);
      }
      say(ending);
    }
    return status();
  }

  private void start(Map<String, String> options) throws IOException {
    if (!options.containsKey("path")) {
      throw new IllegalArgumentException("start: a path is needed");
    }
    String path = AdminRequest.path(options);
    String lasting = options.get("for");
    long nowMs = Time.now();
    Canary next =
        new Canary(
            State.RUNNING,
            path,
            share(options.getOrDefault("share", "5%")),
            ThreadLocalRandom.current().nextLong(),
            nowMs,
            lasting == null ? 0 : nowMs + AdminRequest.durationMs("for", lasting),
            options.getOrDefault("abort-if", "write_p95>+10%"),
            "");
    if (!Canary.parse(next.text()).equals(next)) {
      throw new IllegalArgumentException("path '" + path + "': allowed is one without tabs");
    }
    NamespaceRules.directoryAt(nameNode, path);
    if (canary != null && canary.isRunning()) {
      throw new IllegalStateException("stop the one that runs first: " + canary.sentence());
    }
    if (placement.get() != Mode.SHADOW) {
      throw new IllegalStateException(
          "a canary needs placement in mode shadow: use mode placement=shadow");
    }
    if (heatPlaces.getAsBoolean()) {
      throw new IllegalStateException(
          "heat is active and has a say in every placement, so a canary has nothing to compare:"
              + " use mode heat=shadow first");
    }
    say(next);
  }

  private static double share(String text) {
    Matcher percent = PERCENT.matcher(text);
    double share = percent.matches() ? Double.parseDouble(percent.group(1)) : 0;
    if (share < SHARE_LEAST || share > SHARE_MOST) {
      throw new IllegalArgumentException(
          "share '" + text + "': allowed is " + SHARE_LEAST + "% to " + SHARE_MOST + '%');
    }
    return share;
  }

  private void say(Canary next) throws IOException {
    try {
      mark.write(next == null ? null : next.text());
    } catch (IOException | UnsupportedOperationException e) {
      throw new IllegalStateException(MARK + " of / cannot be written: " + e.getMessage(), e);
    }
    seen = next == null ? null : next.text();
    AuditLog.changed(
        "rackweaveCanary",
        next == null ? canary.path() : next.path(),
        next == null ? "none" : next.text().replace('\t', ' '));
    put(next);
  }

  private AdminAnswer status() {
    if (canary == null) {
      return new AdminAnswer().with("state", "none");
    }
    AdminAnswer answer =
        new AdminAnswer()
            .with("state", canary.state().name().toLowerCase(Locale.ROOT))
            .with("path", canary.path())
            .with("share_percent", canary.sharePercent())
            .with("abort_if", canary.abortIf())
            .with("placement", placement.get().name().toLowerCase(Locale.ROOT))
            .with("started", Instant.ofEpochMilli(canary.startedMs()).toString())
            .with(
                "until",
                canary.untilMs() == 0 ? null : Instant.ofEpochMilli(canary.untilMs()).toString())
            .with("verdict", canary.isRunning() ? canary.verdict(comparisons) : canary.said())
            .list("arms", List.of())
            .list("comparisons", List.of());
    if (measured == null) {
      return answer;
    }
    answer.with("counted_since", Instant.ofEpochMilli(measuredSinceMs).toString());
    for (Arm arm : Arm.values()) {
      ArmSamples.Blocks blocks = measured.samples().blocks(arm, Long.MIN_VALUE);
      answer.row(
          "arms",
          new AdminAnswer()
              .with("arm", arm.name().toLowerCase(Locale.ROOT))
              .with("files", blocks.files())
              .with("blocks", blocks.fileOf().length)
              .with("left_out", measured.samples().leftOut(arm)));
    }
    for (Comparison one : comparisons) {
      answer.row(
          "comparisons",
          new AdminAnswer()
              .with("figure", one.figure().label())
              .with("rackweave_s_per_mb", one.rackweave())
              .with("stock_s_per_mb", one.stock())
              .with("percent", one.percent())
              .with("percent_least", one.least())
              .with("percent_most", one.most())
              .with("verdict", one.verdict()));
    }
    return answer;
  }
}
