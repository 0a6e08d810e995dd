package org.rackweave.placement;

import java.util.Locale;

/**
 * Why stock HDFS placement acted instead of ours. Every such decision is counted under one of
 * these.
 */
public enum FallbackReason {
  /** The operator switched decisions off. */
  SWITCHED_OFF,
  /** Shadow mode: ours was computed and counted, stock acted. */
  SHADOW_MODE,
  /** No NameNode plugin serves this topology. */
  NO_PLUGIN,
  /** No snapshot of the links has been taken yet. */
  NO_SNAPSHOT,
  /** No snapshot has been taken for longer than a link may be silent. */
  STALE_SNAPSHOT,
  /** Too few DataNodes have a recent measurement. */
  LOW_COVERAGE,
  /** The block is smaller than the threshold (Sinbad, Pseudocode 1). */
  SMALL_BLOCK,
  /** A rule for the directory says so. */
  RULE,
  /** The file is one of the few whose write times ours are compared with. */
  CONTROL,
  /** The file is not to be encoded (EAR), and others are stock's. */
  NO_CODE,
  /** The policy is there for recovery only (Dayu). */
  RECOVERY_ONLY,
  /** Replicas follow no readers here (EAFR), or nobody has drawn up their odds yet. */
  NO_ODDS,
  /** The client named favoured nodes; HDFS places those. */
  FAVORED_NODES,
  /** A caller without cluster statistics (Balancer, Mover). */
  NO_STATISTICS,
  /** An existing replica, or the writer, stands on a node that the snapshot does not know. */
  UNKNOWN_NODE,
  /** HDFS's storage policy leaves no storage type to choose. */
  NO_STORAGE_TYPE,
  /** The spread of the paper needs more racks than can take a replica (Pseudocode 2, line 17). */
  NOT_ENOUGH_RACKS,
  /**
   * Fewer admissible nodes were found than replicas wanted, among those that the snapshot knows.
   */
  NOT_ENOUGH_NODES,
  /** The bound on candidates looked at was reached. */
  SEARCH_LIMIT,
  /**
   * Most decisions failed or took too long just now, or blocks are written more slowly by them:
   * none is made for a while.
   */
  BREAKER_OPEN,
  /** An error in our own code. */
  ERROR;

  private final String label = name().toLowerCase(Locale.ROOT).replace('_', '-');

  /** Whether an operator should hear of it; the others follow from a setting or a request. */
  public boolean isUnexpected() {
    return switch (this) {
      case SWITCHED_OFF,
          SHADOW_MODE,
          SMALL_BLOCK,
          RULE,
          CONTROL,
          NO_CODE,
          RECOVERY_ONLY,
          FAVORED_NODES,
          NO_STATISTICS ->
          false;
      default -> true;
    };
  }

  /** Name for metrics, logs and reports. */
  public String label() {
    return label;
  }
}
