package org.rackweave.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.MiniDFSNNTopology;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.SafeModeAction;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.hdfs.server.namenode.ha.HATestUtil;
import org.apache.hadoop.hdfs.tools.DFSAdmin;
import org.apache.hadoop.ipc.RefreshResponse;
import org.apache.hadoop.util.ToolRunner;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.rackweave.hdfs.ConfigKeys;
import org.rackweave.hdfs.ConfiguredRules;
import org.rackweave.hdfs.FeatureModes;
import org.rackweave.hdfs.Mode;
import org.rackweave.hdfs.eafr.EafrAdmin;
import org.rackweave.hdfs.ear.EncodingAdmin;
import org.rackweave.hdfs.ear.EncodingService;
import org.rackweave.hdfs.ear.StripeRegistry;
import org.rackweave.hdfs.hook.Hook;
import org.rackweave.hdfs.hook.HookGuard;

/** What an operator says holds for all NameNodes, at once and from then on. */
@Tag("newest-hadoop")
class ClusterModeIT {
  private static final Path ROOT = new Path("/");

  @Test
  void offHoldsOnBothNameNodesAfterAFailoverAndRestarts() throws Exception {
    Configuration conf = RackCluster.conf();
    conf.setInt(DFSConfigKeys.DFS_HA_TAILEDITS_PERIOD_KEY, 1);
    try (RackCluster cluster =
        RackCluster.startHa(
            new MiniDFSCluster.Builder(conf)
                .numDataNodes(1)
                .nnTopology(MiniDFSNNTopology.simpleHATopology()))) {
      MiniDFSCluster mini = cluster.mini();
      say(mini, 0, "off");
      assertEquals(FeatureModes.all(Mode.OFF), modes(mini, 0), "at once");
      HATestUtil.waitForStandbyToCatchUp(mini.getNameNode(0), mini.getNameNode(1));
      awaitMode(mini, 1, Mode.OFF);

      mini.transitionToStandby(0);
      mini.transitionToActive(1);
      assertEquals(FeatureModes.all(Mode.OFF), modes(mini, 1));
      mini.restartNameNode(0, false);
      assertEquals(FeatureModes.all(Mode.OFF), modes(mini, 0), "from the start");
      mini.restartNameNode(1, false);
      assertEquals(FeatureModes.all(Mode.OFF), modes(mini, 1), "from the start");

      mini.transitionToActive(0);
      mini.waitActive(0);
      say(mini, 0, "shadow");
      HATestUtil.waitForStandbyToCatchUp(mini.getNameNode(0), mini.getNameNode(1));
      awaitMode(mini, 1, Mode.SHADOW);

      try (FileSystem fs = HATestUtil.configureFailoverFs(mini, conf)) {
        fs.removeXAttr(ROOT, ClusterMode.MARK);
      }
      awaitMode(mini, 0, Mode.ACTIVE);
    }
  }

  /** Both NameNodes are asked, because they are one process: only the active one does it. */
  private static void say(MiniDFSCluster cluster, int active, String mode) throws Exception {
    Collection<RefreshResponse> answers =
        cluster.getNameNodeRpc(active).refresh(RuntimeSwitch.IDENTIFIER, new String[] {mode});
    assertEquals(2, answers.size());
    assertEquals(1, answers.stream().filter(answer -> answer.getReturnCode() == 0).count());
    String refusal =
        answers.stream()
            .filter(answer -> answer.getReturnCode() != 0)
            .map(RefreshResponse::getMessage)
            .findFirst()
            .orElseThrow();
    String there = cluster.getNameNode(active).getNameNodeAddressHostPortString();
    assertTrue(refusal.contains("not active") && refusal.contains(there), refusal);
  }

  private static FeatureModes modes(MiniDFSCluster cluster, int nameNode) {
    return RackCluster.contextOf(cluster.getNameNode(nameNode)).modes();
  }

  private static void awaitMode(MiniDFSCluster cluster, int nameNode, Mode wanted) {
    RackCluster.await(wanted + " there", () -> modes(cluster, nameNode).areAll(wanted));
  }

  @Test
  void offIsInForceInSafeModeAndKeptAfterIt() throws Exception {
    try (RackCluster cluster = RackCluster.start(RackCluster.conf(), 1)) {
      NameNode nameNode = cluster.mini().getNameNode();
      cluster.fs().setSafeMode(SafeModeAction.SAFEMODE_ENTER);
      RefreshResponse answer =
          nameNode
              .getRpcServer()
              .refresh(RuntimeSwitch.IDENTIFIER, new String[] {"off"})
              .iterator()
              .next();
      assertEquals(1, answer.getReturnCode());
      assertTrue(answer.getMessage().contains("leaves safe mode"), answer.getMessage());
      assertEquals(FeatureModes.all(Mode.OFF), cluster.context().modes());
      assertNull(cluster.fs().getXAttrs(ROOT).get(ClusterMode.MARK));

      cluster.fs().setSafeMode(SafeModeAction.SAFEMODE_LEAVE);
      FileSystem fs = cluster.fs();
      RackCluster.await(
          "the mark",
          () -> {
            try {
              byte[] mark = fs.getXAttrs(ROOT).get(ClusterMode.MARK);
              return mark != null
                  && FeatureModes.all(Mode.OFF)
                      .inFull()
                      .equals(new String(mark, StandardCharsets.UTF_8));
            } catch (IOException e) {
              return false;
            }
          });
      assertEquals(FeatureModes.all(Mode.OFF), cluster.context().modes());
    }
  }

  @Test
  void offWaitsForNoOtherCommand() throws Exception {
    ExecutorService operator = Executors.newSingleThreadExecutor();
    CountDownLatch busy = new CountDownLatch(1);
    CountDownLatch begun = new CountDownLatch(1);
    try (RackCluster cluster = RackCluster.start(EafrRig.conf(), 1)) {
      HookGuard.inject(
          hook -> {
            if (hook == Hook.EAFR) {
              begun.countDown();
              busy.await();
            }
          });
      begun.await();
      String address = cluster.mini().getNameNode().getNameNodeAddressHostPortString();
      Configuration conf = cluster.fs().getConf();
      Future<Integer> plan =
          operator.submit(() -> refresh(conf, address, EafrAdmin.IDENTIFIER, "plan"));
      RackCluster.await(
          "the plan is waited for",
          () ->
              Thread.getAllStackTraces().keySet().stream()
                  .anyMatch(thread -> thread.getName().equals("rackweave-command")));

      assertEquals(0, refresh(conf, address, RuntimeSwitch.IDENTIFIER, "off"));

      assertEquals(FeatureModes.all(Mode.OFF), cluster.context().modes());
      assertFalse(plan.isDone(), "the plan is still being made");
      busy.countDown();
      plan.get();
    } finally {
      HookGuard.inject(null);
      busy.countDown();
      operator.shutdownNow();
    }
  }

  private static int refresh(Configuration conf, String address, String... args) throws Exception {
    String[] all = new String[args.length + 2];
    all[0] = "-refresh";
    all[1] = address;
    System.arraycopy(args, 0, all, 2, args.length);
    return ToolRunner.run(new DFSAdmin(conf), all);
  }

  @Test
  void nothingIsEncodedUnlessActive() throws Exception {
    Configuration conf = EarEncodingIT.conf();
    conf.set(ConfigKeys.MODE, "shadow");
    conf.set(ConfiguredRules.CODES, "/warehouse=rs-3-2");
    conf.set(ConfigKeys.PAPER, "ear.rack-limit=1");
    AtomicInteger ticks = new AtomicInteger();
    try (RackCluster cluster = RackCluster.start(conf, 1, 1, 1, 1, 1, 1).awaitCoverage()) {
      StripeRegistry registry = cluster.context().stripes();
      DFSTestUtil.createFile(
          cluster.fs(), new Path("/warehouse/file"), 6L * RackCluster.BLOCK_BYTES, (short) 3, 1);
      RackCluster.await("a sealed stripe", () -> registry.sealedWaiting() > 0);
      HookGuard.inject(hook -> ticks.addAndGet(hook == Hook.ENCODING ? 1 : 0));
      awaitTicks(ticks);
      assertTrue(registry.sealedWaiting() > 0, "shadow");

      String address = cluster.mini().getNameNode().getNameNodeAddressHostPortString();
      assertEquals(0, refresh(cluster.fs().getConf(), address, RuntimeSwitch.IDENTIFIER, "off"));
      awaitTicks(ticks);
      assertTrue(registry.sealedWaiting() > 0, "off");
      assertEquals(1, refresh(cluster.fs().getConf(), address, EncodingAdmin.IDENTIFIER, "encode"));
      assertEquals(0, registry.encoded().stripeCount());

      assertEquals(0, refresh(cluster.fs().getConf(), address, RuntimeSwitch.IDENTIFIER, "active"));
      RackCluster.await("encoded", () -> registry.encoded().stripeCount() > 0);
    } finally {
      HookGuard.inject(null);
    }
  }

  @Test
  void noFileGivesUpReplicasWhileOff() throws Exception {
    Configuration conf = EarEncodingIT.conf();
    conf.set(ConfiguredRules.CODES, "/warehouse=rs-3-2");
    conf.set(ConfigKeys.PAPER, "ear.rack-limit=1");
    try (RackCluster cluster = RackCluster.start(conf, 1, 1, 1, 1, 1, 1).awaitCoverage()) {
      StripeRegistry registry = cluster.context().stripes();
      NameNode nameNode = cluster.mini().getNameNode();
      EncodingService encoding =
          (EncodingService) nameNode.getHttpServer().getAttribute(GuardedFsck.ENCODING);
      Closeable halt = encoding.haltShrinking();
      List<Path> files = new ArrayList<>();
      for (int i = 0; i < 12; i++) {
        files.add(new Path("/warehouse/file" + i));
        DFSTestUtil.createFile(cluster.fs(), files.get(i), RackCluster.BLOCK_BYTES, (short) 3, i);
      }
      RackCluster.await("encoded", () -> registry.encoded().stripeCount() > 0);
      String address = nameNode.getNameNodeAddressHostPortString();
      assertEquals(0, refresh(cluster.fs().getConf(), address, RuntimeSwitch.IDENTIFIER, "off"));
      halt.close();
      AtomicInteger ticks = new AtomicInteger();
      HookGuard.inject(hook -> ticks.addAndGet(hook == Hook.ENCODING ? 1 : 0));
      // Files are tried every three seconds, and a tick is half a second.
      RackCluster.await("files could have been tried twice", () -> ticks.get() > 14);
      assertFalse(files.stream().anyMatch(file -> hasShrunk(cluster, file)));

      assertEquals(0, refresh(cluster.fs().getConf(), address, RuntimeSwitch.IDENTIFIER, "active"));
      RackCluster.await(
          "surplus replicas go", () -> files.stream().anyMatch(file -> hasShrunk(cluster, file)));
    } finally {
      HookGuard.inject(null);
    }
  }

  private static boolean hasShrunk(RackCluster cluster, Path file) {
    try {
      return cluster.fs().getFileStatus(file).getReplication() < 3;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void awaitTicks(AtomicInteger ticks) {
    int before = ticks.get();
    RackCluster.await("some looks at stripes", () -> ticks.get() > before + 3);
  }
}
