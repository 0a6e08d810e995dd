package org.rackweave.cli.testbed.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.rackweave.cli.experiment.HotSchedule;
import org.rackweave.cli.experiment.LinkWindow;
import org.rackweave.cli.testbed.Counters;
import org.rackweave.cli.testbed.Layout;

/** Turns what links have carried at moments into what they carried between them. */
final class LinkWindows {

  private LinkWindows() {}

  /** What every DataNode received, in the order of {@link Layout#dataNodes}. */
  static List<LinkWindow> ofDataNodes(
      Layout layout, HotSchedule schedule, List<RunWatch.LinkReading> readings) {
    return windows(
        schedule,
        readings,
        counters ->
            layout.dataNodes().stream()
                .mapToLong(host -> counters.nics().get(host.name()).rxBytes())
                .toArray());
  }

  /** What every rack received from the core. */
  static List<LinkWindow> ofRacks(
      Layout layout, HotSchedule schedule, List<RunWatch.LinkReading> readings) {
    return windows(
        schedule,
        readings,
        counters ->
            layout.racks().stream()
                .mapToLong(rack -> counters.uplinks().get(rack.number()).rxBytes())
                .toArray());
  }

  private static List<LinkWindow> windows(
      HotSchedule schedule,
      List<RunWatch.LinkReading> readings,
      Function<Counters, long[]> received) {
    List<LinkWindow> windows = new ArrayList<>();
    for (int i = 1; i < readings.size(); i++) {
      RunWatch.LinkReading from = readings.get(i - 1);
      RunWatch.LinkReading to = readings.get(i);
      long[] before = received.apply(from.counters());
      long[] after = received.apply(to.counters());
      double seconds = (to.counters().atNanos() - from.counters().atNanos()) / 1e9;
      double[] rates = new double[after.length];
      for (int link = 0; link < rates.length; link++) {
        rates[link] = (after[link] - before[link]) / seconds;
      }
      windows.add(
          new LinkWindow(from.atMs(), to.atMs() - from.atMs(), rates, schedule.hotAt(from.atMs())));
    }
    return windows;
  }
}
