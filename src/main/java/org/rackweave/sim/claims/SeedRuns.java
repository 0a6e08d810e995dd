package org.rackweave.sim.claims;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;
import org.rackweave.sim.claims.ClaimStudy.Task;
import org.rackweave.sim.claims.ClaimStudy.Workers;

/** What runs have shown: metrics by their names, for each of what was run, under each seed. */
final class SeedRuns {
  private final Map<Key, List<Map<String, Double>>> seen = new LinkedHashMap<>();

  private record Key(String of, String in) {}

  /**
   * What is to be run.
   *
   * @param of a system
   * @param in a load
   * @param seeds how many, from the plan's first
   * @param underSeed runs, and gives all metrics
   */
  record Run(String of, String in, int seeds, LongFunction<Map<String, Double>> underSeed) {}

  private SeedRuns() {}

  /** Runs all. */
  static SeedRuns of(List<Run> all, long firstSeed, Workers workers) throws InterruptedException {
    List<Key> keys = new ArrayList<>();
    List<Task<Map<String, Double>>> tasks = new ArrayList<>();
    for (Run run : all) {
      for (long seed = firstSeed; seed < firstSeed + run.seeds; seed++) {
        long each = seed;
        keys.add(new Key(run.of, run.in));
        tasks.add(
            new Task<>(run.of + ", " + run.in + ", seed " + seed, () -> run.underSeed.apply(each)));
      }
    }
    SeedRuns runs = new SeedRuns();
    List<Map<String, Double>> results = workers.all(tasks);
    for (int i = 0; i < results.size(); i++) {
      runs.seen.computeIfAbsent(keys.get(i), key -> new ArrayList<>()).add(results.get(i));
    }
    return runs;
  }

  /** A metric of one system under one load, seed by seed. */
  double[] of(String of, String in, String metric) {
    List<Map<String, Double>> found = seen.get(new Key(of, in));
    if (found == null || !found.get(0).containsKey(metric)) {
      throw new IllegalArgumentException("not run: " + of + ", " + in + ": " + metric);
    }
    return found.stream().mapToDouble(one -> one.get(metric)).toArray();
  }
}
