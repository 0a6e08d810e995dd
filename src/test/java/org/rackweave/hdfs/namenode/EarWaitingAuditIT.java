package org.rackweave.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.Status;
import org.apache.hadoop.util.ToolRunner;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rackweave.Nightly;
import org.rackweave.cli.ear.EarCommand;
import org.rackweave.ear.SealedStripe;
import org.rackweave.hdfs.ConfigKeys;
import org.rackweave.hdfs.ConfiguredRules;

/** What {@code stripes --audit} says of stripes that wait to be encoded, and does about them. */
@Tag("newest-hadoop")
class EarWaitingAuditIT {
  private static final int[] NINE_RACKS = {2, 2, 2, 2, 2, 2, 2, 2, 2};

  @TempDir private java.nio.file.Path directory;

  private static Configuration conf() {
    Configuration conf = EarEncodingIT.conf();
    conf.set(ConfiguredRules.CODES, "/warehouse=rs-4-2"); // for which fewer racks would do
    conf.setInt(ConfigKeys.EAR_ENCODE_CONCURRENT, 0);
    conf.set(ConfigKeys.EAR_SEAL_AGE, "1d");
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_HEARTBEAT_RECHECK_INTERVAL_KEY, 500);
    return conf;
  }

  private JsonNode stripes(RackCluster cluster, String... args) {
    try {
      ByteArrayOutputStream said = new ByteArrayOutputStream();
      PrintStream out = new PrintStream(said, true, StandardCharsets.UTF_8);
      java.nio.file.Path json = directory.resolve("figures.json");
      List<String> all = new ArrayList<>(List.of(args));
      all.addAll(List.of("--json", json.toString()));
      EarCommand command = EarCommand.stripes(out, out);
      int exit = ToolRunner.run(cluster.fs().getConf(), command, all.toArray(String[]::new));
      assertEquals(0, exit, said::toString);
      return new ObjectMapper().readTree(json.toFile());
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private static int figure(JsonNode figures, String key) {
    return figures.path(key).asInt();
  }

  private static List<Path> write(RackCluster cluster) throws IOException {
    List<Path> files = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      files.add(cluster.write("/warehouse/file" + i, 18, 3));
    }
    return files;
  }

  @Test
  void namesTheBalancerAndMovesReplicasBackIntoTheCoreRack() throws Exception {
    try (RackCluster cluster = RackCluster.start(conf(), NINE_RACKS).awaitCoverage()) {
      List<Path> files = write(cluster);
      JsonNode before = stripes(cluster, "--audit");
      assertTrue(figure(before, "waiting_stripes") >= 10, before::toString);
      assertEquals(figure(before, "waiting_stripes"), figure(before, "waiting_encodable"));
      assertEquals(0, figure(before, "waiting_not_encodable"));

      moveOutOfItsCoreRack(cluster, files);
      JsonNode moved = stripes(cluster, "--audit");
      assertEquals(1, figure(moved, "waiting_not_encodable"), moved::toString);
      assertEquals(1, figure(moved, "waiting_not_encodable_moved"), moved::toString);
      assertTrue(
          moved.get("lines").toString().contains("has no replica in the core rack"),
          moved::toString);
      assertTrue(moved.get("lines").toString().contains("cause: moved"), moved::toString);

      JsonNode planned = stripes(cluster, "--audit", "--fix", "--dry-run");
      assertEquals(1, figure(planned, "moves_planned"), planned::toString);
      assertEquals(0, figure(planned, "moves_done"), planned::toString);
      JsonNode fixed = stripes(cluster, "--audit", "--fix");
      assertEquals(1, figure(fixed, "moves_done"), fixed::toString);
      RackCluster.await(
          "every stripe that waits can be encoded",
          () -> figure(stripes(cluster, "--audit"), "waiting_not_encodable") == 0);
    }
  }

  /** As the Balancer would: the replica in the core rack goes where no other is. */
  private static void moveOutOfItsCoreRack(RackCluster cluster, List<Path> files)
      throws IOException {
    var stripe = cluster.context().stripes().waiting().get(0);
    LocatedBlock block = located(cluster, files, stripe.blockIds()[0]).orElseThrow();
    List<DatanodeInfo> holders = Arrays.asList(block.getLocations());
    DatanodeInfo source =
        holders.stream()
            .filter(node -> node.getNetworkLocation().equals(stripe.coreRack()))
            .findFirst()
            .orElseThrow();
    DatanodeInfo target =
        Arrays.stream(cluster.fs().getDataNodeStats())
            .filter(
                node ->
                    holders.stream()
                        .noneMatch(
                            holder ->
                                holder.getNetworkLocation().equals(node.getNetworkLocation())))
            .findFirst()
            .orElseThrow();
    DFSTestUtil.replaceBlock(
        block.getBlock(), source, source, target, StorageType.DEFAULT, Status.SUCCESS);
    RackCluster.await(
        "its replica has moved",
        () -> {
          List<DatanodeInfo> now =
              Arrays.asList(
                  located(cluster, files, stripe.blockIds()[0]).orElseThrow().getLocations());
          return now.size() == 3 && now.contains(target) && !now.contains(source);
        });
  }

  private static Optional<LocatedBlock> located(RackCluster cluster, List<Path> files, long id) {
    try {
      for (Path file : files) {
        for (LocatedBlock block : DFSTestUtil.getAllBlocks(cluster.fs(), file)) {
          if (block.getBlock().getBlockId() == id) {
            return Optional.of(block);
          }
        }
      }
      return Optional.empty();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Nightly
  @Test
  void namesTheFailureThatTookReplicas() throws Exception {
    try (RackCluster cluster = RackCluster.start(conf(), NINE_RACKS).awaitCoverage()) {
      write(cluster);
      // A whole rack, so that what had its core there has no replica in it.
      cluster.mini().stopDataNode(17);
      cluster.mini().stopDataNode(16);
      RackCluster.await(
          "stripes of the rack that went are told apart",
          () -> figure(stripes(cluster, "--audit"), "waiting_not_encodable_failure") > 0);
      JsonNode after = stripes(cluster, "--audit");
      assertEquals(
          figure(after, "waiting_stripes"),
          figure(after, "waiting_encodable")
              + figure(after, "waiting_not_encodable")
              + figure(after, "waiting_with_blocks_gone"),
          after::toString);
      assertEquals(
          figure(after, "waiting_not_encodable"),
          figure(after, "waiting_not_encodable_failure"),
          after::toString);
      // More of them may wait than before, for blocks of stripes still open get into others.
      assertEachBlockIsInOne(cluster.context().stripes().waiting());
    }
  }

  private static void assertEachBlockIsInOne(List<SealedStripe> stripes) {
    Set<Long> seen = new HashSet<>();
    for (SealedStripe stripe : stripes) {
      for (long block : stripe.blockIds()) {
        assertTrue(seen.add(block), () -> block + " is in two of " + stripes);
      }
    }
  }
}
