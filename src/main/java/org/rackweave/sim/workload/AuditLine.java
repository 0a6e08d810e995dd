package org.rackweave.sim.workload;

import java.time.DateTimeException;
import java.time.LocalDate;

/**
 * The format of an audit line: log4j's ISO 8601 time, whatever the site's layout puts next, then
 * what the NameNode logs, separated by tabs.
 *
 * <pre>
 * 2024-05-01 12:00:00,123 INFO FSNamesystem.audit: allowed=true  ugi=amy (auth:SIMPLE)
 *   ip=/10.1.7.4  cmd=create  src=/a  dst=null  perm=amy:staff:rw-r--r--  proto=rpc
 *   callerContext=clientIp:10.9.8.7,clientPort:4711
 * </pre>
 *
 * <p>Paths are escaped as in Java source. {@code trackingId} may stand before {@code proto}, {@code
 * callerContext} is optional, and its content is whatever callers like, cut off in the middle of
 * anything. A router in front of the NameNode puts the true client there as {@code clientIp}, with
 * {@code clientPort} after it; an address without may be cut off and is not believed.
 */
final class AuditLine {

  private static final String ALLOWED = "allowed=";
  private static final String CLIENT_IP = "clientIp:";
  private static final String CLIENT_PORT = "clientPort:";
  private static final String NULL = "null";

  private static final String[] REQUIRED = {"allowed", "ugi", "ip", "cmd", "src", "dst"};

  private AuditLine() {}

  /** Reads a line, the current one of {@code lines} for messages. */
  static AuditEvent parse(InputLines lines, String line) throws InputException {
    long atMs = time(lines, line);
    int begin = line.indexOf(ALLOWED);
    if (begin < 0) {
      throw lines.bad(
          "has no 'allowed=': no line of the audit logger (where other loggers write into the same"
              + " file, keep what 'grep FSNamesystem.audit' finds)");
    }
    String[] fields = line.substring(begin).split("\t", -1);
    String[] values = new String[REQUIRED.length];
    for (int i = 0; i < REQUIRED.length; i++) {
      values[i] = value(lines, fields, i);
    }
    if (!values[0].equals("true") && !values[0].equals("false")) {
      throw lines.bad("allowed is " + InputException.quote(values[0]) + "; allowed: true or false");
    }
    if (values[3].isEmpty()) {
      throw lines.bad("cmd is empty");
    }
    return new AuditEvent(
        atMs,
        values[0].equals("true"),
        client(values[2], fields),
        values[3],
        path(values[4]),
        path(values[5]));
  }

  private static String value(InputLines lines, String[] fields, int index) throws InputException {
    String key = REQUIRED[index] + "=";
    if (index >= fields.length) {
      throw lines.bad("ends where '" + key + "' is expected");
    }
    if (!fields[index].startsWith(key)) {
      throw lines.bad(
          "has " + InputException.quote(fields[index]) + " where '" + key + "' is expected");
    }
    return fields[index].substring(key.length());
  }

  /** {@code 2024-05-01 12:00:00,123}; T in place of the space and a dot for the comma will do. */
  private static long time(InputLines lines, String line) throws InputException {
    boolean shaped =
        line.length() >= 23
            && line.charAt(4) == '-'
            && line.charAt(7) == '-'
            && (line.charAt(10) == ' ' || line.charAt(10) == 'T')
            && line.charAt(13) == ':'
            && line.charAt(16) == ':'
            && (line.charAt(19) == ',' || line.charAt(19) == '.');
    if (!shaped) {
      throw lines.bad(
          "begins with "
              + InputException.quote(line.substring(0, Math.min(23, line.length())))
              + "; expected a time like 2024-05-01 12:00:00,123");
    }
    int year = digits(lines, line, 0, 4, 9999);
    int month = digits(lines, line, 5, 7, 12);
    int day = digits(lines, line, 8, 10, 31);
    long ms = digits(lines, line, 11, 13, 23);
    ms = ms * 60 + digits(lines, line, 14, 16, 59);
    ms = ms * 60 + digits(lines, line, 17, 19, 59);
    ms = ms * 1000 + digits(lines, line, 20, 23, 999);
    try {
      return LocalDate.of(year, month, day).toEpochDay() * 86_400_000 + ms;
    } catch (DateTimeException e) {
      throw lines.bad("there is no day " + InputException.quote(line.substring(0, 10)));
    }
  }

  private static int digits(InputLines lines, String line, int from, int to, int max)
      throws InputException {
    int value = 0;
    for (int i = from; i < to; i++) {
      int digit = line.charAt(i) - '0';
      if (digit < 0 || digit > 9) {
        throw lines.bad("has " + InputException.quote(line.substring(from, to)) + " in its time");
      }
      value = value * 10 + digit;
    }
    if (value > max) {
      throw lines.bad("has " + value + " in its time where " + max + " is the most");
    }
    return value;
  }

  private static String client(String ip, String[] fields) {
    for (int i = REQUIRED.length; i < fields.length; i++) {
      int begin = fields[i].startsWith("callerContext=") ? fields[i].indexOf(CLIENT_IP) : -1;
      if (begin >= 0) {
        int from = begin + CLIENT_IP.length();
        int to = endOfAddress(fields[i], from);
        if (to > from && fields[i].startsWith(CLIENT_PORT, to + 1)) {
          return fields[i].substring(from, to);
        }
      }
    }
    // Java prints an address as <host>/<literal>, and the NameNode as /<literal>.
    String literal = ip.substring(ip.lastIndexOf('/') + 1);
    return literal.equals(NULL) ? "" : literal;
  }

  private static int endOfAddress(String text, int from) {
    int to = from;
    while (to < text.length()
        && (Character.digit(text.charAt(to), 16) >= 0
            || text.charAt(to) == '.'
            || text.charAt(to) == ':')) {
      to++;
    }
    return to;
  }

  private static String path(String text) {
    if (text.equals(NULL)) {
      return "";
    }
    return text.indexOf('\\') < 0 ? text : unescaped(text);
  }

  /** Undoes Java's escapes; what is no escape stays as it is, as old NameNodes escaped nothing. */
  private static String unescaped(String text) {
    StringBuilder plain = new StringBuilder(text.length());
    int i = 0;
    while (i < text.length()) {
      char c = text.charAt(i);
      char next = c == '\\' && i + 1 < text.length() ? text.charAt(i + 1) : 0;
      int code = next == 'u' ? hex(text, i + 2) : -1;
      int simple = "btnfr\"\\/".indexOf(next);
      if (code >= 0) {
        plain.append((char) code);
        i += 6;
      } else if (next != 0 && simple >= 0) {
        plain.append("\b\t\n\f\r\"\\/".charAt(simple));
        i += 2;
      } else {
        plain.append(c);
        i++;
      }
    }
    return plain.toString();
  }

  private static int hex(String text, int from) {
    if (from + 4 > text.length()) {
      return -1;
    }
    int code = 0;
    for (int i = from; i < from + 4; i++) {
      int digit = Character.digit(text.charAt(i), 16);
      if (digit < 0) {
        return -1;
      }
      code = code * 16 + digit;
    }
    return code;
  }
}
