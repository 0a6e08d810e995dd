package org.rackweave.cli.ear.yarn;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.rackweave.hdfs.work.WorkReport;

/** What came out of the jobs. Thread-safe. */
final class YarnFigures {
  /** The ApplicationMaster's container is an application's first. */
  private static final String FIRST_CONTAINER = "_000001";

  private final Consumer<String> complaints;
  private final SortedMap<String, SortedSet<String>> hostsByRack = new TreeMap<>();
  private long jobs;
  private long encoded;
  private long failed;
  private long refused;
  private long unbound;

  /**
   * @param complaints told at once of what an operator has to know
   */
  YarnFigures(Consumer<String> complaints) {
    this.complaints = complaints;
  }

  /** A job is over. */
  synchronized void over(String rack, RackJob job) {
    jobs++;
    for (WorkReport report : job.reports()) {
      switch (report.state()) {
        case DONE -> encoded++;
        case REFUSED -> refused++;
        default -> {
          failed++;
          complain(job.id() + ": a stripe failed: " + report.message());
        }
      }
    }
    job.began()
        .ifPresent(
            where -> {
              hostsByRack.computeIfAbsent(rack, one -> new TreeSet<>()).add(where.host());
              if (!where.container().endsWith(FIRST_CONTAINER)) {
                unbound++;
                complain(
                    job.id()
                        + " did not run in its ApplicationMaster: the NodeManagers' settings forbid"
                        + " uber jobs");
              }
            });
  }

  /** Stripes for which there was no job. */
  synchronized void refused(int stripes) {
    refused += stripes;
  }

  void complain(String line) {
    complaints.accept(line);
  }

  /** By name. */
  synchronized Map<String, Long> figures() {
    Map<String, Long> figures = new LinkedHashMap<>();
    figures.put("yarn_jobs", jobs);
    figures.put("yarn_jobs_not_in_their_rack_by_binding", unbound);
    figures.put("yarn_stripes_encoded", encoded);
    figures.put("yarn_stripes_failed", failed);
    figures.put("yarn_stripes_refused", refused);
    return figures;
  }

  /** For people: where jobs ran. */
  synchronized List<String> lines() {
    List<String> lines = new ArrayList<>();
    hostsByRack.forEach((rack, hosts) -> lines.add("jobs of " + rack + " ran on " + hosts));
    return lines;
  }
}
