package org.rackweave.cli.demo;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import org.rackweave.cli.UsageException;

/**
 * What the command line asks for.
 *
 * @param feature what is shown
 * @param input directory whose files are copied
 * @param json file for the figures, null for none
 * @param policies whose placement is shown, stock first
 * @param seed what everything random is drawn from
 * @param help whether only the usage text is wanted
 */
public record DemoOptions(
    Feature feature, Path input, Path json, List<Placement> policies, long seed, boolean help) {

  /** What is shown beside stock HDFS. */
  public enum Feature {
    ALL,
    SINBAD
  }

  /** What {@code --help} prints. */
  public static final String USAGE =
      """
      Usage: bin/rackweave demo [options]

      Runs a whole HDFS in this process, with Rackweave and without: real files are written while the
      links of a third of the racks are loaded, a file gets hot, files become stripes, a DataNode dies,
      and every byte is read back.

      Options:
        --feature NAME   all, or sinbad: writes alone, with stock placement and with Sinbad in turn on
                         one cluster, in more rounds; all unless given
        --input DIR      copy the files of DIR instead of the running JDK's own
        --json FILE      write the figures to FILE too
        --policy POLICY  with --feature sinbad: sinbad, stock or both; both unless given
        --seed N         repeat the run with that seed: same files, same writers, same hot racks
        --help           print this text

      The charts are in target/demo/report.html afterwards.
      """;

  private static final int SEEDS = 1_000_000;

  /**
   * Reads the command line.
   *
   * @param fallbackSeed taken without {@code --seed}, shortened to something one can type
   * @throws UsageException naming the option and what it allows
   */
  public static DemoOptions parse(String[] args, long fallbackSeed) {
    Feature feature = Feature.ALL;
    boolean isPolicyGiven = false;
    Path input = Path.of(System.getProperty("java.home"));
    Path json = null;
    List<Placement> policies = List.of(Placement.values());
    long seed = Math.floorMod(fallbackSeed, SEEDS);
    boolean help = false;
    Deque<String> left = new ArrayDeque<>(List.of(args));
    while (!left.isEmpty()) {
      String option = left.pop();
      switch (option) {
        case "--feature" -> feature = feature(value(option, left));
        case "--input" -> input = Path.of(value(option, left));
        case "--json" -> json = writable(Path.of(value(option, left)));
        case "--policy" -> {
          policies = policies(value(option, left));
          isPolicyGiven = true;
        }
        case "--seed" -> seed = seed(value(option, left));
        case "-h", "--help" -> help = true;
        default ->
            throw new UsageException(
                "no option '"
                    + option
                    + "'; there are --feature, --input, --json, --policy, --seed, --help");
      }
    }
    if (isPolicyGiven && feature != Feature.SINBAD) {
      throw new UsageException("--policy goes with --feature sinbad");
    }
    return new DemoOptions(feature, input, json, policies, seed, help);
  }

  private static String value(String option, Deque<String> left) {
    String value = left.poll();
    if (value == null || value.isEmpty() || value.startsWith("--")) {
      throw new UsageException(option + " needs a value");
    }
    return value;
  }

  private static Feature feature(String value) {
    return switch (value) {
      case "all" -> Feature.ALL;
      case "sinbad" -> Feature.SINBAD;
      default ->
          throw new UsageException("--feature is '" + value + "', allowed are all and sinbad");
    };
  }

  private static List<Placement> policies(String value) {
    return switch (value) {
      case "both" -> List.of(Placement.STOCK, Placement.SINBAD);
      case "stock" -> List.of(Placement.STOCK);
      case "sinbad" -> List.of(Placement.SINBAD);
      default ->
          throw new UsageException(
              "--policy is '" + value + "', allowed are sinbad, stock and both");
    };
  }

  private static long seed(String value) {
    try {
      return Long.parseLong(value);
    } catch (NumberFormatException e) {
      throw new UsageException("--seed is '" + value + "', allowed are whole numbers");
    }
  }

  /** Found out now and not after two minutes of work. */
  private static Path writable(Path file) {
    Path directory =
        Objects.requireNonNull(file.toAbsolutePath().getParent(), "the root is a directory");
    if (!Files.isDirectory(directory)) {
      throw new UsageException("--json " + file + ": there is no directory " + directory);
    }
    if (Files.isDirectory(file)) {
      throw new UsageException("--json " + file + " is a directory");
    }
    if (!Files.isWritable(Files.exists(file) ? file : directory)) {
      throw new UsageException("--json " + file + " cannot be written");
    }
    return file;
  }
}
