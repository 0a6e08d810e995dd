package org.rackweave.sim.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.rackweave.model.ClusterTopology;
import org.rackweave.sim.SmallCluster;

class GeneratorTest {
  private static final long HOUR_NANOS = 3_600_000_000_000L;
  private static final long SEED = 5;
  private static final ClusterTopology RACKS = Inputs.racks(4, 1, 7);
  private static final FileShape SHAPE =
      new FileShape(new Distribution.LogUniform(1, 1e9), 128 << 20, 3);

  private static PoissonWrites writes(SplittableRandom random) {
    return new PoissonWrites(4, HOUR_NANOS, SHAPE, Clients.anyNode(RACKS), random);
  }

  private static PopularReads reads(SplittableRandom random) {
    return new PopularReads(
        100,
        SHAPE,
        new Popularity.Zipf(1),
        new PopularReads.Rate(6, 3, HOUR_NANOS),
        Clients.outside(),
        random);
  }

  private static RandomTransfers transfers(SplittableRandom random) {
    return new RandomTransfers(
        2, HOUR_NANOS, new Distribution.Exponential(64e6), 0.25, RACKS, random);
  }

  private static NodeForeground foreground(SplittableRandom random) {
    return new NodeForeground(500, PublishedStatistics.dayuForeground(HOUR_NANOS), random);
  }

  private static SwimFiles swim(SplittableRandom random) {
    SwimTrace trace = SwimLookAlike.draw(3_600_000, random.split());
    SwimFiles.Use use = new SwimFiles.Use(true, true, 1 << 30, 128 << 20, 3, 1, HOUR_NANOS);
    return new SwimFiles(trace, use, Clients.anyNode(RACKS), random);
  }

  private static ShuffleTraffic shuffles(SplittableRandom random) {
    CoflowTrace trace = CoflowLookAlike.draw(20, 600_000, random.split());
    ShuffleTraffic.Playing twice =
        new ShuffleTraffic.Playing(2, 600_000, Reshuffle.BOTH, 1.5, 2, 0.5);
    return new ShuffleTraffic(trace, twice, RACKS, random);
  }

  private static UnionWorkload union(SplittableRandom random) {
    return new UnionWorkload(
        List.of(writes(random), reads(random), transfers(random), swim(random), shuffles(random)));
  }

  static Stream<Function<SplittableRandom, Workload>> generators() {
    return Stream.of(
        GeneratorTest::writes,
        GeneratorTest::reads,
        GeneratorTest::transfers,
        GeneratorTest::foreground,
        GeneratorTest::swim,
        GeneratorTest::shuffles,
        GeneratorTest::union);
  }

  @ParameterizedTest
  @MethodSource("generators")
  void aSeedIsAWorkloadAndTimeDoesNotGoBack(Function<SplittableRandom, Workload> generator) {
    Workload workload = generator.apply(new SplittableRandom(SEED));
    List<TimedRequest> requests = workload.requests().toList();
    assertEquals(requests, workload.requests().toList(), "the same again");
    assertEquals(requests, generator.apply(new SplittableRandom(SEED)).requests().toList());
    assertNotEquals(requests, generator.apply(new SplittableRandom(SEED + 1)).requests().toList());
    assertEquals(workload.storedFiles().toList(), workload.storedFiles().toList());
    long last = 0;
    for (TimedRequest request : requests) {
      assertTrue(request.atNanos() >= last, "seed " + SEED + ": " + request + " after " + last);
      last = request.atNanos();
    }
  }

  @ParameterizedTest
  @MethodSource("generators")
  void filesAreReadOnlyOnceTheyAreThere(Function<SplittableRandom, Workload> generator) {
    Workload workload = generator.apply(new SplittableRandom(SEED));
    java.util.Set<Long> there = new java.util.HashSet<>();
    workload.storedFiles().forEach(file -> assertTrue(there.add(file.file()), "twice: " + file));
    workload
        .requests()
        .forEachOrdered(
            request -> {
              if (request instanceof TimedRequest.Write write) {
                assertTrue(there.add(write.file()), "seed " + SEED + ": twice " + write);
                assertTrue(write.sizeBytes() > 0);
              } else if (request instanceof TimedRequest.Read read) {
                assertTrue(there.contains(read.file()), "seed " + SEED + ": " + read);
              } else if (request instanceof TimedRequest.Transfer transfer) {
                assertNotEquals(transfer.from(), transfer.to());
                assertTrue(transfer.sizeBytes() > 0);
              }
            });
  }

  @Test
  void writesComeAtTheirRateAndFromEveryNode() {
    List<TimedRequest> requests = writes(new SplittableRandom(SEED)).requests().toList();
    assertEquals(4 * 3600, requests.size(), 360, "seed " + SEED);
    int[] byNode = new int[RACKS.nodeCount()];
    double gaps = 0;
    double squares = 0;
    long last = 0;
    for (TimedRequest request : requests) {
      byNode[((TimedRequest.Write) request).writer()]++;
      double gap = (request.atNanos() - last) / 1e9;
      gaps += gap;
      squares += gap * gap;
      last = request.atNanos();
    }
    double mean = gaps / requests.size();
    double cv = Math.sqrt(squares / requests.size() - mean * mean) / mean;
    assertEquals(1, cv, 0.05, "gaps are exponential, seed " + SEED);
    for (int count : byNode) {
      assertEquals(requests.size() / 12.0, count, 150, "seed " + SEED);
    }
  }

  @Test
  void readsFollowZipfAndComeTogether() {
    List<TimedRequest> requests = reads(new SplittableRandom(SEED)).requests().toList();
    assertEquals(0, requests.size() % 3);
    int[] byFile = new int[100];
    for (int i = 0; i < requests.size(); i++) {
      TimedRequest.Read read = (TimedRequest.Read) requests.get(i);
      TimedRequest.Read first = (TimedRequest.Read) requests.get(i - i % 3);
      assertEquals(first.file(), read.file());
      assertEquals(first.atNanos(), read.atNanos());
      byFile[(int) read.file()]++;
    }
    double harmonic = 5.187;
    assertEquals(1 / harmonic, (double) byFile[0] / requests.size(), 0.02, "seed " + SEED);
    assertEquals(0.1 / harmonic, (double) byFile[9] / requests.size(), 0.006, "seed " + SEED);
  }

  @Test
  void drawnPopularityGivesEveryFileItsShare() {
    Popularity.Drawn drawn = new Popularity.Drawn(PublishedStatistics.eafrReadsPerFile());
    double[] weights = drawn.weights(16_566, new SplittableRandom(SEED));
    long few = Arrays.stream(weights).filter(reads -> reads < 30).count();
    long many = Arrays.stream(weights).filter(reads -> reads > 400).count();
    assertEquals(0.43, few / 16_566.0, 0.015, "seed " + SEED);
    assertEquals(0.04, many / 16_566.0, 0.005, "seed " + SEED);
  }

  @Test
  void transfersCrossRacksAsOftenAsAsked() {
    int cross = 0;
    int fromSingle = 0;
    List<TimedRequest> requests = transfers(new SplittableRandom(SEED)).requests().toList();
    for (TimedRequest request : requests) {
      TimedRequest.Transfer transfer = (TimedRequest.Transfer) request;
      boolean single = RACKS.rackOf(transfer.from()) == 1;
      fromSingle += single ? 1 : 0;
      cross += !single && RACKS.rackOf(transfer.from()) != RACKS.rackOf(transfer.to()) ? 1 : 0;
    }
    assertEquals(0.25, (double) cross / (requests.size() - fromSingle), 0.02, "seed " + SEED);
  }

  /** Dayu, section 2.2, observations 2, 3 and 5. */
  @Test
  void foregroundIsAsDayusAuthorsMeasuredIt() {
    int nodes = 500;
    List<double[]> slots = new ArrayList<>();
    foreground(new SplittableRandom(SEED))
        .requests()
        .forEachOrdered(
            request -> {
              TimedRequest.NodeLoad load = (TimedRequest.NodeLoad) request;
              if (load.node() == 0) {
                slots.add(new double[nodes]);
              }
              slots.get(slots.size() - 1)[load.node()] = load.inBytesPerSec() / 250e6;
            });
    assertEquals(240, slots.size(), "an hour of 15 s");
    double[] hour = new double[nodes];
    int small = 0;
    double most = 0;
    for (int slot = 0; slot < slots.size(); slot++) {
      double cv = coefficientOfVariation(slots.get(slot));
      assertTrue(cv > 0.4 && cv < 0.6, "seed " + SEED + " slot " + slot + ": " + cv);
      for (int node = 0; node < nodes; node++) {
        hour[node] += slots.get(slot)[node] / slots.size();
        double change = slot == 0 ? 0 : Math.abs(slots.get(slot)[node] - slots.get(slot - 1)[node]);
        small += change < 0.144 ? 1 : 0;
        most = Math.max(most, change);
      }
    }
    double mean = Arrays.stream(hour).average().orElseThrow();
    assertEquals(0.4, mean, 0.02, "seed " + SEED);
    double smallShare = small / (double) (slots.size() * nodes);
    assertTrue(smallShare > 0.95 && smallShare < 0.98, "seed " + SEED + ": " + smallShare);
    assertTrue(most > 0.5 && most <= NodeForeground.CHANGE_MAX + 1e-9, "largest " + most);
    assertTrue(coefficientOfVariation(hour) < 0.2, "balanced over an hour");
  }

  private static double coefficientOfVariation(double[] values) {
    double mean = Arrays.stream(values).average().orElseThrow();
    double variance = Arrays.stream(values).map(x -> (x - mean) * (x - mean)).sum() / values.length;
    return Math.sqrt(variance) / mean;
  }

  @Test
  void swimJobsKeepTheirBytesInParts() {
    SwimTrace trace =
        new SwimTrace(
            List.of(
                new SwimJob("a", 1_000, 250, 7, 100),
                new SwimJob("b", 4_000, 0, 7, 201),
                new SwimJob("c", 9_000, 50, 7, 50)));
    SwimFiles.Use use = new SwimFiles.Use(true, true, 100, 64, 2, 2, 4_000_000_000L);
    SwimFiles swim = new SwimFiles(trace, use, Clients.outside(), new SplittableRandom(SEED));
    assertEquals(
        List.of(
            new StoredFile(0, 100, 64, 2),
            new StoredFile(1, 100, 64, 2),
            new StoredFile(2, 50, 64, 2)),
        swim.storedFiles().toList());
    long half = 500_000_000;
    assertEquals(
        List.of(
            new TimedRequest.Read(half, -1, 0),
            new TimedRequest.Read(half, -1, 1),
            new TimedRequest.Read(half, -1, 2),
            new TimedRequest.Write(half, -1, 3, 100, 64, 2),
            new TimedRequest.Write(4 * half, -1, 4, 100, 64, 2),
            new TimedRequest.Write(4 * half, -1, 5, 100, 64, 2),
            new TimedRequest.Write(4 * half, -1, 6, 1, 64, 2)),
        swim.requests().toList(),
        "twice as fast, and the third job comes too late");
  }

  @Test
  void unionKeepsFilesApartAndTellsWhoseTheyAre() {
    Workload one = reads(new SplittableRandom(1));
    Workload two = writes(new SplittableRandom(2));
    UnionWorkload union = new UnionWorkload(List.of(one, two));
    List<TimedRequest> requests = union.requests().toList();
    assertEquals(one.requests().count() + two.requests().count(), requests.size());
    for (TimedRequest request : requests) {
      if (request instanceof TimedRequest.Write write) {
        assertEquals(1, union.partOf(write.file()));
      } else if (request instanceof TimedRequest.Read read) {
        assertEquals(0, union.partOf(read.file()));
      }
    }
  }

  @Test
  void lostChunksLieAsRandomPlacementLeavesThem() {
    ClusterTopology topology = Inputs.square(10, 20);
    LostChunks chunks =
        new LostChunks(
            topology,
            47,
            20_000,
            new Distribution.Fixed(64 << 20),
            LostChunks.Layout.TWO_RACKS,
            new SplittableRandom(SEED));
    double[] common = new double[200];
    int pairs = 0;
    for (LostChunks.Lost lost : chunks.chunks().toList()) {
      assertNotEquals(lost.holderA(), lost.holderB());
      assertTrue(lost.holderA() != 47 && lost.holderB() != 47);
      int rackA = topology.rackOf(lost.holderA());
      int rackB = topology.rackOf(lost.holderB());
      assertTrue(rackA == 2 ^ rackA == rackB, "two racks, the failed node's among them or not");
      pairs += rackA == rackB ? 1 : 0;
      common[lost.holderA()]++;
      common[lost.holderB()]++;
    }
    assertEquals(1 / 3.0, pairs / 20_000.0, 0.015, "seed " + SEED);
    double[] elsewhere = Arrays.copyOfRange(common, 60, 200);
    double binomial = 1 / Math.sqrt(Arrays.stream(elsewhere).average().orElseThrow());
    assertEquals(binomial, coefficientOfVariation(elsewhere), 0.4 * binomial, "bell curve");
  }

  @Test
  void lostChunksMayStandInThreeRacks() {
    ClusterTopology topology = Inputs.square(10, 20);
    LostChunks chunks =
        new LostChunks(
            topology,
            47,
            20_000,
            new Distribution.Fixed(64 << 20),
            LostChunks.Layout.DISTINCT_RACKS,
            new SplittableRandom(SEED));
    double[] common = new double[200];
    for (LostChunks.Lost lost : chunks.chunks().toList()) {
      int rackA = topology.rackOf(lost.holderA());
      int rackB = topology.rackOf(lost.holderB());
      assertTrue(rackA != rackB && rackA != 2 && rackB != 2, "the failed node's is the third");
      common[lost.holderA()]++;
      common[lost.holderB()]++;
    }
    double[] elsewhere = Arrays.copyOfRange(common, 60, 200);
    double binomial = 1 / Math.sqrt(Arrays.stream(elsewhere).average().orElseThrow());
    assertEquals(binomial, coefficientOfVariation(elsewhere), 0.4 * binomial, "bell curve");
    assertEquals(
        chunks.chunks().limit(50).toList(), chunks.chunks().limit(50).toList(), "seed " + SEED);
  }

  @Test
  void summaryCountsEverything() {
    Workload workload =
        new UnionWorkload(List.of(writes(new SplittableRandom(1)), reads(new SplittableRandom(2))));
    WorkloadSummary summary = WorkloadSummary.of(workload);
    assertEquals(100, summary.storedFiles());
    assertEquals(
        workload.requests().filter(TimedRequest.Write.class::isInstance).count(),
        summary.kinds().get("write").count());
    WorkloadSummary.Kind reads = summary.kinds().get("read");
    assertEquals(reads.count(), reads.outside());
    assertEquals(3, summary.lines().size());
  }

  @Test
  void allRacksButAFewAreHotAndThenAllButOthers() {
    ClusterTopology topology = new SmallCluster(5, 2).topology;
    HotRacks.Shape shape = new HotRacks.Shape(2, 80, 40, 20, 60);
    List<TimedRequest> loads =
        new HotRacks(topology, shape, new SplittableRandom(3)).requests().toList();
    assertEquals(3 * 10, loads.size());
    Set<Integer> before = Set.of();
    for (int stay = 0; stay < 3; stay++) {
      Set<Integer> free = new HashSet<>();
      for (TimedRequest request : loads.subList(10 * stay, 10 * stay + 10)) {
        TimedRequest.NodeLoad load = (TimedRequest.NodeLoad) request;
        assertEquals(20 * stay, load.atNanos());
        assertEquals(load.inBytesPerSec() / 2, load.outBytesPerSec());
        assertTrue(load.inBytesPerSec() == 0 || load.inBytesPerSec() == 80);
        if (load.inBytesPerSec() == 0) {
          free.add(topology.rackOf(load.node()));
        }
      }
      assertEquals(2, free.size());
      assertTrue(Collections.disjoint(before, free), "free before: " + before + ", now: " + free);
      before = free;
    }
  }

  @Test
  void aRackIsFreeAgainAtOnceOnlyWhereThereAreTooFewOthers() {
    ClusterTopology topology = new SmallCluster(3, 1).topology;
    HotRacks.Shape shape = new HotRacks.Shape(2, 80, 40, 20, 200);
    List<TimedRequest> loads =
        new HotRacks(topology, shape, new SplittableRandom(3)).requests().toList();
    for (int stay = 1; stay < 10; stay++) {
      int hotBefore = hotRack(loads.subList(3 * stay - 3, 3 * stay));
      assertTrue(hotBefore != hotRack(loads.subList(3 * stay, 3 * stay + 3)));
    }
  }

  private static int hotRack(List<TimedRequest> loads) {
    return loads.stream()
        .map(request -> (TimedRequest.NodeLoad) request)
        .filter(load -> load.inBytesPerSec() > 0)
        .mapToInt(TimedRequest.NodeLoad::node)
        .sum();
  }

  @Test
  void steadyWritersBeginAtOnceAndNeverEnd() {
    SteadyWriters writers = new SteadyWriters(7, 64, 3, Clients.outside(), new SplittableRandom(3));
    List<TimedRequest> files = writers.requests().toList();
    assertEquals(7, files.size());
    for (int file = 0; file < 7; file++) {
      assertEquals(
          new TimedRequest.Write(0, -1, file, TimedRequest.Write.ENDLESS, 64, 3), files.get(file));
    }
  }
}
