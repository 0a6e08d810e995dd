package org.rackweave.cli.demo.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import java.util.List;
import org.apache.hadoop.net.CachedDNSToSwitchMapping;
import org.junit.jupiter.api.Test;

class LoopbackRacksTest {
  private final LoopbackRacks racks = new LoopbackRacks();

  @Test
  void addressesTellTheRack() {
    assertEquals(
        List.of("/rack-1", "/rack-3", "/default-rack"),
        racks.resolve(List.of("127.10.1.2", "127.10.3.1", "127.10.0.1")));
  }

  /** Others are asked for host names, which are the same for all DataNodes. */
  @Test
  void theNameNodeAsksForAddresses() {
    assertInstanceOf(CachedDNSToSwitchMapping.class, racks);
  }
}
