package org.rackweave.cli.testbed.compare;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.rackweave.cli.Progress;
import org.rackweave.cli.experiment.Contender;
import org.rackweave.cli.experiment.Turns;
import org.rackweave.cli.testbed.TestbedPolicy;

/**
 * Has every contender of every seed run, in turns, and repeats what was disturbed. Those that need
 * the same settings of a testbed follow one another.
 *
 * @param <C> who is compared
 */
final class ComparedRuns<C extends Contender> {

  private static final int REPEATS_MAX = 2;

  private final List<Long> seeds;
  private final List<Entry<C>> entries = new ArrayList<>();
  private final Map<Entry<C>, Map<String, String>> settings;
  private final C baseline;
  private final Trials trials;
  private final String settingsNames;

  /**
   * @param all who can be compared with one another
   * @param baseline with whom the others are
   * @param policyOf who places blocks; with stock's policy a contender has no other settings
   * @param settingsOf what a testbed has to be set to
   */
  ComparedRuns(
      CompareOptions options,
      List<C> all,
      C baseline,
      Function<C, TestbedPolicy> policyOf,
      SettingsOf<C> settingsOf)
      throws IOException {
    this.seeds = options.seeds();
    this.baseline = baseline;
    this.trials = new Trials(options.foreignCpuLimit(), options.quick() ? 0 : REPEATS_MAX);
    List<Tuning> tunings = options.tunings();
    this.settingsNames = tunings.stream().map(Tuning::label).collect(Collectors.joining(", "));
    for (C method : options.contendersOf(all)) {
      entries.add(new Entry<>(method, tunings.get(0), method));
      if (policyOf.apply(method) != TestbedPolicy.STOCK) {
        for (Tuning other : tunings.subList(1, tunings.size())) {
          entries.add(new Entry<>(method, other, new Retuned(method, other)));
        }
      }
    }
    settings = new HashMap<>();
    for (Entry<C> entry : entries) {
      settings.put(entry, settingsOf.of(entry.method(), entry.tuning()));
    }
  }

  /** One of those who are compared, on one testbed. */
  interface Stage<C extends Contender, R> extends Closeable {
    R run(Entry<C> entry, long seed, int attempt) throws IOException, InterruptedException;

    @Override
    default void close() throws IOException {}
  }

  /** How an experiment is carried out. */
  interface Experiment<C extends Contender, R> {
    /** Prepares for runs on a testbed. */
    Stage<C, R> open(Session session) throws IOException;

    /** What figures are measured on; asked once, on the first testbed. */
    Map<String, String> facts(Session session) throws IOException;
  }

  private record Turn<C extends Contender>(Entry<C> entry, long seed) {}

  /** Whose turn it is when. */
  private List<Turn<C>> turns() {
    List<Map<String, String>> clusters = entries.stream().map(settings::get).distinct().toList();
    List<Entry<C>> order = new ArrayList<>(entries);
    order.sort(Comparator.comparingInt(entry -> clusters.indexOf(settings.get(entry))));
    List<Turn<C>> turns = new ArrayList<>();
    for (int i = 0; i < seeds.size(); i++) {
      for (Entry<C> entry : Turns.of(order, i)) {
        turns.add(new Turn<>(entry, seeds.get(i)));
      }
    }
    return turns;
  }

  /** All rows, in the order in which they are shown. */
  List<Entry<C>> entries() {
    return List.copyOf(entries);
  }

  /**
   * Adds one step for every run.
   *
   * @param expectedMs about how long each takes
   * @param what is said of each beside seed and contender
   */
  void addTo(Clusters.Steps steps, long expectedMs, String what) {
    for (Turn<C> turn : turns()) {
      String name = "seed " + turn.seed() + ", " + turn.entry().contender().label() + what;
      steps.add(settings.get(turn.entry()), new Progress.Step(name, expectedMs));
    }
  }

  /** The steps of an experiment that is nothing else. */
  List<Progress.Step> steps(long expectedMs) {
    Clusters.Steps steps = new Clusters.Steps();
    addTo(steps, expectedMs, "");
    return steps.all();
  }

  /** Runs all of them. */
  <R extends MeasuredRun> Results<R> run(Clusters clusters, Experiment<C, R> experiment)
      throws IOException, InterruptedException {
    List<R> runs = new ArrayList<>();
    List<R> rejected = new ArrayList<>();
    Map<String, String> facts = null;
    Stage<C, R> stage = null;
    clusters.check(settings.values());
    try {
      for (Turn<C> turn : turns()) {
        Map<String, String> wanted = settings.get(turn.entry());
        if (stage != null && !clusters.hasUp(wanted)) {
          stage.close();
          stage = null;
        }
        Session session = clusters.session(wanted);
        facts = facts == null ? experiment.facts(session) : facts;
        Stage<C, R> current = stage == null ? experiment.open(session) : stage;
        stage = current;
        clusters.progress().next();
        Trials.Outcome<R> outcome =
            trials.run(attempt -> current.run(turn.entry(), turn.seed(), attempt));
        runs.add(outcome.accepted());
        rejected.addAll(outcome.rejected());
      }
    } finally {
      if (stage != null) {
        stage.close();
      }
    }
    facts.put("settings", settingsNames);
    facts.putAll(otherSettings());
    List<Contender> contenders = entries.stream().map(Entry::contender).toList();
    return new Results<>(facts, trials, contenders, baseline, runs, rejected);
  }

  /** What is set otherwise than on the first testbed, for each contender that has another. */
  Map<String, String> otherSettings() {
    Map<String, String> others = new TreeMap<>();
    Map<String, String> first = settings.get(turns().get(0).entry());
    for (Entry<C> entry : entries) {
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
