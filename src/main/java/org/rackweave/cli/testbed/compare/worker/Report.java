package org.rackweave.cli.testbed.compare.worker;

/** What a worker says, one line each. */
public sealed interface Report {

  /** Stands between the number of the run and a task's own name in what is reported of it. */
  char OF_RUN = '/';

  /** Connected to the cluster and waiting. */
  record Ready() implements Report {
    @Override
    public String line() {
      return "ready";
    }
  }

  /**
   * A task is done. Times are microseconds after the run's start; how long it took counts from
   * {@code scheduledUs}, so that a worker that is late does not make the cluster look fast.
   *
   * @param startUs when it really began
   * @param sizeBytes bytes written or read
   * @param server address of the DataNode that sent most of what was read, {@code -} for others
   */
  record Done(String id, long scheduledUs, long startUs, long endUs, long sizeBytes, String server)
      implements Report {

    /** From the scheduled start to the end, in seconds. */
    public double seconds() {
      return (endUs - scheduledUs) / 1e6;
    }

    /** The same under another name. */
    public Done named(String name) {
      return new Done(name, scheduledUs, startUs, endUs, sizeBytes, server);
    }

    @Override
    public String line() {
      return "done "
          + id
          + " "
          + scheduledUs
          + " "
          + startUs
          + " "
          + endUs
          + " "
          + sizeBytes
          + " "
          + server;
    }
  }

  /** A task could not be done. */
  record Failed(String id, String reason) implements Report {
    @Override
    public String line() {
      return "failed " + id + " " + reason.replaceAll("\\s+", " ");
    }
  }

  /** Bytes of background load this worker has received, from everyone, since it started. */
  record Received(long sizeBytes) implements Report {
    @Override
    public String line() {
      return "received " + sizeBytes;
    }
  }

  /** The report as one line. */
  String line();

  /**
   * Reads a line.
   *
   * @throws IllegalArgumentException if it is no report
   */
  static Report parse(String line) {
    String[] w = line.split(" ", 7);
    try {
      return switch (w[0]) {
        case "ready" -> new Ready();
        case "done" ->
            new Done(
                w[1],
                Long.parseLong(w[2]),
                Long.parseLong(w[3]),
                Long.parseLong(w[4]),
                Long.parseLong(w[5]),
                w[6]);
        case "failed" -> new Failed(w[1], line.split(" ", 3)[2]);
        case "received" -> new Received(Long.parseLong(w[1]));
        default -> throw new IllegalArgumentException("no report '" + line + "'");
      };
    } catch (IndexOutOfBoundsException | NumberFormatException e) {
      throw new IllegalArgumentException("no report '" + line + "'", e);
    }
  }
}
