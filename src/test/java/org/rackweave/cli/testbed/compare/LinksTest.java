package org.rackweave.cli.testbed.compare;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.rackweave.cli.experiment.HotSchedule;
import org.rackweave.cli.experiment.LinkWindow;
import org.rackweave.cli.testbed.Counters;
import org.rackweave.cli.testbed.Host;
import org.rackweave.cli.testbed.Layout;
import org.rackweave.cli.testbed.LinkBytes;
import org.rackweave.cli.testbed.compare.worker.Task;
import org.rackweave.cli.testbed.compare.worker.Task.Load;

/** Background load on links, and what links have carried. */
class LinksTest {

  private static final int PERIOD_MS = 20_000;
  private final Layout layout = LayoutFixture.layout(6, 2);
  private final HotSchedule schedule = HotSchedule.draw(11, 6, 2, PERIOD_MS, 3);

  private Map<String, List<Task>> load(BackgroundOrigin origin, int flows) {
    return new HostTasks(layout).addLoad(schedule, origin, flows, Load.UNTIL_TOLD).byHost();
  }

  private static long flows(Map<String, List<Task>> tasks, List<Host> hosts) {
    return hosts.stream()
        .flatMap(host -> tasks.getOrDefault(host.name(), List.of()).stream())
        .mapToLong(task -> ((Load) task).up() + ((Load) task).down())
        .sum();
  }

  @Test
  void everyHotRackHasItsConnectionsWhereverTheyEnd() {
    for (int rack = 0; rack < 6; rack++) {
      int times = 0;
      for (Set<Integer> hot : schedule.periods()) {
        times += hot.contains(rack) ? 1 : 0;
      }
      List<Host> nodes = layout.racks().get(rack).dataNodes();
      List<Host> other = List.of(layout.racks().get(rack).background());
      assertEquals(2 * 7 * times, flows(load(BackgroundOrigin.DATANODES, 7), nodes));
      assertEquals(0, flows(load(BackgroundOrigin.DATANODES, 7), other));
      assertEquals(2 * 7 * times, flows(load(BackgroundOrigin.OTHERS, 7), other));
    }
    assertTrue(load(BackgroundOrigin.NONE, 7).isEmpty());
  }

  @Test
  void loadIsCutWhenItMovesAndTheLastStaysUntilTheRunIsOver() {
    for (List<Task> tasks : load(BackgroundOrigin.DATANODES, 8).values()) {
      for (Task task : tasks) {
        Load load = (Load) task;
        boolean last = load.atMs() == 2 * PERIOD_MS;
        assertEquals(last ? Load.UNTIL_TOLD : load.atMs() + PERIOD_MS, load.untilMs());
        assertEquals(layout.sink().address(), load.sink());
      }
    }
  }

  private RunWatch.LinkReading reading(long atMs, long nanos, long rxBytes) {
    Map<String, LinkBytes> nics = new HashMap<>();
    for (Host host : layout.dataNodes()) {
      nics.put(host.name(), new LinkBytes(host.name().equals("r2h1") ? rxBytes : 0, 77 * rxBytes));
    }
    Map<Integer, LinkBytes> uplinks = new HashMap<>();
    for (int rack = 1; rack <= 6; rack++) {
      uplinks.put(rack, new LinkBytes(rack * rxBytes, 0));
    }
    return new RunWatch.LinkReading(atMs, new Counters(nanos, nics, uplinks));
  }

  @Test
  void windowsLieBetweenReadingsAndLastAsLongAsTheCountersSay() {
    List<RunWatch.LinkReading> readings =
        List.of(
            reading(0, 5_000_000_000L, 100),
            reading(1_000, 6_000_000_000L, 400),
            reading(20_500, 8_000_000_000L, 1_400));
    List<LinkWindow> nodes = LinkWindows.ofDataNodes(layout, schedule, readings);
    assertEquals(2, nodes.size());
    assertEquals(300, nodes.get(0).receivedBytesPerSec()[2]);
    assertEquals(500, nodes.get(1).receivedBytesPerSec()[2], "1,000 bytes in two seconds");
    assertEquals(0, nodes.get(1).receivedBytesPerSec()[3]);
    assertEquals(schedule.periods().get(0), nodes.get(1).hotRacks());
    assertEquals(19_500, nodes.get(1).lengthMs());
    List<LinkWindow> racks = LinkWindows.ofRacks(layout, schedule, readings);
    assertArrayEquals(
        new double[] {300, 600, 900, 1200, 1500, 1800}, racks.get(0).receivedBytesPerSec());
  }
}
