package org.rackweave.sim.engine;

import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.PriorityQueue;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class EventQueueTest {
  private static final long SEED = 20261121;
  private static final int STEPS = 50_000;

  @Test
  void isInTheOrderOfAPriorityQueue() {
    SplittableRandom random = new SplittableRandom(SEED);
    EventQueue queue = new EventQueue();
    PriorityQueue<Event> oracle = new PriorityQueue<>();
    for (int step = 0; step < STEPS; step++) {
      // Grows to thousands, then shrinks; times are few, so that many are the same.
      if (random.nextInt(10) < (step < STEPS / 2 ? 6 : 4)) {
        Event event = new Event(random.nextLong(100), step, () -> {});
        queue.add(event);
        oracle.add(event);
      } else {
        assertSame(oracle.poll(), queue.poll(), () -> "seed " + SEED);
      }
      assertSame(oracle.peek(), queue.peek(), () -> "seed " + SEED);
    }
    while (!oracle.isEmpty()) {
      assertSame(oracle.poll(), queue.poll(), () -> "seed " + SEED);
    }
    assertNull(queue.poll());
    assertNull(queue.peek());
  }
}
