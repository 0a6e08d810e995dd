package org.rackweave.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.rackweave.ear.StripeRecord;
import org.rackweave.hdfs.ConfigKeys;
import org.rackweave.hdfs.ConfiguredRules;
import org.rackweave.hdfs.ear.CallStops;
import org.rackweave.hdfs.ear.EncodedStripes;
import org.rackweave.hdfs.ear.EncodingCounts;
import org.rackweave.hdfs.ear.EncodingRefusal;

/** What owners do with files while their stripe is being encoded, or before they are shrunk. */
class EarChangesMeanwhileIT {
  private static final Path TRASH = new Path("/warehouse/.Trash");
  private static final int FILES = 8;

  /** Less than a block, so that an append changes it. */
  private static final int FILE_BYTES = RackCluster.BLOCK_BYTES - 1000;

  private static CallStops stops;
  private static RackCluster cluster;
  private static FileSystem fs;

  /** Files of one block by the ids of these. */
  private final Map<Long, Path> files = new ConcurrentHashMap<>();

  @BeforeAll
  static void start() throws IOException {
    Configuration conf = EncodedWarehouse.conf();
    conf.set(ConfiguredRules.CODES, "/warehouse=rs-4-2, " + TRASH + "=none, /cold=rs-3-2");
    conf.setInt(ConfigKeys.EAR_ENCODE_CONCURRENT, 1);
    stops = CallStops.install(conf);
    cluster = RackCluster.start(EncodedWarehouse.cluster(conf));
    fs = cluster.fs();
    fs.mkdirs(TRASH);
    fs.mkdirs(new Path("/cold"));
  }

  @AfterAll
  static void stop() {
    stops.close();
    cluster.close();
  }

  @AfterEach
  void deleteEverything() throws IOException {
    for (String directory : List.of("/warehouse", "/cold")) {
      fs.delete(new Path(directory), true);
    }
    fs.mkdirs(TRASH);
    fs.mkdirs(new Path("/cold"));
  }

  private void write() throws IOException {
    for (int i = 0; i < FILES; i++) {
      Path file = new Path("/warehouse/file" + i);
      DFSTestUtil.createFile(fs, file, FILE_BYTES, (short) 3, i);
      files.put(DFSTestUtil.getFirstBlock(fs, file).getBlockId(), file);
    }
  }

  private static EncodingCounts counts() {
    return cluster.context().stripes().counts();
  }

  private static EncodedStripes encoded() {
    return cluster.context().stripes().encoded();
  }

  private static int replication(Path file) {
    try {
      return fs.getFileStatus(file).getReplication();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What becomes of a file. */
  enum Change {
    INTO_THE_TRASH {
      @Override
      void of(Path file) throws IOException {
        assertTrue(fs.rename(file, new Path(TRASH, file.getName())));
      }
    },
    TO_ANOTHER_CODE {
      @Override
      void of(Path file) throws IOException {
        assertTrue(fs.rename(file, new Path("/cold", file.getName())));
      }
    },
    APPENDED {
      @Override
      void of(Path file) throws IOException {
        try (OutputStream out = fs.append(file)) {
          out.write(new byte[100]);
        }
      }
    },
    FACTOR_SET {
      @Override
      void of(Path file) throws IOException {
        assertTrue(fs.setReplication(file, (short) 2));
      }
    },
    DELETED {
      @Override
      void of(Path file) throws IOException {
        assertTrue(fs.delete(file, false));
      }
    };

    abstract void of(Path file) throws IOException;
  }

  /** Of a stripe whose blocks are looked up. */
  private static long firstBlock(CallStops.Call call) {
    return Long.parseLong(call.target().split("[^0-9]+")[1]);
  }

  private CallStops.Stop stopOnceParityIsMade() {
    return stops.stopAt(
        call -> Instant.PARITY_WRITTEN.where.test(call) && files.containsKey(firstBlock(call)),
        () -> {});
  }

  @ParameterizedTest
  @EnumSource(Change.class)
  void aStripeIsNotEncodedOneOfWhoseFilesChangesMeanwhile(Change change) throws Exception {
    long member;
    long refused;
    try (CallStops.Stop stop = stopOnceParityIsMade()) {
      write();
      member = firstBlock(stop.await("parity is made"));
      refused = counts().refusals(EncodingRefusal.BLOCK_CHANGED);
      change.of(files.get(member));
    }
    RackCluster.await(
        "it is refused, or encoded",
        () ->
            counts().refusals(EncodingRefusal.BLOCK_CHANGED) > refused
                || encoded().contains(member));
    assertTrue(counts().refusals(EncodingRefusal.BLOCK_CHANGED) > refused, "it is encoded");
    RackCluster.await(
        "why is told of a file",
        () ->
            !cluster
                .context()
                .events()
                .latest(10, 10, event -> event.text().contains("block-changed"))
                .isEmpty());
  }

  /** As by the web interface of a NameNode whose filters are not there. */
  @Test
  void aFactorThatNobodyGuardsIsInTheRecordAndNotTheOneBefore() throws Exception {
    long member;
    try (CallStops.Stop stop = stopOnceParityIsMade()) {
      write();
      member = firstBlock(stop.await("parity is made"));
      String path = files.get(member).toUri().getPath();
      assertTrue(cluster.mini().getNameNodeRpc().setReplication(path, (short) 2));
    }
    RackCluster.await("it is encoded", () -> encoded().contains(member));
    List<Integer> factors =
        encoded().of(member).orElseThrow().record().members().stream()
            .filter(one -> one.blockId() == member)
            .map(StripeRecord.Member::replication)
            .toList();
    assertEquals(List.of(2), factors);
  }

  @Test
  void aFileThatLeavesItsRuleOnceEncodedKeepsItsReplicas() throws Exception {
    StripeRecord stripe;
    Path kept;
    try (CallStops.Stop stop = stops.stopAt(Instant.PARITY_IN_PLACE.where, () -> {})) {
      write();
      stop.await("the stripe's record lasts");
      Map.Entry<Path, StripeRecord> found =
          new StripeFlaws(cluster.mini().getNameNode(), List.of())
              .records().entrySet().stream()
                  .filter(one -> files.containsKey(one.getValue().members().get(0).blockId()))
                  .findFirst()
                  .orElseThrow();
      stripe = found.getValue();
      assertEquals(2, DFSTestUtil.getAllBlocks(fs, found.getKey()).size(), "parity is whole");
      assertTrue(found.getKey().toString().startsWith("/.rackweave/parity/rs-4-2/"));
      // The first that would be shrunk.
      kept = new Path(TRASH, "kept");
      assertTrue(fs.rename(files.get(stripe.members().get(0).blockId()), kept));
    }
    List<Path> others =
        stripe.members().stream().skip(1).map(one -> files.get(one.blockId())).toList();
    RackCluster.await(
        "the others have given up replicas",
        () -> others.stream().allMatch(file -> replication(file) == 1));
    assertEquals(3, replication(kept));
    assertTrue(encoded().contains(stripe.members().get(0).blockId()));
  }
}
