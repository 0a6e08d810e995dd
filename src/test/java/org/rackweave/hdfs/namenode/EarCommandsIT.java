package org.rackweave.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.Status;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.tools.DFSAdmin;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.util.ToolRunner;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rackweave.Nightly;
import org.rackweave.cli.admin.NameNodeAdmin;
import org.rackweave.cli.ear.EarCommand;
import org.rackweave.cli.ear.JobView;
import org.rackweave.hdfs.ConfigKeys;
import org.rackweave.hdfs.ConfiguredRules;
import org.rackweave.hdfs.FeatureModes;
import org.rackweave.hdfs.InodePath;
import org.rackweave.hdfs.Mode;
import org.rackweave.hdfs.RemovedKeys;

/**
 * Files encoded, looked at and decoded by an operator's commands, where nothing happens by itself.
 */
@Tag("newest-hadoop")
class EarCommandsIT {
  private static final int[] NINE_RACKS = {2, 2, 2, 2, 2, 2, 2, 2, 2};
  private static final int FILES = 8;
  private static final int BLOCKS = 6;
  private static final int BLOCK_BYTES = RackCluster.BLOCK_BYTES;

  @TempDir private java.nio.file.Path directory;

  private static Configuration conf() {
    Configuration conf = EarEncodingIT.conf();
    conf.setInt(ConfigKeys.EAR_ENCODE_CONCURRENT, 0);
    conf.set(RemovedKeys.EAR_ENCODE_AGE, "1d");
    conf.set(ConfigKeys.EAR_SEAL_AGE, "1d");
    conf.set(ConfigKeys.EAR_AUDIT_INTERVAL, "1s");
    return conf;
  }

  /** What a command said. */
  private record Said(int exit, String out, String err, JsonNode json) {}

  private Said run(
      RackCluster cluster, BiFunction<PrintStream, PrintStream, EarCommand> command, String... args)
      throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    java.nio.file.Path json = directory.resolve("figures.json");
    List<String> all = new ArrayList<>(List.of(args));
    all.addAll(List.of("--json", json.toString()));
    int exit =
        ToolRunner.run(
            cluster.fs().getConf(),
            command.apply(new PrintStream(out, true), new PrintStream(err, true)),
            all.toArray(String[]::new));
    return new Said(
        exit,
        out.toString(StandardCharsets.UTF_8),
        err.toString(StandardCharsets.UTF_8),
        exit == 0 ? new ObjectMapper().readTree(json.toFile()) : null);
  }

  private static List<Path> write(RackCluster cluster, String under) throws IOException {
    List<Path> files = new ArrayList<>();
    for (int i = 0; i < FILES; i++) {
      files.add(cluster.write(under + "/file" + i, BLOCKS, 3));
    }
    return files;
  }

  private static long parityFiles(RackCluster cluster) throws IOException {
    Path parity = new Path("/.rackweave/parity");
    if (!cluster.fs().exists(parity)) {
      return 0;
    }
    long count = 0;
    for (var files = cluster.fs().listFiles(parity, true); files.hasNext(); files.next()) {
      count++;
    }
    return count;
  }

  private static List<LocatedBlock> blocks(RackCluster cluster, Path file) {
    try {
      return DFSTestUtil.getAllBlocks(cluster.fs(), file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void encodesWhatItIsToldMovesWhatLiesWrongAndDecodesAgain() throws Exception {
    try (RackCluster cluster = RackCluster.start(conf(), NINE_RACKS).awaitCoverage()) {
      List<Path> files = write(cluster, "/warehouse/cold");
      List<Path> others = write(cluster, "/warehouse/warm");
      byte[] first = DFSTestUtil.readFileAsBytes(cluster.fs(), files.get(0));

      Said dry = run(cluster, EarCommand::encode, "--path", "/warehouse/cold", "--dry-run");
      assertEquals(0, dry.exit(), dry::err);
      assertEquals(FILES * BLOCKS, dry.json().get("waiting_blocks").asInt());
      assertEquals(
          2L * FILES * BLOCKS * BLOCK_BYTES, dry.json().get("expected_freed_bytes").asLong());
      assertEquals(0, parityFiles(cluster));

      Said encoded = run(cluster, EarCommand::encode, "--path", "/warehouse/cold/");
      assertEquals(0, encoded.exit(), encoded::err);
      int blocks = encoded.json().get("encoded_blocks_after").asInt();
      // In nine core racks at most one block each is too few for parity.
      assertTrue(blocks >= FILES * BLOCKS - NINE_RACKS.length, encoded.out());
      assertEquals(FILES * BLOCKS - blocks, encoded.json().get("left_blocks").asInt());
      // Stripes have blocks of the others, too.
      assertTrue(
          encoded.json().get("bytes_read_in_rack").asLong() >= (long) blocks * BLOCK_BYTES,
          encoded.out());
      assertEquals(0, encoded.json().get("bytes_read_across_racks").asLong());
      Set<Path> shrunk = new HashSet<>();
      for (Path file : files) {
        if (cluster.fs().getFileStatus(file).getReplication() == 1) {
          shrunk.add(file);
        }
      }
      assertTrue(shrunk.size() >= FILES - NINE_RACKS.length, encoded.out());
      for (Path file : others) {
        assertEquals(3, cluster.fs().getFileStatus(file).getReplication());
      }

      assertSound(cluster);
      moveOneWrong(cluster, shrunk.iterator().next());
      Said planned = run(cluster, EarCommand::stripes, "--audit", "--fix", "--dry-run");
      assertEquals(1, planned.json().get("stripes_with_rack_over_limit").asInt(), planned.out());
      assertTrue(planned.out().contains("has more blocks than the limit"), planned.out());
      Said fixed = run(cluster, EarCommand::stripes, "--audit", "--fix");
      assertEquals(1, fixed.json().get("moves_done").asInt(), fixed.out());
      RackCluster.await("all is sound again", () -> isSound(cluster));

      // Blocks of the others are in the same stripes.
      Said decoded = run(cluster, EarCommand::decode, "--path", "/warehouse");
      assertEquals(0, decoded.exit(), decoded::err);
      assertEquals(0, decoded.json().get("blocks_still_in_stripes").asInt(), decoded.out());
      assertEquals(0, parityFiles(cluster));
      for (Path file : files) {
        FileStatus status = cluster.fs().getFileStatus(file);
        assertEquals(3, status.getReplication());
        for (LocatedBlock block : blocks(cluster, file)) {
          assertTrue(block.getLocations().length >= 3);
        }
      }
      assertArrayEquals(first, DFSTestUtil.readFileAsBytes(cluster.fs(), files.get(0)));
    }
  }

  @Nightly
  @Test
  void encodesWhatIsLeftOfStripesWhoseBlocksAreGoneOrBeingWritten() throws Exception {
    try (RackCluster cluster = RackCluster.start(conf(), NINE_RACKS).awaitCoverage()) {
      List<Path> files = write(cluster, "/warehouse/one");
      files.addAll(write(cluster, "/warehouse/two"));
      Path unfinished = new Path("/warehouse/unfinished");
      try (FSDataOutputStream out = cluster.fs().create(unfinished)) {
        out.write(new byte[BLOCK_BYTES / 2]);
        out.hsync();
        assertTrue(cluster.context().stripes().sealedWaiting() > 0);
        for (Path gone : files.subList(FILES - 1, FILES + 1)) {
          cluster.fs().delete(gone, false);
        }
        Said encoded = run(cluster, EarCommand::encode, "--path", "/warehouse");
        assertEquals(0, encoded.exit(), encoded::err);
        assertTrue(encoded.json().get("left_blocks").asInt() <= NINE_RACKS.length, encoded.out());
        assertFalse(encoded.out().contains("refused"), encoded.out());
        assertTrue(cluster.context().stripes().takenApartCount() > 0);
      }
      assertSound(cluster);
    }
  }

  @Nightly
  @Test
  void namesWhatKeepsFilesFromGivingUpReplicas() throws Exception {
    try (RackCluster cluster = RackCluster.start(conf(), NINE_RACKS).awaitCoverage()) {
      List<Path> files = write(cluster, "/warehouse/cold");
      DistributedFileSystem fs = (DistributedFileSystem) cluster.fs();
      fs.allowSnapshot(new Path("/warehouse"));
      fs.createSnapshot(new Path("/warehouse"), "monday");
      Said encoded = run(cluster, EarCommand::encode, "--path", "/warehouse");
      assertEquals(0, encoded.exit(), encoded::err);
      int partEncoded = encoded.json().path("part_encoded_files_after").asInt();
      assertEquals(
          partEncoded, encoded.out().lines().filter(line -> line.contains(" wait to be")).count());
      int held = FILES - partEncoded;
      assertTrue(held > 0, encoded.out());
      String holder =
          held + " encoded files keep their replicas: held by snapshot /warehouse/.snapshot/monday";
      assertTrue(encoded.out().contains(holder), encoded.out());
      Said stripes = run(cluster, EarCommand::stripes);
      assertEquals(held, stripes.json().get("files_keeping_replicas_held_by_snapshot").asInt());
      assertTrue(stripes.out().contains(holder), stripes.out());
      for (Path file : files) {
        assertEquals(3, fs.getFileStatus(file).getReplication());
      }

      // One more block, which is in no stripe.
      Path longer =
          files.stream().filter(file -> isEncoded(cluster, file)).findFirst().orElseThrow();
      try (FSDataOutputStream out = fs.append(longer)) {
        out.write(new byte[BLOCK_BYTES]);
      }
      Said partly = run(cluster, EarCommand::encode, "--path", longer.toString(), "--dry-run");
      assertEquals(1, partly.json().get("part_encoded_files").asInt(), partly.out());
      assertTrue(
          partly
              .out()
              .contains(
                  longer.toUri().getPath() + " keeps its 3 replicas: 1 of its 7 blocks wait to be"),
          partly.out());

      fs.deleteSnapshot(new Path("/warehouse"), "monday");
      RackCluster.await(
          "those are shrunk that were only held",
          () -> files.stream().filter(file -> factor(cluster, file) == 1).count() == held - 1);
      for (Path file : files) {
        assertEquals(isEncoded(cluster, file) ? 1 : 3, factor(cluster, file), file.toString());
      }
      assertEquals(3, factor(cluster, longer));
    }
  }

  /** Whether all of a file's blocks are in stripes. */
  private static boolean isEncoded(RackCluster cluster, Path file) {
    return blocks(cluster, file).stream()
        .allMatch(
            block -> cluster.context().stripes().encoded().contains(block.getBlock().getBlockId()));
  }

  @Nightly
  @Test
  void severalDataNodesOfARackEncodeAtOnce() throws Exception {
    Configuration conf = conf();
    conf.set(ConfiguredRules.CODES, "/warehouse=rs-2-1");
    int concurrent = 8;
    conf.setInt(ConfigKeys.EAR_ENCODE_CONCURRENT, concurrent);
    int bytesPerSec = BLOCK_BYTES;
    ExecutorService operator = Executors.newSingleThreadExecutor();
    try (RackCluster cluster = RackCluster.start(conf, 2, 2, 2).awaitCoverage()) {
      write(cluster, "/warehouse/cold");
      String[] args = {"--path", "/warehouse/cold", "--bandwidth", String.valueOf(bytesPerSec)};
      Future<Said> command = operator.submit(() -> run(cluster, EarCommand::encode, args));
      // Eight stripes at a time of three racks are three of one of them, which has two DataNodes.
      RackCluster.await(
          "both DataNodes of a rack have stripes to encode",
          () -> cluster.context() != null && isShared(cluster));
      Said encoded = command.get();
      assertEquals(0, encoded.exit(), encoded::err);
      int stripes = cluster.context().stripes().encoded().stripeCount();
      assertTrue(stripes > concurrent, encoded.out());
    } finally {
      operator.shutdownNow();
    }
  }

  private static boolean isShared(RackCluster cluster) {
    Map<String, Long> busy = new HashMap<>();
    for (int node = 0; node < cluster.mini().getDataNodes().size(); node++) {
      DatanodeDescriptor one = cluster.descriptor(node);
      if (cluster.context().work().outstanding(one.getDatanodeUuid()) > 0) {
        busy.merge(one.getNetworkLocation(), 1L, Long::sum);
      }
    }
    return busy.containsValue(2L);
  }

  private static int factor(RackCluster cluster, Path file) {
    try {
      return cluster.fs().getFileStatus(file).getReplication();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void assertSound(RackCluster cluster) throws Exception {
    Said audit = run(cluster, EarCommand::stripes, "--audit");
    assertEquals(0, audit.exit(), audit::err);
    assertEquals(
        audit.json().get("stripes").asInt(),
        audit.json().get("sound_stripes").asInt(),
        audit.out());
    Said stripes = run(cluster, EarCommand::stripes);
    assertEquals(audit.json().get("stripes").asInt(), stripes.json().get("stripes").asInt());
  }

  private boolean isSound(RackCluster cluster) {
    try {
      JsonNode audit = run(cluster, EarCommand::stripes, "--audit").json();
      return audit.get("stripes").equals(audit.get("sound_stripes"));
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  /**
   * As the Balancer would that knows nothing of stripes: beside a parity block of the same. A
   * DataNode may refuse that has not yet deleted a former replica; then another is tried.
   */
  private static void moveOneWrong(RackCluster cluster, Path file) throws IOException {
    // Those that are given up are listed until they are deleted.
    RackCluster.await(
        "one replica is left", () -> blocks(cluster, file).get(0).getLocations().length == 1);
    LocatedBlock moved = blocks(cluster, file).get(0);
    DatanodeInfo source = moved.getLocations()[0];
    var stripe = cluster.context().stripes().encoded().of(moved.getBlock().getBlockId());
    String parity = InodePath.of(stripe.orElseThrow().parityFile());
    List<DatanodeInfo> targets = new ArrayList<>();
    for (LocatedBlock block :
        cluster.fs().getClient().getLocatedBlocks(parity, 0).getLocatedBlocks()) {
      DatanodeInfo holder = block.getLocations()[0];
      for (DatanodeInfo node : cluster.fs().getDataNodeStats()) {
        if (node.getNetworkLocation().equals(holder.getNetworkLocation()) && !node.equals(holder)) {
          targets.add(node);
        }
      }
    }
    AtomicInteger attempts = new AtomicInteger();
    RackCluster.await(
        "it is where it should not be",
        () -> {
          DatanodeInfo[] now = blocks(cluster, file).get(0).getLocations();
          if (now.length == 1 && targets.contains(now[0])) {
            return true;
          }
          if (now.length == 1 && now[0].equals(source)) {
            move(moved, source, targets.get(attempts.getAndIncrement() % targets.size()));
          }
          return false;
        });
  }

  private static void move(LocatedBlock block, DatanodeInfo source, DatanodeInfo target) {
    try {
      DFSTestUtil.replaceBlock(
          block.getBlock(), source, source, target, StorageType.DEFAULT, Status.SUCCESS);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void saysWhatIsWrongWithACommand() throws Exception {
    try (RackCluster cluster = RackCluster.start(conf(), NINE_RACKS).awaitCoverage()) {
      Said relative = run(cluster, EarCommand::encode, "--path", "warehouse");
      assertEquals(2, relative.exit());
      assertTrue(relative.err().contains("'warehouse', allowed is an absolute path"));
      Said speed = run(cluster, EarCommand::encode, "--bandwidth", "fast");
      assertTrue(speed.err().contains("'--bandwidth': 'fast'"), speed::err);
      assertEquals(2, run(cluster, EarCommand::stripes, "--fix").exit());
      Said absent = run(cluster, EarCommand::decode, "--path", "/nowhere");
      assertEquals(1, absent.exit());
      assertTrue(absent.err().contains("there is no /nowhere"), absent::err);
    }
  }

  @Test
  void letsSuperusersOnlyCommand() throws Exception {
    try (RackCluster cluster = RackCluster.start(conf(), 1, 1).awaitCoverage()) {
      UserGroupInformation bob =
          UserGroupInformation.createUserForTesting("bob", new String[] {"users"});
      Configuration site = cluster.fs().getConf();
      for (String what : List.of("stripes", "job", "encode", "offers", "racks")) {
        IOException refusal =
            assertThrows(
                IOException.class,
                () -> bob.doAs((PrivilegedExceptionAction<JobView>) () -> ask(site, what)));
        assertTrue(refusal.getMessage().contains("Superuser privilege"), refusal::getMessage);
      }
      assertTrue(ask(site, "stripes").isDone());

      String address = cluster.mini().getNameNode().getNameNodeAddressHostPortString();
      String[] off = {"-refresh", address, "rackweave", "off"};
      assertNotEquals(
          0,
          bob.doAs(
              (PrivilegedExceptionAction<Integer>) () -> ToolRunner.run(new DFSAdmin(site), off)));
      assertEquals(FeatureModes.all(Mode.ACTIVE), cluster.context().modes());
      assertEquals(0, ToolRunner.run(new DFSAdmin(site), off));
      assertEquals(FeatureModes.all(Mode.OFF), cluster.context().modes());
    }
  }

  private static JobView ask(Configuration site, String what) throws IOException {
    try (NameNodeAdmin nameNode = NameNodeAdmin.connect(site)) {
      return JobView.of(nameNode.ask(what));
    }
  }
}
