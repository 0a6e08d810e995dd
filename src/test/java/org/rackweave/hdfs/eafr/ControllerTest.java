package org.rackweave.hdfs.eafr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.net.Node;
import org.junit.jupiter.api.Test;
import org.rackweave.eafr.ServerRole;
import org.rackweave.hdfs.ClusterView;
import org.rackweave.hdfs.ClusterViews;
import org.rackweave.hdfs.ConfigKeys;
import org.rackweave.hdfs.ConfiguredRules;
import org.rackweave.hdfs.EafrConfig;
import org.rackweave.hdfs.FeatureModes;
import org.rackweave.hdfs.Mode;
import org.rackweave.hdfs.RatesConfig;
import org.rackweave.hdfs.eafr.FileLookup.FoundFile;
import org.rackweave.history.EventLog;
import org.rackweave.model.ClusterTopology;
import org.rackweave.model.NodePlace;
import org.rackweave.telemetry.BlockReads;
import org.rackweave.telemetry.HeartbeatReport;
import org.rackweave.telemetry.HeartbeatReportCodec;
import org.rackweave.telemetry.ReportReader;

/** With the settings that ship: six DataNodes of which three serve as much as they can. */
class ControllerTest {
  private static final int SERVERS = 6;
  private static final int TICK_MS = 250;
  private static final int STALE_MS = 15_000;

  /** Reads a second of a DataNode that serves as much as it can, and readers that it has then. */
  private static final int FULL = 4;

  private static final int QUEUE = 15;

  private static final long HOT = 1;
  private static final long OTHER = 2;

  private long nowMs = TimeUnit.HOURS.toMillis(10);

  private final DatanodeDescriptor[] datanodes =
      IntStream.range(0, SERVERS)
          .mapToObj(i -> DFSTestUtil.getDatanodeDescriptor("10.0.0." + i, "/r" + i))
          .peek(datanode -> datanode.setAlive(true))
          .peek(datanode -> datanode.setRemaining(Long.MAX_VALUE))
          .toArray(DatanodeDescriptor[]::new);
  private final FakeFiles files = new FakeFiles();
  private final EafrConfig config = config();
  private final ClusterView cluster = cluster();
  private final ReadCounting counting =
      new ReadCounting(
          files,
          config.trackedFiles(),
          () ->
              new ReadCounting.Terms(
                  config.thresholds(), config.decay(), config.intervalMs(), STALE_MS));
  private final ServerLoads loads = new ServerLoads(() -> config, STALE_MS, uuid -> ServerRole.HOT);
  private final List<String> changes = new ArrayList<>();
  private FeatureModes modes = FeatureModes.all(Mode.ACTIVE);
  private final Controller controller =
      new Controller(
          new Controller.NameNodeCalls(
              files,
              new FakeMoves(),
              (fileId, from, to, before, after) -> {
                changes.add(fileId + ": " + from + " to " + to);
                FoundFile file = files.files(List.of(fileId)).get(0);
                files.put(
                    new FoundFile(
                        fileId,
                        file.path(),
                        to,
                        file.kind(),
                        file.lengthBytes(),
                        file.modifiedMs(),
                        file.blocks(),
                        after));
                return FactorChange.Result.DONE;
              },
              () -> nowMs,
              new EventLog(() -> 0, () -> 0)),
          () -> config,
          counting,
          loads,
          path -> false,
          new TransferRates(() -> new RatesConfig(false, 0.2, 0.5, 0.1), () -> false, 1000),
          () -> modes);

  private static EafrConfig config() {
    Configuration conf = new Configuration(false);
    conf.set(ConfiguredRules.HEAT, "/data=adapt max=6");
    conf.setInt(ConfigKeys.EAFR_TRACKED_FILES, 1000);
    return EafrConfig.from(conf);
  }

  private ClusterView cluster() {
    List<NodePlace> places = new ArrayList<>();
    Map<Node, Integer> numbers = new HashMap<>();
    for (int i = 0; i < SERVERS; i++) {
      places.add(new NodePlace(datanodes[i].getDatanodeUuid(), "/r" + i, null));
      numbers.put(datanodes[i], i);
    }
    return ClusterViews.of(ClusterTopology.of(places), datanodes, numbers);
  }

  ControllerTest() {
    store(HOT, 3, datanodes[0], datanodes[1], datanodes[2]);
    store(OTHER, 3, datanodes[0], datanodes[1], datanodes[2]);
    counting.begin();
    controller.begin(nowMs);
  }

  /** Written just now, as what a job has put out for others. */
  private void store(long file, int factor, DatanodeDescriptor... on) {
    files.add(file, factor, null);
    FoundFile found = files.files(List.of(file)).get(0);
    files.put(new FoundFile(file, found.path(), factor, found.kind(), 100, nowMs, 1, found.mark()));
    files.place(file, on);
  }

  /**
   * Some time passes.
   *
   * @param hotShare part of the reads of the first three DataNodes that are of the hot file
   * @param load part of what they can serve that they do
   */
  private void pass(int seconds, double hotShare, double load) {
    double hotReads = 0;
    double otherReads = 0;
    for (int tick = 0; tick < seconds * 1000 / TICK_MS; tick++) {
      nowMs += TICK_MS;
      hotReads += hotShare * load * FULL * TICK_MS / 1000;
      otherReads += (1 - hotShare) * load * FULL * TICK_MS / 1000;
      for (int node = 0; node < 3; node++) {
        tell(node, (long) hotReads, (long) otherReads);
        loads.heard(datanodes[node].getDatanodeUuid(), report((int) (load * QUEUE)), nowMs);
      }
      hotReads -= (long) hotReads;
      otherReads -= (long) otherReads;
      counting.count(nowMs);
      loads.look(cluster, nowMs);
      controller.goOn(cluster, nowMs, 1_000_000);
    }
  }

  private ReportReader report(int readers) {
    ReportReader report = new ReportReader();
    byte[] bytes =
        HeartbeatReportCodec.encode(
            new HeartbeatReport(1, nowMs, nowMs, 0, 0, 0, 0, 0, 0, readers, 0, List.of()));
    report.read(bytes, 0, bytes.length);
    return report;
  }

  private void tell(int node, long hot, long other) {
    List<BlockReads> reads = new ArrayList<>();
    if (hot > 0) {
      reads.add(new BlockReads(FakeFiles.FIRST_BLOCK + HOT, hot));
    }
    if (other > 0) {
      reads.add(new BlockReads(FakeFiles.FIRST_BLOCK + OTHER, other));
    }
    counting.told(datanodes[node].getDatanodeUuid(), reads, 0, nowMs);
  }

  @Test
  void aFileThatBecomesHotGetsAReplicaWithinTwoMinutes() {
    pass(600, 0, 0.5);
    assertEquals(List.of(), changes, "nobody is overloaded");
    pass(120, 0.4, 1);
    assertTrue(changes.contains(HOT + ": 3 to 4"), changes::toString);
  }

  @Test
  void aFileThatAsksLittleOfItsServersGetsNone() {
    pass(600, 0.02, 1);
    assertTrue(changes.stream().noneMatch(one -> one.startsWith(HOT + ":")), changes::toString);
  }

  @Test
  void whatIsDecidedEarlierDoesNotHideWhatAnIntervalDecided() {
    pass(125, 0.4, 0.5);
    Controller.Decided whole = controller.last();
    assertNull(controller.lastEarly(), "nobody is overloaded: no file can gain a replica");
    pass(45, 0.4, 1);
    assertNotNull(controller.lastEarly());
    assertSame(whole, controller.last());
  }

  @Test
  void itGetsNoOtherBeforeThatOneIsThere() {
    pass(600, 1, 1);
    assertEquals(List.of(HOT + ": 3 to 4"), changes, "HDFS owes it a replica");
    files.place(HOT, datanodes[0], datanodes[1], datanodes[2], datanodes[3]);
    pass(60, 1, 1);
    assertEquals(List.of(HOT + ": 3 to 4", HOT + ": 4 to 5"), changes);
  }

  @Test
  void whatIsColdIsDecidedWhenAnIntervalIsOver() {
    files.add(3, 4, "3 3 4 1 1");
    files.place(3, datanodes[2], datanodes[3], datanodes[4], datanodes[5]);
    pass(115, 0, 0);
    assertEquals(List.of(), changes);
    pass(10, 0, 0);
    assertEquals(List.of("3: 4 to 3"), changes);
  }

  @Test
  void restoringEndsWhenHeatIsSwitchedOn() {
    controller.begin(nowMs);
    assertThrows(IllegalStateException.class, () -> controller.restore("/"));
    assertNull(controller.restoring());
    modes = modes.with("heat=off");
    RestoreJob restoring = controller.restore("/");
    modes = modes.with("heat=shadow");
    controller.goOn(cluster, nowMs, 1_000_000);
    assertTrue(restoring.isOver());
    assertEquals("heat was switched on", restoring.reason());
  }
}
