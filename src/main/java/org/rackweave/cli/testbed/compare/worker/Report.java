package org.rackweave.cli.testbed.compare.worker;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;

/** What a worker says. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "report")
@JsonSubTypes({
  @JsonSubTypes.Type(value = Report.Ready.class, name = "ready"),
  @JsonSubTypes.Type(value = Report.Done.class, name = "done"),
  @JsonSubTypes.Type(value = Report.Failed.class, name = "failed"),
  @JsonSubTypes.Type(value = Report.Received.class, name = "received")
})
public sealed interface Report {
  /** Connected to the cluster and waiting. */
  record Ready() implements Report {}

  /**
   * A task is done. Times are microseconds after the run's start; how long it took counts from
   * {@code scheduledUs}, so that a worker that is late does not make the cluster look fast.
   *
   * @param run number of the run
   * @param startUs when it really began
   * @param sizeBytes bytes written or read
   * @param server address of the DataNode that sent most of what was read, {@code -} for others
   */
  record Done(
      int run, String id, long scheduledUs, long startUs, long endUs, long sizeBytes, String server)
      implements Report {
    /** From the scheduled start to the end, in seconds. */
    public double seconds() {
      return (endUs - scheduledUs) / 1e6;
    }

    /** The same under another name. */
    public Done named(String name) {
      return new Done(run, name, scheduledUs, startUs, endUs, sizeBytes, server);
    }
  }

  /**
   * A task could not be done.
   *
   * @param run number of the run, 0 where the worker itself fails
   */
  record Failed(int run, String id, String reason) implements Report {}

  /** Bytes of background load this worker has received, from everyone, since it started. */
  record Received(long sizeBytes) implements Report {}
}
