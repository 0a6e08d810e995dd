package org.rackweave.cli.testbed.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class TrialsTest {

  private record Noise(double foreignCpuShare) implements Trials.Attempt {}

  private static Trials.Outcome<Noise> run(Trials trials, double... shares) throws Exception {
    return trials.run(attempt -> new Noise(shares[attempt]));
  }

  @Test
  void takesTheFirstQuietRun() throws Exception {
    assertEquals(
        new Trials.Outcome<>(new Noise(0.02), List.of(new Noise(0.5))),
        run(new Trials(0.1, 2), 0.5, 0.02));
    assertEquals(List.of(), run(new Trials(0.1, 2), 0.1).rejected());
  }

  @Test
  void takesTheLeastDisturbedWhenNoneIsQuiet() throws Exception {
    Trials trials = new Trials(0.1, 2);
    Trials.Outcome<Noise> outcome = run(trials, 0.5, 0.2, 0.4);
    assertEquals(new Noise(0.2), outcome.accepted());
    assertEquals(2, outcome.rejected().size());
    assertTrue(trials.isDisturbed(outcome.accepted()));
    assertFalse(trials.isDisturbed(new Noise(0.1)));
  }

  @Test
  void repeatsNothingWhereNoRepetitionIsAllowed() throws Exception {
    assertEquals(new Noise(0.9), run(new Trials(0.1, 0), 0.9).accepted());
  }
}
