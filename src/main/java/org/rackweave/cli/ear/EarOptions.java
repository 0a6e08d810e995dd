package org.rackweave.cli.ear;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.rackweave.cli.UsageException;

/**
 * What the command line of one of the commands asks for.
 *
 * @param path directory or file
 * @param dryRun whether nothing is to be changed
 * @param bandwidth most bytes read for a stripe in a second; 0 as configured
 * @param engine who encodes
 * @param jobsPerRack MapReduce jobs at a time in each rack
 * @param audit whether all stripes are to be looked at
 * @param fix whether what lies wrong is to be moved
 * @param json file for the figures
 * @param help whether only the usage text is wanted
 */
record EarOptions(
    String path,
    boolean dryRun,
    long bandwidth,
    Engine engine,
    int jobsPerRack,
    boolean audit,
    boolean fix,
    Optional<Path> json,
    boolean help) {
  private static final int JOBS_PER_RACK = 2;

  /** Who encodes. */
  enum Engine {
    /** DataNodes. */
    EMBEDDED,
    /** MapReduce jobs on YARN. */
    YARN
  }

  /**
   * Reads a command line.
   *
   * @param allowed the options there are
   * @throws UsageException naming the option and what it allows
   */
  static EarOptions parse(String[] args, Set<String> allowed) {
    String path = "/";
    boolean dryRun = false;
    long bandwidth = 0;
    Engine engine = Engine.EMBEDDED;
    int jobsPerRack = JOBS_PER_RACK;
    boolean audit = false;
    boolean fix = false;
    Optional<Path> json = Optional.empty();
    boolean help = false;
    Deque<String> left = new ArrayDeque<>(List.of(args));
    while (!left.isEmpty()) {
      String option = left.pop();
      if (!option.equals("--help") && !option.equals("-h") && !allowed.contains(option)) {
        throw new UsageException("unknown option '" + option + "'");
      }
      switch (option) {
        case "--path" -> path = path(value(option, left));
        case "--dry-run" -> dryRun = true;
        case "--bandwidth" -> bandwidth = bandwidth(value(option, left));
        case "--engine" -> engine = engine(value(option, left));
        case "--jobs-per-rack" -> jobsPerRack = jobsPerRack(value(option, left));
        case "--audit" -> audit = true;
        case "--fix" -> fix = true;
        case "--json" -> json = Optional.of(Path.of(value(option, left)));
        default -> help = true;
      }
    }
    if (fix && !audit) {
      throw new UsageException("--fix goes with --audit");
    }
    return new EarOptions(path, dryRun, bandwidth, engine, jobsPerRack, audit, fix, json, help);
  }

  private static String value(String option, Deque<String> left) {
    if (left.isEmpty()) {
      throw new UsageException(option + " needs a value");
    }
    return left.pop();
  }

  private static String path(String text) {
    if (!text.startsWith("/")) {
      throw new UsageException("--path '" + text + "': allowed is an absolute path");
    }
    return text.length() > 1 ? text.replaceAll("/+$", "") : text;
  }

  private static Engine engine(String text) {
    return switch (text) {
      case "embedded" -> Engine.EMBEDDED;
      case "yarn" -> Engine.YARN;
      default -> throw new UsageException("--engine '" + text + "': allowed is embedded or yarn");
    };
  }

  private static int jobsPerRack(String text) {
    if (!text.matches("[1-9]|1[0-6]")) {
      throw new UsageException("--jobs-per-rack '" + text + "': allowed is 1 to 16");
    }
    return Integer.parseInt(text);
  }

  private static long bandwidth(String text) {
    String allowed =
        "--bandwidth '"
            + text
            + "': allowed is 1 to 999999999999 bytes a second, or"
            + " a number with k, m or g";
    if (!text.matches("[1-9][0-9]{0,11}[kmg]?")) {
      throw new UsageException(allowed);
    }
    char unit = text.charAt(text.length() - 1);
    int shift = unit == 'k' ? 10 : unit == 'm' ? 20 : unit == 'g' ? 30 : 0;
    long number = Long.parseLong(shift == 0 ? text : text.substring(0, text.length() - 1));
    if (number > 999_999_999_999L >> shift) {
      throw new UsageException(allowed);
    }
    return number << shift;
  }
}
