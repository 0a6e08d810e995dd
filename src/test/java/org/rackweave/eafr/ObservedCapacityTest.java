package org.rackweave.eafr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class ObservedCapacityTest {
  private static final int ASSUMED = 15;
  private static final double MB = 1e6;

  private final ObservedCapacity capacity = new ObservedCapacity(2, ASSUMED, 0.9);

  /** Twice, since a report tells of the time since the one before. */
  private void observed(int readers, double sent, double received) {
    capacity.observed(0, readers, sent, received);
    capacity.observed(0, readers, sent, received);
  }

  @Test
  void aServerThatSendsMoreToMoreReadersCanServeMore() {
    assertEquals(ASSUMED, capacity.of(0));
    observed(15, 100 * MB, 0);
    observed(60, 300 * MB, 0);
    assertEquals(45, capacity.of(0));
    observed(60, 900 * MB, 0);
    assertEquals(60, capacity.of(0), "it has not served more than there were");
    capacity.endInterval();
    assertEquals(ASSUMED + 40, capacity.of(0));
    assertEquals(ASSUMED, capacity.of(1));
  }

  @Test
  void aQueueThatGrowsWhileLessIsServedIsNoCapacity() {
    observed(12, 100 * MB, 0);
    for (int readers = 16; readers < 200; readers += 8) {
      observed(readers, 1600 * MB / readers, 0);
      assertEquals(ASSUMED, capacity.of(0), readers + " readers");
    }
  }

  /** Days with a queue do not make it forget what fewer readers got. */
  @Test
  void aServerThatLimpsForDaysIsNeverTakenForAStrongOne() {
    observed(15, 100 * MB, 0);
    for (int interval = 0; interval < 1000; interval++) {
      observed(100, 90 * MB, 0);
      capacity.endInterval();
    }
    assertEquals(ASSUMED, capacity.of(0));
  }

  @Test
  void aStrongServerThatBeginsToLimpFallsInSomeReports() {
    observed(15, 100 * MB, 0);
    observed(90, 600 * MB, 0);
    assertEquals(90, capacity.of(0));
    capacity.observed(0, 90, 50 * MB, 0);
    assertTrue(capacity.of(0) > 60, "not by a single report");
    for (int report = 0; report < 20; report++) {
      capacity.observed(0, 80, 50 * MB, 0);
    }
    assertEquals(ASSUMED, capacity.of(0));
  }

  @Test
  void whatIsWrittenAndPassedOnIsNotServed() {
    observed(15, 100 * MB, 0);
    observed(60, 500 * MB, 400 * MB);
    assertEquals(ASSUMED, capacity.of(0));
  }

  @Test
  void aQueueThatWasNeverShortTellsNothing() {
    capacity.observed(0, 100);
    observed(100, 900 * MB, 0);
    assertEquals(ASSUMED, capacity.of(0));
    observed(1, 1 * MB, 0);
    observed(100, 900 * MB, 0);
    assertEquals(ASSUMED, capacity.of(0), "one reader does not tell what fifteen would get");
  }

  @Test
  void serversKeepWhatWasSeenWhenTheirNumbersChange() {
    observed(15, 100 * MB, 0);
    observed(60, 300 * MB, 0);
    capacity.renumber(new int[] {-1, 0});
    assertEquals(ASSUMED, capacity.of(0));
    assertEquals(45, capacity.of(1));
    capacity.observed(1, 60, 350 * MB, 0);
    assertEquals(52, capacity.of(1));
  }

  @Test
  void refusesWhatIsOutOfRange() {
    assertEquals("assumed service capacity is 0, allowed is at least 1", refusal(0, 0.5));
    assertEquals("kept part of a peak is 1.5, allowed is [0, 1]", refusal(1, 1.5));
  }

  private static String refusal(int assumed, double kept) {
    return assertThrows(
            IllegalArgumentException.class, () -> new ObservedCapacity(1, assumed, kept))
        .getMessage();
  }
}
