package org.rackweave.cli.testbed.compare;

import java.util.List;
import java.util.Set;
import org.rackweave.cli.experiment.HotSchedule;
import org.rackweave.cli.testbed.Counters;
import org.rackweave.cli.testbed.Layout;
import org.rackweave.cli.testbed.LinkBytes;
import org.rackweave.cli.testbed.Rack;
import org.rackweave.dayu.RecoveryBandwidth;

/**
 * What recovery may use of the links of a hot rack, and of one that is not, by what others were
 * seen to use of them: B_recover of Eq. 1. Bytes per second.
 *
 * @param coldOut of a rack that is not hot, out of it
 * @param coldIn the same, into it
 * @param hotOut of a hot rack, out of it
 * @param hotIn the same, into it
 */
record IdleLinks(Way coldOut, Way coldIn, Way hotOut, Way hotIn) {

  /**
   * One direction.
   *
   * @param uplink of the rack's link to the core
   * @param nic of each DataNode's own
   */
  record Way(double uplink, double nic) {

    /** What leaves or enters a rack with so many DataNodes that take part. */
    double bytesPerSec(int dataNodes) {
      return Math.min(uplink, dataNodes * nic);
    }
  }

  /**
   * Looks at all windows between two readings that lie in one period of the schedule.
   *
   * @param readings while nothing was recovered, at least two
   */
  static IdleLinks of(
      Layout layout,
      HotSchedule schedule,
      List<RunWatch.LinkReading> readings,
      RecoveryBandwidth bandwidth) {
    Use cold = new Use();
    Use hot = new Use();
    for (int i = 1; i < readings.size(); i++) {
      RunWatch.LinkReading from = readings.get(i - 1);
      RunWatch.LinkReading to = readings.get(i);
      Set<Integer> racks = schedule.hotAt(from.atMs());
      if (racks.equals(schedule.hotBetween(from.atMs(), to.atMs()))) {
        for (int rack = 0; rack < layout.racks().size(); rack++) {
          Use use = racks.contains(rack) ? hot : cold;
          use.add(layout.racks().get(rack), from.counters(), to.counters());
        }
      }
    }
    return new IdleLinks(
        cold.idle(layout, bandwidth, false),
        cold.idle(layout, bandwidth, true),
        hot.idle(layout, bandwidth, false),
        hot.idle(layout, bandwidth, true));
  }

  /** What racks of a kind used. */
  private static final class Use {
    private final double[] uplinkBytes = new double[2];
    private final double[] nicBytes = new double[2];
    private double rackSeconds;
    private double nicSeconds;

    void add(Rack rack, Counters before, Counters after) {
      double seconds = (after.atNanos() - before.atNanos()) / 1e9;
      rackSeconds += seconds;
      add(
          uplinkBytes,
          after.uplinks().get(rack.number()).since(before.uplinks().get(rack.number())));
      rack.dataNodes()
          .forEach(
              host -> {
                nicSeconds += seconds;
                add(nicBytes, after.nics().get(host.name()).since(before.nics().get(host.name())));
              });
    }

    private static void add(double[] bytes, LinkBytes carried) {
      bytes[0] += carried.txBytes();
      bytes[1] += carried.rxBytes();
    }

    /** Where no such rack was seen nothing is known to be used. */
    Way idle(Layout layout, RecoveryBandwidth bandwidth, boolean in) {
      int direction = in ? 1 : 0;
      return new Way(
          bandwidth.of(layout.uplinkBytesPerSec(), perSecond(uplinkBytes[direction], rackSeconds)),
          bandwidth.of(layout.nicBytesPerSec(), perSecond(nicBytes[direction], nicSeconds)));
    }

    private static double perSecond(double bytes, double seconds) {
      return seconds == 0 ? 0 : bytes / seconds;
    }
  }
}
