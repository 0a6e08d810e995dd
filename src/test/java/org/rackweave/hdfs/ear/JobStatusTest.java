package org.rackweave.hdfs.ear;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
class JobStatusTest {
  private static final long LONG_MS = 3_600_000;

  private final JobStatus status = new JobStatus(1, "encode");

  @Test
  void waitsUntilNothingIsLeft() throws Exception {
    Iterator<Long> left = List.of(2L, 2L, 1L, 0L).iterator();
    List<Long> seen = new ArrayList<>();
    assertEquals(0, status.awaitNone(LONG_MS, left::next, seen::add));
    assertEquals(List.of(2L, 2L, 1L, 0L), seen);
  }

  @Test
  void givesUpOnWhatDoesNotChange() throws Exception {
    List<Long> seen = new ArrayList<>();
    assertEquals(7, status.awaitNone(1, () -> 7, seen::add));
    assertTrue(seen.size() >= 2, "it looked again: " + seen);
  }

  @Test
  void whatChangesIsNotGivenUp() throws Exception {
    // Between two looks more time passes than without a change it may.
    long[] left = {5};
    assertEquals(0, status.awaitNone(1, () -> --left[0], now -> {}));
  }

  @Test
  void doesNotWaitForACancelledJob() {
    status.cancel();
    assertThrows(InterruptedException.class, () -> status.awaitNone(LONG_MS, () -> 1, now -> {}));
  }
}
