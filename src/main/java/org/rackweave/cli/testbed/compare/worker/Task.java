package org.rackweave.cli.testbed.compare.worker;

import static java.util.stream.Collectors.joining;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * One thing a worker does, at a time counted from the start of the run. As a line it is the name of
 * the kind and its fields in order, separated by blanks; paths and addresses hold none, nor {@code
 * , ; >}.
 */
public sealed interface Task {

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

    @Override
    public String line() {
      String hosts = favored.isEmpty() ? "-" : String.join(",", favored);
      return join("write", id, atMs, path, sizeBytes, blockBytes, hosts);
    }
  }

  /**
   * Reads a file from beginning to end, and compares it with what {@link Write} wrote.
   *
   * @param origin path it was written to, which differs from {@code path} for a copy
   */
  record Read(String id, long atMs, String path, String origin) implements Task {
    @Override
    public String line() {
      return join("read", id, atMs, path, origin);
    }
  }

  /**
   * Copies a directory's files as {@code hdfs dfs -cp} does: one after the other, every byte
   * through the worker.
   */
  record Copy(String id, long atMs, String from, String to) implements Task {
    @Override
    public String line() {
      return join("copy", id, atMs, from, to);
    }
  }

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

    @Override
    public String line() {
      return join(
          "encode", id, atMs, code, stripes.stream().map(Stripe::word).collect(joining(";")));
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

    private String word() {
      return Stream.of(data, parity, targets)
          .map(list -> String.join(",", list))
          .collect(joining(">"));
    }

    private static Stripe of(String word) {
      String[] lists = word.split(">");
      return new Stripe(
          List.of(lists[0].split(",")), List.of(lists[1].split(",")), List.of(lists[2].split(",")));
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

    @Override
    public String line() {
      return join("load", atMs, untilMs, sink, up, down);
    }
  }

  /** The task as one line. */
  String line();

  private static String join(Object... fields) {
    return Arrays.stream(fields).map(String::valueOf).collect(joining(" "));
  }

  /**
   * Reads a line.
   *
   * @throws IllegalArgumentException if it is no task
   */
  static Task parse(String line) {
    String[] w = line.split(" ");
    try {
      return switch (w[0]) {
        case "write" ->
            new Write(
                w[1],
                Long.parseLong(w[2]),
                w[3],
                Long.parseLong(w[4]),
                Long.parseLong(w[5]),
                w[6].equals("-") ? List.of() : List.of(w[6].split(",")));
        case "read" -> new Read(w[1], Long.parseLong(w[2]), w[3], w[4]);
        case "copy" -> new Copy(w[1], Long.parseLong(w[2]), w[3], w[4]);
        case "encode" ->
            new Encode(
                w[1],
                Long.parseLong(w[2]),
                w[3],
                Arrays.stream(w[4].split(";")).map(Stripe::of).toList());
        case "load" ->
            new Load(
                Long.parseLong(w[1]),
                Long.parseLong(w[2]),
                w[3],
                Integer.parseInt(w[4]),
                Integer.parseInt(w[5]));
        default -> throw new IllegalArgumentException("no task '" + line + "'");
      };
    } catch (IndexOutOfBoundsException | NumberFormatException e) {
      throw new IllegalArgumentException("no task '" + line + "'", e);
    }
  }
}
