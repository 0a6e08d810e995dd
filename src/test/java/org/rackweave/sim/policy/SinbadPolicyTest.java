package org.rackweave.sim.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.BitSet;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.rackweave.placement.FallbackReason;
import org.rackweave.sim.SmallCluster;
import org.rackweave.sim.cluster.ReportedLinks;
import org.rackweave.sim.engine.SimTime;
import org.rackweave.sim.scenario.TelemetrySpec;
import org.rackweave.sinbad.SinbadPlacement;
import org.rackweave.sinbad.Spread;
import org.rackweave.telemetry.NetworkSettings;

/** Racks 0 to 5 of four nodes; the links into racks 1 and 3 are full. */
class SinbadPolicyTest {
  private static final int WRITER = 16;
  private static final long BLOCK_BYTES = 100;

  private final SmallCluster small = new SmallCluster(6, 4);
  private final SinbadPolicy sinbad;

  SinbadPolicyTest() {
    SplittableRandom random = new SplittableRandom(3);
    Rules rules = new Rules(small.cluster, small.loop);
    ReportedLinks links =
        new ReportedLinks(
            small.loop,
            small.cluster,
            new TelemetrySpec(1000, 100, 0, 0.01, 0.2, 5),
            new NetworkSettings(0, 2, 50, 1000, 1),
            random.split());
    PlacementPolicy stock =
        new SpreadPolicy(small.topology, rules, Spread.TWO_RACK, new RandomChoice(random.split()));
    sinbad =
        new SinbadPolicy(
            small.loop,
            links,
            new SinbadPlacement(Spread.TWO_RACK, 32),
            rules,
            new SinbadPolicy.Otherwise(BLOCK_BYTES / 2, stock),
            random);
    small.network.start(small.links.betweenRacks(0, 1), 1e12, () -> {});
    small.network.start(small.links.betweenRacks(2, 3), 1e12, () -> {});
    links.start();
  }

  private static BlockRequest block(long sizeBytes) {
    return new BlockRequest(WRITER, sizeBytes, 3, new BitSet());
  }

  @Test
  void blocksGoWhereLinksAreFree() {
    for (int second = 30; second < 130; second++) {
      small.loop.runUntil(SimTime.ofSeconds(second));
      int[] nodes = sinbad.place(block(BLOCK_BYTES));
      assertEquals(WRITER, nodes[0]);
      int rack = small.topology.rackOf(nodes[1]);
      assertNotEquals(1, rack);
      assertNotEquals(3, rack);
      assertEquals(rack, small.topology.rackOf(nodes[2]));
    }
    assertEquals(Map.of(), sinbad.fallbacks());
  }

  @Test
  void whatSinbadDoesNotDecideIsStocksAndCounted() {
    assertEquals(3, sinbad.place(block(BLOCK_BYTES)).length); // nothing has been reported yet
    small.loop.runUntil(SimTime.ofSeconds(30));
    assertEquals(3, sinbad.place(block(BLOCK_BYTES / 4)).length);
    assertTrue(sinbad.fallbacks().containsKey(FallbackReason.LOW_COVERAGE), sinbad::toString);
    assertEquals(1L, sinbad.fallbacks().get(FallbackReason.SMALL_BLOCK));
  }
}
