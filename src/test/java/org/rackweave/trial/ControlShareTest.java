package org.rackweave.trial;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.rackweave.trial.WriteTrials.Running;

class ControlShareTest {
  private static final long HOUR_MS = 3_600_000;
  private final ControlShare control = new ControlShare();
  private final Random random = new Random(9);

  private Running begin() {
    control.look(false, 0);
    return control.look(true, ControlShare.AFTER_MS);
  }

  /** Blocks of one file each, whose times are spread evenly by 20 % to either side. */
  private void add(Running running, Arm arm, int blocks, double secondsPerMb, long atMs) {
    for (int i = 0; i < blocks; i++) {
      double spread = 0.8 + 0.4 * random.nextDouble();
      running.samples().add(arm, i, secondsPerMb * spread, atMs);
    }
  }

  private String worse(long nowMs) {
    return control.worse(nowMs, new Random(1));
  }

  @Test
  void isSetApartWhenPlacementHasBeenActiveForAWhile() {
    assertNull(control.look(false, 0));
    assertNull(control.look(true, ControlShare.AFTER_MS - 1));
    Running running = control.look(true, ControlShare.AFTER_MS);
    assertTrue(running.isControl());
    assertEquals(running, control.look(true, 5 * ControlShare.AFTER_MS));
    int files = 0;
    for (long file = 0; file < 100_000; file++) {
      files += running.armOf("/any/where", file) == Arm.STOCK ? 1 : 0;
    }
    assertEquals(1000, files, 130);
    assertNull(control.look(false, 5 * ControlShare.AFTER_MS + 1), "or the breaker has opened");
    assertNull(control.look(true, 5 * ControlShare.AFTER_MS + 2), "and begins anew, then");
  }

  @Test
  void ofHundredsOfBlocksThatAreSurelyWorseItSaysSo() {
    Running running = begin();
    add(running, Arm.RACKWEAVE, 400, 0.0140, HOUR_MS);
    add(running, Arm.STOCK, 199, 0.0100, HOUR_MS);
    assertNull(worse(HOUR_MS), "too few");
    add(running, Arm.STOCK, 100, 0.0100, HOUR_MS);
    String worse = worse(HOUR_MS);
    assertNotNull(worse);
    assertTrue(worse.startsWith("write_p50 +"), worse);
    assertNull(worse(HOUR_MS), "of the same blocks");
  }

  @Test
  void aLittleWorseIsNoReason() {
    Running running = begin();
    add(running, Arm.RACKWEAVE, 1000, 0.0115, HOUR_MS);
    add(running, Arm.STOCK, 1000, 0.0100, HOUR_MS);
    assertEquals("", worse(HOUR_MS));
  }

  /** Writers that think for minutes, and are more in one arm by chance. */
  @Test
  void writersThatThinkAreNoReason() {
    Running running = begin();
    add(running, Arm.RACKWEAVE, 900, 0.0100, HOUR_MS);
    add(running, Arm.RACKWEAVE, 100, 5, HOUR_MS);
    add(running, Arm.STOCK, 960, 0.0100, HOUR_MS);
    add(running, Arm.STOCK, 40, 5, HOUR_MS);
    assertEquals("", worse(HOUR_MS));
  }

  @Test
  void whatIsOldIsForgotten() {
    Running running = begin();
    add(running, Arm.RACKWEAVE, 300, 0.0200, 0);
    add(running, Arm.STOCK, 300, 0.0100, 0);
    assertNull(worse(ControlShare.WINDOW_MS + 1), "a cluster that writes little is not judged");
  }
}
