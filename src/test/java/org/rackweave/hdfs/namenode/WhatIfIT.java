package org.rackweave.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.LocalTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.rackweave.cli.admin.HealthCommand;
import org.rackweave.cli.recovery.RecoveryCommand;
import org.rackweave.hdfs.durability.ReplicaLookup;
import org.rackweave.hdfs.durability.ReplicaLookup.Held;

/** Two racks of two DataNodes: blocks of three replicas, and some of one, on the first DataNode. */
@Tag("newest-hadoop")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class WhatIfIT {
  private static final int SINGLE = 5;
  private static final int TRIPLE = 12;
  private static final String XOR = "XOR-2-1-1024k";

  private static RecoveryRig rig;
  private static DataNode first;

  private record Output(int exit, String out, String err) {
    JsonNode json() throws Exception {
      return new ObjectMapper().readTree(out);
    }
  }

  @BeforeAll
  static void bringUp() throws Exception {
    rig = RecoveryRig.start(RecoveryRig.conf(), 2, 2);
    first = rig.dataNodes(rig.nodesIn("/r0").get(0)).get(0);
    rig.writeTo(List.of(first), "/single", SINGLE);
    rig.write("/triple", TRIPLE, 3);
  }

  @AfterAll
  static void tearDown() {
    rig.close();
  }

  private static Output run(
      BiFunction<PrintStream, PrintStream, RecoveryCommand> kind, String... args) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    PrintStream to = new PrintStream(out, true, StandardCharsets.UTF_8);
    PrintStream errors = new PrintStream(err, true, StandardCharsets.UTF_8);
    RecoveryCommand command = kind.apply(to, errors);
    command.setConf(rig.mini().getConfiguration(0));
    int exit = command.run(args);
    return new Output(
        exit, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }

  private static Output whatIf(String... args) {
    return run(
        RecoveryCommand::whatIf,
        Stream.concat(Stream.of(args), Stream.of("--json")).toArray(String[]::new));
  }

  private static Output durability() {
    return run(RecoveryCommand::durability, "--json");
  }

  /** Blocks of three replicas of which so many are left without a rack. */
  private static long leftWithout(String rack, int left) throws Exception {
    FileSystem fs = rig.cluster().fs();
    long count = 0;
    for (LocatedBlock block : DFSTestUtil.getAllBlocks(fs, new Path("/triple"))) {
      int stay = 0;
      for (DatanodeInfo location : block.getLocations()) {
        stay += location.getNetworkLocation().equals(rack) ? 0 : 1;
      }
      count += stay == left ? 1 : 0;
    }
    return count;
  }

  @Test
  @Order(1)
  void aRackTakesItsSingleReplicasWithIt() throws Exception {
    Output answer = whatIf("--rack", "/r0");
    assertEquals(1, answer.exit(), answer::toString);
    JsonNode what = answer.json().get("whatif");
    assertEquals("exact", what.get("basis").asText());
    assertEquals(SINGLE, what.get("blocks_lost").asInt(), what::toString);
    assertEquals(
        leftWithout("/r0", 1), what.get("blocks_with_one_replica").asLong(), what::toString);
    assertEquals(
        leftWithout("/r0", 2),
        what.get("blocks_against_placement_policy").asLong(),
        what::toString);
    assertEquals(SINGLE + TRIPLE, what.get("blocks").asInt(), what::toString);

    Output other = whatIf("--rack", "/r1");
    assertEquals(0, other.json().at("/whatif/blocks_lost").asInt(), other::toString);
    assertEquals(
        leftWithout("/r1", 1), other.json().at("/whatif/blocks_with_one_replica").asLong());
    Output unknown = whatIf("--rack", "/r9");
    assertEquals(1, unknown.exit());
    assertTrue(
        unknown.err().contains("rack '/r9': allowed is one with live DataNodes, such as /r"),
        unknown::toString);
  }

  @Test
  @Order(2)
  void deathsOfDataNodesAreSafeOrNot() throws Exception {
    List<String> others = new ArrayList<>();
    for (String uuid : rig.nodesIn("/r1")) {
      others.add(rig.dataNodes(uuid).get(0).getDatanodeId().getXferAddr());
    }
    Output safe = whatIf("--node", others.get(0));
    assertEquals(0, safe.exit(), safe::toString);
    JsonNode what = safe.json().get("whatif");
    assertEquals(0, what.get("blocks_lost").asInt());
    if (what.get("blocks").asInt() > 0) {
      assertTrue(what.get("recovery_sec").asDouble() > 0, what::toString);
      assertTrue(what.get("link_share").asDouble() > 0, what::toString);
    }
    Output lossy = whatIf("--node", others.get(0) + "," + first.getDatanodeId().getXferAddr());
    assertEquals(1, lossy.exit(), lossy::toString);
    assertEquals(SINGLE, lossy.json().at("/whatif/blocks_lost").asInt(), lossy::toString);
    assertEquals(2, lossy.json().at("/whatif/datanodes").asInt());
    assertEquals(2, whatIf("--node", "a", "--rack", "/r0").exit());
  }

  @Test
  @Order(3)
  void aDrainLosesNothing() throws Exception {
    Output answer = whatIf("--drain", first.getDatanodeId().getXferAddr());
    assertEquals(0, answer.exit(), answer::toString);
    JsonNode what = answer.json().get("whatif");
    assertTrue(what.get("has_space").asBoolean(), what::toString);
    assertEquals(0, what.get("blocks_without_place").asInt(), what::toString);
    assertEquals(what.get("blocks").asInt(), what.get("copies_planned").asInt(), what::toString);

    Output tooMany =
        whatIf(
            "--drain",
            String.join(",", rig.nodesIn("/r0")) + "," + String.join(",", rig.nodesIn("/r1")));
    assertEquals(1, tooMany.exit(), tooMany::toString);
    assertEquals(0, tooMany.json().at("/whatif/free_bytes").asDouble(), tooMany::toString);
  }

  @Test
  @Order(4)
  void aSlowerUplinkMakesRecoveryAndWritesLonger() throws Exception {
    Output answer = whatIf("--uplink", "/r0=1%");
    assertEquals(0, answer.exit(), answer::toString);
    JsonNode what = answer.json().get("whatif");
    assertTrue(
        what.get("write_sec").asDouble() > what.get("write_sec_now").asDouble(), what::toString);
    assertTrue(
        what.get("recovery_sec").asDouble() >= what.get("recovery_sec_now").asDouble(),
        what::toString);
    Output bad = whatIf("--uplink", "/r0=half");
    assertEquals(1, bad.exit());
    assertTrue(bad.err().contains("uplink 'half': allowed is R=S"), bad::toString);
  }

  @Test
  @Order(5)
  void goalsAndCalendarsAreKeptInTheNamespace() throws Exception {
    Output set = run(RecoveryCommand::recovery, "calendar", "mon-fri 08:00-20:00=25%", "--json");
    assertEquals(0, set.exit(), set::toString);
    assertEquals("mon-fri 08:00-20:00=25%", set.json().get("calendar").asText());
    assertEquals("mon-fri 08:00-20:00=25%", kept("trusted.rackweave.recovery-calendar"));
    Output bad = run(RecoveryCommand::recovery, "calendar", "8-20=25%");
    assertEquals(1, bad.exit());
    assertTrue(bad.err().contains("calendar '8-20=25%': allowed is [DAYS]"), bad::toString);
    assertEquals(0, run(RecoveryCommand::recovery, "calendar", "--none").exit());

    Output goal = run(RecoveryCommand::recovery, "goal", "--done-by", "06:00", "--json");
    assertEquals(0, goal.exit(), goal::toString);
    assertTrue(goal.json().get("goal").asText().startsWith("done by 20"), goal::toString);
    assertEquals("yes", goal.json().get("feasible").asText(), goal::toString);
    assertNotNull(kept("trusted.rackweave.recovery-goal"));
    DatanodeDescriptor drained =
        rig.mini()
            .getNamesystem()
            .getBlockManager()
            .getDatanodeManager()
            .getDatanode(first.getDatanodeUuid());
    drained.startDecommission();
    Output draining = run(RecoveryCommand::recovery, "goal", "--done-by", "07:00");
    goal = run(RecoveryCommand::recovery, "goal", "--json");
    drained.stopDecommission();
    assertTrue(draining.err().contains("DataNodes are decommissioning or"), draining::toString);
    assertEquals("unknown", goal.json().get("feasible").asText(), goal::toString);
    assertEquals(1, goal.json().get("share_of_idle_bandwidth").asDouble(), goal::toString);
    Output none = run(RecoveryCommand::recovery, "goal", "--none", "--json");
    assertEquals("none", none.json().get("goal").asText(), none::toString);
    Output never = run(RecoveryCommand::recovery, "goal", "--done-by", "soon");
    assertEquals(1, never.exit());
    assertTrue(never.err().contains("done-by 'soon': allowed is HH:MM"), never::toString);
  }

  private static String kept(String name) {
    try {
      byte[] value = rig.cluster().fs().getXAttrs(new Path("/")).get(name);
      return value == null ? null : new String(value, StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String events() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PrintStream to = new PrintStream(out, true, StandardCharsets.UTF_8);
    HealthCommand command = HealthCommand.events(to, to);
    command.setConf(rig.mini().getConfiguration(0));
    command.run(new String[0]);
    return out.toString(StandardCharsets.UTF_8);
  }

  @Test
  @Order(6)
  void durabilityIsAnotherAfterADeath() throws Exception {
    Output before = durability();
    assertEquals(1, before.exit(), before::toString);
    JsonNode json = before.json();
    assertEquals("exact", json.get("basis").asText());
    assertEquals(SINGLE, json.get("blocks_on_one_replica").asInt(), json::toString);
    for (String deaths : List.of("one_death", "two_deaths", "rack_death")) {
      assertEquals(SINGLE, json.at("/" + deaths + "/worst_blocks").asInt(), json::toString);
      assertEquals(0, json.at("/" + deaths + "/stripes").asInt(), json::toString);
    }
    assertEquals(SINGLE / 4.0, json.at("/one_death/mean_blocks").asDouble(), 1e-9);
    assertEquals(3 * SINGLE / 6.0, json.at("/two_deaths/mean_blocks").asDouble(), 1e-9);
    assertEquals(SINGLE / 2.0, json.at("/rack_death/mean_blocks").asDouble(), 1e-9);
    assertTrue(json.at("/one_death/worst").asText().contains(":"), json::toString);
    assertTrue(json.get("exposure_block_hours").has("today"), json::toString);

    String soon = LocalTime.now().plusHours(2).format(DateTimeFormatter.ofPattern("HH:mm"));
    assertEquals(0, run(RecoveryCommand::recovery, "goal", "--done-by", soon).exit());
    rig.kill(first.getDatanodeUuid());
    RackCluster.await("all blocks of three replicas to have them", () -> isTriple());
    RackCluster.await("the goal to end", () -> kept("trusted.rackweave.recovery-goal") == null);
    assertTrue(events().contains("recovery goal reached: done by 20"), WhatIfIT::events);
    JsonNode after = durability().json();
    assertEquals(SINGLE, after.get("blocks_unreadable_now").asInt(), after::toString);
    assertEquals(0, after.at("/one_death/worst_blocks").asInt(), after::toString);
    assertEquals(0, durability().exit());
    assertEquals(0, after.at("/two_deaths/worst_blocks").asInt(), after::toString);
  }

  @Test
  @Order(7)
  void groupsOfErasureCodingAreStripes() throws Exception {
    DistributedFileSystem fs = rig.cluster().fs();
    fs.enableErasureCodingPolicy(XOR);
    Path directory = new Path("/striped");
    fs.mkdirs(directory);
    fs.setErasureCodingPolicy(directory, XOR);
    Path file = new Path(directory, "a");
    try (FSDataOutputStream out = fs.create(file, true, 4096, (short) 1, 1 << 20)) {
      out.write(new byte[3 << 19]); // two data blocks, and one of parity
    }
    RackCluster.await("three internal blocks", () -> internalBlocks(file) == 3);
    JsonNode durability = durability().json();
    assertEquals(0, durability.at("/one_death/stripes").asInt(), durability::toString);
    assertEquals(1, durability.at("/two_deaths/stripes").asInt(), durability::toString);
    assertEquals(0, durability.at("/two_deaths/worst_blocks").asInt(), durability::toString);
    Output one = whatIf("--node", rig.nodesIn("/r1").get(0));
    assertEquals(1, one.exit(), one::toString);
    assertEquals(1, one.json().at("/whatif/stripes_without_spare").asInt(), one::toString);
    assertEquals(0, one.json().at("/whatif/stripes_undecodable").asInt(), one::toString);
    Output rack = whatIf("--rack", "/r1");
    assertEquals(1, rack.json().at("/whatif/stripes_undecodable").asInt(), rack::toString);
  }

  private static int internalBlocks(Path file) {
    try {
      return rig.replicasOf(file.toString()).get(0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  @Order(8)
  void aSampleIsOfBlocksNotOfReplicas() {
    ReplicaLookup lookup = NameNodeBridge.of(rig.nameNode()).replicas();
    List<DatanodeDescriptor> all =
        rig.mini().getDataNodes().stream()
            .map(one -> rig.descriptor(one.getDatanodeUuid()))
            .toList();
    List<Long> sample = LongStream.of(lookup.idsOn(all, 3)).boxed().toList();
    assertTrue(LongStream.of(lookup.idsOn(all, 1)).boxed().toList().containsAll(sample));
    for (DatanodeDescriptor node : all) {
      List<Long> there =
          new ArrayList<>(LongStream.of(lookup.idsOn(List.of(node), 1)).boxed().toList());
      there.retainAll(sample);
      assertEquals(there, LongStream.of(lookup.idsOn(List.of(node), 3)).boxed().toList());
    }
    assertEquals(lookup.blockCount(), lookup.ids(1000, new Random(1)).length);
    Set<Long> drawn = new HashSet<>();
    for (int draw = 0; draw < 200; draw++) {
      for (Held held : lookup.look(lookup.ids(10, new Random(draw)), Set.of())) {
        drawn.add(held.id());
      }
    }
    assertEquals(lookup.blockCount(), drawn.size(), "each is found at last, blocks and groups");
  }

  private static boolean isTriple() {
    try {
      return rig.replicasOf("/triple").stream().allMatch(replicas -> replicas == 3);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
