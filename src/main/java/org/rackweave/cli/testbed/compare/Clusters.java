package org.rackweave.cli.testbed.compare;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import org.rackweave.cli.Progress;
import org.rackweave.cli.UsageException;
import org.rackweave.cli.testbed.Testbed;
import org.rackweave.cli.testbed.TestbedSpec;
import org.rackweave.cli.testbed.Testbeds;

/**
 * The testbeds of a comparison, one at a time. Most of what ships is read when daemons start, so
 * that other settings take another testbed.
 */
final class Clusters implements Closeable {

  private static final long TESTBED_START_MS = 25_000;

  private static final int LARGE_MBIT = 1_000;
  private static final int LARGE_CAPACITY_MIB = 3_072;

  private final CompareOptions options;
  private final Progress progress;
  private Map<String, String> properties;
  private Testbed testbed;
  private Session session;

  Clusters(CompareOptions options, Progress progress) {
    this.options = options;
    this.progress = progress;
  }

  /** The steps of a comparison, and in between those that {@link #session} takes. */
  static final class Steps {
    private final List<Progress.Step> steps = new ArrayList<>();
    private Map<String, String> properties;

    /** Adds something that is done on a testbed with these properties. */
    void add(Map<String, String> its, Progress.Step step) {
      if (!its.equals(properties)) {
        steps.add(new Progress.Step("starting the testbed", TESTBED_START_MS));
        steps.add(new Progress.Step("warming up", Session.START_MS));
        properties = its;
      }
      steps.add(step);
    }

    List<Progress.Step> all() {
      return List.copyOf(steps);
    }
  }

  /**
   * Finds out before anything runs whether the testbed that is up, if there is one, will do.
   *
   * @param all properties that {@link #session} will be asked for
   */
  void check(Collection<Map<String, String>> all) {
    try (Testbed running = Testbeds.attach(options.prefix())) {
      refuseOptionsOfANewOne();
      Map<String, String> is = running.spec().properties();
      all.forEach(wanted -> checkSettings(options.prefix(), is, wanted));
    } catch (IOException none) {
      // One is brought up then.
    }
  }

  Progress progress() {
    return progress;
  }

  /** Whether {@link #session} would return what it returned last. */
  boolean hasUp(Map<String, String> wanted) {
    return session != null && wanted.equals(properties);
  }

  /**
   * A testbed with these properties and workers on it: the one that is up, or a new one, for which
   * the one before goes down.
   */
  Session session(Map<String, String> wanted) throws IOException, InterruptedException {
    if (!hasUp(wanted)) {
      close();
      progress.next();
      testbed = testbed(wanted);
      progress.next();
      boolean loaders = options.origin() == BackgroundOrigin.OTHERS;
      session = Session.start(testbed, loaders, progress);
      properties = wanted;
    }
    return session;
  }

  /** The testbed that is up, or a new one that goes down when it is closed. */
  private Testbed testbed(Map<String, String> wanted) throws IOException {
    try {
      return Testbeds.attach(options.prefix());
    } catch (IOException none) {
      return Testbeds.up(spec().with(options.prefix(), options.congestionControl(), wanted));
    }
  }

  private void refuseOptionsOfANewOne() {
    boolean isForANewOne =
        !options.properties().isEmpty()
            || !options.congestionControl().isEmpty()
            || options.large();
    if (isForANewOne) {
      throw new UsageException(
          "-D, --congestion and --large are for a testbed that is brought up, but "
              + options.prefix()
              + " is up already; take it down with docker/testbed down");
    }
  }

  private TestbedSpec spec() {
    return options.large()
        ? TestbedSpec.DEFAULT.withSizes(LARGE_MBIT, LARGE_MBIT, LARGE_CAPACITY_MIB)
        : TestbedSpec.DEFAULT;
  }

  /** Finds out whether a testbed that is up can be used for what is to be compared. */
  static void checkSettings(String prefix, Map<String, String> is, Map<String, String> wanted) {
    TreeSet<String> keys = new TreeSet<>(is.keySet());
    keys.addAll(wanted.keySet());
    for (String key : keys) {
      if (!Objects.equals(is.get(key), wanted.get(key))) {
        throw new UsageException(
            "the testbed "
                + prefix
                + " is up with other settings: "
                + key
                + " is "
                + is.getOrDefault(key, "not set")
                + ", here it is to be "
                + wanted.getOrDefault(key, "not set")
                + "; take it down with docker/testbed down, and one is brought up");
      }
    }
  }

  @Override
  public void close() throws IOException {
    try (Testbed down = testbed;
        Session over = session) {
      testbed = null;
      session = null;
    }
  }
}
