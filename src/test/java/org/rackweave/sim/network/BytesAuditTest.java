package org.rackweave.sim.network;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.Test;

/** Links that carry what nobody receives, and the reverse. */
class BytesAuditTest {
  private static final long SECOND = 1_000_000_000;

  private final Link sound = new Link(0, 100);
  private final Link faulty = new Link(1, 100);
  private final BytesAudit audit = new BytesAudit(new Link[] {sound, faulty});

  @Test
  void findsBytesThatNobodyReceived() {
    faulty.load = 10;
    assertNull(audit.faultOfNext(SECOND), "the sound one is looked at first");
    assertEquals("link 1 carried 10.0 B, its flows received 0.0 B", audit.faultOfNext(SECOND));
  }

  @Test
  void findsBytesThatNobodyCarried() {
    faulty.endedFlows = 1;
    faulty.endedFlowsBytes = 50;
    assertNull(audit.faultOfNext(SECOND));
    assertNotNull(audit.faultOfNext(SECOND));
    assertNull(audit.faultOfNext(SECOND), "it goes round");
  }
}
