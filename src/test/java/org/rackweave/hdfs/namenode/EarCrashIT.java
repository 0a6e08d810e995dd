package org.rackweave.hdfs.namenode;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.rackweave.hdfs.ear.CallStops;

/**
 * A NameNode that is killed at an instant of our choice and started from what it had on its disk
 * then. Whatever the instant, no byte is lost, no stripe is lost or there twice, nothing unfinished
 * is left, and encoding goes on by itself. {@code -Drackweave.test.crash.instants=all} tries every
 * one.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class EarCrashIT {
  static final String INSTANTS = "rackweave.test.crash.instants";
  private static final int FILES = 6;
  private static final int WHOLE_BLOCKS = 3;

  private final long seed = Long.getLong("rackweave.test.crash.seed", System.nanoTime());
  private CallStops stops;
  private RackCluster cluster;
  private EncodedWarehouse warehouse;
  private NameDirectory disk;

  static Stream<Instant> instants() {
    boolean all = "all".equals(System.getProperty(INSTANTS));
    return Arrays.stream(Instant.values()).filter(instant -> all || instant.isAlwaysTried);
  }

  @BeforeAll
  void start(@TempDir java.nio.file.Path directory) throws Exception {
    System.out.println("crashes, seed " + seed);
    stops = CallStops.install();
    cluster = RackCluster.start(EncodedWarehouse.cluster(EncodedWarehouse.conf()));
    warehouse = new EncodedWarehouse(cluster.fs(), () -> cluster.mini().getNameNode(), seed);
    disk = new NameDirectory(cluster.mini(), directory.resolve("name"));
  }

  @AfterAll
  void stop() {
    stops.close();
    cluster.close();
  }

  @BeforeEach
  void deleteEverything() throws Exception {
    for (Path file : List.copyOf(warehouse.files().keySet())) {
      warehouse.delete(file);
    }
    cluster.awaitCoverage();
  }

  @ParameterizedTest
  @MethodSource("instants")
  void aKilledNameNodeLosesAndDoublesNothing(Instant instant) throws Exception {
    if (!instant.isOfEncoding()) {
      warehouse.write(FILES, WHOLE_BLOCKS);
      warehouse.awaitSound("before " + instant);
    }
    CountDownLatch isWritten = new CountDownLatch(1);
    try (CallStops.Stop stop = stops.stopAt(instant.where, () -> dieAfter(isWritten))) {
      if (instant.isOfEncoding()) {
        warehouse.write(FILES, WHOLE_BLOCKS);
      } else {
        deleteSome(instant.isOfGivingUp() ? FILES / 2 : 1);
      }
      isWritten.countDown();
      stop.await(instant.toString());
      stops.kill(cluster.mini().getNameNode());
      disk.restart();
    }
    warehouse.awaitSound("killed at " + instant);
  }

  /**
   * Nothing that the NameNode does from now on has any effect. It does not die before clients have
   * heard that all they wrote is safe.
   */
  private void dieAfter(CountDownLatch isWritten) {
    CallStops.awaitUninterrupted(isWritten);
    NameDirectory.muffle(cluster.mini(), true);
    disk.keep();
  }

  private void deleteSome(int count) throws Exception {
    for (Path file : List.copyOf(warehouse.files().keySet()).subList(0, count)) {
      warehouse.delete(file);
    }
  }
}
