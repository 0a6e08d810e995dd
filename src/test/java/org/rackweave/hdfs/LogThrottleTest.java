package org.rackweave.hdfs;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class LogThrottleTest {
  @Test
  void letsOneMessageThroughPerInterval() {
    AtomicLong clock = new AtomicLong(-5);
    LogThrottle throttle = new LogThrottle(60_000, clock::get);
    assertTrue(throttle.shouldLog());
    clock.set(59_994);
    assertFalse(throttle.shouldLog());
    clock.set(59_995);
    assertTrue(throttle.shouldLog());
  }
}
