package org.rackweave.sim.workload;

import java.nio.file.Path;

/**
 * An input that cannot be used: which file, which line, and why. Nothing of the file was used.
 *
 * <p>The message is a sentence for people, {@code file:line: reason}.
 */
public final class InputException extends Exception {
  private static final long serialVersionUID = 1L;

  /** What a quoted piece of input is cut to. */
  private static final int QUOTE_MAX = 60;

  private final transient Path file;
  private final long line;
  private final String reason;

  /**
   * @param line counted from 1; 0 when it is about the file as a whole
   * @param reason what is wrong and what was expected
   */
  public InputException(Path file, long line, String reason) {
    super(file + (line > 0 ? ":" + line : "") + ": " + reason);
    this.file = file;
    this.line = line;
    this.reason = reason;
  }

  public Path file() {
    return file;
  }

  /** The line, counted from 1; 0 when it is about the file as a whole. */
  public long line() {
    return line;
  }

  public String reason() {
    return reason;
  }

  /** A piece of input as it may stand in a message: printable, in quotes, not too long. */
  public static String quote(String text) {
    StringBuilder quoted = new StringBuilder("'");
    for (int i = 0; i < Math.min(text.length(), QUOTE_MAX); i++) {
      char c = text.charAt(i);
      if (c < ' ' || c > '~') {
        quoted.append(String.format("\\u%04x", (int) c));
      } else {
        quoted.append(c);
      }
    }
    return quoted.append(text.length() > QUOTE_MAX ? "...'" : "'").toString();
  }
}
