package org.rackweave.telemetry;

/** Hears of reports for what they say besides the link. */
@FunctionalInterface
public interface ReportListener {
  /**
   * A report was taken; must be quick, and must not throw.
   *
   * @param nodeId the DataNode's UUID
   * @param report to be read now; its reader is used for the next one
   * @param nowMs monotonic time of arrival
   */
  void heard(String nodeId, ReportReader report, long nowMs);
}
