package org.rackweave.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.SafeModeAction;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.MiniDFSNNTopology;
import org.apache.hadoop.hdfs.server.namenode.ha.HATestUtil;
import org.apache.hadoop.ipc.RefreshResponse;
import org.apache.hadoop.util.ToolRunner;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.rackweave.Nightly;
import org.rackweave.cli.admin.CanaryCommand;
import org.rackweave.hdfs.ConfigKeys;
import org.rackweave.hdfs.rules.RulesAdmin;
import org.rackweave.hdfs.trial.CanaryService;
import org.rackweave.trial.Arm;
import org.rackweave.trial.Canary;
import org.rackweave.trial.WriteTrials;

/** A canary on a real HDFS: who places which files, and how it ends. */
@Tag("newest-hadoop")
class CanaryIT {
  private static final int BLOCKS = 4;

  private RackCluster cluster;
  private int files;

  @Test
  void placesAShareOfNewFilesUntilAConditionHolds() throws Exception {
    Configuration conf = RackCluster.conf();
    conf.set(ConfigKeys.MODE, "shadow");
    try (RackCluster started = RackCluster.start(conf, 2, 2).awaitCoverage()) {
      cluster = started;
      cluster.fs().mkdirs(new Path("/tmp"));
      cluster.fs().mkdirs(new Path("/other"));
      refusesWhatMakesNoSense();
      placesBothArms();
      offWins();
      heatLeavesNothingToCompare();
      stopsEvenIfItsEndCannotBeWritten();
      whatIsUnreadableIsNone();
      isStopped();
      abortsItself();
    }
  }

  private RefreshResponse answer(String identifier, String... words) throws IOException {
    return cluster.mini().getNameNodeRpc().refresh(identifier, words).iterator().next();
  }

  private JsonNode say(String... words) throws IOException {
    return told(CanaryService.IDENTIFIER, words);
  }

  private JsonNode told(String identifier, String... words) throws IOException {
    RefreshResponse answer = answer(identifier, words);
    assertEquals(0, answer.getReturnCode(), answer.getMessage());
    return new ObjectMapper().readTree(answer.getMessage());
  }

  private JsonNode start(String abortIf) throws IOException {
    return say("start", "path=/tmp", "share=50%", "abort-if=" + abortIf, "for=1h");
  }

  private void write(String directory, int count) throws IOException {
    for (int i = 0; i < count; i++) {
      Path file = new Path(directory, "file-" + files++);
      long bytes = (long) BLOCKS * RackCluster.BLOCK_BYTES;
      DFSTestUtil.createFile(cluster.fs(), file, bytes, (short) 1, files);
    }
  }

  private long ours() {
    return cluster.context().metrics().decisionCount();
  }

  private void refusesWhatMakesNoSense() throws IOException {
    String condition = "abort-if=write_p95>+10%";
    for (String[] words :
        List.of(
            new String[] {"start", "path=/tmp", "share=51%", condition},
            new String[] {"start", "path=/tmp", "share=0.5%", condition},
            new String[] {"start", "path=/tmp", "share=x", condition},
            new String[] {"start", "path=/none", "share=5%", condition},
            new String[] {"start", "path=tmp", "share=5%", condition},
            new String[] {"start", "path=/tmp", "share=5%", "abort-if=read_p95>+10%"},
            new String[] {"start", "path=/tmp", "share=5%", condition, "for=never"},
            new String[] {"start", "share=5%", condition},
            new String[] {"pause"})) {
      RefreshResponse refused = answer(CanaryService.IDENTIFIER, words);
      assertEquals(2, refused.getReturnCode(), refused.getMessage());
      assertTrue(refused.getMessage().matches(".*(allowed is|is needed).*"), refused.getMessage());
    }
    assertEquals("none", say("status").path("state").asText());
    assertEquals(1, answer(CanaryService.IDENTIFIER, "stop").getReturnCode());
  }

  private void placesBothArms() throws IOException {
    assertEquals("running", start("write_p50>+1000%").path("state").asText());
    RefreshResponse second =
        answer(
            CanaryService.IDENTIFIER,
            "start",
            "path=/other",
            "share=5%",
            "abort-if=write_mean>+5%");
    assertEquals(1, second.getReturnCode());
    long before = ours();
    write("/tmp", 30);
    write("/other", 3);
    JsonNode arms = say("status").path("arms");
    JsonNode rackweave = arms.path(0);
    JsonNode stock = arms.path(1);
    assertTrue(rackweave.path("files").asInt() > 0 && stock.path("files").asInt() > 0, "" + arms);
    assertEquals(30, rackweave.path("files").asInt() + stock.path("files").asInt());
    assertEquals(30 * BLOCKS, rackweave.path("blocks").asInt() + stock.path("blocks").asInt());
    assertEquals(0, rackweave.path("left_out").asInt() + stock.path("left_out").asInt());
    assertEquals(rackweave.path("blocks").asInt(), ours() - before);

    JsonNode calibration = told(ShadowAdmin.IDENTIFIER, "report").path("calibration");
    assertTrue(calibration.path("blocks").asInt() > 0, calibration::toString);
    assertTrue(
        calibration.path("ratio_p10").asDouble() <= calibration.path("ratio_median").asDouble());
    JsonNode decisions = told(WhyAdmin.IDENTIFIER, "show", "last=200").path("decisions");
    List<JsonNode> timed = new ArrayList<>();
    decisions.forEach(one -> timed.addAll(one.has("measured_s") ? List.of(one) : List.of()));
    assertFalse(timed.isEmpty());
    for (JsonNode one : timed) {
      assertEquals("rackweave", one.path("by").asText());
      assertTrue(one.path("sentence").asText().contains("Written in "), one::toString);
    }
  }

  private void offWins() throws IOException {
    JsonNode before = say("status").path("arms");
    long decided = ours();
    cluster.sayMode("off");
    write("/tmp", 5);
    assertEquals(before, say("status").path("arms"));
    assertEquals(decided, ours());
    assertEquals(
        1,
        answer(
                CanaryService.IDENTIFIER,
                "start",
                "path=/tmp",
                "share=5%",
                "abort-if=write_mean>+5%")
            .getReturnCode());
    cluster.sayMode("shadow");
  }

  /** There is nothing to compare while heat has a say in every placement. */
  private void heatLeavesNothingToCompare() throws IOException {
    WriteTrials trials = cluster.context().trials();
    RackCluster.await("it to go on", () -> trials.running() != null);
    told(RulesAdmin.IDENTIFIER, "set", "/other", "heat=adapt", "max=5");
    cluster.sayMode("heat=active");
    RackCluster.await("it to rest", () -> trials.running() == null);
    say("stop");
    say("stop");
    RefreshResponse refused =
        answer(
            CanaryService.IDENTIFIER, "start", "path=/tmp", "share=5%", "abort-if=write_mean>+5%");
    assertEquals(1, refused.getReturnCode());
    assertTrue(refused.getMessage().contains("mode heat=shadow"), refused.getMessage());
    told(RulesAdmin.IDENTIFIER, "remove", "/other");
    cluster.sayMode("shadow");
    start("write_p50>+1000%");
  }

  /** Nothing can be written down in safe mode. */
  private void stopsEvenIfItsEndCannotBeWritten() throws IOException {
    WriteTrials trials = cluster.context().trials();
    RackCluster.await("it to run", () -> trials.running() != null);
    cluster.fs().setSafeMode(SafeModeAction.ENTER);
    assertEquals(1, answer(CanaryService.IDENTIFIER, "stop").getReturnCode());
    assertNull(trials.running());
    cluster.fs().setSafeMode(SafeModeAction.LEAVE);
    RackCluster.await("its end", () -> trials.known().state() == Canary.State.STOPPED);
    start("write_p50>+1000%");
  }

  /** As a newer release might write, or somebody by hand. */
  private void whatIsUnreadableIsNone() throws IOException {
    Path root = new Path("/");
    cluster.fs().setXAttr(root, "trusted.rackweave.canary", new byte[] {'x'});
    WriteTrials trials = cluster.context().trials();
    RackCluster.await("it to be read", () -> trials.known() == null);
    assertNull(trials.running());
    assertEquals("none", say("status").path("state").asText());
    start("write_p50>+1000%");
  }

  private void isStopped() throws IOException {
    JsonNode stopped = say("stop");
    assertEquals("stopped", stopped.path("state").asText());
    long decided = ours();
    write("/tmp", 5);
    assertEquals(decided, ours());
  }

  /** Nothing is a hundred times as fast. */
  private void abortsItself() throws Exception {
    start("write_p50>+1000%,write_mean>-99%");
    RackCluster.await(
        "the canary to be aborted",
        () -> {
          try {
            write("/tmp", 20);
            return say("status").path("state").asText().equals("aborted");
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
    JsonNode aborted = say("status");
    assertTrue(aborted.path("verdict").asText().contains("write_mean"), () -> aborted.toString());
    assertEquals(4, aborted.path("comparisons").size());
    long decided = ours();
    write("/tmp", 5);
    assertEquals(decided, ours());
    byte[] mark = cluster.fs().getXAttr(new Path("/"), "trusted.rackweave.canary");
    assertEquals(
        Canary.State.ABORTED, Canary.parse(new String(mark, StandardCharsets.UTF_8)).state());
    String health = answer(HealthAdmin.IDENTIFIER, "status").getMessage();
    assertTrue(health.contains("CANARY_ABORTED"), health);
    RackCluster.await(
        "the event",
        () -> {
          try {
            return answer(HealthAdmin.IDENTIFIER, "events")
                .getMessage()
                .contains("canary below /tmp aborted");
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
    assertEquals(1, command("status"), "not fine");
    assertEquals(1, command("start"), "without --path");
    assertEquals(0, command("stop"));
    assertEquals("none", say("status").path("state").asText());
    assertFalse(answer(HealthAdmin.IDENTIFIER, "status").getMessage().contains("CANARY_ABORTED"));
  }

  private int command(String... words) throws Exception {
    PrintStream out = new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8);
    return ToolRunner.run(cluster.fs().getConf(), new CanaryCommand(out, out), words);
  }

  @Nightly
  @Test
  void goesOnAfterAFailoverWithCountsThatBeginAnew() throws Exception {
    Configuration conf = RackCluster.conf();
    conf.set(ConfigKeys.MODE, "shadow");
    conf.setInt(DFSConfigKeys.DFS_HA_TAILEDITS_PERIOD_KEY, 1);
    try (RackCluster started =
        RackCluster.startHa(
            new MiniDFSCluster.Builder(conf)
                .numDataNodes(1)
                .nnTopology(MiniDFSNNTopology.simpleHATopology()))) {
      MiniDFSCluster mini = started.mini();
      try (FileSystem fs = HATestUtil.configureFailoverFs(mini, conf)) {
        fs.mkdirs(new Path("/tmp"));
        // Both are one process here, and both are asked.
        mini.getNameNodeRpc(0)
            .refresh(
                CanaryService.IDENTIFIER,
                new String[] {"start", "path=/tmp", "share=50%", "abort-if=write_p95>+1000%"});
        WriteTrials first = RackCluster.contextOf(mini.getNameNode(0)).trials();
        WriteTrials second = RackCluster.contextOf(mini.getNameNode(1)).trials();
        RackCluster.await("it to begin", () -> first.running() != null);
        Canary canary = first.running().canary();
        RackCluster.write(fs, "/tmp/before", BLOCKS, 1);
        assertEquals(BLOCKS, timed(first));
        HATestUtil.waitForStandbyToCatchUp(mini.getNameNode(0), mini.getNameNode(1));
        RackCluster.await("the standby to know", () -> canary.equals(second.known()));
        assertNull(second.running(), "only the active one places");

        mini.transitionToStandby(0);
        mini.transitionToActive(1);
        RackCluster.await("it to go on", () -> first.running() == null && second.running() != null);
        assertEquals(canary, second.running().canary(), "with the same arms");
        assertEquals(0, timed(second));
        RackCluster.write(fs, "/tmp/after", BLOCKS, 1);
        assertEquals(BLOCKS, timed(second));
      }
    }
  }

  private static int timed(WriteTrials trials) {
    int blocks = 0;
    for (Arm arm : Arm.values()) {
      blocks += trials.running().samples().blocks(arm, Long.MIN_VALUE).fileOf().length;
    }
    return blocks;
  }
}
