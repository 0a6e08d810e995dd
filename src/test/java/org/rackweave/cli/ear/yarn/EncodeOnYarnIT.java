package org.rackweave.cli.ear.yarn;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.DatanodeInfoBuilder;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.util.Time;
import org.apache.hadoop.util.ToolRunner;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.apache.hadoop.yarn.exceptions.ApplicationNotFoundException;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rackweave.Nightly;
import org.rackweave.cli.ear.EarCommand;
import org.rackweave.ear.ErasureCode;
import org.rackweave.hdfs.AgentConfig;
import org.rackweave.hdfs.AgentKeys;
import org.rackweave.hdfs.ConfigKeys;
import org.rackweave.hdfs.ConfiguredRules;
import org.rackweave.hdfs.RemovedKeys;
import org.rackweave.hdfs.datanode.ChosenRpcEngine;
import org.rackweave.hdfs.namenode.RackCluster;
import org.rackweave.hdfs.work.EncodeTask;
import org.rackweave.hdfs.work.WorkOrder;
import org.rackweave.hdfs.work.WorkQueue;
import org.rackweave.hdfs.work.WorkReport;

/**
 * Stripes encoded by MapReduce on YARN: an HDFS with block tokens in four racks, NodeManagers in
 * three of them.
 */
@Nightly
class EncodeOnYarnIT {
  private static final String POLICY =
      "org.apache.hadoop.hdfs.server.blockmanagement.EarBlockPlacementPolicy";

  private static final Map<String, String> NODE_MANAGERS =
      Map.of("127.0.0.11", "/r0", "127.0.0.12", "/r0", "127.0.0.21", "/r1", "127.0.0.31", "/r2");

  private static final String WITHOUT_NODE_MANAGER = "/r3";
  private static final int FILES = 8;
  private static final int BLOCKS = 6;

  @TempDir private static java.nio.file.Path directory;
  private static RackCluster hdfs;
  private static RackedYarn yarn;

  @BeforeAll
  static void startClusters() throws IOException {
    hdfs = RackCluster.start(conf(), 2, 2, 2, 2).awaitCoverage();
    yarn = RackedYarn.start(hdfs.fs().getConf(), NODE_MANAGERS, directory);
  }

  @AfterAll
  static void stopClusters() throws IOException {
    if (yarn != null) {
      yarn.close();
    }
    if (hdfs != null) {
      hdfs.close();
    }
  }

  /** Nothing is encoded by itself. */
  private static Configuration conf() {
    Configuration conf = RackCluster.conf();
    conf.setBoolean(DFSConfigKeys.DFS_BLOCK_ACCESS_TOKEN_ENABLE_KEY, true);
    ChosenRpcEngine.agentOn(conf);
    conf.set(DFSConfigKeys.DFS_DATANODE_PLUGINS_KEY, AgentConfig.PLUGIN);
    conf.set(AgentKeys.SAMPLER, "datanode");
    conf.set(AgentKeys.DECODE_ADDRESS, "127.0.0.1:0");
    conf.set(DFSConfigKeys.DFS_BLOCK_REPLICATOR_CLASSNAME_KEY, POLICY);
    conf.set(ConfiguredRules.CODES, "/warehouse=rs-2-1");
    conf.set(ConfigKeys.PAPER, "ear.rack-limit=1");
    conf.setInt(ConfigKeys.EAR_ENCODE_CONCURRENT, 0);
    conf.set(RemovedKeys.EAR_ENCODE_AGE, "1d");
    conf.set(ConfigKeys.EAR_SEAL_AGE, "1d");
    return conf;
  }

  /** What a command said. */
  private record Said(int exit, String err, JsonNode json) {}

  private static Said encode(String... args) throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    java.nio.file.Path json = directory.resolve("figures.json");
    List<String> all = new ArrayList<>(List.of(args));
    all.addAll(List.of("--json", json.toString()));
    int exit =
        ToolRunner.run(
            new Configuration(yarn.conf()),
            EarCommand.encode(new PrintStream(out, true), new PrintStream(err, true)),
            all.toArray(String[]::new));
    return new Said(
        exit,
        err.toString(StandardCharsets.UTF_8),
        exit == 0 ? new ObjectMapper().readTree(json.toFile()) : null);
  }

  @Test
  void jobsOfARackRunInItAndEncodeItsStripes() throws Exception {
    List<Path> files = new ArrayList<>();
    for (int i = 0; i < FILES; i++) {
      files.add(hdfs.write("/warehouse/cold/file" + i, BLOCKS, 3));
    }
    byte[] first = DFSTestUtil.readFileAsBytes(hdfs.fs(), files.get(0));

    Said said = encode("--path", "/warehouse/cold", "--engine", "yarn");

    assertEquals(0, said.exit(), said::err);
    JsonNode figures = said.json();
    // In four core racks at most one block each is too few for parity.
    assertTrue(figures.get("encoded_blocks_after").asInt() >= FILES * BLOCKS - 4, said.toString());
    assertEquals(
        figures.get("encoded_bytes_after").asLong(), figures.get("bytes_read_in_rack").asLong());
    assertEquals(0, figures.get("bytes_read_across_racks").asLong());
    assertEquals(0, figures.get("yarn_stripes_failed").asInt(), said::err);
    assertEquals(0, figures.get("yarn_stripes_refused").asInt(), said::err);
    assertEquals(0, figures.get("yarn_jobs_not_in_their_rack_by_binding").asInt(), said::err);
    int stripes = hdfs.context().stripes().encoded().stripeCount();
    int byJobs = figures.get("yarn_stripes_encoded").asInt();
    // DataNodes encode those of the rack without a NodeManager.
    assertTrue(byJobs > 0 && byJobs < stripes, byJobs + " of " + stripes);
    assertRanInTheirRacks(figures.get("yarn_jobs").asInt());
    assertArrayEquals(first, DFSTestUtil.readFileAsBytes(hdfs.fs(), files.get(0)));
    Path left = new Path(hdfs.fs().getHomeDirectory(), ".rackweave");
    assertEquals(0, hdfs.fs().listStatus(left).length);
  }

  /** As the ResourceManager has it. */
  private static void assertRanInTheirRacks(int jobs) {
    Set<String> racks = new HashSet<>();
    int ran = 0;
    for (RMApp job : yarn.applications()) {
      String host = RackedYarn.hostOf(job);
      if (host != null) {
        String rack = NODE_MANAGERS.get(host);
        assertEquals("rackweave encode " + rack, job.getName());
        racks.add(rack);
        ran++;
      }
    }
    assertTrue(ran >= jobs, ran + " of " + jobs);
    assertEquals(Set.copyOf(NODE_MANAGERS.values()), racks);
  }

  @Test
  void aJobWaitsForItsRackAndRunsNowhereElse() throws Exception {
    try (YarnClient client = client()) {
      RackJob nowhere = submit(WITHOUT_NODE_MANAGER, NODE_MANAGERS.keySet());
      RackJob astray = submit("/r1", Set.of("10.9.8.7"));

      RackCluster.await("the job on a node HDFS has elsewhere", () -> isOver(astray, client));
      WorkReport refused = astray.reports().iterator().next();
      assertEquals(WorkReport.State.REFUSED, refused.state());
      assertTrue(
          refused.message().contains("127.0.0.21 is not in /r1, where HDFS has [10.9.8.7]"),
          refused.message());
      assertEquals("127.0.0.21", RackedYarn.hostOf(yarn.application(astray.id())));
      RackCluster.await("its counter is kept", () -> isCounted(astray));

      // All the while there was room for it in other racks.
      assertNull(RackedYarn.hostOf(yarn.application(nowhere.id())));
      assertEquals(
          YarnApplicationState.ACCEPTED,
          client.getApplicationReport(nowhere.id()).getYarnApplicationState());
      nowhere.kill(client, "seen enough");
      RackCluster.await("it is over", () -> isOver(nowhere, client));
      assertEquals(WorkReport.State.REFUSED, nowhere.reports().iterator().next().state());
      assertNull(RackedYarn.hostOf(yarn.application(nowhere.id())));
      assertFalse(hdfs.fs().exists(submittedOf(nowhere)), "what never began leaves nothing");
      assertFalse(hdfs.fs().exists(submittedOf(astray)));
    }
  }

  private static Path submittedOf(RackJob job) throws IOException {
    String user = UserGroupInformation.getCurrentUser().getShortUserName();
    return new Path(
        "/tmp/hadoop-yarn/staging/"
            + user
            + "/.staging/"
            + job.id().toString().replace("application", "job"));
  }

  /** Both read from a DataNode that takes their call and never answers, so that neither ends. */
  @Test
  void twoJobsOfARackRunAtOnceAndNoMore() throws Exception {
    WorkQueue orders = new WorkQueue("rack", 600_000, 1);
    WorkSource work = (rack, said) -> orders.heard(rack, said, 0);
    List<Socket> readers = new CopyOnWriteArrayList<>();
    try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        YarnClient client = client()) {
      Thread answering = new Thread(() -> accept(silent, readers), "silent-datanode");
      answering.setDaemon(true);
      answering.start();
      for (int stripe = 0; stripe < 3 * RackQueue.STRIPES_PER_JOB; stripe++) {
        var unused = orders.give("/r0", readingFrom(silent.getLocalPort()), 600_000, 0);
      }
      int before = yarn.applications().size();
      RackQueue queue =
          new RackQueue(
              "/r0",
              Set.of("127.0.0.11", "127.0.0.12"),
              new RackQueue.Means(
                  null,
                  work,
                  client,
                  new JobConf(yarn.conf()),
                  hdfs.fs(),
                  2,
                  new YarnFigures(line -> {})));
      try {
        RackCluster.await("two jobs read", () -> hasStepped(queue) && readers.size() == 2);
        assertTrue(hasStepped(queue));
        List<RMApp> jobs = yarn.applications().subList(before, yarn.applications().size());
        assertEquals(2, jobs.size(), "the rest waits");
        for (RMApp job : jobs) {
          assertEquals("/r0", NODE_MANAGERS.get(RackedYarn.hostOf(job)));
        }
      } finally {
        queue.abandon();
        for (Socket reader : readers) {
          reader.close();
        }
      }
    }
  }

  private static boolean hasStepped(RackQueue queue) {
    try {
      queue.step();
      return true;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static void accept(ServerSocket server, List<Socket> accepted) {
    try {
      while (true) {
        accepted.add(server.accept());
      }
    } catch (IOException e) {
      return; // it is closed
    }
  }

  private static EncodeTask readingFrom(int port) {
    DatanodeInfo silent =
        new DatanodeInfoBuilder()
            .setDatanodeUuid("silent")
            .setIpAddr("127.0.0.1")
            .setHostName("localhost")
            .setXferPort(port)
            .build();
    LocatedBlock block = located(silent);
    return new EncodeTask(ErasureCode.named("rs-2-1"), List.of(block), List.of(block), 0);
  }

  private static LocatedBlock located(DatanodeInfo node) {
    return new LocatedBlock(
        new ExtendedBlock("pool", 1, 1, 1),
        new DatanodeInfo[] {node},
        new String[] {"storage"},
        new StorageType[] {StorageType.DISK});
  }

  @Test
  void aJobThatTheResourceManagerHasForgottenIsOver() throws Exception {
    try (YarnClient client = client()) {
      RackJob job = submit(WITHOUT_NODE_MANAGER, NODE_MANAGERS.keySet());
      assertTrue(hdfs.fs().exists(submittedOf(job)));
      YarnClient restarted = mock(YarnClient.class);
      when(restarted.getApplicationReport(job.id()))
          .thenThrow(new ApplicationNotFoundException("never heard of it"));

      job.look(restarted);

      assertTrue(job.isOver());
      assertEquals(WorkReport.State.REFUSED, job.reports().iterator().next().state());
      assertFalse(hdfs.fs().exists(submittedOf(job)));
      job.kill(client, "seen enough");
    }
  }

  @Test
  void batchesThatNobodyRemembersGo() throws Exception {
    Batch batch = Batch.of(List.of(), hdfs.fs());
    Batch.deleteForgotten(hdfs.fs(), Time.now());
    assertTrue(hdfs.fs().exists(batch.directory()), "its command may be at work");
    Batch.deleteForgotten(hdfs.fs(), Time.now() + Batch.FORGOTTEN_MS + 1000);
    assertFalse(hdfs.fs().exists(batch.directory()));

    // Its job may still run.
    assertEquals(List.of(), batch.reports());
    WorkReport late = new WorkReport(1, WorkReport.State.DONE, 1, "");
    assertThrows(FileNotFoundException.class, () -> batch.report(late));
    assertFalse(hdfs.fs().exists(batch.directory()));
  }

  private static YarnClient client() {
    YarnClient client = YarnClient.createYarnClient();
    client.init(yarn.conf());
    client.start();
    return client;
  }

  private static RackJob submit(String rack, Set<String> hosts) throws Exception {
    LocatedBlock block = located(hdfs.descriptor(0));
    EncodeTask task =
        new EncodeTask(ErasureCode.named("rs-2-1"), List.of(block), List.of(block), 0);
    return RackJob.submit(
        new JobConf(yarn.conf()), rack, hosts, List.of(new WorkOrder(7, task)), hdfs.fs());
  }

  private static boolean isOver(RackJob job, YarnClient client) {
    try {
      job.look(client);
      return job.isOver();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What MapReduce keeps of a job names its counters. */
  private static boolean isCounted(RackJob job) {
    String name = job.id().toString().replace("application", "job");
    try {
      var files = hdfs.fs().listFiles(new Path("/tmp/hadoop-yarn/staging/history"), true);
      while (files.hasNext()) {
        FileStatus file = files.next();
        if (file.getPath().getName().startsWith(name)
            && file.getPath().getName().endsWith(".jhist")) {
          return new String(
                  DFSTestUtil.readFileAsBytes(hdfs.fs(), file.getPath()), StandardCharsets.UTF_8)
              .contains(EncodeMapper.Counter.STRIPES_REFUSED_IN_WRONG_RACK.name());
        }
      }
      return false;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
