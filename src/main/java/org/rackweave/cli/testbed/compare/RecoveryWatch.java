package org.rackweave.cli.testbed.compare;

import java.util.ArrayList;
import java.util.List;
import org.rackweave.cli.testbed.compare.RecoveryRun.Missing;

/** Follows a recovery by what the NameNode says again and again. */
final class RecoveryWatch {

  private final List<Missing> missing = new ArrayList<>();
  private double detectedAt = Double.NaN;
  private double overAt = Double.NaN;

  /**
   * Takes a look.
   *
   * @param seconds after the kill
   * @param dead whether the NameNode counts the DataNode as dead
   * @param blocks that lack a replica, the killed DataNode's not counted
   */
  void look(double seconds, boolean dead, long blocks) {
    missing.add(new Missing(seconds, blocks));
    if (dead && Double.isNaN(detectedAt)) {
      detectedAt = seconds;
    }
    if (!Double.isNaN(detectedAt) && blocks == 0 && Double.isNaN(overAt)) {
      overAt = seconds;
    }
  }

  /** Whether every block has all its replicas again. */
  boolean isOver() {
    return !Double.isNaN(overAt);
  }

  /** Seconds from the kill until the NameNode counted the DataNode as dead; NaN before. */
  double detectionSeconds() {
    return detectedAt;
  }

  /** Seconds from then until every block had all its replicas; NaN before. */
  double rebuildSeconds() {
    return overAt - detectedAt;
  }

  /** How many blocks lacked a replica, at every look. */
  List<Missing> missing() {
    return List.copyOf(missing);
  }
}
