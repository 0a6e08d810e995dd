package org.rackweave.dayu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** A copy of 1000 bytes, ordered at second 0 at 100 bytes a second. */
class CopyProgressTest {
  private static final CopyProgress ORDERED = CopyProgress.ordered(1000, 100, 0);

  @Test
  void goesByItsRateUntilItsSourceTells() {
    assertEquals(300, ORDERED.doneBytes(3000));
    assertEquals(1000, ORDERED.doneBytes(30_000));
    CopyProgress told = ORDERED.with(120, 3000);
    assertEquals(120, told.doneBytes(3000));
    assertEquals(420, told.doneBytes(6000));
    assertEquals(100, told.speedBytesPerSec());
    assertEquals(6, told.runningSec(6000));
  }

  @Test
  void itsSpeedIsTheMeanOfWhatWasToldLastAndBefore() {
    CopyProgress told = ORDERED.with(0, 3000).with(120, 6000);
    assertEquals(40, told.speedBytesPerSec());
    assertTrue(told.isHeldUp());
    assertEquals(60, told.with(360, 9000).speedBytesPerSec());
    assertFalse(ORDERED.with(0, 3000).with(300, 6000).isHeldUp());
  }

  @Test
  void atAnotherRateItGoesByThatUnlessHeldUp() {
    CopyProgress heldUp = ORDERED.with(0, 3000).with(120, 6000);
    assertEquals(40, heldUp.at(200, 6000).speedBytesPerSec());
    assertEquals(20, heldUp.at(20, 6000).speedBytesPerSec());
    CopyProgress free = ORDERED.with(0, 3000).with(300, 6000);
    assertEquals(200, free.at(200, 6000).speedBytesPerSec());
  }

  /** A rate that is new for a part of the time does not make what goes by it look held up. */
  @Test
  void itsSpeedIsBesideTheRatesItHadMeanwhile() {
    CopyProgress told = ORDERED.with(0, 3000).at(200, 5000);
    assertEquals(200, told.with(400, 6000).speedBytesPerSec());
    assertFalse(told.with(400, 6000).isHeldUp());
    assertEquals(100, told.with(200, 6000).speedBytesPerSec(), "half of what its rates allow");
    assertEquals(0, ORDERED.with(0, 3000).at(0, 3000).with(0, 6000).speedBytesPerSec());
  }

  @Test
  void isOverdueWhenByItsRatesItShouldBeDone() {
    CopyProgress told = ORDERED.with(0, 3000).with(120, 6000);
    assertFalse(told.isOverdue(12_900));
    assertTrue(told.isOverdue(13_000));
    CopyProgress faster = told.at(200, 8000);
    assertFalse(faster.isOverdue(10_400), "500 by the first rate, 480 by the second");
    assertTrue(faster.isOverdue(10_500));
  }

  /** Without a word of its source nobody knows that it is late. */
  @Test
  void isNotOverdueBeforeItBegins() {
    assertFalse(ORDERED.isOverdue(60_000));
    CopyProgress waited = ORDERED.notBegun(3000);
    assertEquals(0, waited.doneBytes(60_000));
    assertFalse(waited.isOverdue(15_000));
    assertTrue(waited.isOverdue(15_001), "its source speaks of copies, and should have told");
  }

  @Test
  void aBatchIsToldWhatIsKnown() {
    RecoveryBatch.Builder builder = new RecoveryBatch.Builder(3);
    builder.task(1000, 0).sources(0);
    ORDERED.addTo(builder, 0, 1, 3000, true);
    builder.task(1000, 0).sources(0);
    ORDERED.with(0, 3000).with(120, 6000).addTo(builder, 0, 2, 13_000, true);
    builder.task(1000, 0).sources(0);
    ORDERED.with(0, 3000).with(120, 6000).addTo(builder, 0, 2, 13_000, false);
    RecoveryBatch batch = builder.build();
    assertEquals(300, batch.doneBytes(0));
    assertEquals(0, batch.rateBytesPerSec(0), "not heard of yet");
    assertFalse(batch.isOverdue(0) || batch.isBound(0));
    assertEquals(400, batch.doneBytes(1));
    assertEquals(40, batch.speedBytesPerSec(1));
    assertEquals(100, batch.rateBytesPerSec(1));
    assertTrue(batch.isOverdue(1));
    assertTrue(batch.isBound(2) && !batch.isOverdue(2));
  }
}
