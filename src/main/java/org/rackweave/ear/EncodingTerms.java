package org.rackweave.ear;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * When a file is encoded without anybody asking for it.
 *
 * @param ageMs how long ago it has been written last, at least
 * @param quietMs how long ago it has been read or written last, at least
 * @param minBytes length below which it keeps its replicas
 */
public record EncodingTerms(long ageMs, long quietMs, long minBytes) {

  /** Every file, as soon as it is there. */
  public static final EncodingTerms ANY = new EncodingTerms(0, 0, 0);

  private static final long DAY_MS = 24 * 3600_000L;
  private static final long TIME_MAX_MS = 365 * DAY_MS;
  private static final long BYTES_MAX = 1L << 50;
  private static final Pattern TERM = Pattern.compile("(age|quiet|size)=(\\d{1,15})([a-z]*)");

  /** What {@link #with} understands, in words. */
  static final String ALLOWED =
      "age=TIME, quiet=TIME (up to 365d, in s, m, h or d) and size=BYTES (up to 1024t; k, m, g, t)";

  /** What is to become of a file. */
  public enum Verdict {
    /** It may be encoded. */
    NOW,
    /** Others may wait for it. */
    SOON,
    /** Nobody should wait for it: it is young for long yet, or old and read all the time. */
    LATER,
    /** It is too small, unless it grows. */
    TOO_SMALL
  }

  /**
   * Judges a file.
   *
   * @param modifiedMs when it was last written
   * @param accessedMs when it was last read, as far as that is kept; 0 when not
   * @param patienceMs how long others can wait for it
   */
  public Verdict judge(long nowMs, long modifiedMs, long accessedMs, long bytes, long patienceMs) {
    if (bytes < minBytes) {
      return Verdict.TOO_SMALL;
    }
    long oldAtMs = modifiedMs + ageMs;
    long readyAtMs = Math.max(oldAtMs, Math.max(modifiedMs, accessedMs) + quietMs);
    if (readyAtMs <= nowMs) {
      return Verdict.NOW;
    }
    boolean isWorthWaiting = readyAtMs - nowMs <= patienceMs && nowMs - oldAtMs <= patienceMs;
    return isWorthWaiting ? Verdict.SOON : Verdict.LATER;
  }

  /**
   * These with one of them changed.
   *
   * @param term such as {@code age=30d}, {@code quiet=12h} or {@code size=64m}
   * @throws IllegalArgumentException naming the term and what is allowed
   */
  EncodingTerms with(String term) {
    Matcher parts = TERM.matcher(term);
    if (!parts.matches()) {
      throw refusal(term);
    }
    boolean isSize = parts.group(1).equals("size");
    long unit = isSize ? bytesOf(parts.group(3)) : millisecondsOf(parts.group(3));
    long most = isSize ? BYTES_MAX : TIME_MAX_MS;
    long number = Long.parseLong(parts.group(2));
    if (unit == 0 || number > most / unit) {
      throw refusal(term);
    }
    return switch (parts.group(1)) {
      case "age" -> new EncodingTerms(number * unit, quietMs, minBytes);
      case "quiet" -> new EncodingTerms(ageMs, number * unit, minBytes);
      default -> new EncodingTerms(ageMs, quietMs, number * unit);
    };
  }

  private static IllegalArgumentException refusal(String term) {
    return new IllegalArgumentException("'" + term + "': allowed are " + ALLOWED);
  }

  private static long millisecondsOf(String unit) {
    return switch (unit) {
      case "s" -> 1000;
      case "m" -> 60_000;
      case "h" -> 3600_000;
      case "d" -> DAY_MS;
      default -> 0;
    };
  }

  private static long bytesOf(String unit) {
    int power = unit.isEmpty() ? 0 : "kmgt".indexOf(unit) + 1;
    return power == 0 && !unit.isEmpty() ? 0 : 1L << (10 * power);
  }

  /** What they ask of a file, for people; empty where they ask for nothing. */
  public String inWords() {
    String words = differingFrom(ANY);
    return words.isEmpty() ? "" : " with" + words;
  }

  /** As it is written behind a code, those that differ from others. */
  String differingFrom(EncodingTerms others) {
    StringBuilder text = new StringBuilder();
    if (ageMs != others.ageMs) {
      text.append(" age=").append(ageMs / 1000).append('s');
    }
    if (quietMs != others.quietMs) {
      text.append(" quiet=").append(quietMs / 1000).append('s');
    }
    if (minBytes != others.minBytes) {
      text.append(" size=").append(minBytes);
    }
    return text.toString();
  }
}
