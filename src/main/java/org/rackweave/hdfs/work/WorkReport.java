package org.rackweave.hdfs.work;

import java.util.List;

/**
 * How an order stands on the DataNode that has it.
 *
 * @param id of the order
 * @param state how far it is
 * @param doneBytes of each block so far
 * @param message why it failed, empty otherwise; at most {@value #MESSAGE_CHARS} characters
 * @param readBytes bytes received of each block that was to be read, or stored of each that was
 *     looked for, in the order's order; empty unless it is done
 * @param checksums as in {@link WorkResult}; empty from who knows nothing of them
 */
public record WorkReport(
    long id,
    State state,
    long doneBytes,
    String message,
    List<Long> readBytes,
    List<Integer> checksums) {
  static final int MESSAGE_CHARS = 500;

  /** How far an order is. */
  public enum State {
    /** It waits for its turn or is being done. */
    TAKEN,
    /** It is done, and what was written is on disk. */
    DONE,
    /** It could not be done; what was written is of no use. */
    FAILED,
    /** It was not begun, and another may do it. */
    REFUSED
  }

  public WorkReport {
    if (message.length() > MESSAGE_CHARS) {
      message = message.substring(0, MESSAGE_CHARS);
    }
    readBytes = List.copyOf(readBytes);
    checksums = List.copyOf(checksums);
  }

  /** That an order is done. */
  public static WorkReport done(long id, long doneBytes, WorkResult result) {
    return new WorkReport(id, State.DONE, doneBytes, "", result.readBytes(), result.checksums());
  }

  /** One without checksums. */
  public WorkReport(long id, State state, long doneBytes, String message, List<Long> readBytes) {
    this(id, state, doneBytes, message, readBytes, List.of());
  }

  /** One that says nothing of what was read. */
  public WorkReport(long id, State state, long doneBytes, String message) {
    this(id, state, doneBytes, message, List.of());
  }

  /** Whether nothing more happens to the order. */
  public boolean isOver() {
    return state != State.TAKEN;
  }
}
