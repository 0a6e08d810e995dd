package org.rackweave.trial;

import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A share of new files below a directory that Rackweave places, beside as large a share that stock
 * HDFS does, to be compared.
 *
 * @param state what has become of it
 * @param path the directory
 * @param sharePercent of new files for either
 * @param salt what draws them
 * @param startedMs wall clock
 * @param untilMs wall clock of its end; 0 for none
 * @param abortIf conditions, separated by commas, any of which ends it
 * @param said what it has found, once it has ended
 */
public record Canary(
    State state,
    String path,
    double sharePercent,
    long salt,
    long startedMs,
    long untilMs,
    String abortIf,
    String said) {
  private static final int FIELDS = 8;
  private static final double PERCENT_LEAST = -99;
  private static final double PERCENT_MOST = 1000;
  private static final Pattern CONDITION =
      Pattern.compile("(write_(?:mean|p50|p95|p99))\\s*>\\s*([+-]?\\d{1,4}(?:\\.\\d{1,3})?)%");

  /** What becomes of one: its time is over, an operator has stopped it, or a condition held. */
  public enum State {
    RUNNING,
    ENDED,
    STOPPED,
    ABORTED
  }

  /** Refuses conditions that make no sense, naming what is allowed. */
  public Canary {
    limits(abortIf);
  }

  /** By how many per cent each figure of Rackweave's may be above stock's. */
  private static Map<Figure, Double> limits(String abortIf) {
    Map<Figure, Double> limits = new EnumMap<>(Figure.class);
    for (String words : abortIf.split(",", -1)) {
      Matcher matcher = CONDITION.matcher(words.trim());
      double percent = matcher.matches() ? Double.parseDouble(matcher.group(2)) : Double.NaN;
      if (!(percent >= PERCENT_LEAST && percent <= PERCENT_MOST)) {
        throw new IllegalArgumentException(
            "abort-if '"
                + words
                + "': allowed is FIGURE>+N%, several separated by commas, with FIGURE one of"
                + " write_mean, write_p50, write_p95, write_p99 and N -99 to 1000");
      }
      Figure figure = Figure.valueOf(matcher.group(1).toUpperCase(Locale.ROOT));
      limits.merge(figure, percent, Math::min);
    }
    return limits;
  }

  public boolean isRunning() {
    return state == State.RUNNING;
  }

  /** Whether a file is below the directory. */
  boolean covers(String file) {
    int end = path.length() == 1 ? 0 : path.length();
    return file.length() > end && file.charAt(end) == '/' && file.startsWith(path);
  }

  /** This one, at its end. */
  public Canary over(State end, String finding) {
    return new Canary(end, path, sharePercent, salt, startedMs, untilMs, abortIf, finding);
  }

  /** Those comparisons that conditions are about. */
  public List<Comparison> watched(List<Comparison> all) {
    Map<Figure, Double> limits = limits(abortIf);
    return all.stream().filter(one -> limits.containsKey(one.figure())).toList();
  }

  /** Whether a condition is sure to hold by the 95 % interval. */
  public boolean isBroken(List<Comparison> all) {
    Map<Figure, Double> limits = limits(abortIf);
    return watched(all).stream().anyMatch(one -> one.least() > limits.get(one.figure()));
  }

  /** Whether no condition can hold, by the same intervals. */
  boolean isKept(List<Comparison> all) {
    Map<Figure, Double> limits = limits(abortIf);
    return watched(all).stream().allMatch(one -> one.most() <= limits.get(one.figure()));
  }

  /** The first of these that a watched figure has: worse, running, better, no difference. */
  public String verdict(List<Comparison> all) {
    List<String> verdicts = watched(all).stream().map(Comparison::verdict).toList();
    return Stream.of(Comparison.WORSE, Comparison.RUNNING, Comparison.BETTER)
        .filter(verdicts::contains)
        .findFirst()
        .orElse(verdicts.isEmpty() ? Comparison.RUNNING : Comparison.NO_DIFFERENCE);
  }

  /** It in words. */
  public String sentence() {
    String what = state.name().toLowerCase(Locale.ROOT);
    return String.format("canary below %s %s%s", path, what, said.isEmpty() ? "" : ": " + said);
  }

  /** All of it, as {@link #parse} reads it. */
  public String text() {
    return Stream.of(state, sharePercent, salt, startedMs, untilMs, abortIf, path, said)
        .map(String::valueOf)
        .reduce((before, next) -> before + '\t' + next)
        .orElseThrow();
  }

  /**
   * Reads what {@link #text} has made.
   *
   * @throws IllegalArgumentException when it makes no sense
   */
  public static Canary parse(String text) {
    String[] fields = text.split("\t", -1);
    if (fields.length != FIELDS) {
      throw new IllegalArgumentException("no canary: '" + text + "'");
    }
    return new Canary(
        State.valueOf(fields[0]),
        fields[6],
        Double.parseDouble(fields[1]),
        Long.parseLong(fields[2]),
        Long.parseLong(fields[3]),
        Long.parseLong(fields[4]),
        fields[5],
        fields[7]);
  }
}
