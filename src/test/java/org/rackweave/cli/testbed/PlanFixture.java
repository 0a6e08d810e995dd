package org.rackweave.cli.testbed;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Plans that tests look at; none of them is carried out. */
final class PlanFixture {

  static final Path DIRECTORY = Path.of("/run/rackweave/lab");
  static final JavaLaunch LAUNCH =
      new JavaLaunch(Path.of("/jdk/bin/java"), List.of(Path.of("/a b/one.jar"), Path.of("/two")));

  private PlanFixture() {}

  static TestbedPlan plan(int racks, int hostsPerRack, int addressBlock) {
    return plan(racks, hostsPerRack, addressBlock, Map.of());
  }

  /** What ships for Sinbad, as testbeds have it. */
  static Map<String, String> shipped() {
    try {
      return SiteFragment.active(Path.of(""), TestbedPolicy.SINBAD);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static TestbedPlan plan(
      int racks, int hostsPerRack, int addressBlock, Map<String, String> properties) {
    TestbedSpec spec =
        new TestbedSpec(
            "lab", racks, hostsPerRack, 100, 200, 2048, "reno", TestbedPolicy.SINBAD, properties);
    return TestbedPlan.of(spec, new AddressBlock(addressBlock), new RunDirectory(DIRECTORY));
  }
}
