package org.rackweave.cli.testbed.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.rackweave.cli.experiment.BlockWrite;
import org.rackweave.cli.experiment.Contender;
import org.rackweave.cli.experiment.LinkWindow;
import org.rackweave.cli.experiment.WriteRun;

/**
 * A small made-up comparison: stock needs 1 s where nothing is hot, 8 s where anything is, and
 * sends two of five blocks of cold writers to hot racks, Sinbad one of fifty.
 */
final class ResultFixture {

  /** As Sinbad, but for blocks of writers in hot racks, which take twice as long. */
  static final Contender TWICE_AS_SLOW_WHERE_WRITERS_ARE_HOT =
      WritesExperiment.SINBAD.retuned(Tuning.TUNED);

  private ResultFixture() {}

  static Report<WritesRun> result(int seeds, Contender... policies) {
    List<Results.Run<WritesRun>> runs = new ArrayList<>();
    for (int seed = 1; seed <= seeds; seed++) {
      for (Contender policy : policies) {
        runs.add(run(policy, seed));
      }
    }
    return new Report<>(
        new WritesExperiment(
            CompareOptionsTest.parse("writes", "--quick"), 20, LayoutFixture.layout(2, 1)),
        new Results<>(
            Map.of("testbed", "2 racks x 1", "machine", "two <fast> cores"),
            new Trials(0.1, 2),
            List.of(policies),
            WritesExperiment.STOCK,
            runs,
            List.of()));
  }

  /** A run that nobody disturbed. */
  static <M> Results.Run<M> run(Contender contender, M figures) {
    return new Results.Run<>(contender, 1, 0, new Experiment.Measured<>(figures, 0.5, 0));
  }

  private static Results.Run<WritesRun> run(Contender policy, long seed) {
    boolean stock = policy == WritesExperiment.STOCK;
    // Seeds differ a little.
    double slow = 1 + seed / 100.0;
    int hotTargets = stock ? 40 : 2;
    List<BlockWrite> blocks = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      boolean hot = i < hotTargets;
      // Every fourth just after the load has moved, the others long after.
      long startMs = i % 4 == 0 ? 40_000 + i : 47_000 + i;
      blocks.add(new BlockWrite(startMs * 1_000_000, (hot ? 8 : 1) * slow, false, hot));
    }
    for (int i = 0; i < 50; i++) {
      double seconds = policy == TWICE_AS_SLOW_WHERE_WRITERS_ARE_HOT ? 16 : 8;
      blocks.add(new BlockWrite(100 + i, seconds * slow, true, false));
    }
    double[] received = stock ? new double[] {1, 9} : new double[] {4, 6};
    List<LinkWindow> windows = List.of(new LinkWindow(4_000, 1_000, received, Set.of(0)));
    WritesRun run =
        new WritesRun(
            20_000,
            new WriteRun(
                blocks,
                windows,
                0.7,
                stock ? new long[] {100, 100} : new long[] {95, 105},
                1000,
                stock ? 0 : 1),
            blocks,
            windows,
            windows,
            3_000_000_000L,
            2_000_000_000L,
            0.01,
            1.04);
    double foreign = policy == WritesExperiment.SINBAD && seed == 2 ? 0.2 : 0.03;
    return new Results.Run<>(policy, seed, 0, new Experiment.Measured<>(run, 0.6, foreign));
  }
}
