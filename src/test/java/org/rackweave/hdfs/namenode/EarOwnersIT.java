package org.rackweave.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.ObjLongConsumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeAdminManager;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.web.WebHdfsConstants;
import org.apache.hadoop.hdfs.web.WebHdfsFileSystem;
import org.apache.hadoop.hdfs.web.WebHdfsTestUtil;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.ipc.RetriableException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.rackweave.hdfs.ConfigKeys;
import org.rackweave.hdfs.LockHolder;
import org.rackweave.hdfs.ear.CallStops;
import org.rackweave.hdfs.ear.EncodedStripes;

/** What owners of encoded files do by ways that say little: snapshots, renames, other protocols. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("newest-hadoop")
class EarOwnersIT {
  private static final int FILE_BYTES = RackCluster.BLOCK_BYTES - 1000;
  private static final int FILES = 24;
  private static final int HANDLERS = 8;

  private final ExecutorService clients = Executors.newCachedThreadPool();
  private CallStops stops;
  private RackCluster cluster;
  private int directories;

  @BeforeAll
  void start() throws IOException {
    Configuration conf = EncodedWarehouse.conf();
    conf.set(ConfigKeys.EAR_CHANGE_WAIT, "15s");
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_HANDLER_COUNT_KEY, HANDLERS);
    stops = CallStops.install(conf);
    cluster = RackCluster.start(EncodedWarehouse.cluster(conf)).awaitCoverage();
  }

  @AfterAll
  void stop() {
    clients.shutdownNow();
    stops.close();
    cluster.close();
  }

  private EncodedStripes encoded() {
    return cluster.context().stripes().encoded();
  }

  /** Writes files of a block each, and waits for a stripe of four of them that are shrunk. */
  private List<Path> encodedStripe(Map<Path, byte[]> bytes) throws IOException {
    Path directory = new Path(EncodedWarehouse.DIRECTORY, "owner" + directories++);
    for (int i = 0; i < FILES; i++) {
      Path file = new Path(directory, "file" + i);
      DFSTestUtil.createFile(cluster.fs(), file, FILE_BYTES, (short) 3, i);
      bytes.put(file, DFSTestUtil.readFileAsBytes(cluster.fs(), file));
    }
    List<Path> found = new ArrayList<>();
    RackCluster.await(
        "a stripe of four shrunk files",
        () -> {
          found.clear();
          stripes(bytes).stream()
              .filter(stripe -> stripe.size() == EncodedWarehouse.DATA_BLOCKS)
              .filter(stripe -> stripe.stream().allMatch(file -> replicas(file) == 1))
              .findFirst()
              .ifPresent(found::addAll);
          return !found.isEmpty();
        });
    return found;
  }

  private List<List<Path>> stripes(Map<Path, byte[]> files) {
    Map<Long, List<Path>> byParity = new HashMap<>();
    for (Path file : files.keySet()) {
      encoded()
          .of(block(file).getBlock().getBlockId())
          .ifPresent(
              stripe ->
                  byParity.computeIfAbsent(stripe.parityFile(), id -> new ArrayList<>()).add(file));
    }
    return List.copyOf(byParity.values());
  }

  private LocatedBlock block(Path file) {
    try {
      return DFSTestUtil.getAllBlocks(cluster.fs(), file).get(0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private int replicas(Path file) {
    return block(file).getLocations().length;
  }

  private int factor(Path file) throws IOException {
    return cluster.fs().getFileStatus(file).getReplication();
  }

  private void awaitWalks(int more) {
    long before = cluster.context().stripes().counts().walks();
    RackCluster.await(
        "stripes looked at again",
        () -> cluster.context().stripes().counts().walks() >= before + more);
  }

  private void assertReadsBack(Path file, byte[] bytes) throws IOException {
    assertArrayEquals(bytes, DFSTestUtil.readFileAsBytes(cluster.fs(), file), file.toString());
  }

  @Test
  void whoIsAtThePathOfAFileThatOnlyASnapshotHoldsIsLeftAloneAndHoldsNobodyUp() throws Exception {
    Map<Path, byte[]> bytes = new LinkedHashMap<>();
    List<Path> stripe = encodedStripe(bytes);
    Path appended = stripe.get(1);
    Path survivor = stripe.get(3);
    Path held = new Path(EncodedWarehouse.DIRECTORY, "held/file");
    cluster.fs().mkdirs(held.getParent());
    cluster.fs().rename(stripe.get(0), held, Options.Rename.NONE);
    cluster.fs().allowSnapshot(held.getParent());
    Path snapshot = cluster.fs().createSnapshot(held.getParent(), "held");
    cluster.fs().delete(held, false);
    DFSTestUtil.createFile(cluster.fs(), held, FILE_BYTES, (short) 1, 99);
    // With the block that is appended to, more than the stripe can do without.
    cluster.fs().delete(stripe.get(2), false);

    try (OutputStream out = appendOnceItHasItsReplicas(appended)) {
      out.write(new byte[100]);
    }

    RackCluster.await("the others have replicas again", () -> replicas(survivor) == 3);
    awaitWalks(3);
    assertEquals(1, factor(held), "the factor of a file that has nothing to do with it");
    assertReadsBack(appended, Arrays.copyOf(bytes.get(appended), FILE_BYTES + 100));
    assertReadsBack(new Path(snapshot, "file"), bytes.get(stripe.get(0)));
    long member = block(survivor).getBlock().getBlockId();
    long parity = encoded().of(member).orElseThrow().parityFile();
    assertTrue(cluster.context().stripes().counts().givingUp() > 0);

    cluster.fs().deleteSnapshot(held.getParent(), "held");
    RackCluster.await(
        "the stripe is given up",
        () -> encoded().of(member).stream().noneMatch(one -> one.parityFile() == parity));
  }

  /** On a busy machine its blocks may not have their replicas back the first time. */
  private OutputStream appendOnceItHasItsReplicas(Path file) {
    AtomicReference<OutputStream> out = new AtomicReference<>();
    RackCluster.await(
        "the file is open",
        () -> {
          try {
            out.set(cluster.fs().append(file));
            return true;
          } catch (IOException e) {
            if (RetriableException.class.getName().equals(unwrapped(e))) {
              return false;
            }
            throw new UncheckedIOException(e);
          }
        });
    return out.get();
  }

  private static String unwrapped(IOException e) {
    return e instanceof RemoteException remote ? remote.getClassName() : e.getClass().getName();
  }

  private WebHdfsFileSystem web() throws Exception {
    return WebHdfsTestUtil.getWebHdfsFileSystem(
        cluster.fs().getConf(), WebHdfsConstants.WEBHDFS_SCHEME);
  }

  @Test
  void whatIsChangedByWebHdfsIsGuardedAsWellAsByRpc() throws Exception {
    Map<Path, byte[]> bytes = new LinkedHashMap<>();
    List<Path> stripe = encodedStripe(bytes);
    Path kept = stripe.get(0);
    Path truncated = stripe.get(1);

    assertTrue(web().setReplication(kept, (short) 2));
    web().truncate(truncated, 1000);

    assertEquals(3, factor(truncated), "it had its replicas back before");
    RackCluster.await("truncated", () -> isClosed(truncated));
    assertReadsBack(truncated, Arrays.copyOf(bytes.get(truncated), 1000));
    long searches = cluster.context().stripes().searchCount();
    RackCluster.await(
        "everything has been searched again",
        () -> cluster.context().stripes().searchCount() >= searches + 3);
    awaitWalks(2);
    assertEquals(2, factor(kept), "what the owner wanted by WebHDFS");
    FileNotFoundException gone =
        assertThrows(
            FileNotFoundException.class, () -> web().truncate(new Path("/warehouse/none"), 1));
    assertTrue(gone.getMessage().contains("/warehouse/none"), gone::getMessage);
  }

  private boolean isClosed(Path file) {
    try {
      return cluster.fs().isFileClosed(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void noAppendGoesOnUnpreparedAsLongAsItIsNotKnownWhatIsEncoded() throws Exception {
    Map<Path, byte[]> bytes = new LinkedHashMap<>();
    List<Path> stripe = encodedStripe(bytes);
    List<Exception> refused = new ArrayList<>();
    List<Path> appended = stripe.subList(0, HANDLERS / 4 + 1);
    try (CallStops.Stop stop = stops.stopAt(call -> call.begins("getXAttrs"), () -> {})) {
      cluster.mini().restartNameNode(true);
      stop.await("records of stripes are being read");
      List<Future<?>> appends = new ArrayList<>();
      for (Path file : appended) {
        appends.add(clients.submit(append(file)));
      }
      assertThrows(RetriableException.class, () -> web().truncate(stripe.get(3), 1000));
      for (Future<?> append : appends) {
        refused.add(assertThrows(ExecutionException.class, append::get));
      }
    }
    for (Exception each : refused) {
      assertTrue(each.getMessage().contains("RetriableException"), each::getMessage);
    }
    awaitWalks(1);
    for (Path file : stripe) {
      assertEquals(1, factor(file));
      assertReadsBack(file, bytes.get(file));
    }
    append(appended.get(0)).call();
    assertEquals(3, factor(appended.get(0)));
    assertReadsBack(appended.get(0), Arrays.copyOf(bytes.get(appended.get(0)), FILE_BYTES + 100));
  }

  private Callable<Void> append(Path file) {
    return () -> {
      try (OutputStream out = cluster.fs().append(file)) {
        out.write(new byte[100]);
      }
      return null;
    };
  }

  @Test
  void aFileThatHdfsWouldDeleteForAMissingBlockGetsItsReplicasBack() throws Exception {
    List<Path> stripe = encodedStripe(new LinkedHashMap<>());
    Path lazy = new Path(EncodedWarehouse.DIRECTORY, "lazy/file");
    cluster.fs().mkdirs(lazy.getParent());
    cluster.fs().setStoragePolicy(lazy.getParent(), HdfsConstants.MEMORY_STORAGE_POLICY_NAME);
    cluster.fs().rename(stripe.get(0), lazy, Options.Rename.NONE);
    RackCluster.await("it has its replicas back", () -> replicas(lazy) == 3);
    awaitWalks(3);
    assertEquals(3, factor(lazy));
    assertEquals(1, factor(stripe.get(1)));
  }

  @Test
  void anAppendDoesNotWaitForReplicasInMaintenance() throws Exception {
    Map<Path, byte[]> bytes = new LinkedHashMap<>();
    Path appended = encodedStripe(bytes).get(0);
    String holder = block(appended).getLocations()[0].getDatanodeUuid();
    administer(admin -> admin::startMaintenance, holder);
    try {
      try (OutputStream out = appendOnceItHasItsReplicas(appended)) {
        out.write(new byte[100]);
      }
      assertReadsBack(appended, Arrays.copyOf(bytes.get(appended), FILE_BYTES + 100));
    } finally {
      administer(admin -> (datanode, endMs) -> admin.stopMaintenance(datanode), holder);
    }
  }

  /** As an operator's host rules would have it. */
  private void administer(
      Function<DatanodeAdminManager, ObjLongConsumer<DatanodeDescriptor>> what, String uuid) {
    var namesystem = cluster.mini().getNamesystem();
    namesystem.writeLock();
    try {
      var datanodes = namesystem.getBlockManager().getDatanodeManager();
      what.apply(datanodes.getDatanodeAdminManager())
          .accept(datanodes.getDatanode(uuid), Long.MAX_VALUE);
    } finally {
      namesystem.writeUnlock(LockHolder.NAME);
    }
  }

  @Test
  void oneReplicaThatTheOwnerAskedForIsAllHeGets() throws Exception {
    Path part = encodedStripe(new LinkedHashMap<>()).get(0);
    try (OutputStream out =
        cluster
            .fs()
            .append(part, EnumSet.of(CreateFlag.APPEND, CreateFlag.NEW_BLOCK), 4096, null)) {
      out.write(new byte[100]);
    }
    assertEquals(3, factor(part), "a block of it is not encoded");
    assertTrue(cluster.fs().setReplication(part, (short) 1));
    awaitWalks(3);
    assertEquals(1, factor(part));
  }

  @Test
  void aBlockThatOnlyASnapshotKeepsOfAFileThatIsThereHoldsNobodyUp() throws Exception {
    Map<Path, byte[]> bytes = new LinkedHashMap<>();
    List<Path> stripe = encodedStripe(bytes);
    Path appended = stripe.get(1);
    Path cut = new Path(EncodedWarehouse.DIRECTORY, "cut/file");
    cluster.fs().mkdirs(cut.getParent());
    cluster.fs().rename(stripe.get(0), cut, Options.Rename.NONE);
    cluster.fs().allowSnapshot(cut.getParent());
    Path snapshot = cluster.fs().createSnapshot(cut.getParent(), "before");
    assertTrue(cluster.fs().truncate(cut, 0));
    cluster.fs().delete(stripe.get(2), false);

    try (OutputStream out = appendOnceItHasItsReplicas(appended)) {
      out.write(new byte[100]);
    }
    assertReadsBack(appended, Arrays.copyOf(bytes.get(appended), FILE_BYTES + 100));
    assertReadsBack(new Path(snapshot, "file"), bytes.get(stripe.get(0)));
    awaitWalks(2);
    assertEquals(1, factor(cut), "it has nothing to restore");
    cluster.fs().deleteSnapshot(cut.getParent(), "before");
  }
}
