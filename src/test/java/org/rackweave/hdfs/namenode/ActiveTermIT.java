package org.rackweave.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.MiniDFSNNTopology;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockManager;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.hdfs.server.namenode.ha.HATestUtil;
import org.apache.hadoop.test.GenericTestUtils;
import org.apache.hadoop.test.GenericTestUtils.LogCapturer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.rackweave.ear.OpenStripeStatus;
import org.rackweave.hdfs.ActiveTerm;
import org.rackweave.hdfs.ConfigKeys;
import org.rackweave.hdfs.ConfiguredRules;
import org.rackweave.hdfs.RolesConfig;
import org.rackweave.hdfs.dayu.PlannedCopy;
import org.rackweave.hdfs.dayu.ReconstructionQueue.Replacement;
import org.rackweave.hdfs.eafr.EafrService;
import org.rackweave.hdfs.eafr.ReplicaMoves.Move;
import org.rackweave.hdfs.eafr.WebFactorInterceptor;
import org.rackweave.hdfs.ear.EncodingService;
import org.rackweave.hdfs.ear.StripeRegistry;
import org.rackweave.hdfs.hook.Hook;
import org.rackweave.hdfs.hook.HookGuard;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * All services that work while their NameNode is active, with all features on and two NameNodes.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ActiveTermIT {
  private static final int[] RACKS = {1, 1, 1, 1, 1, 1, 1, 1};
  private static final int QUICK_FAILOVERS = 6;
  private static final int ENCODED_LEAST = 9;
  private static final Set<Hook> IN_TERMS =
      Set.of(Hook.ENCODING, Hook.STRIPE_SEARCH, Hook.EAFR, Hook.SERVER_ROLES, Hook.RECOVERY);

  /** One for each of {@link #IN_TERMS} but servers' roles, which share EAFR's, in two NameNodes. */
  private static final int THREADS = 2 * 4;

  private final Map<Path, byte[]> files = new LinkedHashMap<>();
  private RackCluster cluster;
  private DistributedFileSystem fs;
  private int active;

  @BeforeAll
  void start() throws Exception {
    Configuration conf = EafrRig.conf();
    conf.set(ConfiguredRules.HEAT, "/warehouse=adapt max=5");
    conf.set(ConfiguredRules.CODES, "/warehouse=rs-3-2");
    conf.set(ConfigKeys.PAPER, conf.get(ConfigKeys.PAPER) + " ear.rack-limit=1");
    RecoveryRig.allFeaturesSoon(conf);
    conf.set(DFSConfigKeys.DFS_NAMENODE_HOSTS_PROVIDER_CLASSNAME_KEY, RolesConfig.HOSTS_PROVIDER);
    conf.set(ConfigKeys.EAFR_ROLES, "named");
    conf.setInt(DFSConfigKeys.DFS_HA_TAILEDITS_PERIOD_KEY, 1);
    // Until a DataNode has reported anew, no surplus is taken away after a failover.
    conf.setLong(DFSConfigKeys.DFS_BLOCKREPORT_INTERVAL_MSEC_KEY, 2000);
    // What HDFS expected of a source that died with an order is copied again after so long.
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_RECONSTRUCTION_PENDING_TIMEOUT_SEC_KEY, 20);
    String[] racks = RackCluster.racks(RACKS);
    cluster =
        RackCluster.startHa(
            new MiniDFSCluster.Builder(conf)
                .nnTopology(MiniDFSNNTopology.simpleHATopology())
                .numDataNodes(racks.length)
                .racks(racks));
    fs = HATestUtil.configureFailoverFs(cluster.mini(), conf);
  }

  @AfterAll
  void stop() {
    cluster.close();
  }

  private NameNode nameNode(int index) {
    return cluster.mini().getNameNode(index);
  }

  private void failOver() throws IOException {
    cluster.mini().transitionToStandby(active);
    active = 1 - active;
    cluster.mini().transitionToActive(active);
  }

  /** The same NameNode is active again, after it was not for a moment. */
  private void thereAndBack() throws IOException {
    cluster.mini().transitionToStandby(active);
    cluster.mini().transitionToActive(active);
  }

  private void setStripes(String mode) {
    for (int i = 0; i < 2; i++) {
      PlacementContext context = RackCluster.contextOf(nameNode(i));
      context.setModes(context.modes().with("stripes=" + mode));
    }
  }

  private void write(String path, int blocks) throws IOException {
    Path file = new Path(path);
    DFSTestUtil.createFile(fs, file, blocks * (long) RackCluster.BLOCK_BYTES, (short) 3, blocks);
    files.put(file, DFSTestUtil.readFileAsBytes(fs, file));
  }

  private StripeRegistry stripes(int index) {
    return RackCluster.contextOf(nameNode(index)).stripes();
  }

  private boolean hasNoStripes(int index) {
    return stripes(index).sealedWaiting() == 0 && stripes(index).openStatus().isEmpty();
  }

  private EafrService eafr(int index) {
    return (EafrService)
        nameNode(index).getHttpServer().getAttribute(WebFactorInterceptor.LISTENER);
  }

  private EncodingService encoding(int index) {
    return (EncodingService) nameNode(index).getHttpServer().getAttribute(GuardedFsck.ENCODING);
  }

  private String recovery(int index) {
    RecoveryRig rig = RecoveryRig.of(cluster, fs);
    rig.activeIs(index);
    return rig.metrics() == null ? "" : rig.metrics().tagged("State");
  }

  private boolean isAtWork(int index) {
    return encoding(index).stripesKnown().isPresent()
        && !hasNoStripes(index)
        && eafr(index).isWorking()
        && List.of("idle", "recovering").contains(recovery(index))
        && !RackCluster.contextOf(nameNode(index)).areCopiesHeld();
  }

  private boolean isAtRest(int index) {
    return encoding(index).stripesKnown().isEmpty()
        && hasNoStripes(index)
        && !eafr(index).isWorking()
        && recovery(index).equals("stock: not-active");
  }

  private void awaitTurn() {
    RackCluster.await(
        "all services of the active NameNode work", () -> isAtWork(active), () -> describe(active));
    RackCluster.await(
        "all of the other one rest", () -> isAtRest(1 - active), () -> describe(1 - active));
  }

  private String describe(int index) {
    return String.format(
        "stripes known %s, %d wait, open %s, EAFR %s, recovery %s, copies held %s",
        encoding(index).stripesKnown(),
        stripes(index).sealedWaiting(),
        stripes(index).openStatus(),
        eafr(index).isWorking(),
        recovery(index),
        RackCluster.contextOf(nameNode(index)).areCopiesHeld());
  }

  @Test
  void everyServiceBeginsAndEndsWithTheTerm() throws Exception {
    setStripes("shadow"); // so that stripes stay open
    write("/warehouse/a", 4);
    awaitTurn();
    for (int i = 0; i < 2; i++) {
      failOver();
      awaitTurn();
    }
  }

  @Test
  void aTermThatEndsBetweenTwoTicksEndsForAll() throws Exception {
    setStripes("shadow");
    write("/warehouse/b", 4);
    awaitTurn();
    AtomicInteger held = new AtomicInteger();
    CountDownLatch goOn = new CountDownLatch(1);
    Logger ours = LoggerFactory.getLogger("org.rackweave.hdfs");
    GenericTestUtils.setLogLevel(ours, Level.INFO);
    LogCapturer log = LogCapturer.captureLogs(ours);
    try {
      HookGuard.inject(
          hook -> {
            if (IN_TERMS.contains(hook)) {
              held.incrementAndGet();
              goOn.await();
            }
          });
      RackCluster.await("all are between two ticks", () -> held.get() == THREADS);
      thereAndBack();
      assertTrue(encoding(active).stripesKnown().isEmpty(), "at once");
      assertFalse(eafr(active).isWorking(), "at once");
      goOn.countDown();
      awaitTurn();
      RackCluster.await(
          "all have begun anew",
          () ->
              log.getOutput().contains("Encoding starts")
                  && log.getOutput().contains("EAFR starts")
                  && log.getOutput().contains("Stock HDFS recovers lost replicas: not-active")
                  && log.getOutput().contains("copies are no longer delayed"));
    } finally {
      goOn.countDown();
      HookGuard.inject(null);
      log.stopCapturing();
      GenericTestUtils.setLogLevel(ours, Level.WARN);
    }
  }

  @Test
  void nothingOfAnOldTermIsOrderedInANewOne() throws Exception {
    setStripes("shadow");
    write("/plain/c", 1);
    write("/warehouse/c", 4);
    awaitTurn();
    NameNode nameNode = nameNode(active);
    NameNodeBridge bridge = NameNodeBridge.of(nameNode);
    LocatedBlock block = DFSTestUtil.getAllBlocks(fs, new Path("/plain/c")).get(0);
    long id = block.getBlock().getBlockId();
    DatanodeDescriptor from = descriptor(nameNode, block.getLocations()[0]);
    DatanodeDescriptor to =
        nameNode.getNamesystem().getBlockManager().getDatanodeManager().getDatanodes().stream()
            .filter(node -> List.of(block.getLocations()).stream().noneMatch(node::equals))
            .findFirst()
            .orElseThrow();
    PlannedCopy copy = new PlannedCopy(id, RackCluster.BLOCK_BYTES, 2, 0, from, to, 1);
    Move move =
        new Move(
            fs.getClient().getFileInfo("/plain/c").getFileId(),
            3,
            id,
            RackCluster.BLOCK_BYTES,
            from,
            to);
    long before = ActiveTerm.of(nameNode);
    assertEquals(1, bridge.reconstruction().schedule(List.of(copy), before).size());

    thereAndBack();

    assertEquals(List.of(), bridge.reconstruction().schedule(List.of(copy), before));
    assertEquals(
        List.of(), bridge.reconstruction().replace(List.of(new Replacement(copy, copy)), before));
    assertEquals(List.of(), bridge.moves().order(List.of(move), before));
    BlockManager blocks = nameNode.getNamesystem().getBlockManager();
    assertEquals(0, blocks.getPendingReconstructionBlocksCount());
    RackCluster.await(
        "the same in the new term",
        () -> bridge.moves().order(List.of(move), ActiveTerm.of(nameNode)).size() == 1);
  }

  private static DatanodeDescriptor descriptor(NameNode nameNode, DatanodeID id) {
    return nameNode
        .getNamesystem()
        .getBlockManager()
        .getDatanodeManager()
        .getDatanode(id.getDatanodeUuid());
  }

  @Test
  void failoversInQuickSuccessionLoseNothing() throws Exception {
    setStripes("shadow");
    write("/warehouse/d", 6);
    write("/warehouse/e", 6);
    write("/plain/d", 12);
    awaitTurn();
    int victim = cluster.mini().getDataNodes().size() - 1;
    DatanodeID lost = cluster.mini().getDataNodes().get(victim).getDatanodeId();
    cluster.mini().stopDataNode(victim);
    setStripes("active");
    for (int i = 0; i < QUICK_FAILOVERS; i++) {
      failOver();
      if (i == 1) {
        for (int nameNode = 0; nameNode < 2; nameNode++) {
          DFSTestUtil.setDatanodeDead(descriptor(nameNode(nameNode), lost));
        }
      }
      thereAndBack();
    }
    RackCluster.await(
        "all replicas to be made again",
        () -> EafrRig.replicas(fs, new Path("/plain/d")) == 3,
        () -> describe(active));
    RackCluster.await("all to be encoded", this::isEncoded, () -> describe(active));
    for (Map.Entry<Path, byte[]> file : files.entrySet()) {
      assertArrayEquals(
          file.getValue(), DFSTestUtil.readFileAsBytes(fs, file.getKey()), "" + file.getKey());
    }
    RackCluster.await("the other one rests", () -> isAtRest(1 - active));
  }

  /** Whether all is encoded but blocks that parity would only make larger. */
  private boolean isEncoded() {
    StripeRegistry registry = stripes(active);
    return registry.sealedWaiting() == 0
        && registry.openStatus().stream().noneMatch(OpenStripeStatus::isWorthParity)
        && registry.encoded().blockCount() >= ENCODED_LEAST;
  }
}
