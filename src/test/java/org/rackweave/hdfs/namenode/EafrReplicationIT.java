package org.rackweave.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.rackweave.hdfs.namenode.EafrRig.factor;
import static org.rackweave.hdfs.namenode.EafrRig.mark;
import static org.rackweave.hdfs.namenode.EafrRig.read;
import static org.rackweave.hdfs.namenode.EafrRig.replicas;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.util.ToolRunner;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.rackweave.cli.eafr.EafrCommand;
import org.rackweave.hdfs.ConfiguredRules;
import org.rackweave.history.Event;

/** Replicas that follow the readers of one NameNode's files. */
class EafrReplicationIT {
  private static RackCluster cluster;
  private static DistributedFileSystem fs;

  @BeforeAll
  static void start() throws IOException {
    Configuration conf = EafrRig.conf();
    conf.set(
        ConfiguredRules.HEAT,
        "/data=adapt max=5, /data/kept=none, /sink=adapt r=2 max=5, /coded=adapt");
    conf.set(ConfiguredRules.CODES, "/coded=rs-6-3");
    cluster = RackCluster.start(conf, EafrRig.RACKS).awaitCoverage();
    fs = cluster.fs();
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  @AfterEach
  void goOn() {
    cluster.sayMode("active");
  }

  private static JsonNode eafr(String... args) {
    return EafrRig.eafr(fs.getConf(), args);
  }

  private static void awaitRaised(Path... files) {
    RackCluster.await(
        List.of(files) + " grow",
        () -> {
          read(fs, files);
          for (Path file : files) {
            if (factor(fs, file) < 4) {
              return false;
            }
          }
          return true;
        });
  }

  @Test
  void hotFileGainsReplicasAndLosesThemWhenItCools() throws IOException {
    Path hot = cluster.write("/data/hot", 2, 3);
    Path other = cluster.write("/other/hot", 2, 3);
    awaitRaised(hot);
    String kept = mark(fs, hot);
    assertTrue(kept.startsWith("3 "), kept);
    RackCluster.await(
        "a fourth replica of each block",
        () -> {
          read(fs, hot, other);
          return replicas(fs, hot) >= 4;
        });
    assertEquals(3, factor(fs, other), "no rule covers it");

    RackCluster.await(
        "it is listed, unless an interval has just begun",
        () -> {
          read(fs, hot, other);
          return !EafrRig.run(fs.getConf(), EafrCommand::hot, "--top", "5").get("files").isEmpty();
        });

    RackCluster.await("its own factor again", () -> factor(fs, hot) == 3);
    assertNull(mark(fs, hot), "nothing is left to remember");
    // Who asked a client for locations again and again would be a reader, and heat the file.
    RackCluster.await(
        "surplus replicas gone",
        () -> cluster.mini().getNamesystem().getBlockManager().getExcessBlocksCount() == 0);
    assertEquals(3, replicas(fs, hot));
    assertTrue(eafr("status").get("changes_add").asInt() >= 1);
    List<Event> events =
        cluster.context().events().latest(10, 10, event -> event.subject().equals("/data/hot"));
    assertTrue(events.size() >= 2, events::toString);
    assertTrue(events.stream().allMatch(event -> event.kind() == Event.Kind.FACTOR));
  }

  /** As by the web UI, too. */
  @Test
  void whatAUserSetsByWebHdfsIsTheFilesOwnFromThenOn() throws IOException {
    String address = NetUtils.getHostPortString(cluster.mini().getNameNode().getHttpAddress());
    URI web = URI.create("webhdfs://" + address);
    try (FileSystem webHdfs = FileSystem.newInstance(web, fs.getConf())) {
      assertThrows(
          IOException.class, () -> webHdfs.setReplication(new Path("/data/web"), (short) 1000));
      becomesItsOwn("web", (file, factor) -> assertTrue(webHdfs.setReplication(file, factor)));
    }
  }

  @Test
  void whatAUserSetsIsTheFilesOwnFromThenOn() throws IOException {
    becomesItsOwn("setrep", (file, factor) -> assertTrue(fs.setReplication(file, factor)));
  }

  /** How a user sets a factor. */
  private interface Setting {
    void set(Path file, short factor) throws IOException;
  }

  private static void becomesItsOwn(String name, Setting setting) throws IOException {
    Path file = cluster.write("/data/" + name, 1, 3);
    awaitRaised(file);
    // The very factor that it has: only the call itself tells.
    int raised = factor(fs, file);
    setting.set(file, (short) raised);
    RackCluster.await("mark forgotten", () -> mark(fs, file) == null);
    long deleted = eafr("status").path("changes_delete").asLong();
    Path witness = cluster.write("/data/witness-" + name, 1, 3);
    awaitRaised(witness);
    RackCluster.await("witness has cooled", () -> factor(fs, witness) == 3);
    assertTrue(eafr("status").get("changes_delete").asLong() > deleted);
    assertEquals(raised, factor(fs, file));
  }

  @Test
  void coldFileShrinksWhereItsRuleSaysSoAndIsRestored() throws IOException {
    Path cold = cluster.write("/sink/cold", 2, 3);
    RackCluster.await("two replicas are enough", () -> factor(fs, cold) == 2);
    assertTrue(mark(fs, cold).startsWith("3 "), mark(fs, cold));
    JsonNode restored = eafr("restore", "--path", "/sink");
    assertEquals("done", restored.get("state").asText(), restored.toString());
    assertEquals(3, factor(fs, cold));
    assertNull(mark(fs, cold));
    RackCluster.await("its replicas again", () -> replicas(fs, cold) == 3);
    assertEquals("off", eafr("status").get("state").asText());
  }

  @Test
  void restoresWhatIsRaisedAndThenLeavesFilesAlone() throws IOException {
    Path hot = cluster.write("/data/restored", 1, 3);
    awaitRaised(hot);
    JsonNode restored = eafr("restore");
    assertTrue(restored.get("files_restored").asInt() >= 1, restored.toString());
    assertEquals(3, factor(fs, hot));
    assertNull(mark(fs, hot));
    JsonNode plan = eafr("plan");
    assertEquals(0, plan.get("changes").size(), plan.toString());
  }

  @Test
  void planNamesItsEquationsAndIsCarriedOutAsItWasShown() throws IOException {
    cluster.sayMode("shadow");
    List<Path> files = new ArrayList<>();
    for (String name : List.of("kept", "renamed", "deleted", "set", "out", "none", "coded")) {
      files.add(cluster.write("/data/plan/" + name, 1, 3));
    }
    files.add(cluster.write("/data/plan/snap/file", 1, 3));
    fs.allowSnapshot(files.get(7).getParent());
    List<JsonNode> shown = new ArrayList<>();
    RackCluster.await(
        "all of them are planned",
        () -> {
          read(fs, files.toArray(Path[]::new));
          read(fs, files.toArray(Path[]::new));
          JsonNode plan = eafr("plan");
          long planned = 0;
          for (JsonNode change : plan.get("changes")) {
            planned += change.get("path").asText().startsWith("/data/plan/") ? 1 : 0;
          }
          shown.add(0, plan);
          return planned == files.size();
        });
    JsonNode plan = shown.get(0);
    JsonNode change = plan.get("changes").get(0);
    assertTrue(change.get("equation").asText().matches("EQ[23], EQ6"), change.toString());
    assertTrue(change.get("because").asText().contains(" > tau_u"), change.toString());
    Path renamed = new Path("/data/plan/elsewhere");
    fs.rename(files.get(1), renamed);
    fs.delete(files.get(2), false);
    fs.setReplication(files.get(3), (short) 2);
    List<Path> moved =
        List.of(new Path("/other/out"), new Path("/data/kept/f"), new Path("/coded/f"));
    for (int i = 0; i < moved.size(); i++) {
      fs.mkdirs(moved.get(i).getParent());
      fs.rename(files.get(4 + i), moved.get(i));
    }
    fs.createSnapshot(files.get(7).getParent(), "s");

    JsonNode applied = eafr("plan", "--apply", plan.get("plan").asText());
    assertEquals(2, applied.get("skipped_no_rule").asInt(), applied.toString());
    assertEquals(1, applied.get("skipped_erasure_coded").asInt(), applied.toString());
    assertEquals(1, applied.get("skipped_in_snapshot").asInt(), applied.toString());
    Map<String, String> outcomes = new HashMap<>();
    for (JsonNode row : applied.get("changes")) {
      outcomes.put(row.get("path").asText(), row.get("outcome").asText());
    }
    assertEquals("done", outcomes.get("/data/plan/kept"), applied.toString());
    assertEquals("no_rule", outcomes.get("/data/plan/out"), applied.toString());
    assertEquals("in_snapshot", outcomes.get("/data/plan/snap/file"), applied.toString());
    for (Path left : List.of(moved.get(0), moved.get(1), moved.get(2), files.get(7))) {
      assertEquals(3, factor(fs, left), left::toString);
      assertNull(mark(fs, left), left::toString);
    }
    assertEquals(1, applied.get("skipped_gone").asInt(), applied.toString());
    assertEquals(1, applied.get("skipped_changed_meanwhile").asInt(), applied.toString());
    assertEquals(4, factor(fs, files.get(0)));
    assertEquals(4, factor(fs, renamed));
    assertEquals(2, factor(fs, files.get(3)));
    assertTrue(fails("plan", "--apply", plan.get("plan").asText()).contains("there is no plan"));
  }

  private static String fails(String... args) {
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    PrintStream to = new PrintStream(said, true, StandardCharsets.UTF_8);
    try {
      assertTrue(ToolRunner.run(fs.getConf(), EafrCommand.eafr(to, to), args) != 0);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
    return said.toString(StandardCharsets.UTF_8);
  }

  @Test
  void leavesSnapshotsOpenAndCodedFilesAndFullQuotasAlone() throws IOException {
    Path kept = cluster.write("/data/snap/file", 1, 3);
    fs.allowSnapshot(kept.getParent());
    fs.createSnapshot(kept.getParent(), "s");
    Path coded = cluster.write("/coded/file", 1, 3);
    Path full = cluster.write("/data/full/file", 1, 3);
    fs.setQuota(
        full.getParent(), HdfsConstants.QUOTA_DONT_SET, 3L * RackCluster.BLOCK_BYTES + 1024);
    Path striped = new Path("/data/striped/file");
    fs.enableErasureCodingPolicy("XOR-2-1-1024k");
    fs.mkdirs(striped.getParent());
    fs.setErasureCodingPolicy(striped.getParent(), "XOR-2-1-1024k");
    DFSTestUtil.createFile(fs, striped, 4096, 4096, 1 << 20, (short) 1, 1);
    int stripedFactor = factor(fs, striped);
    Path open = cluster.write("/data/open", 1, 3);
    Path witness = cluster.write("/data/beside", 1, 3);
    try (FSDataOutputStream out = fs.append(open)) {
      out.write(new byte[100]);
      out.hflush();
      cluster.sayMode("shadow");
      RackCluster.await(
          "all of them are hot",
          () -> {
            for (int i = 0; i < 3; i++) {
              read(fs, kept, coded, full, open, witness);
            }
            JsonNode plan = eafr("plan");
            return plan.path("held_back_in_snapshot").asInt() >= 1
                && plan.path("held_back_erasure_coded").asInt() >= 1
                && plan.path("held_back_being_written").asInt() >= 1
                && plan.path("held_back_over_quota").asInt() >= 1;
          });
      cluster.sayMode("active");
      RackCluster.await(
          "a file beside them grows",
          () -> {
            read(fs, kept, coded, full, striped, open, witness);
            return factor(fs, witness) > 3;
          });
    }
    assertEquals(stripedFactor, factor(fs, striped));
    assertNull(mark(fs, striped));
    for (Path file : List.of(kept, coded, full)) {
      assertEquals(3, factor(fs, file));
      assertNull(mark(fs, file));
    }
  }
}
