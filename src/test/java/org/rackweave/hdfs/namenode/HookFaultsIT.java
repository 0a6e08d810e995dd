package org.rackweave.hdfs.namenode;

import static org.apache.hadoop.test.MetricsAsserts.getLongCounter;
import static org.apache.hadoop.test.MetricsAsserts.getMetrics;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocolPB.DatanodeProtocolClientSideTranslatorPB;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockManager;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.tools.DFSAdmin;
import org.apache.hadoop.hdfs.tools.DFSck;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.util.ToolRunner;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.rackweave.hdfs.AgentKeys;
import org.rackweave.hdfs.ConfigKeys;
import org.rackweave.hdfs.ConfiguredRules;
import org.rackweave.hdfs.datanode.ChosenRpcEngine;
import org.rackweave.hdfs.datanode.RackweaveDataNodePlugin;
import org.rackweave.hdfs.degraded.Decoders;
import org.rackweave.hdfs.hook.Hook;
import org.rackweave.hdfs.hook.HookGuard;

/**
 * Has every hook of a NameNode and its DataNodes throw once, whatever that may be: HDFS goes on as
 * if it had not been there, and the next time the hook works.
 */
class HookFaultsIT {
  /**
   * When a NameNode starts, or encoded data has no guards, UnguardedNameNodeIT has them fail; when
   * one has been silent for long, PacedTransfersTest; where servers have roles, HookWatchdogIT;
   * when the page is asked, WebPageIT.
   */
  private static final Set<Hook> ELSEWHERE =
      EnumSet.of(
          Hook.GUARDS, Hook.UNGUARDED_HOLD, Hook.TRANSFER_LAPSE, Hook.SERVER_ROLES, Hook.PAGE);

  @TempDir private static java.nio.file.Path boxes;

  private static RackCluster cluster;
  private static Configuration conf;
  private static String address;

  /** What is thrown. */
  enum Fault {
    RUNTIME_EXCEPTION(() -> new IllegalStateException("injected")),
    LINKAGE_ERROR(() -> new NoClassDefFoundError("injected")),
    OUT_OF_MEMORY(() -> new OutOfMemoryError("injected"));

    private final Supplier<Throwable> make;

    Fault(Supplier<Throwable> make) {
      this.make = make;
    }
  }

  /** Fails each hook once, and notes which have been called again since. */
  private static final class Faults implements HookGuard.FaultInjector {
    private final Set<Hook> failed = ConcurrentHashMap.newKeySet();
    private final Set<Hook> called = ConcurrentHashMap.newKeySet();
    private final Fault fault;

    Faults(Fault fault) {
      this.fault = fault;
    }

    @Override
    public void before(Hook hook) {
      if (failed.add(hook)) {
        Faults.<RuntimeException>sneak(fault.make.get());
      }
      called.add(hook);
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <T extends Throwable> void sneak(Throwable thrown) throws T {
      throw (T) thrown;
    }

    Set<Hook> missing() {
      Set<Hook> missing = EnumSet.allOf(Hook.class);
      missing.removeAll(called);
      missing.removeAll(ELSEWHERE);
      return missing;
    }
  }

  @BeforeAll
  static void start() throws Exception {
    conf = RecoveryRig.agentConf(RackCluster.BLOCK_BYTES, 4 << 20);
    conf.set(ConfigKeys.MODE, "active");
    conf.set(DFSConfigKeys.DFS_BLOCK_REPLICATOR_CLASSNAME_KEY, PolicyAdvice.RACKWEAVE);
    conf.set(DFSConfigKeys.DFS_NET_TOPOLOGY_IMPL_KEY, ReadOrderTopology.class.getName());
    conf.set(ConfiguredRules.CODES, "/warehouse=rs-3-2");
    conf.set(ConfiguredRules.HEAT, "/data=adapt max=5");
    conf.set(ConfigKeys.BLACK_BOX_DIRECTORY, boxes.toString());
    conf.set(ConfigKeys.EAR_SEARCH_INTERVAL, "1s");
    conf.set(ConfigKeys.SNAPSHOT_INTERVAL, "300ms");
    conf.set(AgentKeys.DECODE_ADDRESS, "127.0.0.1:0");
    conf.set(DFSConfigKeys.DFS_DATANODE_PLUGINS_KEY, RackweaveDataNodePlugin.class.getName());
    ChosenRpcEngine.agentOn(conf);
    cluster = RackCluster.start(conf, 2, 2).awaitCoverage();
    conf = cluster.fs().getConf();
    address = cluster.mini().getNameNode().getNameNodeAddressHostPortString();
    RackCluster.await("somebody decodes", () -> decoder() != null);
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  @AfterEach
  void noMoreFaults() {
    HookGuard.inject(null);
  }

  @ParameterizedTest
  @EnumSource(Fault.class)
  void everyHookFailsOnceAndWorksTheNextTime(Fault fault) throws Exception {
    Map<Hook, Long> before = new EnumMap<>(Hook.class);
    for (Hook hook : Hook.values()) {
      before.put(hook, HookGuard.failures(hook));
    }
    Faults faults = new Faults(fault);
    HookGuard.inject(faults);
    int[] round = {0};
    RackCluster.await(
        "every hook works again",
        () -> {
          callAll(fault + "/" + round[0]++);
          return faults.missing().isEmpty();
        },
        () -> faults.missing() + " after " + round[0] + " rounds");
    HookGuard.inject(null);
    for (Hook hook : EnumSet.complementOf(EnumSet.copyOf(ELSEWHERE))) {
      assertTrue(HookGuard.failures(hook) > before.get(hook), hook.label());
      assertTrue(HookGuard.describe().contains(hook.label() + ' '), hook.label());
    }
    assertEquals(
        HookGuard.failures(Hook.ENCODING),
        getLongCounter("FailuresEncoding", getMetrics("RackweaveHooks")));
  }

  /** The filters of the web server, which the same hooks guard as calls by RPC. */
  @ParameterizedTest
  @EnumSource(Fault.class)
  void whatGuardsAndCountsWebHdfsFailsOnceAndWorksTheNextTime(Fault fault) throws Exception {
    DistributedFileSystem fs = cluster.fs();
    Path file = new Path("/data/web-" + fault);
    DFSTestUtil.createFile(fs, file, RackCluster.BLOCK_BYTES / 2, (short) 2, 7);
    try (FileSystem web = FileSystem.newInstance(URI.create("webhdfs://" + webAddress()), conf)) {
      failOnTheWeb(Hook.FILE_GUARD, fault);
      assertRefused(() -> web.setReplication(file, (short) 3));
      assertEquals(2, fs.getFileStatus(file).getReplication(), "refused");
      failOnTheWeb(Hook.FILE_GUARD, fault);
      assertRefused(() -> web.truncate(file, 10));
      assertEquals(RackCluster.BLOCK_BYTES / 2, fs.getFileStatus(file).getLen(), "refused");

      long before = HookGuard.failures(Hook.READ_CALL);
      failOnTheWeb(Hook.READ_CALL, fault);
      assertTrue(web.setReplication(file, (short) 3), "nothing but the count fails");
      assertEquals(3, fs.getFileStatus(file).getReplication());
      // It is counted behind HDFS's answer, which the client may have before.
      RackCluster.await("counted", () -> HookGuard.failures(Hook.READ_CALL) == before + 1);

      assertTrue(web.setReplication(file, (short) 2));
      web.truncate(file, 10);
      RackCluster.await("truncated", () -> length(file) == 10);
      assertEquals(before + 1, HookGuard.failures(Hook.READ_CALL));
    }
  }

  private static String webAddress() {
    return NetUtils.getHostPortString(cluster.mini().getNameNode().getHttpAddress());
  }

  /** Has a hook fail once, the next time that a thread of the web server comes to it. */
  private static void failOnTheWeb(Hook failing, Fault fault) {
    AtomicBoolean hasFailed = new AtomicBoolean();
    HookGuard.inject(
        hook -> {
          if (hook == failing
              && Thread.currentThread().getName().startsWith("qtp")
              && !hasFailed.getAndSet(true)) {
            Faults.<RuntimeException>sneak(fault.make.get());
          }
        });
  }

  private static void assertRefused(Executable call) {
    IOException refused = assertThrows(IOException.class, call);
    assertTrue(refused.getMessage().contains("not known whether blocks"), refused::toString);
  }

  private static long length(Path file) {
    try {
      return cluster.fs().getFileStatus(file).getLen();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void nothingIsDeletedWhileItIsNotKnownWhatStripesNeed() throws Exception {
    DistributedFileSystem fs = cluster.fs();
    Path file = new Path("/data/deleted");
    DFSTestUtil.createFile(fs, file, RackCluster.BLOCK_BYTES, (short) 3, 7);
    RackCluster.awaitReplicas(fs, file, 3);
    ExtendedBlock block = DFSTestUtil.getFirstBlock(fs, file);
    HookGuard.inject(
        hook -> {
          if (hook == Hook.DELETIONS) {
            throw new IllegalStateException("injected");
          }
        });
    fs.delete(file, true);
    BlockManager blocks = cluster.mini().getNamesystem().getBlockManager();
    RackCluster.await(
        "the orders are given",
        () ->
            blocks.getStoredBlock(block.getLocalBlock()) == null
                && blocks.getPendingDeletionBlocksCount() == 0);
    long given = HookGuard.failures(Hook.DELETIONS);
    int heartbeats = 4 * cluster.mini().getDataNodes().size();
    RackCluster.await(
        "heartbeats after that", () -> HookGuard.failures(Hook.DELETIONS) > given + heartbeats);
    assertEquals(3, replicas(block));

    HookGuard.inject(null);
    RackCluster.await(
        "they are deleted once reported",
        () -> {
          try {
            cluster.mini().triggerBlockReports();
          } catch (IOException e) {
            throw new AssertionError(e);
          }
          return replicas(block) == 0;
        });
  }

  /** Replicas on disk, as DataNodes know them. */
  private static long replicas(ExtendedBlock block) {
    return cluster.mini().getDataNodes().stream().filter(one -> hasReplica(one, block)).count();
  }

  private static boolean hasReplica(DataNode dataNode, ExtendedBlock block) {
    try {
      return dataNode.getFSDataset().getStoredBlock(block.getBlockPoolId(), block.getBlockId())
          != null;
    } catch (IOException e) {
      return false;
    }
  }

  /** Whatever of ours fails, each of these has to succeed but where the data is at stake. */
  private static void callAll(String name) {
    try {
      DistributedFileSystem fs = cluster.fs();
      Path file = new Path("/data/" + name);
      DFSTestUtil.createFile(fs, file, RackCluster.BLOCK_BYTES / 2, (short) 2, 7);
      DFSTestUtil.readFileAsBytes(fs, file);
      append(fs, file);
      fs.setReplication(file, (short) 3);
      admin("rackweave", name.hashCode() % 2 == 0 ? "recovery=active" : "recovery=off");
      RackCluster.awaitReplicas(fs, file, 3);
      fs.setReplication(file, (short) 2);
      ToolRunner.run(
          new DFSck(
              conf,
              new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8)),
          new String[] {file.toString(), "-delete"});
      assertTrue(fs.exists(file));
      for (String source : new String[] {"Rackweave", "RackweaveRecovery", "RackweaveEafr"}) {
        getMetrics(source);
      }
      askAsADataNode();
      askToDecode();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  /** Refused once, because nobody knows whether the file is encoded; a client tries again. */
  private static void append(DistributedFileSystem fs, Path file) throws IOException {
    try {
      DFSTestUtil.appendFile(fs, file, 10);
    } catch (RemoteException e) {
      assertTrue(e.getMessage().contains("not known whether blocks"), e.toString());
      DFSTestUtil.appendFile(fs, file, 10);
    }
  }

  private static void admin(String... args) throws Exception {
    String[] all = new String[args.length + 2];
    all[0] = "-refresh";
    all[1] = address;
    System.arraycopy(args, 0, all, 2, args.length);
    ToolRunner.run(new DFSAdmin(conf), all);
  }

  private static void askAsADataNode() throws IOException {
    InetSocketAddress nameNode = cluster.mini().getNameNode().getNameNodeAddress();
    try (DatanodeProtocolClientSideTranslatorPB line =
        new DatanodeProtocolClientSideTranslatorPB(nameNode, conf)) {
      assertEquals(
          cluster.mini().getNamesystem().getBlockPoolId(), line.versionRequest().getBlockPoolID());
    }
  }

  private static void askToDecode() throws IOException {
    DatanodeID decoder = decoder();
    if (decoder != null) {
      new Socket(decoder.getIpAddr(), decoder.getXferPort()).close();
    }
  }

  private static DatanodeID decoder() {
    try {
      byte[] value = cluster.fs().getXAttr(new Path("/"), Decoders.ATTRIBUTE);
      return value == null ? null : Decoders.decode(value).stream().findAny().orElse(null);
    } catch (IOException e) {
      return null;
    }
  }
}
