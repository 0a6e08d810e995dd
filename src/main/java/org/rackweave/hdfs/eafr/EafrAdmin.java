package org.rackweave.hdfs.eafr;

import java.io.IOException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.util.Time;
import org.rackweave.eafr.FileReads;
import org.rackweave.eafr.Finding;
import org.rackweave.eafr.Popularity;
import org.rackweave.eafr.Temperature;
import org.rackweave.hdfs.ClusterView;
import org.rackweave.hdfs.ConfigKeys;
import org.rackweave.hdfs.FeatureModes;
import org.rackweave.hdfs.admin.AdminAnswer;
import org.rackweave.hdfs.admin.AdminHandler;
import org.rackweave.hdfs.admin.AdminRequest;
import org.rackweave.hdfs.eafr.Candidates.Subject;
import org.rackweave.hdfs.eafr.FileLookup.FoundFile;
import org.rackweave.hdfs.roles.PlannedRoles;
import org.rackweave.hdfs.roles.PlannedRoles.StayReason;
import org.rackweave.hdfs.roles.ServerRoles;

/**
 * Where {@code bin/rackweave hot} and {@code eafr} reach a NameNode. The first word says what to
 * do, others are {@code key=value}.
 */
public final class EafrAdmin implements AdminHandler {
  /** Name of the handler. */
  public static final String IDENTIFIER = "rackweave-eafr";

  /** Words of earlier versions. */
  private static final Set<String> REMOVED = Set.of("pause", "resume");

  private static final long WAIT_MS = 50_000;
  private static final long COUNT_NANOS = 1_000_000_000;
  private static final int TOP_MAX = 10_000;
  private static final int TOP = 20;

  private static final Map<String, Set<String>> KEYS =
      Map.ofEntries(
          Map.entry("status", Set.of()),
          Map.entry("hot", Set.of("top")),
          Map.entry("plan", Set.of()),
          Map.entry("apply", Set.of("plan")),
          Map.entry("restore", Set.of("path")),
          Map.entry("restoring", Set.of()),
          Map.entry("factors", Set.of()),
          Map.entry("factors-more", Set.of()),
          Map.entry("roles", Set.of()),
          Map.entry("sleep", Set.of("host")),
          Map.entry("wake", Set.of("host")));

  private final EafrService service;
  private final Controller controller;
  private final ReadCounting counting;
  private final TransferRates rates;
  private final CopySources sources;
  private final ServerRoles roles;
  private final EafrService.Environment around;

  /** {@code null} until somebody asks. */
  private ChangedFactors changed;

  /**
   * @param roles {@code null} where all servers are hot
   */
  EafrAdmin(
      EafrService service,
      Controller controller,
      TransferRates rates,
      CopySources sources,
      ServerRoles roles,
      EafrService.Environment around) {
    this.roles = roles;
    this.service = service;
    this.controller = controller;
    counting = service.counting();
    this.rates = rates;
    this.sources = sources;
    this.around = around;
  }

  @Override
  public AdminAnswer answer(List<String> words) {
    if (!words.isEmpty() && REMOVED.contains(words.get(0))) {
      throw new IllegalArgumentException(
          "'" + words.get(0) + "': say bin/rackweave mode heat=off, or heat=active");
    }
    AdminRequest request = AdminRequest.parse(words, KEYS);
    if (request.what().startsWith("factors")) {
      return factors(request.what().equals("factors"));
    }
    if (request.what().equals("restore")) {
      AdminRequest.path(request.options()); // refused before anything changes
      service.checkWorking();
      stopEafr();
    }
    return service.inTurn(() -> answer(request.what(), request.options()), WAIT_MS);
  }

  private AdminAnswer answer(String what, Map<String, String> options) {
    if (what.equals("roles")) {
      // In safe mode, too, which is when operators ask who is still to come.
      return RoleAnswers.of(known(), Time.monotonicNow());
    }
    service.checkWorking();
    ClusterView state = service.state();
    long nowMs = Time.monotonicNow();
    return switch (what) {
      case "hot" -> hot(state, number(options, "top", TOP, 1, TOP_MAX), nowMs);
      case "plan" -> {
        PlannedRoles its =
            roles == null ? PlannedRoles.NONE : roles.planned(!controller.isSleepOff(), nowMs);
        AdminAnswer answer = planned(controller.planNow(state, its, nowMs), null);
        new RoleAnswers(controller).planned(answer, its);
        yield answer;
      }
      case "apply" -> applied(state, number(options, "plan", 0, 1, Integer.MAX_VALUE), nowMs);
      case "restore" -> restoring(controller.restore(AdminRequest.path(options)));
      case "restoring" -> {
        if (controller.restoring() == null) {
          throw new IllegalStateException("nothing has been restored");
        }
        yield restoring(controller.restoring());
      }
      case "sleep" -> {
        if (controller.isSleepOff()) {
          throw new IllegalStateException("sleep is off: no server falls asleep");
        }
        known().admin().sleep(host(options), nowMs);
        yield RoleAnswers.of(roles, nowMs);
      }
      case "wake" -> {
        known().admin().wake(host(options), nowMs);
        yield RoleAnswers.of(roles, nowMs);
      }
      default -> status(nowMs);
    };
  }

  /** Counts files with factors of EAFR's, a second's work at a time, whether EAFR works or not. */
  private AdminAnswer factors(boolean isAnew) {
    changed = isAnew || changed == null ? new ChangedFactors(service.files()) : changed;
    return new AdminAnswer()
        .with("state", changed.goOn(COUNT_NANOS) ? "done" : "running")
        .with("files", changed.count())
        .with("files_of_one_in_snapshots", changed.inSnapshots());
  }

  /** On the thread that knows who asks, for the audit log. */
  private void stopEafr() {
    FeatureModes now = around.modes().get();
    List<String> words = now.wordsThatStopEafr();
    if (!now.with(words).equals(now)) {
      try {
        around.modeSwitch().say(words);
      } catch (IOException e) {
        throw new IllegalStateException("nothing is restored: " + e.getMessage(), e);
      }
    }
  }

  private ServerRoles known() {
    if (roles == null) {
      throw new IllegalStateException(
          ConfigKeys.EAFR_ROLES + " is off: all servers are hot, and none sleeps");
    }
    return roles;
  }

  private static String host(Map<String, String> options) {
    String host = options.getOrDefault("host", "");
    if (host.isEmpty()) {
      throw new IllegalArgumentException("host: allowed is a DataNode's name or address");
    }
    return host;
  }

  private static int number(
      Map<String, String> options, String key, int byDefault, int min, int max) {
    String text = options.getOrDefault(key, Integer.toString(byDefault));
    if (!text.matches("[0-9]{1,9}")
        || Integer.parseInt(text) < min
        || Integer.parseInt(text) > max) {
      throw new IllegalArgumentException(
          key + " '" + text + "': allowed is a whole number from " + min + " to " + max);
    }
    return Integer.parseInt(text);
  }

  private AdminAnswer status(long nowMs) {
    Popularity popularity = counting.popularity();
    AdminAnswer answer = new AdminAnswer();
    answer.with(
        "state",
        controller.isSwitchedOff() ? "off" : controller.isActing() ? "active" : "not acting");
    answer.with("rules", service.settings().paths().toString());
    answer.with("interval_s", service.settings().intervalMs() / 1000.0);
    answer.with("interval_elapsed", controller.elapsed(nowMs));
    answer.with("reads_counted", counting.counted());
    answer.with("reads_dropped", counting.dropped());
    answer.with("reads_served_most", counting.served());
    answer.with("servers_reporting_reads", counting.tellingServers(nowMs));
    answer.with("tracked_files_max", service.settings().trackedFiles());
    answer.with("file_error_bound", popularity.fileErrorBound());
    answer.with("replica_error_bound", popularity.replicaErrorBound());
    answer.with("files_passed", controller.passed());
    answer.with("files_raised", controller.raised().size());
    answer.with("extra_bytes", controller.raised().totalBytes());
    answer.with("extra_bytes_known", controller.raised().isKnown() ? 1 : 0);
    answer.with("budget_bytes", service.settings().rails().budgetBytes());
    answer.with("blocks_in_flight", controller.pendingBlocks());
    answer.with("in_flight_max", service.settings().rails().inFlightMax());
    controller
        .changes()
        .done()
        .forEach((action, count) -> answer.with("changes_" + label(action), count));
    controller
        .changes()
        .skipped()
        .forEach((why, count) -> answer.with("skipped_" + label(why), count));
    moves(answer);
    rates(answer);
    sources(answer);
    decided(answer, "last", controller.last());
    decided(answer, "last_early", controller.lastEarly());
    return answer;
  }

  private static void decided(AdminAnswer answer, String name, Controller.Decided decided) {
    if (decided != null) {
      answer.with(name + "_looked_at", decided.plan().lookedAt());
      answer.with(name + "_planned", decided.plan().steps().size());
      answer.with(name + "_done", decided.outcome() == null ? 0 : decided.outcome().done());
      decided
          .plan()
          .heldBack()
          .forEach((why, count) -> answer.with(name + "_held_back_" + label(why), count));
    }
  }

  private void moves(AdminAnswer answer) {
    Mover mover = controller.mover();
    MovesUnderWay moves = mover.underWay();
    answer.with("moves_waiting", mover.waiting());
    answer.with("moves_under_way", moves.size());
    answer.with("moves_done", moves.done());
    moves.givenUp().forEach((why, count) -> answer.with("moves_" + label(why), count));
  }

  private void rates(AdminAnswer answer) {
    answer.with("rates", label(rates.state()).replace('_', ' '));
    TransferRates.Figures figures = rates.figures();
    answer.with("copies_with_rates", figures.copies());
    answer.with("sources_held_to_rates", figures.sources());
    answer.with("copies_paced", figures.paced());
    answer.with("copies_unmeasured", figures.unmeasured());
    answer.with("rate_adjustments", figures.adjustments());
  }

  private void sources(AdminAnswer answer) {
    answer.with("sources", label(sources.state()).replace('_', ' '));
    sources.outcomes().forEach((outcome, count) -> answer.with("sources_" + label(outcome), count));
  }

  /**
   * @param outcome what came of it, {@code null} when it was not carried out
   */
  private AdminAnswer planned(Planned plan, FactorChanges.Outcome outcome) {
    AdminAnswer answer = new AdminAnswer();
    answer.with("plan", plan.number());
    answer.with("copies", plan.copies());
    answer.with("extra_bytes", plan.extraBytes());
    answer.with("looked_at", plan.lookedAt());
    plan.heldBack().forEach((why, count) -> answer.with("held_back_" + label(why), count));
    answer.list("changes", List.of());
    for (Planned.Step step : plan.steps()) {
      Map<String, Object> row = new LinkedHashMap<>();
      row.put("path", step.file().path());
      row.put("file_id", step.file().id());
      row.put("action", label(step.change().action()));
      row.put("from", step.change().fromFactor());
      row.put("to", step.change().toFactor());
      row.put("own", step.history().ownFactor());
      row.put(
          "equation",
          step.change().because().stream()
              .map(finding -> finding.equation().toString())
              .collect(Collectors.joining(", ")));
      row.put(
          "because",
          step.change().because().stream()
              .map(Finding::describe)
              .collect(Collectors.joining(", ")));
      if (outcome != null) {
        Skipped why = outcome.left().get(step.file().id());
        row.put("outcome", why == null ? "done" : label(why));
      }
      answer.row("changes", row);
    }
    return answer;
  }

  /** Servers are looked at when the plan's files have the replicas that they are to keep. */
  private AdminAnswer applied(ClusterView state, int number, long nowMs) {
    Controller.Decided decided = controller.apply(state, number, nowMs);
    AdminAnswer answer = decided(decided);
    PlannedRoles its = decided.plan().roles();
    boolean isLeft = roles == null || controller.isSleepOff();
    RoleAnswers.applied(
        answer, its, isLeft ? its.none(StayReason.SWITCHED_OFF) : roles.apply(its, nowMs));
    return answer;
  }

  private AdminAnswer decided(Controller.Decided decided) {
    AdminAnswer answer = planned(decided.plan(), decided.outcome());
    answer.with("done", decided.outcome().done());
    decided
        .outcome()
        .skipped()
        .forEach((why, count) -> answer.with("skipped_" + label(why), count));
    return answer;
  }

  private static AdminAnswer restoring(RestoreJob job) {
    AdminAnswer answer = new AdminAnswer();
    answer.with("state", !job.isOver() ? "running" : job.isDone() ? "done" : "cancelled");
    answer.with("reason", job.reason());
    job.figures().forEach((key, figure) -> answer.with(key, figure));
    return answer;
  }

  private AdminAnswer hot(ClusterView state, int top, long nowMs) {
    Popularity popularity = counting.popularity();
    double elapsed = controller.elapsed(nowMs);
    List<Long> ids = popularity.mostRead(top).stream().map(Popularity.FileCount::fileId).toList();
    Map<Long, Subject> subjects = new HashMap<>();
    for (Subject subject : controller.candidates().of(ids, popularity, state.numbers(), elapsed)) {
      subjects.put(subject.file().id(), subject);
    }
    AdminAnswer answer = new AdminAnswer();
    answer.with("interval_s", service.settings().intervalMs() / 1000.0);
    answer.with("interval_elapsed", elapsed);
    answer.with("error_bound", popularity.fileErrorBound());
    answer.list("files", List.of());
    for (FoundFile file : controller.candidates().files(ids)) {
      answer.row("files", row(file, subjects.get(file.id()), popularity));
    }
    return answer;
  }

  private Map<String, Object> row(FoundFile file, Subject subject, Popularity popularity) {
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("path", file.path());
    row.put("file_id", file.id());
    row.put("blocks", file.blocks());
    row.put("bytes", file.lengthBytes());
    row.put("factor", file.factor());
    row.put("own", OwnFactor.history(file.mark(), file.factor()).ownFactor());
    if (subject == null) {
      double reads = popularity.readsOf(file.id(), new long[0], new long[0][]).sureReads();
      row.put("reads", reads / Math.max(1, file.blocks()));
      row.put("state", "no rule");
      return row;
    }
    FileReads reads = subject.candidate().reads();
    row.put("reads", reads.sureReads());
    Temperature temperature = counting.thresholds().temperature(reads, file.factor());
    row.put("state", label(temperature));
    Finding why =
        temperature == Temperature.HOT
            ? counting.thresholds().hot(reads, file.factor())
            : counting.thresholds().cold(reads, file.factor());
    row.put("because", why == null ? "" : why.describe());
    return row;
  }

  static String label(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }
}
