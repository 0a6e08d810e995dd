package org.rackweave.cli.bench;

import java.util.Locale;

/**
 * How fast and how good one algorithm plans a recovery.
 *
 * @param algorithm as configuration has it
 * @param nodes DataNodes of the cluster, 20 a rack
 * @param oversubscription of the racks' links
 * @param tasks blocks to be copied
 * @param tasksPerSec planned in a second of CPU time: source, destination and rate
 * @param fasterThanG1 the same over that of {@code g1}
 * @param destinationRatio makespan of the destinations over sum / sum
 * @param sourceRatio makespan of the sources over a lower bound of the fractional optimum
 * @param slotFill bytes done in a slot of 15 s over what all links carry (Eq. 2, with those of
 *     racks), where more blocks wait than fit
 * @param overlappingSec CPU time of one plan where slots overlap, as in a NameNode: copies fill
 *     links until each has met a full one
 */
record DayuPlanRow(
    String algorithm,
    int nodes,
    int oversubscription,
    int tasks,
    double tasksPerSec,
    double fasterThanG1,
    double destinationRatio,
    double sourceRatio,
    double slotFill,
    double overlappingSec)
    implements BenchLine {

  static String header() {
    return String.format(
        "%-9s %6s %8s %8s %12s %8s %11s %8s %10s %12s",
        "algorithm",
        "nodes",
        "uplinks",
        "tasks",
        "tasks/s",
        "x g1",
        "destination",
        "source",
        "slot fill",
        "overlapping");
  }

  @Override
  public String line() {
    return String.format(
        Locale.ROOT,
        "%-9s %6d %8s %8d %12.0f %8.1f %11.3f %8.3f %10.3f %10.3f s",
        algorithm,
        nodes,
        oversubscription + ":1",
        tasks,
        tasksPerSec,
        fasterThanG1,
        destinationRatio,
        sourceRatio,
        slotFill,
        overlappingSec);
  }

  @Override
  public String json() {
    return String.format(
        Locale.ROOT,
        "{\"algorithm\": \"%s\", \"nodes\": %d, \"oversubscription\": %d, \"tasks\": %d,"
            + " \"tasks_per_s\": %.0f, \"faster_than_g1\": %.2f, \"dest_makespan_ratio\": %.4f,"
            + " \"source_makespan_ratio\": %.4f, \"slot_fill\": %.4f, \"overlapping_plan_s\": %.4f}",
        algorithm,
        nodes,
        oversubscription,
        tasks,
        tasksPerSec,
        fasterThanG1,
        destinationRatio,
        sourceRatio,
        slotFill,
        overlappingSec);
  }
}
