package org.rackweave.sim.workload;

import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * The events of an audit log, in order of time, in memory that does not grow with the log.
 *
 * <p>Threads of a NameNode take the time of a line before they queue for the file, so neighbours
 * may be out of order. Events are held back until no earlier one can follow: a line that is more
 * than {@value #DISORDER_MS} ms older than one before it is an error.
 */
final class AuditLog implements AutoCloseable {

  static final long DISORDER_MS = 5_000;

  /** Lines held back at most; about 500 bytes each. */
  static final int HELD_MAX = 1_000_000;

  private final List<Path> files;
  private int nextFile;
  private InputLines lines;
  private long newestMs = Long.MIN_VALUE;
  private long lineCount;
  private final PriorityQueue<Held> held =
      new PriorityQueue<>(
          Comparator.comparingLong((Held one) -> one.event.atMs())
              .thenComparingLong(one -> one.serial));

  /** An event and where it comes from, for messages about what it says. */
  record Held(AuditEvent event, long serial, Path file, long line) {
    InputException bad(String reason) {
      return new InputException(file, line, reason);
    }
  }

  /**
   * @param files parts of one log, the oldest first
   */
  AuditLog(List<Path> files) {
    this.files = List.copyOf(files);
  }

  /** The next event, or null after the last. */
  Held next() throws InputException {
    while (held.isEmpty() || held.peek().event.atMs() > newestMs - DISORDER_MS) {
      Held read = read();
      if (read == null) {
        return held.poll();
      }
      held.add(read);
      newestMs = Math.max(newestMs, read.event.atMs());
      if (held.size() > HELD_MAX) {
        throw read.bad("more than " + HELD_MAX + " lines within " + DISORDER_MS + " ms");
      }
    }
    return held.poll();
  }

  private Held read() throws InputException {
    while (true) {
      if (lines == null) {
        if (nextFile == files.size()) {
          return null;
        }
        lines = new InputLines(files.get(nextFile++));
      }
      String line = lines.next();
      if (line != null) {
        return held(AuditLine.parse(lines, line));
      }
      lines.close();
      lines = null;
    }
  }

  private Held held(AuditEvent event) throws InputException {
    if (newestMs != Long.MIN_VALUE && event.atMs() < newestMs - DISORDER_MS) {
      throw lines.bad(
          "is "
              + (newestMs - event.atMs())
              + " ms older than a line before it; where the clock was set back, cut the log there,"
              + " and name parts of a log with the oldest first");
    }
    return new Held(event, lineCount++, lines.file(), lines.number());
  }

  /** Lines read so far. */
  long lineCount() {
    return lineCount;
  }

  @Override
  public void close() throws InputException {
    if (lines != null) {
      lines.close();
      lines = null;
    }
  }
}
