package org.rackweave.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.ipc.RefreshRegistry;
import org.apache.hadoop.ipc.RefreshResponse;
import org.apache.hadoop.util.ExitUtil;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.rackweave.MixedRandom;
import org.rackweave.Nightly;
import org.rackweave.hdfs.ConfigKeys;
import org.rackweave.hdfs.ear.CallStops;
import org.rackweave.hdfs.ear.EncodingAdmin;

/** Operators' jobs cancelled at instants that nobody chose, and begun again. */
class EarCancelIT {
  private static final int FILES = 24;
  private static final int CANCELLED = 3;
  private static final int CANCELLED_WITHIN_MS = 400;

  private final long seed = Long.getLong("rackweave.test.crash.seed", System.nanoTime());
  private final Random random = MixedRandom.of(seed);

  static Stream<Boolean> logs() {
    return Nightly.IS_ON ? Stream.of(false, true) : Stream.of(false);
  }

  private static String ask(String... args) {
    RefreshResponse response =
        RefreshRegistry.defaultRegistry()
            .dispatch(EncodingAdmin.IDENTIFIER, args)
            .iterator()
            .next();
    assertEquals(0, response.getReturnCode(), response.getMessage());
    return response.getMessage();
  }

  private static boolean isRunning() {
    return ask("job").contains("\"state\" : \"running\"");
  }

  private static void run(String job) {
    ask(job, "path=" + EncodedWarehouse.DIRECTORY);
    RackCluster.await(job + " is over", () -> !isRunning());
    assertTrue(ask("job").contains("\"state\" : \"done\""), () -> ask("job"));
  }

  /** Cancels a job again and again, then lets it come to its end. */
  private void runCancelledBefore(String job) {
    for (int i = 0; i < CANCELLED; i++) {
      ask(job, "path=" + EncodedWarehouse.DIRECTORY);
      long began = System.nanoTime();
      long afterMs = random.nextInt(CANCELLED_WITHIN_MS);
      BooleanSupplier isTime =
          () -> System.nanoTime() - began >= TimeUnit.MILLISECONDS.toNanos(afterMs);
      RackCluster.await("time to cancel", () -> isTime.getAsBoolean() || !isRunning());
      if (isRunning()) {
        ask("cancel");
        RackCluster.await(job + " is cancelled", () -> !isRunning());
      }
    }
    run(job);
  }

  /**
   * @param isLogged by a thread of its own, as by default; otherwise by the one that works, whose
   *     interruption would close the file of the edit log
   */
  @ParameterizedTest(name = "edit log asynchronous: {0}")
  @MethodSource("logs")
  void cancelledJobsCanBeBegunAgainAndTheNameNodeLives(boolean isLogged) throws Exception {
    System.out.println("cancelling, seed " + seed);
    Configuration conf = EncodedWarehouse.conf();
    conf.setInt(ConfigKeys.EAR_ENCODE_CONCURRENT, 0);
    conf.setBoolean(DFSConfigKeys.DFS_NAMENODE_EDITS_ASYNC_LOGGING, isLogged);
    try (CallStops stops = CallStops.install(conf);
        RackCluster cluster = RackCluster.start(EncodedWarehouse.cluster(conf)).awaitCoverage()) {
      EncodedWarehouse warehouse =
          new EncodedWarehouse(cluster.fs(), () -> cluster.mini().getNameNode(), seed);
      warehouse.write(FILES, 0);
      runCancelledBefore("encode");
      assertTrue(warehouse.encoded().blockCount() > FILES / 2, "little is encoded");
      warehouse.assertBytes("encoded");
      try (CallStops.Stop stop = stops.stopAt(call -> call.begins("mark"), () -> {})) {
        ask("decode", "path=" + EncodedWarehouse.DIRECTORY);
        stop.await("a file is about to be marked");
        ask("cancel");
      }
      RackCluster.await("decode is cancelled", () -> !isRunning());
      assertTrue(ask("job").contains("\"state\" : \"cancelled\""), () -> ask("job"));
      assertFalse(ExitUtil.terminateCalled(), "the NameNode has ended itself");
      run("decode");
      assertEquals(0, warehouse.encoded().stripeCount());
      for (Path file : warehouse.files().keySet()) {
        assertReplicated(cluster, file);
      }
      warehouse.assertBytes("decoded");
    } finally {
      ExitUtil.resetFirstExitException();
    }
  }

  private static void assertReplicated(RackCluster cluster, Path file) throws IOException {
    assertEquals(3, cluster.fs().getFileStatus(file).getReplication(), file.toString());
  }
}
