package org.rackweave.hdfs.hook;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class HookGuardTest {
  private static final String NAMED = "read-order: Stock HDFS sorts replicas for a reader";

  @Test
  void namesHooksThatCallWhatThisHadoopHasNot() {
    HookGuard.failed(Hook.READ_ORDER, new IllegalStateException("a test's"));
    assertFalse(HookGuard.unlinked().contains(NAMED));
    HookGuard.failed(Hook.READ_ORDER, new NoSuchMethodError("a test's"));
    assertTrue(HookGuard.unlinked().contains(NAMED));
    HookGuard.failed(Hook.READ_ORDER, new IllegalStateException("a test's"));
    assertFalse(HookGuard.unlinked().contains(NAMED));
  }
}
