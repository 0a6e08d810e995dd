package org.rackweave.cli.testbed;

import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.util.VersionInfo;

/** Where testbeds come from, and how those go that nobody holds any more. */
public final class Testbeds {

  private static final Duration START_DEADLINE = Duration.ofMinutes(5);

  private Testbeds() {}

  /**
   * Brings a testbed up. It goes down again when it is closed, or when this process ends by Ctrl-C
   * or {@code kill}; {@code docker/testbed down} removes what a {@code kill -9} left.
   *
   * @throws IOException if something of that name exists, or a step fails; nothing is left then
   */
  public static Testbed up(TestbedSpec spec) throws IOException {
    return new Construction(spec).build();
  }

  /** As {@link #up}, but it stays when this process ends. */
  static Testbed upAndStay(TestbedSpec spec) throws IOException {
    LiveTestbed testbed = new Construction(spec).build();
    testbed.letGo();
    return testbed;
  }

  /**
   * Uses a testbed that is up already, and leaves it up.
   *
   * @throws IOException if there is none of that name
   */
  public static Testbed attach(String prefix) throws IOException {
    return find(prefix);
  }

  static LiveTestbed find(String prefix) throws IOException {
    Requirements.checkRoot();
    Path state = directory(prefix).state();
    if (!Files.exists(state)) {
      List<String> others = Claim.prefixes(Claim.BASE);
      throw new IOException(
          "there is no testbed "
              + prefix
              + (others.isEmpty() ? "" : ", there are: " + String.join(", ", others)));
    }
    TestbedPlan plan = plan(SavedState.read(state));
    Teardown nothing = new Teardown(Claim.BASE, prefix);
    return new LiveTestbed(plan, JavaLaunch.ofThisProcess(), nothing, false);
  }

  /**
   * Takes down what is left of a testbed of any process.
   *
   * @return whether there was anything
   * @throws IOException if something cannot be removed
   */
  static boolean down(String prefix) throws IOException {
    Requirements.checkRoot();
    RunDirectory directory = directory(prefix);
    if (!Files.exists(directory.path())) {
      return false;
    }
    if (Files.exists(directory.state())) {
      Teardown.of(Claim.BASE, plan(SavedState.read(directory.state()))).close();
    } else {
      // Killed before its first command.
      Claim.release(Claim.BASE, prefix);
    }
    return true;
  }

  static RunDirectory directory(String prefix) {
    return new RunDirectory(Claim.BASE.resolve(prefix));
  }

  private static TestbedPlan plan(SavedState state) {
    return TestbedPlan.of(state.spec(), state.addresses(), directory(state.spec().prefix()));
  }

  /** One attempt to bring a testbed up. */
  private static final class Construction {

    private final TestbedSpec spec;

    Construction(TestbedSpec spec) {
      this.spec = spec;
    }

    LiveTestbed build() throws IOException {
      Requirements.check();
      String congestionControl = Requirements.congestionControl(spec.congestionControl());
      List<String> foreign = NamespaceProcesses.startingWith(spec.prefix() + "-");
      Claim claim = Claim.take(Claim.BASE, spec.prefix());
      Teardown teardown = new Teardown(Claim.BASE, spec.prefix());
      teardown.closeAtExit();
      try {
        refuse(foreign);
        TestbedPlan plan =
            TestbedPlan.of(
                spec.with(spec.prefix(), congestionControl, spec.properties()),
                claim.addresses(),
                claim.directory());
        return carryOut(plan, teardown);
      } catch (IOException | RuntimeException e) {
        close(teardown, e);
        throw e;
      }
    }

    private void refuse(List<String> foreign) throws IOException {
      if (!foreign.isEmpty()) {
        throw new IOException(
            "there are network namespaces of somebody else's: "
                + String.join(", ", foreign)
                + "; choose another --prefix");
      }
    }

    private LiveTestbed carryOut(TestbedPlan plan, Teardown teardown) throws IOException {
      writeFiles(plan);
      for (Step step : plan.steps()) {
        teardown.carryOut(step);
      }
      LiveTestbed testbed = new LiveTestbed(plan, JavaLaunch.ofThisProcess(), teardown, true);
      checkCongestionControl(testbed);
      testbed.startNameNode();
      for (Host host : plan.layout().dataNodes()) {
        testbed.startDataNode(host.name());
      }
      testbed.awaitLiveDataNodes(plan.layout().dataNodes().size(), START_DEADLINE);
      return testbed;
    }

    private void writeFiles(TestbedPlan plan) throws IOException {
      new SavedState(
              plan.spec(), plan.addresses(), VersionInfo.getVersion(), System.currentTimeMillis())
          .write(plan.directory().state());
      for (Path directory : plan.directories()) {
        Files.createDirectories(directory);
      }
      JavaLaunch launch = launch(plan);
      String machineName = Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
      for (Map.Entry<Path, String> file : plan.files(launch, machineName).entrySet()) {
        Files.writeString(file.getKey(), file.getValue());
      }
    }

    private static JavaLaunch launch(TestbedPlan plan) throws IOException {
      JavaLaunch launch = JavaLaunch.ofThisProcess();
      for (Path entry : launch.classPath()) {
        if (Files.isRegularFile(entry) && entry.equals(ownClasses())) {
          Files.copy(entry, plan.directory().jar());
          return launch.replacing(entry, plan.directory().jar());
        }
      }
      return launch;
    }

    /** The jar or the directory this class is from. */
    private static Path ownClasses() {
      URL location = Testbeds.class.getProtectionDomain().getCodeSource().getLocation();
      return Path.of(URI.create(location.toString()));
    }

    private static void checkCongestionControl(LiveTestbed testbed) throws IOException {
      Set<String> found = new HashSet<>(testbed.congestionControls());
      if (!found.equals(Set.of(testbed.congestionControl()))) {
        throw new IOException(
            "congestion control is " + found + " instead of " + testbed.congestionControl());
      }
    }

    private static void close(Teardown teardown, Exception cause) {
      try {
        teardown.close();
      } catch (IOException e) {
        cause.addSuppressed(e);
      }
    }
  }
}
