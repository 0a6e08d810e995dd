package org.rackweave.cli.testbed.compare;

import static java.util.stream.Collectors.joining;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.rackweave.cli.Progress;
import org.rackweave.cli.experiment.Contender;
import org.rackweave.cli.experiment.Turns;

/**
 * Has every contender of every seed run, in turns, and repeats what was disturbed. Those that need
 * the same settings of a testbed follow one another.
 *
 * @param <M> what is measured of a run
 */
final class ComparedRuns<M> {
  private static final int REPEATS_MAX = 2;

  private final CompareOptions options;
  private final Experiment<M> experiment;
  private final List<Entry> entries = new ArrayList<>();
  private final Map<Entry, Map<String, String>> settings = new HashMap<>();
  private final Trials trials;

  ComparedRuns(CompareOptions options, Experiment<M> experiment) throws IOException {
    this.options = options;
    this.experiment = experiment;
    this.trials = new Trials(options.foreignCpuLimit(), options.quick() ? 0 : REPEATS_MAX);
    List<Tuning> tunings = options.tunings();
    for (Method method : options.contendersOf(experiment.definition().methods())) {
      entries.add(new Entry(method, tunings.get(0), method));
      if (!method.isStock()) {
        for (Tuning other : tunings.subList(1, tunings.size())) {
          entries.add(new Entry(method, other, method.retuned(other)));
        }
      }
    }
    for (Entry entry : entries) {
      settings.put(entry, experiment.settings(entry.method(), entry.tuning()));
    }
  }

  /**
   * One row of a comparison: a method and with which settings it runs.
   *
   * @param contender what it is called in the results: the method itself, or with other settings
   */
  private record Entry(Method method, Tuning tuning, Method contender) {}

  private record Turn(Entry entry, long seed) {}

  /** Whose turn it is when. */
  private List<Turn> turns() {
    List<Map<String, String>> clusters = entries.stream().map(settings::get).distinct().toList();
    List<Entry> order = new ArrayList<>(entries);
    order.sort(Comparator.comparingInt(entry -> clusters.indexOf(settings.get(entry))));
    List<Turn> turns = new ArrayList<>();
    for (int i = 0; i < options.seeds().size(); i++) {
      for (Entry entry : Turns.of(order, i)) {
        turns.add(new Turn(entry, options.seeds().get(i)));
      }
    }
    return turns;
  }

  /** All who run, in the order in which they are shown. */
  List<Contender> contenders() {
    return entries.stream().<Contender>map(Entry::contender).toList();
  }

  /** Adds one step for every run. */
  void addTo(Clusters.Steps steps) {
    for (Turn turn : turns()) {
      String name = "seed " + turn.seed() + ", " + turn.entry().contender().label();
      steps.add(
          settings.get(turn.entry()),
          new Progress.Step(name + experiment.variant(), experiment.definition().expectedMs()));
    }
  }

  /** Runs all of them. */
  Report<M> run(Clusters clusters) throws IOException, InterruptedException {
    List<Results.Run<M>> runs = new ArrayList<>();
    List<Results.Run<M>> rejected = new ArrayList<>();
    Map<String, String> facts = new LinkedHashMap<>();
    Experiment.Stage<M> stage = null;
    clusters.check(settings.values());
    try {
      for (Turn turn : turns()) {
        Map<String, String> wanted = settings.get(turn.entry());
        if (stage != null && !clusters.hasUp(wanted)) {
          stage.close();
          stage = null;
        }
        Session session = clusters.session(wanted);
        if (facts.isEmpty()) {
          facts.putAll(Facts.of(session.testbed(), options.origin(), options.flowsPerRack()));
          experiment.addFacts(facts, session);
        }
        Experiment.Stage<M> current = stage == null ? experiment.open(session) : stage;
        stage = current;
        clusters.progress().next();
        Trials.Outcome<Results.Run<M>> outcome = trials.run(attempt -> run(current, turn, attempt));
        runs.add(outcome.accepted());
        rejected.addAll(outcome.rejected());
      }
    } finally {
      if (stage != null) {
        stage.close();
      }
    }
    facts.put("settings", options.tunings().stream().map(Tuning::label).collect(joining(", ")));
    facts.putAll(otherSettings());
    Contender baseline = experiment.definition().methods().get(0);
    return new Report<>(
        experiment, new Results<>(facts, trials, contenders(), baseline, runs, rejected));
  }

  private Results.Run<M> run(Experiment.Stage<M> stage, Turn turn, int attempt)
      throws IOException, InterruptedException {
    Experiment.Measured<M> measured = stage.run(turn.entry().method(), turn.seed());
    return new Results.Run<>(turn.entry().contender(), turn.seed(), attempt, measured);
  }

  /** What is set otherwise than on the first testbed, for each contender that has another. */
  Map<String, String> otherSettings() {
    Map<String, String> others = new TreeMap<>();
    Map<String, String> first = settings.get(turns().get(0).entry());
    for (Entry entry : entries) {
      Map<String, String> its = settings.get(entry);
      Set<String> keys = new TreeSet<>(first.keySet());
      keys.addAll(its.keySet());
      for (String key : keys) {
        String value = its.getOrDefault(key, "not set");
        if (!value.equals(first.getOrDefault(key, "not set"))) {
          others.put(entry.contender().label() + ": " + key, value);
        }
      }
    }
    return others;
  }
}
