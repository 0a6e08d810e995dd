package org.rackweave.hdfs.eafr;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.hadoop.ipc.RefreshHandler;
import org.apache.hadoop.ipc.RefreshResponse;
import org.apache.hadoop.util.Time;
import org.rackweave.eafr.FileReads;
import org.rackweave.eafr.Finding;
import org.rackweave.eafr.Popularity;
import org.rackweave.eafr.Temperature;
import org.rackweave.hdfs.AdminRequest;
import org.rackweave.hdfs.ClusterView;
import org.rackweave.hdfs.ConfigKeys;
import org.rackweave.hdfs.EafrConfig;
import org.rackweave.hdfs.eafr.Candidates.Subject;
import org.rackweave.hdfs.eafr.FileLookup.FoundFile;
import org.rackweave.hdfs.roles.PlannedRoles;
import org.rackweave.hdfs.roles.PlannedRoles.Stays;
import org.rackweave.hdfs.roles.ServerRoles;

/**
 * Where {@code bin/rackweave hot} and {@code eafr} reach a NameNode: a refresh handler, which HDFS
 * lets superusers only through. The first argument says what to do, others are {@code key=value};
 * the answer is the text of {@link Answer}, or why not.
 */
public final class EafrAdmin implements RefreshHandler {
  /** Name of the handler. */
  public static final String IDENTIFIER = "rackweave-eafr";

  private static final long WAIT_MS = 50_000;
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
          Map.entry("pause", Set.of()),
          Map.entry("resume", Set.of()),
          Map.entry("roles", Set.of()),
          Map.entry("sleep", Set.of("host")),
          Map.entry("wake", Set.of("host")));

  private final EafrService service;
  private final Controller controller;
  private final ReadCounting counting;
  private final TransferRates rates;
  private final CopySources sources;
  private final Supplier<EafrConfig> settings;
  private final ServerRoles roles;

  /**
   * @param roles {@code null} where all servers are hot
   */
  EafrAdmin(
      EafrService service,
      Controller controller,
      ReadCounting counting,
      TransferRates rates,
      CopySources sources,
      Supplier<EafrConfig> settings,
      ServerRoles roles) {
    this.roles = roles;
    this.service = service;
    this.controller = controller;
    this.counting = counting;
    this.rates = rates;
    this.sources = sources;
    this.settings = settings;
  }

  @Override
  public RefreshResponse handleRefresh(String identifier, String[] args) {
    return AdminRequest.respond(() -> answer(AdminRequest.parse(args, KEYS)));
  }

  private String answer(AdminRequest request) {
    return service.inTurn(() -> answer(request.what(), request.options()), WAIT_MS);
  }

  private String answer(String what, Map<String, String> options) {
    if (what.equals("roles")) {
      // In safe mode, too, which is when operators ask who is still to come.
      return RoleAnswers.of(known(), Time.monotonicNow()).text();
    }
    if (!service.isWorking()) {
      throw new IllegalStateException(
          "the NameNode is not active, or in safe mode, or no rule has the word heat, of which heat=none"
              + " will do");
    }
    ClusterView state = service.state();
    long nowMs = Time.monotonicNow();
    return switch (what) {
      case "hot" -> hot(state, number(options, "top", TOP, 1, TOP_MAX), nowMs).text();
      case "plan" -> {
        PlannedRoles its =
            roles == null ? PlannedRoles.NONE : roles.planned(!controller.isPaused(), nowMs);
        Answer answer = planned(controller.planNow(state, its, nowMs), null);
        new RoleAnswers(controller).planned(answer, its);
        yield answer.text();
      }
      case "apply" ->
          applied(state, number(options, "plan", 0, 1, Integer.MAX_VALUE), nowMs).text();
      case "restore" -> restoring(controller.restore(AdminRequest.path(options))).text();
      case "restoring" -> {
        if (controller.restoring() == null) {
          throw new IllegalStateException("nothing has been restored");
        }
        yield restoring(controller.restoring()).text();
      }
      case "pause" -> {
        controller.pause(true);
        yield status(nowMs).text();
      }
      case "sleep" -> {
        if (controller.isSleepOff()) {
          throw new IllegalStateException("sleep is off: no server falls asleep");
        }
        known().desk().sleep(host(options), nowMs);
        yield RoleAnswers.of(roles, nowMs).text();
      }
      case "wake" -> {
        known().desk().wake(host(options), nowMs);
        yield RoleAnswers.of(roles, nowMs).text();
      }
      case "resume" -> {
        controller.pause(false);
        yield status(nowMs).text();
      }
      default -> status(nowMs).text();
    };
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

  private Answer status(long nowMs) {
    Popularity popularity = counting.popularity();
    Answer answer = new Answer();
    answer.word(
        "state",
        controller.isPaused() ? "paused" : controller.isActing() ? "active" : "not acting");
    answer.word("rules", settings.get().paths().toString());
    answer.figure("interval_s", settings.get().intervalMs() / 1000.0);
    answer.figure("interval_elapsed", controller.elapsed(nowMs));
    answer.figure("reads_counted", counting.counted());
    answer.figure("reads_dropped", counting.dropped());
    answer.figure("reads_served_most", counting.served());
    answer.figure("servers_reporting_reads", counting.tellingServers(nowMs));
    answer.figure("tracked_files_max", settings.get().trackedFiles());
    answer.figure("file_error_bound", popularity.fileErrorBound());
    answer.figure("replica_error_bound", popularity.replicaErrorBound());
    answer.figure("files_passed", controller.passed());
    answer.figure("files_raised", controller.raised().size());
    answer.figure("extra_bytes", controller.raised().totalBytes());
    answer.figure("extra_bytes_known", controller.raised().isKnown() ? 1 : 0);
    answer.figure("budget_bytes", settings.get().rails().budgetBytes());
    answer.figure("blocks_in_flight", controller.pendingBlocks());
    answer.figure("in_flight_max", settings.get().rails().inFlightMax());
    controller
        .changes()
        .done()
        .forEach((action, count) -> answer.figure("changes_" + label(action), count));
    controller
        .changes()
        .skipped()
        .forEach((why, count) -> answer.figure("skipped_" + label(why), count));
    moves(answer);
    rates(answer);
    sources(answer);
    decided(answer, "last", controller.last());
    decided(answer, "last_early", controller.lastEarly());
    return answer;
  }

  private static void decided(Answer answer, String name, Controller.Decided decided) {
    if (decided != null) {
      answer.figure(name + "_looked_at", decided.plan().lookedAt());
      answer.figure(name + "_planned", decided.plan().steps().size());
      answer.figure(name + "_done", decided.outcome() == null ? 0 : decided.outcome().done());
      decided
          .plan()
          .heldBack()
          .forEach((why, count) -> answer.figure(name + "_held_back_" + label(why), count));
    }
  }

  private void moves(Answer answer) {
    Mover mover = controller.mover();
    MovesUnderWay moves = mover.underWay();
    answer.figure("moves_waiting", mover.waiting());
    answer.figure("moves_under_way", moves.size());
    answer.figure("moves_done", moves.done());
    moves.givenUp().forEach((why, count) -> answer.figure("moves_" + label(why), count));
  }

  private void rates(Answer answer) {
    answer.word("rates", label(rates.state()).replace('_', ' '));
    TransferRates.Figures figures = rates.figures();
    answer.figure("copies_with_rates", figures.copies());
    answer.figure("sources_held_to_rates", figures.sources());
    answer.figure("copies_paced", figures.paced());
    answer.figure("copies_unmeasured", figures.unmeasured());
    answer.figure("rate_adjustments", figures.adjustments());
  }

  private void sources(Answer answer) {
    answer.word("sources", label(sources.state()).replace('_', ' '));
    sources.fates().forEach((fate, count) -> answer.figure("sources_" + label(fate), count));
  }

  /**
   * @param outcome what came of it, {@code null} when it was not carried out
   */
  private Answer planned(Planned plan, Changes.Outcome outcome) {
    Answer answer = new Answer();
    answer.figure("plan", plan.number());
    answer.figure("copies", plan.copies());
    answer.figure("extra_bytes", plan.extraBytes());
    answer.figure("looked_at", plan.lookedAt());
    plan.heldBack().forEach((why, count) -> answer.figure("held_back_" + label(why), count));
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
      answer.row("change", row);
    }
    return answer;
  }

  /** Servers are looked at when the plan's files have the replicas that they are to keep. */
  private Answer applied(ClusterView state, int number, long nowMs) {
    Controller.Decided decided = controller.apply(state, number, nowMs);
    Answer answer = decided(decided);
    PlannedRoles its = decided.plan().roles();
    boolean isLeft = roles == null || controller.isPaused() || controller.isSleepOff();
    RoleAnswers.applied(
        answer, its, isLeft ? its.none(Stays.SWITCHED_OFF) : roles.apply(its, nowMs));
    return answer;
  }

  private Answer decided(Controller.Decided decided) {
    Answer answer = planned(decided.plan(), decided.outcome());
    answer.figure("done", decided.outcome().done());
    decided
        .outcome()
        .skipped()
        .forEach((why, count) -> answer.figure("skipped_" + label(why), count));
    return answer;
  }

  private static Answer restoring(RestoreJob job) {
    Answer answer = new Answer();
    answer.word("state", !job.isOver() ? "running" : job.isDone() ? "done" : "cancelled");
    answer.word("reason", job.reason());
    job.figures().forEach(answer::figure);
    return answer;
  }

  private Answer hot(ClusterView state, int top, long nowMs) {
    Popularity popularity = counting.popularity();
    double elapsed = controller.elapsed(nowMs);
    List<Long> ids = popularity.mostRead(top).stream().map(Popularity.FileCount::fileId).toList();
    Map<Long, Subject> subjects = new HashMap<>();
    for (Subject subject : controller.candidates().of(ids, popularity, state.numbers(), elapsed)) {
      subjects.put(subject.file().id(), subject);
    }
    Answer answer = new Answer();
    answer.figure("interval_s", settings.get().intervalMs() / 1000.0);
    answer.figure("interval_elapsed", elapsed);
    answer.figure("error_bound", popularity.fileErrorBound());
    for (FoundFile file : controller.candidates().files(ids)) {
      answer.row("file", row(file, subjects.get(file.id()), popularity));
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
