package org.rackweave.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.rackweave.hdfs.namenode.EafrRig.factor;
import static org.rackweave.hdfs.namenode.EafrRig.mark;
import static org.rackweave.hdfs.namenode.EafrRig.read;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.MiniDFSNNTopology;
import org.apache.hadoop.hdfs.server.namenode.ha.HATestUtil;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.rackweave.cli.eafr.EafrCommand;
import org.rackweave.hdfs.ConfigKeys;
import org.rackweave.hdfs.Feature;
import org.rackweave.hdfs.FeatureModes;
import org.rackweave.hdfs.Mode;

/** The bounds of what EAFR does to a cluster, and what of it outlives a NameNode. */
@Tag("newest-hadoop")
class EafrBoundsIT {
  @Test
  void neverHasMoreBlocksInFlightThanItMay() throws IOException {
    Configuration conf = EafrRig.conf();
    int inFlight = 2;
    conf.setInt(ConfigKeys.EAFR_IN_FLIGHT_MAX, inFlight);
    try (RackCluster cluster = RackCluster.start(conf, EafrRig.RACKS).awaitCoverage()) {
      DistributedFileSystem fs = cluster.fs();
      List<Path> files = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        files.add(cluster.write("/data/file" + i, 2, 3));
      }
      Path tooLong = cluster.write("/data/long", 3, 3);
      RackCluster.await(
          "nothing pending", () -> EafrRig.pending(cluster.mini().getNameNode()) == 0);
      AtomicLong most = new AtomicLong();
      RackCluster.await(
          "all that fit have grown",
          () -> {
            read(fs, files.toArray(Path[]::new));
            read(fs, tooLong);
            most.accumulateAndGet(EafrRig.pending(cluster.mini().getNameNode()), Math::max);
            return files.stream().allMatch(file -> factor(fs, file) >= 4);
          });
      assertTrue(most.get() > 0 && most.get() <= inFlight, "in flight: " + most);
      assertEquals(3, factor(fs, tooLong));
    }
  }

  @Test
  void keepsToItsBudget() throws IOException {
    Configuration conf = EafrRig.conf();
    conf.setLong(ConfigKeys.EAFR_BUDGET_BYTES, 2L * RackCluster.BLOCK_BYTES);
    try (RackCluster cluster = RackCluster.start(conf, EafrRig.RACKS).awaitCoverage()) {
      DistributedFileSystem fs = cluster.fs();
      List<Path> files = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        files.add(cluster.write("/data/file" + i, 1, 3));
      }
      cluster.context().setModes(FeatureModes.all(Mode.SHADOW));
      long one = planOf(fs, files.subList(0, 2));
      long other = planOf(fs, files.subList(2, 4));
      assertEquals(2, apply(fs, one).get("done").asInt());
      JsonNode applied = apply(fs, other);
      assertEquals(2, applied.path("skipped_over_budget").asInt(), applied.toString());
      assertEquals(0, applied.get("done").asInt(), applied.toString());
      cluster.context().setModes(FeatureModes.all(Mode.ACTIVE));
      RackCluster.await(
          "the budget is spent and others are refused",
          () -> {
            read(fs, files.toArray(Path[]::new));
            read(fs, files.toArray(Path[]::new));
            int extra = files.stream().mapToInt(file -> factor(fs, file) - 3).sum();
            assertTrue(extra <= 2, "extra replicas: " + extra);
            return extra == 2
                && EafrRig.eafr(fs.getConf(), "status").path("last_held_back_over_budget").asInt()
                    > 0;
          });
    }
  }

  /** Reads some files only, until there is a plan for each of them and for no other. */
  private static long planOf(DistributedFileSystem fs, List<Path> files) {
    Set<String> paths =
        files.stream().map(file -> file.toUri().getPath()).collect(Collectors.toSet());
    AtomicLong number = new AtomicLong();
    RackCluster.await(
        "a plan for " + paths,
        () -> {
          read(fs, files.toArray(Path[]::new));
          read(fs, files.toArray(Path[]::new));
          // Plans are few that are kept: none is made while it would be of other files.
          Set<String> hot = new HashSet<>();
          for (JsonNode file : EafrRig.run(fs.getConf(), EafrCommand::hot).get("files")) {
            if (file.get("state").asText().equals("hot")) {
              hot.add(file.get("path").asText());
            }
          }
          if (!hot.equals(paths)) {
            return false;
          }
          JsonNode plan = EafrRig.eafr(fs.getConf(), "plan");
          Set<String> planned = new HashSet<>();
          plan.get("changes").forEach(change -> planned.add(change.get("path").asText()));
          number.set(plan.get("plan").asLong());
          return planned.equals(paths);
        });
    return number.get();
  }

  private static JsonNode apply(DistributedFileSystem fs, long plan) {
    return EafrRig.eafr(fs.getConf(), "plan", "--apply", Long.toString(plan));
  }

  @Test
  void ownFactorOutlivesARestartOfTheNameNode() throws Exception {
    try (RackCluster cluster = RackCluster.start(EafrRig.conf(), EafrRig.RACKS).awaitCoverage()) {
      DistributedFileSystem fs = cluster.fs();
      Path hot = cluster.write("/data/hot", 1, 3);
      awaitRaised(fs, hot);
      cluster.mini().restartNameNode(true);
      DistributedFileSystem after = cluster.fs();
      RackCluster.await("cooled", () -> factor(after, hot) == 3 && mark(after, hot) == null);
    }
  }

  @Test
  void aPauseOfAnEarlierVersionIsHeatOffFromTheStart() throws Exception {
    try (RackCluster cluster = RackCluster.start(EafrRig.conf(), EafrRig.RACKS).awaitCoverage()) {
      Configuration conf = cluster.fs().getConf();
      cluster.fs().setXAttr(new Path("/"), ClusterMode.EAFR_PAUSED, new byte[0]);
      cluster.mini().restartNameNode(true);
      awaitState(conf, "off");
      DistributedFileSystem fs = cluster.fs();
      RackCluster.await(
          "kept with the other modes",
          () -> {
            try {
              List<String> marks = fs.listXAttrs(new Path("/"));
              return marks.contains(ClusterMode.MARK) && !marks.contains(ClusterMode.EAFR_PAUSED);
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
          });
      FeatureModes modes = cluster.context().modes();
      assertTrue(modes.isOff(Feature.HEAT));
      assertEquals(Mode.SHADOW, modes.of(Feature.SLEEP), "servers that sleep go on");
      assertTrue(modes.isActive(Feature.PLACEMENT));
      cluster.sayMode("heat=active");
      awaitState(conf, "active");
      cluster.mini().restartNameNode(true);
      awaitState(conf, "active");
    }
  }

  /** A NameNode that has just started does not answer before it has what it decides by. */
  private static void awaitState(Configuration conf, String wanted) {
    RackCluster.await(
        "EAFR is " + wanted,
        () -> {
          try {
            JsonNode status = EafrRig.eafr(conf, "status");
            return status.get("state").asText().equals(wanted);
          } catch (AssertionError e) {
            return false;
          }
        });
  }

  private static void awaitRaised(DistributedFileSystem fs, Path file) {
    RackCluster.await(
        file + " grows",
        () -> {
          read(fs, file);
          return factor(fs, file) >= 4;
        });
  }

  @Test
  void ownFactorOutlivesAFailover() throws Exception {
    Configuration conf = EafrRig.conf();
    // One JVM's refresh handlers are asked of both NameNodes, so no commands here.
    MiniDFSCluster.Builder builder =
        new MiniDFSCluster.Builder(conf)
            .nnTopology(MiniDFSNNTopology.simpleHATopology())
            .numDataNodes(6)
            .racks(RackCluster.racks(EafrRig.RACKS));
    try (RackCluster cluster = RackCluster.startHa(builder)) {
      DistributedFileSystem fs = HATestUtil.configureFailoverFs(cluster.mini(), conf);
      Path hot = RackCluster.write(fs, "/data/hot", 1, 3);
      awaitRaised(fs, hot);
      int raised = factor(fs, hot);
      cluster.mini().transitionToStandby(0);
      cluster.mini().transitionToActive(1);
      assertEquals(raised, factor(fs, hot));
      assertTrue(mark(fs, hot).startsWith("3 "), mark(fs, hot));
      RackCluster.await("cooled", () -> factor(fs, hot) == 3 && mark(fs, hot) == null);
    }
  }
}
