package org.rackweave.cli.testbed.compare.worker;

import java.util.List;

/** One thing a worker does, at a time counted from the start of the run. */
public sealed interface Task extends Order {
  /** When, in milliseconds after the run's start. */
  long atMs();

  /**
   * Writes a file.
   *
   * @param id what the result is reported under
   * @param sizeBytes length of the file
   * @param blockBytes block size of the file
   * @param favored addresses of the DataNodes the NameNode is asked to take; empty for its own
   *     choice
   */
  record Write(
      String id, long atMs, String path, long sizeBytes, long blockBytes, List<String> favored)
      implements Task {
    public Write {
      favored = List.copyOf(favored);
    }

    /** Writes a file of one block to where the NameNode chooses. */
    public static Write block(String id, long atMs, String path, long sizeBytes) {
      return new Write(id, atMs, path, sizeBytes, sizeBytes, List.of());
    }
  }

  /**
   * Reads a file from beginning to end, and compares it with what {@link Write} wrote.
   *
   * @param origin path it was written to, which differs from {@code path} for a copy
   */
  record Read(String id, long atMs, String path, String origin) implements Task {}

  /**
   * Copies a directory's files as {@code hdfs dfs -cp} does: one after the other, every byte
   * through the worker.
   */
  record Copy(String id, long atMs, String from, String to) implements Task {}

  /**
   * Encodes stripes one after the other, every byte through the worker.
   *
   * @param id with the number of the stripe behind it, what each is reported under
   * @param code by which, such as {@code rs-6-3}
   */
  record Encode(String id, long atMs, String code, List<Stripe> stripes) implements Task {
    public Encode {
      stripes = List.copyOf(stripes);
    }
  }

  /**
   * Files of one block that become a stripe.
   *
   * @param data paths of the files there are
   * @param parity paths of the files to make, one block each
   * @param targets addresses of the DataNodes the NameNode is asked to take for these
   */
  record Stripe(List<String> data, List<String> parity, List<String> targets) {
    public Stripe {
      data = List.copyOf(data);
      parity = List.copyOf(parity);
      targets = List.copyOf(targets);
    }
  }

  /**
   * Keeps connections to the sink full.
   *
   * @param untilMs when they are cut, or {@link #UNTIL_TOLD}
   * @param sink address of the sink
   * @param up connections that send to the sink
   * @param down connections that receive from it
   */
  record Load(long atMs, long untilMs, String sink, int up, int down) implements Task {
    /** Until the worker is told that the run is over. */
    public static final long UNTIL_TOLD = -1;
  }
}
