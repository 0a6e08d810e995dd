package org.rackweave.cli.testbed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.abort;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.test.GenericTestUtils;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.rackweave.Nightly;

/** Real testbeds, small ones; they need root, iproute2 and iperf3. */
@Nightly
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class TestbedIT {

  private static final String PREFIX = "it";
  private static final String OTHER = "it2";
  private static final Duration DEADLINE = Duration.ofMinutes(3);

  private static final TestbedSpec SMALL =
      new TestbedSpec(PREFIX, 2, 2, 40, 80, 256, "", TestbedPolicy.STOCK, PlanFixture.shipped());

  @TempDir Path directory;

  @BeforeAll
  static void testbedsCanBeBuiltHere() {
    try {
      Requirements.check();
    } catch (IOException e) {
      abort(e.getMessage());
    }
  }

  @AfterEach
  void nothingIsLeft() throws IOException {
    List<String> left = new ArrayList<>();
    for (String prefix : List.of(PREFIX, OTHER)) {
      left.addAll(NamespaceProcesses.startingWith(prefix + "-"));
      Path run = Claim.BASE.resolve(prefix);
      if (Files.exists(run)) {
        left.add(run.toString());
      }
      Files.readAllLines(Path.of("/proc/self/mounts")).stream()
          .filter(line -> line.contains(run + "/"))
          .forEach(left::add);
      if (new File("/sys/class/net/" + NetworkPlan.controlLink(prefix)).exists()) {
        left.add(NetworkPlan.controlLink(prefix));
      }
      ProcessHandle.allProcesses()
          .filter(process -> process.info().commandLine().orElse("").contains(run + "/"))
          .forEach(process -> left.add(process.info().commandLine().orElseThrow()));
      Testbeds.down(prefix);
    }
    assertEquals(List.of(), left);
  }

  private void write(Testbed testbed, String host, String file) throws Exception {
    Path input = directory.resolve("input");
    Files.write(input, new byte[20 << 20]);
    Path log = directory.resolve("put.log");
    List<String> put =
        testbed.java(
            "org.apache.hadoop.fs.FsShell",
            List.of("-Xmx128m"),
            List.of("-put", input.toString(), file));
    Process process = testbed.run(host, put, log);
    assertEquals(0, process.waitFor(), () -> read(log));
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      return e.toString();
    }
  }

  private static List<LocatedBlock> blocks(Testbed testbed, String file) throws IOException {
    try (DFSClient client =
        new DFSClient(FileSystem.getDefaultUri(testbed.controlConf()), testbed.controlConf())) {
      return client.getLocatedBlocks(file, 0).getLocatedBlocks();
    }
  }

  @Test
  void clientsInsideWriteWithThePolicyInForceAndReplicasStandInTwoRacks() throws Exception {
    try (Testbed testbed = Testbeds.up(SMALL)) {
      String host = testbed.layout().dataNodes().get(0).name();
      for (TestbedPolicy policy : List.of(TestbedPolicy.STOCK, TestbedPolicy.SINBAD)) {
        testbed.usePolicy(policy);
        assertEquals(policy, testbed.policy());
        String file = "/" + policy.label();
        write(testbed, host, file);
        List<LocatedBlock> blocks = blocks(testbed, file);
        assertEquals(3, blocks.size());
        for (LocatedBlock block : blocks) {
          Set<String> racks = new HashSet<>();
          Arrays.stream(block.getLocations())
              .map(DatanodeInfo::getNetworkLocation)
              .forEach(racks::add);
          assertEquals(Set.of("/rack-1", "/rack-2"), racks);
        }
      }
      JsonNode bean = testbed.nameNodeJmx("Hadoop:service=NameNode,name=Rackweave");
      long placed = bean.path("Decisions").asLong() + bean.path("FallbackSmallBlock").asLong();
      assertTrue(placed >= 2, bean::toString);
      assertEquals(4, bean.path("MeasuredDataNodes").asInt(), bean::toString);
    }
  }

  @Test
  void linksCarryNoMoreThanTheyShouldAndCountWhatTheyCarry() throws Exception {
    try (Testbed testbed = Testbeds.up(SMALL)) {
      Layout layout = testbed.layout();
      Rack first = layout.racks().get(0);
      Host sender = first.dataNodes().get(0);
      Host receiver = first.dataNodes().get(1);
      checkSpeed(testbed, sender, receiver, layout.nicBytesPerSec());
      LinkBytes before = testbed.counters().uplinks().get(1);
      checkSpeed(testbed, first.background(), layout.sink(), layout.uplinkBytesPerSec());
      LinkBytes carried = testbed.counters().uplinks().get(1).since(before);
      // Two seconds of a link that is a tenth full are the least that iperf3 leaves.
      assertTrue(carried.txBytes() > layout.uplinkBytesPerSec() / 5, carried::toString);
      assertTrue(carried.rxBytes() < carried.txBytes() / 5, carried::toString);
    }
  }

  /** A shaper lets through its speed and one burst; how much it gets is not ours to test. */
  private void checkSpeed(Testbed testbed, Host from, Host to, long bytesPerSec) throws Exception {
    Path serverLog = directory.resolve("server-" + to.name());
    testbed.run(to.name(), List.of("iperf3", "-s", "-1", "--forceflush"), serverLog);
    await(() -> Files.exists(serverLog) && read(serverLog).contains("listening"));
    Path clientLog = directory.resolve("client-" + from.name());
    Process client =
        testbed.run(from.name(), List.of("iperf3", "-c", to.address(), "-t", "2", "-J"), clientLog);
    assertEquals(0, client.waitFor(), () -> read(clientLog));
    JsonNode sum = new ObjectMapper().readTree(clientLog.toFile()).path("end").path("sum_received");
    double allowed = bytesPerSec * sum.path("seconds").asDouble() + NetworkPlan.BURST_BYTES;
    assertTrue(sum.path("bytes").asLong() <= allowed, () -> sum + " is more than " + allowed);
    assertTrue(sum.path("bytes").asLong() > allowed / 10, () -> sum + " of " + allowed);
  }

  @Test
  void aKilledDataNodeDiesAndComesBackWithItsBlocks() throws Exception {
    try (Testbed testbed = Testbeds.up(SMALL)) {
      write(testbed, "r1h1", "/file");
      testbed.killDataNode("r1h1");
      assertThrows(IOException.class, () -> testbed.killDataNode("r1h1"));
      testbed.awaitLiveDataNodes(3, DEADLINE);
      testbed.startDataNode("r1h1");
      testbed.awaitLiveDataNodes(4, DEADLINE);
      assertThrows(IOException.class, () -> testbed.startDataNode("r1h1"));
      assertEquals(3, blocks(testbed, "/file").size());
    }
  }

  @Test
  void twoNamesStandSideBySideAndOneNameStandsOnce() throws Exception {
    TestbedSpec one = new TestbedSpec(PREFIX, 1, 1, 40, 80, 64, "", TestbedPolicy.STOCK, Map.of());
    try (Testbed testbed = Testbeds.up(one)) {
      IOException refused = assertThrows(IOException.class, () -> Testbeds.up(one));
      assertTrue(refused.getMessage().contains("already"), refused.getMessage());
      try (Testbed other =
          Testbeds.up(one.with(OTHER, one.congestionControl(), one.properties()))) {
        assertFalse(
            testbed.layout().nameNode().address().equals(other.layout().nameNode().address()));
        other.awaitLiveDataNodes(1, DEADLINE);
      }
      testbed.awaitLiveDataNodes(1, DEADLINE);
      try (Testbed attached = Testbeds.attach(PREFIX)) {
        assertEquals(testbed.layout(), attached.layout());
        assertEquals(1, attached.counters().nics().size());
      }
      testbed.awaitLiveDataNodes(1, DEADLINE);
    }
  }

  @Test
  void namespacesOfOthersAreLeftAlone() throws Exception {
    String foreign = PREFIX + "-r1h1";
    Shell.run(List.of("ip", "netns", "add", foreign));
    try {
      IOException refused = assertThrows(IOException.class, () -> Testbeds.up(SMALL));
      assertTrue(refused.getMessage().contains(foreign), refused.getMessage());
      assertTrue(NamespaceProcesses.exists(foreign));
      assertFalse(Testbeds.down(PREFIX));
      assertTrue(NamespaceProcesses.exists(foreign));
    } finally {
      Shell.run(List.of("ip", "netns", "del", foreign));
    }
  }

  @Test
  void anInterruptedStartLeavesNothing() throws Exception {
    Process up = startUp();
    await(() -> !NamespaceProcesses.startingWith(PREFIX + "-r2").isEmpty());
    up.destroy();
    assertTrue(up.waitFor(1, TimeUnit.MINUTES));
  }

  @Test
  void downRemovesWhatAKilledStartLeft() throws Exception {
    Process up = startUp();
    await(() -> !NamespaceProcesses.in(List.of(PREFIX + "-r1h2")).isEmpty());
    up.destroyForcibly().waitFor();
    assertTrue(NamespaceProcesses.exists(PREFIX + "-nn"));
    assertTrue(Testbeds.down(PREFIX));
  }

  private Process startUp() throws IOException {
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("java.class.path"),
            "org.rackweave.cli.Checkout",
            "testbed",
            "up",
            "--prefix",
            PREFIX,
            "--racks",
            "2");
    return new ProcessBuilder(command).inheritIO().start();
  }

  private interface Condition {
    boolean holds() throws IOException;
  }

  private static void await(Condition condition) throws Exception {
    GenericTestUtils.waitFor(
        () -> {
          try {
            return condition.holds();
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        },
        10,
        (int) DEADLINE.toMillis());
  }
}
