package org.rackweave.eafr;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

/** Eq. 9. */
class TransferSpeedsTest {
  private static final long SECOND = 1_000_000_000L;

  @Test
  void theNextWindowIsExpectedToBeLikeTheLastOnes() {
    TransferSpeeds speeds = new TransferSpeeds(1, 0.3);
    speeds.completed(0, 100, SECOND);
    speeds.endWindow();
    assertArrayEquals(new double[] {100}, speeds.expected());
    speeds.completed(0, 40, SECOND);
    speeds.completed(0, 60, SECOND);
    speeds.endWindow();
    assertArrayEquals(new double[] {85}, speeds.expected(), 1e-9);
    speeds.endWindow();
    assertArrayEquals(new double[] {85}, speeds.expected(), 1e-9, "nothing new is known");
  }

  @Test
  void aServerNobodyHasSentToIsLikeTheOthersOnAverage() {
    TransferSpeeds speeds = new TransferSpeeds(3, 0.5);
    assertArrayEquals(new double[] {1, 1, 1}, speeds.expected());
    speeds.completed(0, 100, SECOND);
    speeds.completed(1, 50, SECOND);
    speeds.completed(2, 0, SECOND);
    speeds.completed(2, 50, 0);
    speeds.endWindow();
    assertArrayEquals(new double[] {100, 50, 75}, speeds.expected());
  }

  @Test
  void speedsFollowServersToTheirNewNumbers() {
    TransferSpeeds speeds = new TransferSpeeds(2, 0.5);
    speeds.completed(0, 100, SECOND);
    speeds.completed(1, 50, SECOND);
    speeds.endWindow();
    speeds.completed(1, 150, SECOND);
    speeds.renumber(new int[] {1, -1, 0});
    assertArrayEquals(new double[] {50, 75, 100}, speeds.expected());
    speeds.endWindow();
    assertArrayEquals(new double[] {100, 100, 100}, speeds.expected());
  }

  @Test
  void refusesWeightsOutOfRange() {
    assertEquals(
        "alpha is 1.0, allowed is (0, 1)",
        assertThrows(IllegalArgumentException.class, () -> new TransferSpeeds(1, 1)).getMessage());
  }
}
