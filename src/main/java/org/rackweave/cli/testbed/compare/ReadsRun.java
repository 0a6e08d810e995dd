package org.rackweave.cli.testbed.compare;

import java.util.List;

/**
 * One run of reads. Everything is of the time in which it was measured but what is said to be
 * otherwise.
 *
 * @param seconds of every read, from when it was due
 * @param sameHostShare share of them served by the reader's own host
 * @param sameRackShare share of them served in the reader's own rack, its own host included
 * @param fullUplinkShare share of the seconds of all racks in which a rack's link to the core was
 *     full with what the rack sent
 * @param looks at what is stored, from the run's start on, warm-up included
 * @param intervalSeconds the time between two looks of EAFR, the paper's T
 * @param measuredFromSeconds when the warm-up was over, after the run's start
 * @param added replicas added by EAFR in the whole run
 * @param removed replicas removed by EAFR in the whole run
 */
record ReadsRun(
    double[] seconds,
    double sameHostShare,
    double sameRackShare,
    double fullUplinkShare,
    List<Look> looks,
    double intervalSeconds,
    double measuredFromSeconds,
    long added,
    long removed) {

  /**
   * What was stored at a moment.
   *
   * @param seconds after the run's start
   * @param replicasPerFile mean over files
   * @param bytes of all replicas
   */
  record Look(double seconds, double replicasPerFile, long bytes) {}

  double replicasPerFile() {
    return measured().stream().mapToDouble(Look::replicasPerFile).average().orElse(Double.NaN);
  }

  double storedBytes() {
    return measured().stream().mapToDouble(Look::bytes).average().orElse(Double.NaN);
  }

  private List<Look> measured() {
    return looks.stream().filter(look -> look.seconds() >= measuredFromSeconds).toList();
  }
}
