package org.rackweave.trial;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.junit.jupiter.api.Test;

class ArmSamplesTest {
  private static final int BLOCKS_MAX = 10_000;
  private final ArmSamples samples = new ArmSamples();
  private final Random random = new Random(5);

  /** Files of blocks whose times are spread evenly by 20 % to either side. */
  private void add(Arm arm, int files, int blocksEach, double secondsPerMb) {
    for (int file = 0; file < files; file++) {
      for (int block = 0; block < blocksEach; block++) {
        double spread = 0.8 + 0.4 * random.nextDouble();
        samples.add(arm, 1000L * arm.ordinal() + file, secondsPerMb * spread, block);
      }
    }
  }

  private Comparison compare(Figure figure) {
    return samples.compare(0, new Random(3)).get(figure.ordinal());
  }

  @Test
  void saysWhatTheIntervalSays() {
    add(Arm.RACKWEAVE, 40, 10, 0.012);
    add(Arm.STOCK, 40, 10, 0.010);
    for (Figure figure : new Figure[] {Figure.WRITE_MEAN, Figure.WRITE_P50, Figure.WRITE_P95}) {
      Comparison found = compare(figure);
      assertEquals(Comparison.WORSE, found.verdict());
      assertEquals(20, found.percent(), 5);
      assertTrue(found.least() < found.percent() && found.percent() < found.most());
      assertTrue(found.least() > 10 && found.most() < 30, found.sentence());
    }
    assertEquals(Comparison.RUNNING, compare(Figure.WRITE_P99).verdict(), "of 400 blocks");
    assertEquals("write_p99: too few blocks or files", compare(Figure.WRITE_P99).sentence());
  }

  @Test
  void tellsFasterFromAlike() {
    add(Arm.RACKWEAVE, 40, 10, 0.008);
    add(Arm.STOCK, 40, 10, 0.010);
    assertEquals(Comparison.BETTER, compare(Figure.WRITE_MEAN).verdict());
    add(Arm.RACKWEAVE, BLOCKS_MAX, 1, 0.010); // these push out the others
    assertEquals(Comparison.NO_DIFFERENCE, compare(Figure.WRITE_MEAN).verdict());
  }

  @Test
  void figuresAreThoseOfTheBlocks() {
    for (int i = 1; i <= 100; i++) {
      samples.add(Arm.RACKWEAVE, i, i, 0);
      samples.add(Arm.STOCK, i, 2 * i, 0);
    }
    assertEquals(50.5, compare(Figure.WRITE_MEAN).rackweave(), 1e-9);
    assertEquals(50, compare(Figure.WRITE_P50).rackweave(), 1e-9);
    assertEquals(95, compare(Figure.WRITE_P95).rackweave(), 1e-9);
    assertEquals(198, compare(Figure.WRITE_P99).stock(), 1e-9);
    assertEquals(-50, compare(Figure.WRITE_P50).percent(), 1e-9);
  }

  /** One writer that thinks, with many blocks, is no evidence against who placed them. */
  @Test
  void blocksOfOneFileAreNoEvidenceOfTheirOwn() {
    add(Arm.RACKWEAVE, 19, 10, 0.010);
    add(Arm.STOCK, 40, 10, 0.010);
    assertEquals(Comparison.RUNNING, compare(Figure.WRITE_MEAN).verdict(), "of 19 files");
    for (int block = 0; block < 100; block++) {
      samples.add(Arm.RACKWEAVE, 999, 0.1, block);
    }
    Comparison found = compare(Figure.WRITE_MEAN);
    assertEquals(Comparison.NO_DIFFERENCE, found.verdict(), found.sentence());
    assertTrue(found.percent() > 100, found.sentence());
  }

  @Test
  void countsWhatIsOldNoMore() {
    add(Arm.RACKWEAVE, 2, 10, 0.010);
    assertEquals(8, samples.blocks(Arm.RACKWEAVE, 6).fileOf().length);
    assertEquals(0, samples.blocks(Arm.STOCK, 0).files());
    assertTrue(Double.isNaN(compare(Figure.WRITE_P50).stock()));
    add(Arm.RACKWEAVE, 11, 1000, 0.010);
    assertEquals(BLOCKS_MAX, samples.blocks(Arm.RACKWEAVE, 0).fileOf().length);
  }

  @Test
  void itIsTimeToLookWhenTheSmallerArmHasGrownByAQuarter() {
    assertFalse(samples.hasGrown());
    add(Arm.RACKWEAVE, 1, 500, 1);
    assertFalse(samples.hasGrown(), "nothing to compare with");
    add(Arm.STOCK, 1, 100, 1);
    assertTrue(samples.hasGrown());
    assertFalse(samples.hasGrown());
    add(Arm.STOCK, 1, 24, 1);
    assertFalse(samples.hasGrown());
    add(Arm.STOCK, 1, 1, 1);
    assertTrue(samples.hasGrown());
    add(Arm.STOCK, 1, 100_000, 1);
    add(Arm.RACKWEAVE, 1, 100_000, 1);
    assertTrue(samples.hasGrown());
    add(Arm.STOCK, 1, BLOCKS_MAX / 4, 1);
    add(Arm.RACKWEAVE, 1, BLOCKS_MAX / 4, 1);
    assertTrue(samples.hasGrown(), "by a quarter of what is kept");
  }
}
