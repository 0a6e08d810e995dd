package org.rackweave.trial;

import java.util.Locale;

/**
 * How a figure of Rackweave's write times compares with stock's.
 *
 * @param rackweave it, in seconds a MB
 * @param stock the same of stock HDFS
 * @param percent by which Rackweave's is above stock's
 * @param least lower end of the 95 % interval of that; not a number where too little is known
 * @param most upper end
 */
public record Comparison(
    Figure figure, double rackweave, double stock, double percent, double least, double most) {
  public static final String WORSE = "worse";
  public static final String RUNNING = "running";
  public static final String BETTER = "better";
  public static final String NO_DIFFERENCE = "no difference";

  /** What the interval says. */
  public String verdict() {
    return Double.isNaN(least) ? RUNNING : least > 0 ? WORSE : most < 0 ? BETTER : NO_DIFFERENCE;
  }

  /** It in words. */
  public String sentence() {
    return Double.isNaN(least)
        ? figure.label() + ": too few blocks or files"
        : String.format(
            Locale.ROOT,
            "%s %+.0f %% (95 %% interval %+.0f to %+.0f %%)",
            figure.label(),
            percent,
            least,
            most);
  }
}
