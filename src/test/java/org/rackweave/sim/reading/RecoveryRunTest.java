package org.rackweave.sim.reading;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.rackweave.sim.reading.RecoveryRun.Outcome;
import org.rackweave.sim.reading.RecoveryRun.Planner;

/** Sections 3.6 and 4.2.3. */
class RecoveryRunTest {
  private static final ServerPark PARK = ServerPark.drawn(5, 8, new SplittableRandom(2));
  private static final TracedFiles FILES =
      TracedFiles.drawn(3000, 1000, TracedFiles.SIZE_EXPONENT, new SplittableRandom(2));

  @Test
  void everyPlannerMakesTheSameReplicasAgain() {
    for (int failures = 1; failures <= 3; failures++) {
      Outcome expected = new RecoveryRun(PARK, FILES, failures, 4).run(Planner.CHANCE);
      assertTrue(expected.copies() > 0);
      for (Planner planner : Planner.values()) {
        Outcome seen = new RecoveryRun(PARK, FILES, failures, 4).run(planner);
        assertEquals(expected.copies(), seen.copies(), planner + ", " + failures + " failed");
        assertEquals(expected.left(), seen.left(), planner + ", " + failures + " failed");
        assertTrue(seen.seconds() > 0);
      }
    }
  }

  @Test
  void oneServerAloneLosesNoFile() {
    assertEquals(0, new RecoveryRun(PARK, FILES, 1, 8).run(Planner.ALGORITHM_4).left());
  }
}
