package org.rackweave.cli;

import java.util.Locale;

/** The line that shows how far something is. */
public final class ProgressBar {
  private ProgressBar() {}

  /**
   * Such as {@code [####----] 50 % 1:20 left copying}.
   *
   * @param share done, 0 to 1
   * @param leftSeconds time to go
   * @param chars width of the bar alone
   * @param what is being done
   */
  public static String line(double share, long leftSeconds, int chars, String what) {
    int filled = (int) Math.round(share * chars);
    return String.format(
        Locale.ROOT,
        "[%s%s] %3.0f %%  %d:%02d left  %s",
        "#".repeat(filled),
        "-".repeat(chars - filled),
        100 * share,
        leftSeconds / 60,
        leftSeconds % 60,
        what);
  }
}
