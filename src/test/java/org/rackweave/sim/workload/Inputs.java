package org.rackweave.sim.workload;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.function.Executable;
import org.rackweave.model.ClusterTopology;
import org.rackweave.model.NodePlace;

/** Files for tests of readers, and small clusters. */
public final class Inputs {

  /** Where the public traces lie; they are kept beside the checkout, never in it. */
  private static final Path TRACES =
      Path.of(System.getProperty("rackweave.traces", "../shared/traces"));

  public static final String COFLOWS = "FB2010-1Hr-150-0.txt";
  public static final String SWIM = "FB-2009_samples_24_times_1hr_0.tsv";

  private Inputs() {}

  /** A public trace; the test is skipped, with a message, when it is not here. */
  public static Path trace(String name) {
    Path file = TRACES.resolve(name);
    assumeTrue(
        Files.isRegularFile(file),
        "no " + name + " in " + TRACES + "; set -Drackweave.traces to where it lies");
    return file;
  }

  static Path write(Path directory, String... lines) {
    return write(directory, String.join("\n", lines).concat("\n").getBytes(StandardCharsets.UTF_8));
  }

  static Path write(Path directory, byte[] bytes) {
    try {
      return Files.write(Files.createTempFile(directory, "input", ".txt"), bytes);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** What a reader says about its input, without the file's name: {@code line: reason}. */
  static String complaint(Executable reader) {
    InputException e = assertThrows(InputException.class, reader);
    return e.line() + ": " + e.reason();
  }

  /** Racks {@code /r0, /r1, ...} of nodes {@code r0n0, r0n1, ...}. */
  public static ClusterTopology racks(int... sizes) {
    List<NodePlace> places = new ArrayList<>();
    for (int rack = 0; rack < sizes.length; rack++) {
      for (int node = 0; node < sizes[rack]; node++) {
        places.add(new NodePlace("r" + rack + "n" + node, "/r" + rack, null));
      }
    }
    return ClusterTopology.of(places);
  }

  /** As many racks of the same size. */
  public static ClusterTopology square(int racks, int nodesPerRack) {
    return racks(IntStream.generate(() -> nodesPerRack).limit(racks).toArray());
  }
}
