package org.rackweave.cli.experiment;

import java.util.ArrayList;
import java.util.List;

/** Follows a recovery by what the NameNode says again and again. */
public final class RecoveryWatch {

  /**
   * A look at the NameNode.
   *
   * @param seconds after the kill
   * @param blocks that lack a replica, being copied or not
   */
  public record Missing(double seconds, long blocks) {}

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
  public void look(double seconds, boolean dead, long blocks) {
    missing.add(new Missing(seconds, blocks));
    if (dead && Double.isNaN(detectedAt)) {
      detectedAt = seconds;
    }
    if (!Double.isNaN(detectedAt) && blocks == 0 && Double.isNaN(overAt)) {
      overAt = seconds;
    }
  }

  /** Whether every block has all its replicas again. */
  public boolean isOver() {
    return !Double.isNaN(overAt);
  }

  /** Seconds from the kill until the NameNode counted the DataNode as dead; NaN before. */
  public double detectionSeconds() {
    return detectedAt;
  }

  /** Seconds from then until every block had all its replicas; NaN before. */
  public double rebuildSeconds() {
    return overAt - detectedAt;
  }

  /** How many blocks lacked a replica, at every look. */
  public List<Missing> missing() {
    return List.copyOf(missing);
  }
}
