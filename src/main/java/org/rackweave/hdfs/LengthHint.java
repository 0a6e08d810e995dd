package org.rackweave.hdfs;

import org.apache.hadoop.ipc.CallerContext;

/**
 * How long a file will be, when its writer says so. HDFS does not know: it sees the preferred block
 * size only. A client gives the hint in its caller context, as the field {@value #KEY}:
 *
 * <pre>CallerContext.setCurrent(
 *     new CallerContext.Builder("job-17").append("rackweave.length", "1073741824").build());</pre>
 *
 * <p>The hint sizes the last block (Sinbad's THRESHOLD).
 */
public final class LengthHint {
  public static final String KEY = "rackweave.length";

  /** Answer of {@link #current} without a usable hint. */
  public static final long NONE = -1;

  private LengthHint() {}

  /** Length in bytes that the current call's client announced, or {@link #NONE}. */
  public static long current() {
    CallerContext context = CallerContext.getCurrent();
    return context == null || context.getContext() == null ? NONE : parse(context.getContext());
  }

  static long parse(String context) {
    int at = context.indexOf(KEY + ':');
    if (at < 0) {
      return NONE;
    }
    int digit = at + KEY.length() + 1;
    long length = NONE;
    while (digit < context.length() && Character.isDigit(context.charAt(digit))) {
      long next = Math.max(0, length) * 10 + Character.digit(context.charAt(digit), 10);
      if (next > Long.MAX_VALUE / 20) {
        return NONE;
      }
      length = next;
      digit++;
    }
    return length;
  }
}
