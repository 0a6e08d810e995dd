package org.rackweave.health;

import java.util.List;
import java.util.Map;

/**
 * What is known of one NameNode.
 *
 * @param notStarted what has not started in the NameNode, and why; empty when all has
 * @param isAnyOn whether any feature is not off
 * @param isActive whether the NameNode is the active one
 * @param telemetry the links
 * @param decisions of the last minutes
 * @param recovery of lost replicas
 * @param stripes of encoded files
 * @param faults of Rackweave itself
 */
public record HealthFacts(
    String notStarted,
    boolean isAnyOn,
    boolean isActive,
    Telemetry telemetry,
    Decisions decisions,
    Recovery recovery,
    Stripes stripes,
    Faults faults) {

  /**
   * What is known of links.
   *
   * @param hasSnapshot whether there is a recent one
   * @param live DataNodes
   * @param reporting DataNodes whose agents report
   * @param coverage share of DataNodes whose load is known
   * @param coverageMin least share with which Rackweave decides
   * @param silent DataNodes without reports, each with why
   * @param doubted DataNodes whose links are said to be faster than is believed
   * @param slowLinks DataNodes whose links are half as fast as those of their rack, or slower, each
   *     with both speeds
   * @param disagreement what is declared of the network and far from what is seen; empty for none
   */
  public record Telemetry(
      boolean hasSnapshot,
      int live,
      int reporting,
      double coverage,
      double coverageMin,
      List<String> silent,
      int doubted,
      List<String> slowLinks,
      String disagreement) {}

  /**
   * What became of requests for targets.
   *
   * @param minutes that they were counted for
   * @param ours decided by Rackweave, carried out or in shadow mode
   * @param fallbacks left to stock HDFS against expectation, by reason
   * @param breaker whether requests pass, or are left to stock HDFS since decisions failed
   * @param slower by how much blocks were written more slowly, where they do not pass for that;
   *     otherwise empty
   * @param canaryAborted why the last canary was aborted, empty when it was not
   */
  public record Decisions(
      long minutes,
      long ours,
      Map<String, Long> fallbacks,
      CircuitBreaker.State breaker,
      String slower,
      String canaryAborted) {}

  /**
   * How recovery stands.
   *
   * @param stocks why stock HDFS makes lost replicas again against expectation, {@code null} when
   *     it does not
   * @param isWaiting whether it waits since much was lost at once
   */
  public record Recovery(String stocks, boolean isWaiting) {}

  /**
   * How stripes stand.
   *
   * @param lost that miss more blocks than can be decoded
   * @param degraded that miss blocks
   * @param unreadable parity files without a record
   * @param deletionAlarm why deletions have waited for long, empty when they do not
   */
  public record Stripes(int lost, int degraded, int unreadable, String deletionAlarm) {}

  /**
   * What has failed in Rackweave itself.
   *
   * @param failures by hook, in the minutes of {@link Decisions}
   * @param late timers, each with since when
   * @param blackBox why nothing is written to the black box, empty when all is well
   * @param unknownHadoop version of Hadoop where it is not one of those that are tested, else empty
   * @param unlinked hooks that have failed because this Hadoop has not what they call, each with
   *     what becomes of that
   */
  public record Faults(
      Map<String, Long> failures,
      List<String> late,
      String blackBox,
      String unknownHadoop,
      List<String> unlinked) {}
}
