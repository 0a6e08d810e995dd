package org.rackweave.sim.reading;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rackweave.eafr.Action;
import org.rackweave.sim.engine.SimTime;
import org.rackweave.sim.reading.CdrmSystem.Target;
import org.rackweave.sim.reading.EafrSettings.Reading;
import org.rackweave.sim.reading.ReadRun.SystemMaker;

class ReadRunTest {
  private static final long GIGABYTE = 1_000_000_000L;

  /** Servers of one kind: five racks of four, ten places. */
  private static ServerPark park(long storageBytes) {
    int[] places = new int[20];
    long[] storage = new long[20];
    Arrays.fill(places, 10);
    Arrays.fill(storage, storageBytes);
    return new ServerPark(ServerPark.topology(5, 4), places, storage, 1e8);
  }

  /** Files of one size, the first ones read so often. */
  private static TracedFiles files(int count, long sizeBytes, double... reads) {
    long[] sizes = new long[count];
    Arrays.fill(sizes, sizeBytes);
    return new TracedFiles(sizes, Arrays.copyOf(reads, count));
  }

  private static ReadLoad load(double perSec, int together, boolean isWholeFile, int minutes) {
    return new ReadLoad(perSec, together, isWholeFile, 0, SimTime.ofMs(60_000L * minutes));
  }

  /** Each run checks that every read is in one place, and every byte on a server that has room. */
  @ParameterizedTest
  @ValueSource(longs = {11, 12, 13, 14, 15, 16})
  void keepsItsOwnRulesUnderAnySystem(long seed) {
    System.out.println("seed " + seed);
    SplittableRandom random = new SplittableRandom(seed);
    ServerPark park = ServerPark.drawn(3 + random.nextInt(4), 3 + random.nextInt(4), random);
    TracedFiles files = TracedFiles.drawn(600, 200, TracedFiles.SIZE_EXPONENT, random);
    ReadLoad load =
        new ReadLoad(
            1 + random.nextInt(20),
            1 + random.nextInt(40),
            random.nextBoolean(),
            SimTime.ofMs(60_000),
            SimTime.ofMs(60_000L * 65));
    List<SystemMaker> systems =
        List.of(
            setting -> setting.fixed(3),
            setting -> setting.cdrm(Target.AT_ONE_IN_TEN),
            setting -> setting.cdrm(new Target(0.98, 0.1, 2, true)),
            setting -> setting.eafr(EafrSettings.PAPER),
            setting -> setting.eafr(EafrSettings.PAPER.afterStock()),
            setting -> setting.eafr(EafrSettings.PAPER.reading(Reading.ALGORITHM_3)));
    for (SystemMaker system : systems) {
      ReadRecord record = new ReadRun(park, files, load, system, seed).run();
      assertTrue(record.latencies().count() > 0);
      for (int server = 0; server < park.servers(); server++) {
        assertTrue(record.replicas().freeBytes(server) >= 0, "server " + server);
      }
      for (int file = 0; file < files.count(); file++) {
        long distinct = Arrays.stream(record.replicas().holders(file)).distinct().count();
        assertEquals(record.replicas().holders(file).length, distinct, "file " + file);
      }
    }
  }

  /** Section 4.1.1: CDRM takes the servers with the fewest reads, HDFS random ones. */
  @Test
  void cdrmDealsOutItsFirstReplicasEvenly() {
    TracedFiles files = files(40, GIGABYTE / 10, 1);
    ReadLoad load = load(0.01, 1, false, 15);
    assertEquals(List.of(4L), replicasOfServers(files, load, Target.AT_ONE_IN_TEN));
    List<Long> random = replicasOfServers(files, load, new Target(0.98, 0.1, 2, true));
    assertTrue(random.size() > 1, "replicas of servers " + random);
  }

  /** How many replicas servers have, each number once. */
  private static List<Long> replicasOfServers(TracedFiles files, ReadLoad load, Target target) {
    ReadRecord record =
        new ReadRun(park(100 * GIGABYTE), files, load, setting -> setting.cdrm(target), 5).run();
    return IntStream.range(0, 20)
        .mapToObj(
            server ->
                IntStream.range(0, files.count())
                    .filter(file -> record.replicas().isHolder(file, server))
                    .count())
        .distinct()
        .toList();
  }

  @Test
  void sameSeedSameRun() {
    ReadLoad load = load(5, 20, false, 30);
    TracedFiles files = files(50, GIGABYTE, 9, 5, 1);
    SystemMaker eafr = setting -> setting.eafr(EafrSettings.PAPER);
    ReadRecord one = new ReadRun(park(100 * GIGABYTE), files, load, eafr, 4).run();
    ReadRecord other = new ReadRun(park(100 * GIGABYTE), files, load, eafr, 4).run();
    assertEquals(one.latencies().meanMs(), other.latencies().meanMs());
    assertEquals(one.changes(), other.changes());
    assertEquals(one.storedBytes(), other.storedBytes());
  }

  /** Algorithm 1, lines 2 to 4, under Eq. 2 and 6. */
  @Test
  void aHotFileOnOverloadedServersGainsReplicas() {
    // 50 readers at once, ten times a second, each 0.7 ms of a link: heartbeats see queues.
    TracedFiles files = files(40, GIGABYTE, 1);
    ReadLoad load = load(10, 50, false, 45);
    SystemMaker eafr = setting -> setting.eafr(EafrSettings.PAPER);
    ReadRecord grown = new ReadRun(park(100 * GIGABYTE), files, load, eafr, 1).run();
    ReadRecord fixed =
        new ReadRun(park(100 * GIGABYTE), files, load, setting -> setting.fixed(2), 1).run();
    assertTrue(grown.replicas().holders(0).length > 2, "replicas of the hot file");
    assertEquals(2, grown.replicas().holders(1).length);
    assertTrue(grown.latencies().meanMs() < fixed.latencies().meanMs());
  }

  /** Lines 9 to 13: cold files move until standby servers are full, and those sleep. */
  @Test
  void coldFilesFillStandbyServersThatSleepThen() {
    // One server of each rack is standby, and full with eight files: less than 10 GB are left.
    TracedFiles files = files(90, 4 * GIGABYTE, 1);
    ReadLoad load = load(0.01, 1, false, 120);
    ReadRecord record =
        new ReadRun(
                park(40 * GIGABYTE), files, load, setting -> setting.eafr(EafrSettings.PAPER), 2)
            .run();
    assertTrue(record.cold() > 0, "servers asleep");
    assertTrue(record.changes().get(Action.MIGRATE) > 0);
    assertTrue(record.power().drawnNapping() < record.power().allOn());
  }

  /** Section 4.1.4: a server that serves nobody is not used, one with full places wholly. */
  @Test
  void utilisationIsThePartOfThePlacesTaken() {
    TracedFiles files = files(3, 100 * GIGABYTE, 1);
    ReadLoad load = load(1, 5, true, 30);
    ReadRecord record =
        new ReadRun(park(400 * GIGABYTE), files, load, setting -> setting.fixed(2), 3).run();
    assertEquals(1, record.utilisation().max(), "reads of 1000 s, five a second");
    assertEquals(0, record.utilisation().median());
    assertEquals(2 / 20.0, record.overloadedShare(), 1e-9);
    assertTrue(record.waitingAtEnd() > 0);
  }
}
