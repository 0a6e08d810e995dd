package org.rackweave.cli.bench;

import java.util.Locale;

/**
 * How fast the simulator was in one setting.
 *
 * @param nodes DataNodes of the cluster, 20 a rack, 10:1
 * @param flows block writes under way at any time
 * @param eventsPerSec events per second of CPU time
 * @param usPerEvent its inverse, microseconds
 * @param solvedPerEvent bundles of flows whose rate was computed anew for one event
 */
record SimBenchRow(
    int nodes, int flows, double eventsPerSec, double usPerEvent, double solvedPerEvent)
    implements BenchLine {

  static String header() {
    return String.format(
        "%7s %7s %12s %10s %14s", "nodes", "flows", "events/s", "us/event", "solved/event");
  }

  @Override
  public String line() {
    return String.format(
        Locale.ROOT,
        "%7d %7d %12.0f %10.2f %14.1f",
        nodes,
        flows,
        eventsPerSec,
        usPerEvent,
        solvedPerEvent);
  }

  @Override
  public String json() {
    return String.format(
        Locale.ROOT,
        "{\"nodes\": %d, \"flows\": %d, \"events_per_s\": %.0f, \"us_per_event\": %.3f,"
            + " \"solved_per_event\": %.2f}",
        nodes,
        flows,
        eventsPerSec,
        usPerEvent,
        solvedPerEvent);
  }
}
