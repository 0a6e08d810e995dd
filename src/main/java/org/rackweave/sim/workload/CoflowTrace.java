package org.rackweave.sim.workload;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.StringTokenizer;

/**
 * Shuffles of a cluster in the format of the public coflow benchmark.
 *
 * <p>Line 1 is {@code <racks> <coflows>}; every other line is {@code <id> <arrival ms> <mappers>
 * <rack of each> <reducers> <rack:MB of each>}, by ascending arrival. Racks count from 0, and a MB
 * is 2^20 bytes.
 *
 * @param racks number of racks the trace speaks of
 * @param coflows by ascending arrival
 */
public record CoflowTrace(int racks, List<Coflow> coflows) {

  private static final long MEBIBYTE = 1 << 20;
  private static final int RACKS_MAX = 1_000_000;
  private static final int COFLOWS_MAX = 10_000_000;

  /** Mappers and reducers of all coflows together; about 1 GB of memory. */
  static final int ENDPOINTS_MAX = 20_000_000;

  /** A petabyte for a reducer keeps every sum far from the end of long. */
  private static final double MEBIBYTES_MAX = 1L << 30;

  private static final long ARRIVAL_MAX_MS = 1_000L * 86_400_000;

  public CoflowTrace {
    coflows = List.copyOf(coflows);
  }

  /**
   * Reads a whole trace.
   *
   * @throws InputException naming the first line that is wrong; nothing of the file is used then
   */
  public static CoflowTrace read(Path file) throws InputException {
    try (InputLines lines = new InputLines(file)) {
      String header = lines.next();
      if (header == null) {
        throw new InputException(file, 0, "is empty; expected '<racks> <coflows>' in line 1");
      }
      Tokens first = new Tokens(lines, header);
      int racks = (int) first.number("number of racks", 1, RACKS_MAX);
      int announced = (int) first.number("number of coflows", 0, COFLOWS_MAX);
      first.end();
      return new CoflowTrace(racks, readCoflows(lines, racks, announced));
    }
  }

  private static List<Coflow> readCoflows(InputLines lines, int racks, int announced)
      throws InputException {
    List<Coflow> coflows = new ArrayList<>();
    long arrivalMs = 0;
    long endpoints = 0;
    for (String line = lines.next(); line != null; line = lines.next()) {
      if (coflows.size() == announced) {
        throw lines.bad("one more coflow than the " + announced + " of line 1");
      }
      Coflow coflow = readCoflow(new Tokens(lines, line), racks, arrivalMs);
      arrivalMs = coflow.arrivalMs();
      endpoints += coflow.mapperRacks().size() + coflow.reducers().size();
      if (endpoints > ENDPOINTS_MAX) {
        throw lines.bad("more than " + ENDPOINTS_MAX + " mappers and reducers up to here");
      }
      coflows.add(coflow);
    }
    if (coflows.size() < announced) {
      throw lines.bad(
          "the file ends after " + coflows.size() + " coflows, line 1 says " + announced);
    }
    return coflows;
  }

  private static Coflow readCoflow(Tokens tokens, int racks, long earliestMs)
      throws InputException {
    long id = tokens.number("coflow id", 0, Long.MAX_VALUE);
    long arrivalMs = tokens.number("arrival in ms", earliestMs, ARRIVAL_MAX_MS);
    int mappers = (int) tokens.number("number of mappers", 1, ENDPOINTS_MAX);
    List<Integer> mapperRacks = new ArrayList<>();
    for (int i = 0; i < mappers; i++) {
      mapperRacks.add((int) tokens.number("rack of mapper " + (i + 1), 0, racks - 1));
    }
    int reducerCount = (int) tokens.number("number of reducers", 1, ENDPOINTS_MAX);
    List<Coflow.Reducer> reducers = new ArrayList<>();
    for (int i = 0; i < reducerCount; i++) {
      reducers.add(reducer(tokens, "reducer " + (i + 1), racks));
    }
    tokens.end();
    return new Coflow(id, arrivalMs, mapperRacks, reducers);
  }

  private static Coflow.Reducer reducer(Tokens tokens, String what, int racks)
      throws InputException {
    String token = tokens.next(what);
    int colon = token.indexOf(':');
    if (colon < 0) {
      throw tokens.lines.bad(
          what + " is " + InputException.quote(token) + "; expected '<rack>:<MB>'");
    }
    InputLines lines = tokens.lines;
    int rack = (int) lines.number("rack of " + what, token.substring(0, colon), 0, racks - 1);
    double mebibytes = mebibytes(lines, "MB of " + what, token.substring(colon + 1));
    return new Coflow.Reducer(rack, Math.round(mebibytes * MEBIBYTE));
  }

  private static double mebibytes(InputLines lines, String what, String text)
      throws InputException {
    try {
      double value = Double.parseDouble(text);
      if (value >= 0 && value <= MEBIBYTES_MAX) {
        return value;
      }
    } catch (NumberFormatException e) {
      // The message below says it all.
    }
    throw lines.bad(
        what + " is " + InputException.quote(text) + "; allowed: 0 to " + (long) MEBIBYTES_MAX);
  }

  /** The words of one line, each with a name for the message. */
  private static final class Tokens {
    private final InputLines lines;
    private final StringTokenizer words;

    Tokens(InputLines lines, String line) {
      this.lines = lines;
      this.words = new StringTokenizer(line, " \t");
    }

    String next(String what) throws InputException {
      if (!words.hasMoreTokens()) {
        throw lines.bad("ends where " + what + " is expected");
      }
      return words.nextToken();
    }

    long number(String what, long low, long high) throws InputException {
      return lines.number(what, next(what), low, high);
    }

    void end() throws InputException {
      if (words.hasMoreTokens()) {
        throw lines.bad("goes on with " + InputException.quote(words.nextToken()));
      }
    }
  }
}
