package org.rackweave.cli.demo;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.rackweave.cli.experiment.BlockWrite.Situation;
import org.rackweave.cli.experiment.WriteFigures;
import org.rackweave.sim.statistics.Sample;

class PolicyFiguresTest {

  private final PolicyFigures both =
      PolicyFigures.of(
          List.of(DemoFixture.round(Placement.SINBAD, 1), DemoFixture.round(Placement.SINBAD, 1)),
          DemoFixture.SETTINGS);
  private final WriteFigures figures = both.writes();

  @Test
  void splitsBlocksByWhoWasHot() {
    assertArrayEquals(
        new double[] {0.1, 0.1}, figures.bySituation().get(Situation.WRITER_AND_TARGET_FREE));
    assertArrayEquals(
        new double[] {0.3, 0.3}, figures.bySituation().get(Situation.WRITER_FREE_TARGET_HOT));
    assertEquals(4, figures.bySituation().get(Situation.WRITER_HOT).length);
    assertEquals(8, figures.blocks());
    assertEquals(0.6, figures.blockMeanSeconds(), 1e-12);
    assertEquals(0.2, figures.coldWriterMeanSeconds(), 1e-12);
    assertEquals(0.5, figures.hotTargetAvoided());
  }

  @Test
  void countsLinkVariationOnlyWhileFilesArrive() {
    // The windows at 1 s and 2 s; at 0 s nothing is written yet, the last ends after the arrivals.
    double first = new Sample(new double[] {0, 1, 1, 1, 1, 1}).variation();
    assertEquals(first / 2, figures.linkCvMedian(), 1e-12);
  }

  @Test
  void addsUpBytesOverRounds() {
    assertArrayEquals(
        new long[] {2 << 20, 2 << 20, 2 << 20, 6 << 20, 6 << 20, 6 << 20}, figures.placedBytes());
    assertEquals(0.5, figures.storageCv(), 1e-12);
    assertEquals(2000, figures.bytesVerified());
    assertEquals(2, figures.fallbacks());
    assertEquals(0.75, figures.backgroundLoad());
    assertArrayEquals(new double[] {1, 3, 1, 3}, both.fileSeconds());
  }
}
