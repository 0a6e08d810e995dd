package org.rackweave.history;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class HistoryTest {
  private static final long SECOND = 1_000_000_000;

  @Test
  void keepsTheLatestNewestFirst() {
    History<Integer> history = new History<>(3, 1);
    for (int i = 1; i <= 5; i++) {
      history.add(i);
    }
    assertEquals(List.of(5, 4, 3), history.latest(10, i -> true));
    assertEquals(List.of(5, 4), history.latest(2, i -> true));
    assertEquals(List.of(4), history.latest(10, i -> i % 2 == 0));
    assertEquals(5, history.added());
  }

  @Test
  void whatWasKeptBeforeARestartComesFirst() {
    History<Integer> history = new History<>(4, 1);
    history.add(4);
    history.resume(List.of(3, 2, 1));
    assertEquals(List.of(4, 3, 2, 1), history.latest(10, i -> true));
    assertEquals(List.of(4, 3), history.latest(2, i -> true));
    assertEquals(List.of(3, 1), history.latest(10, i -> i % 2 == 1));
    history.add(5);
    assertEquals(List.of(5, 4, 3, 2), history.latest(10, i -> true));
    for (int i = 6; i < 10; i++) {
      history.add(i);
    }
    assertEquals(List.of(9, 8, 7, 6), history.latest(10, i -> true));
  }

  @Test
  void admitsABurstThenOneWheneverItsTimeHasCome() {
    History<Integer> history = new History<>(100, 100 * SECOND); // one a second
    long now = 7 * SECOND;
    int inARow = 0;
    while (history.admits(now)) {
      inARow++;
    }
    assertEquals(11, inARow, "a tenth, and the one that is due");
    assertFalse(history.admits(now + SECOND / 2));
    assertTrue(history.admits(now + SECOND));
    assertFalse(history.admits(now + SECOND));
    assertEquals(3, history.left());
  }

  /** However many are offered, no more than fill it in its span. */
  @Test
  void isFilledNoFasterThanInItsSpan() {
    History<Integer> history = new History<>(1000, 600 * SECOND);
    int admitted = 0;
    for (long now = 0; now < 600 * SECOND; now += SECOND / 50) {
      admitted += history.admits(now) ? 1 : 0;
    }
    assertEquals(1100, admitted, 2);
  }

  /** Monotonic clocks may begin anywhere, and pass the largest number. */
  @Test
  void aBurstIsOverAlsoWhereTheClockWraps() {
    History<Integer> history = new History<>(100, 100 * SECOND);
    long now = Long.MAX_VALUE - SECOND;
    int inARow = 0;
    while (history.admits(now)) {
      inARow++;
    }
    assertEquals(11, inARow);
    assertFalse(history.admits(now + SECOND / 2));
    assertTrue(history.admits(now + SECOND + 1), "behind the wrap");
    assertFalse(history.admits(now + SECOND + 1));
  }

  @Test
  void keepsNothingWhereNothingIsToBeKept() {
    History<Integer> history = new History<>(0, 1);
    assertFalse(history.admits(0));
    history.add(1);
    assertEquals(List.of(), history.latest(10, i -> true));
  }
}
