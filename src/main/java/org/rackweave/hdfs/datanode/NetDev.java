package org.rackweave.hdfs.datanode;

import java.io.IOException;
import java.util.StringTokenizer;

/** Reads {@code /proc/net/dev}, which shows the interfaces of the process's network namespace. */
final class NetDev {

  /**
   * Byte counters of an interface, cumulative.
   *
   * @param rxBytes bytes received
   * @param txBytes bytes sent
   */
  record Counters(long rxBytes, long txBytes) {}

  private static final int RECEIVE_FIELDS = 8;

  private final HostFiles files;

  NetDev(HostFiles files) {
    this.files = files;
  }

  /** Counters of one interface, or null when it does not exist. */
  Counters counters(String interfaceName) throws IOException {
    String text = HostFiles.read(files.netDev());
    int start = fieldsOf(interfaceName, text);
    if (start < 0) {
      return null;
    }
    int end = text.indexOf('\n', start);
    StringTokenizer fields =
        new StringTokenizer(text.substring(start, end < 0 ? text.length() : end));
    if (fields.countTokens() <= RECEIVE_FIELDS) {
      throw new IOException("No counters of " + interfaceName + " in " + files.netDev());
    }
    long rxBytes = counter(fields.nextToken());
    for (int skipped = 1; skipped < RECEIVE_FIELDS; skipped++) {
      fields.nextToken();
    }
    return new Counters(rxBytes, counter(fields.nextToken()));
  }

  /** Where the fields behind "name:" begin, at the start of a line but for blanks; or -1. */
  private static int fieldsOf(String interfaceName, String text) {
    String label = interfaceName + ':';
    for (int at = text.indexOf(label); at >= 0; at = text.indexOf(label, at + 1)) {
      int before = at - 1;
      while (before >= 0 && text.charAt(before) == ' ') {
        before--;
      }
      if (before < 0 || text.charAt(before) == '\n') {
        return at + label.length();
      }
    }
    return -1;
  }

  /** The kernel counts unsigned; the upper half starts again at 0, as a wrap does. */
  private static long counter(String digits) throws IOException {
    try {
      return Long.parseUnsignedLong(digits) & Long.MAX_VALUE;
    } catch (NumberFormatException e) {
      throw new IOException("Not a counter: " + digits, e);
    }
  }
}
