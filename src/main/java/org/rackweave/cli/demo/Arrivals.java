package org.rackweave.cli.demo;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.rackweave.cli.experiment.Seeded;

/**
 * An open-loop workload: files arrive as a Poisson process whatever the cluster makes of them, so a
 * slow policy gets a queue and not fewer writes. Writers take turns in shuffled order, so every
 * rack writes the same share.
 */
public final class Arrivals {

  /** A directory of tiny files must not turn into thousands of creates. */
  private static final int MAX_PER_SECOND = 25;

  private Arrivals() {}

  /**
   * Draws what is written in one round; the same seed gives the same writes.
   *
   * @param sample what to copy, from its beginning and again if it is short
   * @param durationMs how long files arrive
   */
  public static List<Arrival> draw(
      DemoSettings settings, List<FilePiece> sample, int durationMs, long seed) {
    Random random = Seeded.random(seed);
    List<Arrival> arrivals = new ArrayList<>();
    List<Integer> turns = new ArrayList<>();
    double atMs = 0;
    for (int i = 0; ; i++) {
      FilePiece piece = sample.get(i % sample.size());
      double meanGapMs =
          Math.max(
              1000.0 / MAX_PER_SECOND, 1000.0 * piece.length() / settings.offeredBytesPerSec());
      atMs += Seeded.exponential(random, meanGapMs);
      if (atMs >= durationMs) {
        return arrivals;
      }
      if (turns.isEmpty()) {
        for (int writer = 0; writer < settings.writers(); writer++) {
          turns.add(writer);
        }
        Collections.shuffle(turns, random);
      }
      arrivals.add(new Arrival((int) atMs, turns.remove(turns.size() - 1), piece));
    }
  }
}
