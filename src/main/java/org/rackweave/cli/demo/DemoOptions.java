package org.rackweave.cli.demo;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.rackweave.cli.UsageException;
import org.rackweave.cli.WritableFile;
import picocli.CommandLine.Option;

/** What the command line asks for. */
public final class DemoOptions {
  private static final int SEEDS = 1_000_000;

  /** What is shown beside stock HDFS. */
  enum Feature {
    ALL,
    SINBAD
  }

  private enum Policies {
    SINBAD,
    STOCK,
    BOTH
  }

  @Option(
      names = "--feature",
      paramLabel = "all|sinbad",
      description =
          "all features, or only writes, with stock placement and Sinbad in turn on one cluster, in"
              + " more rounds; default: all.")
  private Feature feature = Feature.ALL;

  @Option(
      names = "--input",
      paramLabel = "DIR",
      description = "Copy the files of DIR; default: those of the running JDK.")
  private Path input = Path.of(System.getProperty("java.home"));

  @Option(
      names = "--json",
      paramLabel = "FILE",
      converter = WritableFile.class,
      description = "Also write the figures to FILE.")
  private Path json;

  @Option(
      names = "--policy",
      paramLabel = "sinbad|stock|both",
      description = "With --feature sinbad: the placement policy; default: both.")
  private Policies policies;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "Seed, to repeat a run with the same files, writers and hot racks.")
  private long seed = ThreadLocalRandom.current().nextInt(SEEDS);

  /**
   * What is shown.
   *
   * @throws UsageException when policies are named that this has no choice of
   */
  Feature feature() {
    if (policies != null && feature != Feature.SINBAD) {
      throw new UsageException("--policy goes with --feature sinbad");
    }
    return feature;
  }

  /** Directory whose files are copied. */
  Path input() {
    return input;
  }

  /** File for the figures, null for none. */
  Path json() {
    return json;
  }

  /** Whose placement is shown, stock first. */
  List<Placement> policies() {
    return switch (policies == null ? Policies.BOTH : policies) {
      case SINBAD -> List.of(Placement.SINBAD);
      case STOCK -> List.of(Placement.STOCK);
      case BOTH -> List.of(Placement.STOCK, Placement.SINBAD);
    };
  }

  /** What everything random is drawn from. */
  long seed() {
    return seed;
  }
}
