package org.rackweave.sim.reading;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Sections 3.2.2 and 4. */
class TracedFilesTest {
  private static final long SEED = 7;

  private static TracedFiles files(double exponent) {
    return TracedFiles.drawn(
        TracedFiles.PAPER_FILES,
        TracedFiles.PAPER_READ_FILES,
        exponent,
        new SplittableRandom(SEED));
  }

  @Test
  void looksLikeTheTrace() {
    TracedFiles files = files(TracedFiles.SIZE_EXPONENT);
    double[] read = Arrays.stream(files.reads()).filter(reads -> reads > 0).toArray();
    assertEquals(16_566, read.length);
    assertEquals(50_000, files.count());
    double few = Arrays.stream(read).filter(reads -> reads < 30).count() / 16_566.0;
    double many = Arrays.stream(read).filter(reads -> reads > 400).count() / 16_566.0;
    assertEquals(0.43, few, 0.02);
    assertEquals(0.04, many, 0.01);
    assertEquals(3_972_284, Arrays.stream(read).sum(), 0.1 * 3_972_284);
  }

  @Test
  void smallFilesAreReadMore() {
    assertTrue(readBytes(files(-1)) < readBytes(files(TracedFiles.SIZE_EXPONENT)) / 3);
    assertTrue(readBytes(files(TracedFiles.SIZE_EXPONENT)) < readBytes(files(0)) / 3);
  }

  private static double readBytes(TracedFiles files) {
    double sum = 0;
    for (int file = 0; file < files.count(); file++) {
      sum += files.reads()[file] * files.sizeBytes()[file];
    }
    return sum;
  }
}
