package org.rackweave.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.SafeModeAction;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.rackweave.MixedRandom;
import org.rackweave.Nightly;
import org.rackweave.hdfs.ear.CallStops;
import org.rackweave.hdfs.ear.EncodingRefusal;
import org.rackweave.hdfs.ear.StripeRegistry;

/**
 * A NameNode that is killed at an instant of our choice and started from what it had on its disk
 * then. Whatever the instant, no byte is lost, no stripe is lost or there twice, nothing unfinished
 * is left, and encoding goes on by itself. At night every one is tried.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("newest-hadoop")
class EarCrashIT {
  private static final int FILES = 6;
  private static final int WHOLE_BLOCKS = 3;

  /** When a crash comes that nobody chose, after everything is written. */
  private static final int CRASH_WITHIN_MS = 8000;

  private final long seed = Long.getLong("rackweave.test.crash.seed", System.nanoTime());
  private final Random random = MixedRandom.of(seed);
  private CallStops stops;
  private RackCluster cluster;
  private EncodedWarehouse warehouse;
  private NameDirectory disk;

  static Stream<Instant> instants() {
    return Nightly.IS_ON ? Arrays.stream(Instant.values()) : Stream.of(Instant.PARITY_IN_PLACE);
  }

  @BeforeAll
  void start(@TempDir java.nio.file.Path directory) throws Exception {
    System.out.println("crashes, seed " + seed);
    Configuration conf = EncodedWarehouse.conf();
    stops = CallStops.install(conf);
    cluster = RackCluster.start(EncodedWarehouse.cluster(conf));
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
        warehouse.deleteSome(instant.isOfGivingUp());
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

  /** As {@code kill -9} comes, with some stripes here and some there. */
  @RepeatedTest(5)
  @Nightly
  void aNameNodeKilledAtAnyInstantLosesAndDoublesNothing() throws Exception {
    warehouse.write(2 * FILES, WHOLE_BLOCKS);
    long began = System.nanoTime();
    long afterMs = random.nextInt(CRASH_WITHIN_MS);
    RackCluster.await(
        "the time to die",
        () -> System.nanoTime() - began > TimeUnit.MILLISECONDS.toNanos(afterMs));
    NameDirectory.muffle(cluster.mini(), true);
    disk.keep();
    stops.kill(cluster.mini().getNameNode());
    disk.restart();
    warehouse.awaitSound("killed after " + afterMs + " ms");
  }

  /** Nothing but a checkpoint is left of what was encoded. */
  @Test
  @Nightly
  void aCheckpointKeepsTheStripes() throws Exception {
    warehouse.write(FILES, WHOLE_BLOCKS);
    warehouse.awaitSound("encoded");
    setSafeMode(SafeModeAction.SAFEMODE_ENTER);
    cluster.mini().getNameNode().getRpcServer().saveNamespace(0, 0);
    int stripes = warehouse.encoded().stripeCount();
    disk.keep();
    disk.restart();
    warehouse.awaitSound("started from a checkpoint");
    assertTrue(warehouse.encoded().stripeCount() >= stripes, "stripes are lost");
  }

  /** An operator's safe mode refuses what the encoder was just about to do. */
  @ParameterizedTest
  @EnumSource(names = {"PARITY_CLOSED", "PARITY_IN_PLACE"})
  void safeModeInTheMidstOfACommitLosesAndLeavesNothing(Instant instant) throws Exception {
    StripeRegistry registry = cluster.context().stripes();
    CountDownLatch isWritten = new CountDownLatch(1);
    long before;
    try (CallStops.Stop stop =
        stops.stopAt(instant.where, () -> CallStops.awaitUninterrupted(isWritten))) {
      warehouse.write(FILES, WHOLE_BLOCKS);
      isWritten.countDown();
      stop.await(instant.toString());
      before = commits(registry);
      setSafeMode(SafeModeAction.SAFEMODE_ENTER);
    }
    RackCluster.await("the commit is over", () -> commits(registry) > before);
    setSafeMode(SafeModeAction.SAFEMODE_LEAVE);
    warehouse.awaitSound("safe mode at " + instant);
  }

  private static long commits(StripeRegistry registry) {
    return registry.counts().refusals(EncodingRefusal.PARITY_REFUSED)
        + registry.encoded().stripeCount();
  }

  private void setSafeMode(SafeModeAction action) throws Exception {
    cluster.mini().getNameNode().getRpcServer().setSafeMode(action, false);
  }
}
