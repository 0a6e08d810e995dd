package org.rackweave.hdfs.datanode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rackweave.hdfs.AgentConfig;
import org.rackweave.hdfs.AgentConfig.Sampler;
import org.rackweave.telemetry.LinkCounters;

class NicSamplerTest {
  private static final String ADDRESS = "10.0.0.7";

  @TempDir private Path root;
  private FixtureHost host;
  private long nowMs;
  private int lookups;
  private final Map<String, String> addresses = new HashMap<>();

  @BeforeEach
  void startHost() throws IOException {
    host = new FixtureHost(root);
  }

  @Test
  void countsTheInterfaceThatCarriesTheRegisteredAddress() throws Exception {
    host.card("eth0").card("eth1").traffic("eth0", 1, 2).traffic("eth1", 300, 400);
    addresses.put(ADDRESS, "eth1");
    LinkSample sample = sampler("").sample(Heartbeats.of(ADDRESS));
    assertEquals("eth1", sample.link());
    assertEquals(300, sample.rxBytes());
    assertEquals(400, sample.txBytes());
  }

  @Test
  void countsTheConfiguredInterfaceWhateverTheAddress() throws Exception {
    host.card("eth0").card("eth10").traffic("eth10", 9, 9).traffic("eth0", 5, 6);
    assertEquals(5, sampler("eth0").sample(Heartbeats.of("203.0.113.1")).rxBytes());
    assertEquals(0, lookups);
  }

  @Test
  void countsABondAndNotItsSlaves() throws Exception {
    host.card("eth0").card("eth1").bond("bond0", "eth0", "eth1").traffic("bond0", 70, 80);
    assertEquals("bond0", linkUnder("bond0"));
  }

  @Test
  void countsTheDeviceUnderAVlan() throws Exception {
    host.card("eth0").vlan("eth0.100", "eth0");
    assertEquals("eth0", linkUnder("eth0.100"));
  }

  @Test
  void countsTheBondUnderAVlan() throws Exception {
    host.card("eth0").card("eth1").bond("bond0", "eth0", "eth1").vlan("storage", "bond0");
    assertEquals("bond0", linkUnder("storage"));
  }

  @Test
  void countsTheOnlyRealPortOfABridge() throws Exception {
    host.card("eth0").veth("veth1").veth("veth2").bridge("br0", "veth1", "eth0", "veth2");
    assertEquals("eth0", linkUnder("br0"));
  }

  @Test
  void countsTheBondUnderAVlanThatIsTheOnlyRealPortOfABridge() throws Exception {
    host.card("eth0").bond("bond0", "eth0").vlan("bond0.7", "bond0");
    host.veth("veth1").bridge("br0", "veth1", "bond0.7");
    assertEquals("bond0", linkUnder("br0"));
  }

  @Test
  void countsABridgeItselfWhenItHasSeveralRealPortsOrNone() throws Exception {
    host.card("eth0").card("eth1").bridge("br0", "eth0", "eth1");
    host.veth("veth1").bridge("docker0", "veth1").bridge("empty0");
    assertEquals("br0", linkUnder("br0"));
    assertEquals("docker0", linkUnder("docker0"));
    assertEquals("empty0", linkUnder("empty0"));
  }

  @Test
  void countsAVethThatCarriesTheAddressInsideAContainer() throws Exception {
    host.veth("eth0").traffic("eth0", 4, 5);
    assertEquals("eth0", linkUnder("eth0"));
  }

  @Test
  void endsWhenInterfacesLieOnEachOtherInALoop() throws Exception {
    host.card("a").card("b").vlan("x", "a");
    Files.createSymbolicLink(
        host.files().networkInterface("a").resolve("lower_x"), host.files().networkInterface("x"));
    Files.writeString(host.files().networkInterface("a").resolve("uevent"), "DEVTYPE=vlan\n");
    assertTrue(List.of("a", "x").contains(linkUnder("x")));
  }

  @Test
  void readsTheSpeedOfTheLinkItCounts() throws Exception {
    host.card("eth0").bond("bond0", "eth0").vlan("bond0.7", "bond0");
    host.speed("eth0", "10000").speed("bond0", "20000").speed("bond0.7", "1000");
    addresses.put(ADDRESS, "bond0.7");
    assertEquals(2_500_000_000L, sampler("").sample(Heartbeats.of(ADDRESS)).linkBytesPerSec());
  }

  @Test
  void reportsSpeedAsUnknownWhenTheDriverDoesNotTell() throws Exception {
    host.card("eth0").card("eth1").speed("eth1", "-1").card("eth2").speed("eth2", "");
    for (String name : List.of("eth0", "eth1", "eth2")) {
      assertEquals(0, sampler(name).sample(Heartbeats.of(ADDRESS)).linkBytesPerSec(), name);
    }
  }

  @Test
  void prefersTheConfiguredSpeed() throws Exception {
    host.card("eth0").speed("eth0", "10000");
    AgentConfig config =
        new AgentConfig(Sampler.AUTO, "eth0", 12_345, 2, Optional.empty(), 1, 0, false);
    assertEquals(
        12_345, sampler(config, List.of()).sample(Heartbeats.of(ADDRESS)).linkBytesPerSec());
  }

  @Test
  void neverCountsLoopback() {
    addresses.put("127.0.0.1", "lo");
    String reason = absence(sampler(""), "127.0.0.1");
    assertTrue(reason.contains("loopback"), reason);
    assertTrue(reason.contains("dfs.datanode.plugins"), reason);
    assertTrue(absence(sampler("lo"), ADDRESS).contains("loopback"));
  }

  @Test
  void saysWhichAddressNoInterfaceCarries() {
    String reason = absence(sampler(""), ADDRESS);
    assertTrue(reason.contains(ADDRESS), reason);
    assertTrue(reason.contains("rackweave.agent.interface"), reason);
  }

  @Test
  void pausesWhileTheInterfaceIsGoneAndResumesWhenItIsBack() throws Exception {
    host.card("eth0").traffic("eth0", 10, 10);
    addresses.put(ADDRESS, "eth0");
    NicSampler sampler = sampler("");
    sampler.sample(Heartbeats.of(ADDRESS));
    host.unplug("eth0");
    assertTrue(absence(sampler, ADDRESS).contains("eth0"));
    host.traffic("eth0", 3, 3);
    nowMs += 10_000;
    assertEquals(3, sampler.sample(Heartbeats.of(ADDRESS)).rxBytes());
  }

  @Test
  void looksForAMissingInterfaceOnlyNowAndThen() throws Exception {
    NicSampler sampler = sampler("");
    for (int heartbeat = 0; heartbeat < 10; heartbeat++) {
      absence(sampler, ADDRESS);
      nowMs += 999;
    }
    assertEquals(1, lookups);
    nowMs += 10;
    absence(sampler, ADDRESS);
    assertEquals(2, lookups);
  }

  @Test
  void followsTheAddressWhenTheDataNodeRegistersWithAnother() throws Exception {
    host.card("eth0").card("eth1");
    addresses.put(ADDRESS, "eth0");
    addresses.put("10.1.0.7", "eth1");
    NicSampler sampler = sampler("");
    assertEquals("eth0", sampler.sample(Heartbeats.of(ADDRESS)).link());
    assertEquals("eth1", sampler.sample(Heartbeats.of("10.1.0.7")).link());
  }

  @Test
  void noticesWithinAMinuteThatTheAddressMoved() throws Exception {
    host.card("eth0").card("eth1");
    addresses.put(ADDRESS, "eth0");
    NicSampler sampler = sampler("");
    assertEquals("eth0", sampler.sample(Heartbeats.of(ADDRESS)).link());
    addresses.put(ADDRESS, "eth1");
    assertEquals("eth0", sampler.sample(Heartbeats.of(ADDRESS)).link());
    nowMs += 60_000;
    assertEquals("eth1", sampler.sample(Heartbeats.of(ADDRESS)).link());
  }

  @Test
  void startsANewEpochWhen32BitCountersWrap() throws Exception {
    host.card("eth0").traffic("eth0", (1L << 32) - 5, 100);
    NicSampler sampler = sampler("eth0");
    CounterEpoch epoch = new CounterEpoch(() -> 1_000, () -> nowMs);
    epoch.advance(sampler.sample(Heartbeats.of(ADDRESS)));
    host.traffic("eth0", 20, 150);
    nowMs += 3_000;
    epoch.advance(sampler.sample(Heartbeats.of(ADDRESS)));
    assertEquals(1_001, epoch.epochMs());
    assertEquals(0, epoch.uptimeMs());
  }

  @Test
  void staysInRangeWhen64BitCountersUseTheirTopBit() throws Exception {
    host.card("eth0").traffic("eth0", -1, Long.MIN_VALUE + 3);
    LinkSample sample = sampler("eth0").sample(Heartbeats.of(ADDRESS));
    assertEquals(Long.MAX_VALUE, sample.rxBytes());
    assertEquals(3, sample.txBytes());
  }

  @Test
  void failsWhenTheKernelsTableMakesNoSense() throws Exception {
    host.card("eth0");
    Files.writeString(host.files().netDev(), "eth0: 1 2 3\n");
    assertThrows(IOException.class, () -> sampler("eth0").sample(Heartbeats.of(ADDRESS)));
    Files.writeString(host.files().netDev(), "eth0: many 0 0 0 0 0 0 0 more 0\n");
    assertThrows(IOException.class, () -> sampler("eth0").sample(Heartbeats.of(ADDRESS)));
  }

  @Test
  void readsATableWhoseCountersTouchTheName() throws Exception {
    host.card("eth0");
    Files.writeString(host.files().netDev(), "xeth0:9 9 9 9 9 9 9 9 9 9\neth0:123 0 0 0 0 0 0 0 4");
    LinkSample sample = sampler("eth0").sample(Heartbeats.of(ADDRESS));
    assertEquals(123, sample.rxBytes());
    assertEquals(4, sample.txBytes());
  }

  /** A heartbeat does not tell reads from writes, so that any may be reads; one thread serves. */
  @Test
  void takesTransfersFromTheHeartbeatWhereNobodyTellsThemApart() throws Exception {
    host.card("eth0");
    LinkSample sample = sampler("eth0").sample(Heartbeats.of(ADDRESS));
    assertEquals(Heartbeats.XMITS + Heartbeats.XCEIVERS - 1, sample.readers());
    assertEquals(Heartbeats.XCEIVERS - 1, sample.writers());
  }

  @Test
  void takesReadsAndWritesFromTheDataNodeWhereItsPluginRuns() throws Exception {
    host.card("eth0");
    OwnTraffic traffic =
        answering(
            Map.of(
                "datanodeUuid",
                Heartbeats.UUID,
                "readers",
                5,
                "writers",
                2,
                "bytesWritten",
                1234L));
    StartedDataNodes.add(traffic);
    try {
      LinkSample sample = sampler("eth0").sample(Heartbeats.of(ADDRESS));
      assertEquals(5, sample.readers());
      assertEquals(2, sample.writers());
      assertEquals(1234, sample.blockBytesReceived());
    } finally {
      StartedDataNodes.remove(traffic);
    }
  }

  @Test
  void readsOnlyTheCountersOfTheLinkThatAHeartbeatHasFound() throws Exception {
    host.card("eth0").traffic("eth0", 300, 400);
    addresses.put(ADDRESS, "eth0");
    NicSampler sampler = sampler("");
    assertEquals(Optional.empty(), sampler.counters(Heartbeats.UUID), "not looked for yet");
    sampler.sample(Heartbeats.of(ADDRESS));
    host.traffic("eth0", 350, 450);
    assertEquals(
        new LinkCounters("eth0", 350, 450, LinkCounters.UNKNOWN, LinkCounters.UNKNOWN),
        sampler.counters(Heartbeats.UUID).orElseThrow());
    assertEquals(1, lookups);
    host.unplug("eth0");
    assertEquals(Optional.empty(), sampler.counters(Heartbeats.UUID));
  }

  @Test
  void tellsBlocksApartWhereThePluginRuns() throws Exception {
    host.card("eth0").traffic("eth0", 300, 400);
    NicSampler sampler = sampler("eth0");
    sampler.sample(Heartbeats.of(ADDRESS));
    Map<String, Object> answers = new HashMap<>();
    answers.put("datanodeUuid", Heartbeats.UUID);
    answers.put("bytesWritten", 100L);
    answers.put("bytesSent", 30L);
    answers.put("packetsReceived", 10L);
    answers.put("downstreamAcks", 10L);
    OwnTraffic traffic = answering(answers);
    StartedDataNodes.add(traffic);
    try {
      assertEquals(
          new LinkCounters("eth0", 300, 400, 100, 30),
          sampler.counters(Heartbeats.UUID).orElseThrow());
      answers.putAll(Map.of("bytesWritten", 180L, "packetsReceived", 18L, "downstreamAcks", 14L));
      assertEquals(
          new LinkCounters("eth0", 300, 400, 180, 30 + 40),
          sampler.counters(Heartbeats.UUID).orElseThrow(),
          "half was passed on");
    } finally {
      StartedDataNodes.remove(traffic);
    }
  }

  private static OwnTraffic answering(Map<String, Object> answers) {
    return (OwnTraffic)
        Proxy.newProxyInstance(
            OwnTraffic.class.getClassLoader(),
            new Class<?>[] {OwnTraffic.class},
            (self, method, arguments) ->
                method.getName().equals("equals")
                    ? self == arguments[0]
                    : answers.get(method.getName()));
  }

  @Test
  void addsUpTheDisksUnderTheDirectories() throws Exception {
    host.card("eth0");
    host.mounts(
        "22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw",
        "30 22 8:17 / /data/1 rw shared:2 - xfs /dev/sdb1 rw",
        "31 22 253:0 / /data/my\\040disk rw - xfs /dev/mapper/v rw",
        "32 22 0:40 / /data/tmp rw - tmpfs tmpfs rw");
    host.disks(
        "   8       1 sda1 5 0 10 0 6 0 1000 0 0 0 0",
        "   8      17 sdb1 5 0 10 0 6 0 7 0 0 0 0 0 0 0 0 0 0",
        "   8      18 sdb2 5 0 10 0 6 0 5000 0 0 0 0",
        " 253       0 dm-0 5 0 10 0 6 0 30 0 0 0 0");
    List<Path> directories =
        List.of(
            Path.of("/data/1/hdfs"),
            Path.of("/data/1/more"),
            Path.of("/data/my disk/hdfs"),
            Path.of("/data/tmp/hdfs"));
    assertEquals(
        (7 + 30) * 512,
        sampler(
                new AgentConfig(Sampler.AUTO, "eth0", 0, 2, Optional.empty(), 1, 0, false),
                directories)
            .sample(Heartbeats.of(ADDRESS))
            .diskWrittenBytes());
  }

  @Test
  void goesWithoutDisksWhenTheHostDoesNotShowThem() throws Exception {
    host.card("eth0").traffic("eth0", 5, 6);
    AgentConfig config = new AgentConfig(Sampler.AUTO, "eth0", 0, 2, Optional.empty(), 1, 0, false);
    NicSampler sampler = sampler(config, List.of(Path.of("/data/1")));
    LinkSample sample = sampler.sample(Heartbeats.of(ADDRESS));
    assertEquals(5, sample.rxBytes());
    assertEquals(0, sample.diskWrittenBytes());
  }

  private String linkUnder(String name) throws Exception {
    addresses.put(ADDRESS, name);
    return sampler("").sample(Heartbeats.of(ADDRESS)).link();
  }

  private static String absence(NicSampler sampler, String address) {
    return assertThrows(
            NothingToMeasureException.class, () -> sampler.sample(Heartbeats.of(address)))
        .getMessage();
  }

  private NicSampler sampler(String interfaceName) {
    return sampler(
        new AgentConfig(Sampler.AUTO, interfaceName, 0, 2, Optional.empty(), 1, 0, false),
        List.of());
  }

  private NicSampler sampler(AgentConfig config, List<Path> directories) {
    InterfaceLookup lookup =
        address -> {
          lookups++;
          return addresses.get(address);
        };
    return new NicSampler(
        config,
        host.files(),
        lookup,
        new DiskWrites(host.files(), directories, () -> nowMs),
        () -> nowMs);
  }
}
