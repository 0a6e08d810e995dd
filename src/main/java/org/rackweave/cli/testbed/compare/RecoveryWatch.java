package org.rackweave.cli.testbed.compare;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.rackweave.cli.testbed.compare.RecoveryRun.Missing;

/**
 * Follows a recovery by what the NameNode says again and again. Everything is rebuilt when it says
 * twice in a row that no block lacks a replica, because a block that is handed from one of its
 * queues to the next may be in neither for a moment.
 */
final class RecoveryWatch {

  private static final int LOOKS_WITHOUT_MISSING = 2;

  private final List<Missing> missing = new ArrayList<>();
  private double detectedAt = Double.NaN;
  private double firstWithoutMissing = Double.NaN;
  private int looksWithoutMissing;

  /**
   * Takes a look.
   *
   * @param seconds after the kill
   * @param state bean {@code FSNamesystemState}
   */
  void look(double seconds, JsonNode state) throws IOException {
    if (Double.isNaN(detectedAt) && number(state, "NumDeadDataNodes") > 0) {
      detectedAt = seconds;
    }
    long blocks =
        number(state, "UnderReplicatedBlocks") + number(state, "PendingReplicationBlocks");
    missing.add(new Missing(seconds, blocks));
    if (Double.isNaN(detectedAt) || blocks > 0) {
      looksWithoutMissing = 0;
      return;
    }
    if (looksWithoutMissing++ == 0) {
      firstWithoutMissing = seconds;
    }
  }

  private static long number(JsonNode state, String name) throws IOException {
    JsonNode value = state.get(name);
    if (value == null || !value.isNumber()) {
      throw new IOException("the NameNode does not tell " + name + ": " + state);
    }
    return value.asLong();
  }

  /** Whether every block has all its replicas again. */
  boolean isOver() {
    return looksWithoutMissing >= LOOKS_WITHOUT_MISSING
        && missing.stream().anyMatch(look -> look.seconds() >= detectedAt && look.blocks() > 0);
  }

  /** Seconds from the kill until the NameNode counted the DataNode as dead; NaN before. */
  double detectionSeconds() {
    return detectedAt;
  }

  /** Seconds from then until every block had all its replicas; NaN before. */
  double rebuildSeconds() {
    return isOver() ? firstWithoutMissing - detectedAt : Double.NaN;
  }

  /** How many blocks lacked a replica, at every look. */
  List<Missing> missing() {
    return List.copyOf(missing);
  }
}
