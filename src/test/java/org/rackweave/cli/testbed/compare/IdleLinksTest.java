package org.rackweave.cli.testbed.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.rackweave.cli.experiment.HotSchedule;
import org.rackweave.cli.testbed.Counters;
import org.rackweave.cli.testbed.Host;
import org.rackweave.cli.testbed.Layout;
import org.rackweave.cli.testbed.LinkBytes;
import org.rackweave.cli.testbed.Rack;
import org.rackweave.cli.testbed.compare.RunWatch.LinkReading;
import org.rackweave.dayu.RecoveryBandwidth;

class IdleLinksTest {
  private static final int PERIOD_MS = 4000;
  private static final RecoveryBandwidth BANDWIDTH = new RecoveryBandwidth(0.8, 2e6, 0.1);

  private final Layout layout = LayoutFixture.layout(3, 2);
  private final HotSchedule schedule = HotSchedule.draw(3, 3, 1, PERIOD_MS, 3);
  private final Map<Integer, long[]> uplinks = new HashMap<>();
  private final Map<String, long[]> nics = new HashMap<>();
  private final List<LinkReading> readings = new ArrayList<>();

  /** Racks send at one speed while hot and at another else, and receive a quarter of that. */
  private void run(long seconds, long hotBytesPerSec, long coldBytesPerSec) {
    for (long second = 0; second <= seconds; second++) {
      readings.add(new LinkReading(second * 1000, counters(second)));
      Set<Integer> hot = schedule.hotAt(second * 1000);
      for (int i = 0; i < layout.racks().size(); i++) {
        Rack rack = layout.racks().get(i);
        long bytes = hot.contains(i) ? hotBytesPerSec : coldBytesPerSec;
        add(uplinks.computeIfAbsent(rack.number(), number -> new long[2]), bytes);
        for (Host host : rack.dataNodes()) {
          add(nics.computeIfAbsent(host.name(), name -> new long[2]), bytes / 2);
        }
      }
    }
  }

  private static void add(long[] carried, long bytes) {
    carried[0] += bytes / 4;
    carried[1] += bytes;
  }

  private Counters counters(long second) {
    Map<String, LinkBytes> ofNics = new HashMap<>();
    layout.dataNodes().forEach(host -> ofNics.put(host.name(), bytes(nics.get(host.name()))));
    Map<Integer, LinkBytes> ofUplinks = new HashMap<>();
    layout.racks().forEach(rack -> ofUplinks.put(rack.number(), bytes(uplinks.get(rack.number()))));
    return new Counters(second * 1_000_000_000, ofNics, ofUplinks);
  }

  private static LinkBytes bytes(long[] carried) {
    return carried == null ? new LinkBytes(0, 0) : new LinkBytes(carried[0], carried[1]);
  }

  @Test
  void idleIsWhatEquationOneLeaves() {
    run(12, 8_000_000, 2_000_000);
    IdleLinks idle = IdleLinks.of(layout, schedule, readings, BANDWIDTH);
    // 0.8 of 12.5 MB/s less what was carried, and of a card of 25 MB/s.
    assertEquals(10e6 - 2e6, idle.coldOut().uplink(), 1);
    assertEquals(10e6 - 8e6, idle.hotOut().uplink(), 1);
    assertEquals(10e6 - 0.5e6, idle.coldIn().uplink(), 1);
    assertEquals(20e6 - 1e6, idle.coldOut().nic(), 1);
    assertEquals(20e6 - 1e6, idle.hotIn().nic(), 1);
    assertEquals(8e6, idle.coldOut().bytesPerSec(2), 1);
  }

  @Test
  void recoveryGetsItsLeastOnFullLinks() {
    run(12, 12_500_000, 0);
    IdleLinks idle = IdleLinks.of(layout, schedule, readings, BANDWIDTH);
    assertEquals(1.25e6, idle.hotOut().uplink(), 1, "a tenth of the link");
    assertEquals(10e6, idle.coldOut().uplink(), 1);
  }

  @Test
  void windowsInWhichTheLoadMovesDoNotCount() {
    run(12, 8_000_000, 0);
    List<LinkReading> ends = List.of(readings.get(2), readings.get(6));
    IdleLinks idle = IdleLinks.of(layout, schedule, ends, BANDWIDTH);
    assertEquals(10e6, idle.hotOut().uplink(), 1, "nothing was seen of it");
  }
}
