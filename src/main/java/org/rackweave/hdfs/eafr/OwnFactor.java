package org.rackweave.hdfs.eafr;

import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.rackweave.eafr.FileHistory;

/**
 * What is kept durably of a file whose factor was changed: the factor its user gave it, and the
 * change. An extended attribute, which only superusers see ({@code getfattr -n
 * trusted.rackweave.own-factor}), so that it lasts as long as the file and every NameNode knows it.
 *
 * <p>It is written before the factor is, and says both the factor before and the one after: as long
 * as the file has one of them, nobody else has set it. So a crash between the two loses nothing.
 *
 * <p>As text: {@code own from to changedMs raisedMs}, times since 1970, 0 for never.
 *
 * @param own the factor its user gave it
 * @param from factor before the last change
 * @param to factor after it
 * @param changedMs when that was, wall clock
 * @param raisedMs when it last got a replica, {@link FileHistory#NEVER}
 */
record OwnFactor(int own, int from, int to, long changedMs, long raisedMs) {
  private static final Pattern TEXT =
      Pattern.compile("([1-9][0-9]{0,4}) ([0-9]{1,5}) ([0-9]{1,5}) ([0-9]{1,18}) ([0-9]{1,18})");

  /** Before a change is made. */
  static OwnFactor before(FileHistory history, int from, int to, long nowMs) {
    return new OwnFactor(
        history.ownFactor(), from, to, nowMs, to > from ? nowMs : history.raisedMs());
  }

  /** Reads an attribute, {@code null} when there is none or it is not one of ours. */
  static OwnFactor parse(byte[] value) {
    Matcher parts =
        value == null ? null : TEXT.matcher(new String(value, StandardCharsets.US_ASCII));
    if (parts == null || !parts.matches()) {
      return null;
    }
    long raisedMs = Long.parseLong(parts.group(5));
    return new OwnFactor(
        Integer.parseInt(parts.group(1)),
        Integer.parseInt(parts.group(2)),
        Integer.parseInt(parts.group(3)),
        Long.parseLong(parts.group(4)),
        raisedMs == 0 ? FileHistory.NEVER : raisedMs);
  }

  /** The history of a file that has a factor now; one that somebody else set is its own. */
  static FileHistory history(byte[] mark, int factor) {
    OwnFactor kept = parse(mark);
    // When somebody else has set it is not known; he is not held back by our cool-down.
    return kept == null || factor != kept.from && factor != kept.to
        ? FileHistory.untouched(factor)
        : new FileHistory(kept.own, factor, kept.changedMs, kept.raisedMs);
  }

  byte[] value() {
    long raised = raisedMs == FileHistory.NEVER ? 0 : raisedMs;
    return (own + " " + from + ' ' + to + ' ' + changedMs + ' ' + raised)
        .getBytes(StandardCharsets.US_ASCII);
  }
}
