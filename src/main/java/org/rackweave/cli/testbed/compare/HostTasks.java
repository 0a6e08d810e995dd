package org.rackweave.cli.testbed.compare;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.rackweave.cli.experiment.HotSchedule;
import org.rackweave.cli.testbed.Host;
import org.rackweave.cli.testbed.Layout;
import org.rackweave.cli.testbed.compare.worker.Task;

/** What workers are to do in a run, host by host. */
final class HostTasks {
  private final Layout layout;
  private final Map<String, List<Task>> byHost = new HashMap<>();
  private int count;

  HostTasks(Layout layout) {
    this.layout = layout;
  }

  /** Adds what the machine of DataNode {@code node} does, numbered from 0, rack by rack. */
  HostTasks add(int node, Task task) {
    add(layout.dataNodes().get(node), task);
    count++;
    return this;
  }

  private void add(Host host, Task task) {
    byHost.computeIfAbsent(host.name(), name -> new ArrayList<>()).add(task);
  }

  /** How many tasks of DataNodes' machines there are. */
  int count() {
    return count;
  }

  /**
   * Adds the background load of every period, which the hosts that carry it make.
   *
   * @param options where it is, and how much
   * @param endMs when the last period ends, or {@link Task.Load#UNTIL_TOLD}
   */
  HostTasks addLoad(HotSchedule schedule, CompareOptions options, long endMs) {
    return addLoad(schedule, options.origin(), options.flowsPerRack(), endMs);
  }

  HostTasks addLoad(HotSchedule schedule, BackgroundOrigin origin, int flowsPerRack, long endMs) {
    int last = schedule.periods().size() - 1;
    for (int period = 0; period <= last; period++) {
      long fromMs = (long) period * schedule.periodMs();
      long untilMs = period == last ? endMs : fromMs + schedule.periodMs();
      for (int rack : schedule.periods().get(period)) {
        List<Host> hosts = origin.hosts(layout.racks().get(rack));
        for (int i = 0; i < hosts.size(); i++) {
          int flows = flowsPerRack / hosts.size() + (i < flowsPerRack % hosts.size() ? 1 : 0);
          add(hosts.get(i), new Task.Load(fromMs, untilMs, layout.sink().address(), flows, flows));
        }
      }
    }
    return this;
  }

  /** By the name of the host that does them. */
  Map<String, List<Task>> byHost() {
    return byHost;
  }
}
