package org.rackweave.cli.testbed.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.rackweave.cli.experiment.HotSchedule;
import org.rackweave.cli.testbed.Host;
import org.rackweave.cli.testbed.Layout;
import org.rackweave.cli.testbed.compare.worker.Task;

/** Turns a schedule of hot racks into what workers do. */
final class BackgroundPlan {

  private BackgroundPlan() {}

  /**
   * Adds the load of every period to the tasks of the hosts that carry it. The last period lasts
   * until the run is over.
   *
   * @param flowsPerRack connections of a hot rack in each direction
   * @param tasks by host; lists that can grow
   */
  static void addTo(
      Map<String, List<Task>> tasks,
      Layout layout,
      HotSchedule schedule,
      BackgroundOrigin origin,
      int flowsPerRack) {
    int last = schedule.periods().size() - 1;
    for (int period = 0; period <= last; period++) {
      long fromMs = (long) period * schedule.periodMs();
      long untilMs = period == last ? Task.Load.UNTIL_TOLD : fromMs + schedule.periodMs();
      for (int rack : schedule.periods().get(period)) {
        List<Host> hosts = origin.hosts(layout.racks().get(rack));
        for (int i = 0; i < hosts.size(); i++) {
          int flows = flowsPerRack / hosts.size() + (i < flowsPerRack % hosts.size() ? 1 : 0);
          tasks
              .computeIfAbsent(hosts.get(i).name(), name -> new ArrayList<>())
              .add(new Task.Load(fromMs, untilMs, layout.sink().address(), flows, flows));
        }
      }
    }
  }
}
