package org.rackweave.sim.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.rackweave.model.ClusterTopology;

class ShuffleTrafficTest {
  private static final long MS = 1_000_000;
  private static final CoflowTrace SMALL =
      new CoflowTrace(
          4,
          List.of(
              coflow(1, 0, List.of(0, 1, 2), Map.of(3, 100L)),
              coflow(2, 500, List.of(1), Map.of(1, 7L, 2, 11L))));

  private static Coflow coflow(
      long id, long arrivalMs, List<Integer> mappers, Map<Integer, Long> reducers) {
    return new Coflow(
        id,
        arrivalMs,
        mappers,
        reducers.entrySet().stream()
            .sorted(Map.Entry.comparingByKey())
            .map(entry -> new Coflow.Reducer(entry.getKey(), entry.getValue()))
            .toList());
  }

  private static List<TimedRequest.Transfer> transfers(
      CoflowTrace trace, ShuffleTraffic.Playing playing, ClusterTopology topology) {
    return new ShuffleTraffic(trace, playing, topology, new SplittableRandom(3))
        .requests()
        .map(TimedRequest.Transfer.class::cast)
        .toList();
  }

  private static ShuffleTraffic.Playing once() {
    return ShuffleTraffic.Playing.once();
  }

  @Test
  void everyMapperSendsToEveryReducer() {
    List<TimedRequest.Transfer> transfers = transfers(SMALL, once(), Inputs.square(4, 1));
    assertEquals(
        List.of(
            new TimedRequest.Transfer(0, 0, 3, 34, 0),
            new TimedRequest.Transfer(0, 1, 3, 33, 0),
            new TimedRequest.Transfer(0, 2, 3, 33, 0),
            new TimedRequest.Transfer(500 * MS, 1, 2, 11, 1)),
        transfers,
        "to the byte, and nothing from a node to itself");
  }

  @Test
  void racksBeyondTheClusterAreFoldedOntoIt() {
    for (TimedRequest.Transfer transfer : transfers(SMALL, once(), Inputs.square(2, 5))) {
      assertTrue(transfer.from() < 10 && transfer.to() < 10);
    }
  }

  @Test
  void playsFasterLargerAndSeveralTimes() {
    ShuffleTraffic.Playing playing =
        new ShuffleTraffic.Playing(2, 1_000, Reshuffle.NOTHING, 2, 1, 10);
    List<TimedRequest.Transfer> transfers = transfers(SMALL, playing, Inputs.square(4, 1));
    assertEquals(8, transfers.size());
    assertEquals(new TimedRequest.Transfer(750 * MS, 1, 2, 110, 3), transfers.get(7));
    assertEquals(2 * 10 * 111, transfers.stream().mapToLong(t -> t.sizeBytes()).sum());
  }

  @Test
  void copiesStandOnRacksFurtherAlong() {
    ShuffleTraffic.Playing playing =
        new ShuffleTraffic.Playing(1, 1_000, Reshuffle.NOTHING, 1, 2, 1);
    List<TimedRequest.Transfer> transfers = transfers(SMALL, playing, Inputs.square(8, 1));
    assertEquals(new TimedRequest.Transfer(0, 4, 7, 34, 1), transfers.get(3));
  }

  @Test
  void reshufflingMovesCoflowsAndRacksAndKeepsTheRest() {
    CoflowTrace trace = CoflowLookAlike.draw(30, 3_600_000, new SplittableRandom(1));
    for (Reshuffle reshuffle : Reshuffle.values()) {
      CoflowTrace moved = reshuffle.apply(trace, new SplittableRandom(2));
      assertEquals(
          trace.coflows().stream().map(Coflow::arrivalMs).toList(),
          moved.coflows().stream().map(Coflow::arrivalMs).toList());
      assertEquals(sorted(trace), sorted(moved));
      boolean arrivals = reshuffle == Reshuffle.ARRIVALS || reshuffle == Reshuffle.BOTH;
      boolean racks = reshuffle == Reshuffle.RACKS || reshuffle == Reshuffle.BOTH;
      assertEquals(!arrivals, ids(trace).equals(ids(moved)), reshuffle + " order");
      assertEquals(!racks, rackBytes(trace).equals(rackBytes(moved)), reshuffle + " racks");
      assertEquals(
          rackBytes(trace).values().stream().sorted().toList(),
          rackBytes(moved).values().stream().sorted().toList(),
          "a rack keeps its load under another name");
    }
  }

  private static List<Long> ids(CoflowTrace trace) {
    return trace.coflows().stream().map(Coflow::id).toList();
  }

  private static List<String> sorted(CoflowTrace trace) {
    return trace.coflows().stream()
        .map(coflow -> coflow.id() + " " + coflow.width() + " " + coflow.sizeBytes())
        .sorted()
        .toList();
  }

  private static Map<Integer, Long> rackBytes(CoflowTrace trace) {
    Map<Integer, Long> bytes = new HashMap<>();
    for (Coflow coflow : trace.coflows()) {
      coflow.reducers().forEach(r -> bytes.merge(r.rack(), r.sizeBytes(), Long::sum));
    }
    return bytes;
  }

  @Test
  void writersAreReducersOfTheWindow() {
    CoflowTrace trace =
        new CoflowTrace(
            4,
            List.of(
                coflow(1, 1_000, List.of(0), Map.of(1, 9L)),
                coflow(2, 5_000, List.of(0), Map.of(2, 9L, 3, 9L))));
    ShuffleTraffic traffic =
        new ShuffleTraffic(trace, once(), Inputs.square(4, 1), new SplittableRandom(3));
    Clients writers = traffic.reducersWithin(2_000 * MS);
    assertEquals(Set.of(1), drawn(writers, 1_000));
    assertEquals(Set.of(1), drawn(writers, 3_000));
    assertEquals(Set.of(1, 2, 3), drawn(writers, 3_001), "any of all, as nobody is in the window");
    assertEquals(Set.of(2, 3), drawn(writers, 6_000));
    assertEquals(Set.of(1, 2, 3), drawn(writers, 0));
  }

  private static Set<Integer> drawn(Clients clients, long ms) {
    SplittableRandom random = new SplittableRandom(1);
    Set<Integer> drawn = new HashSet<>();
    for (int i = 0; i < 100; i++) {
      drawn.add(clients.at(ms * MS, random));
    }
    return drawn;
  }

  @Test
  void thePublicHourKeepsItsBytesOnThreeThousandNodes() throws InputException {
    CoflowTrace trace = CoflowTrace.read(Inputs.trace(Inputs.COFLOWS));
    ClusterTopology topology = Inputs.square(150, 20);
    long[] received = new long[150];
    try (Stream<TimedRequest> requests =
        new ShuffleTraffic(trace, once(), topology, new SplittableRandom(1)).requests()) {
      requests.forEach(
          request -> {
            TimedRequest.Transfer transfer = (TimedRequest.Transfer) request;
            received[topology.rackOf(transfer.to())] += transfer.sizeBytes();
          });
    }
    long total = trace.coflows().stream().mapToLong(Coflow::sizeBytes).sum();
    long sent = Arrays.stream(received).sum();
    assertTrue(sent <= total && sent > total * 0.99, sent + " of " + total + " over the network");
    assertEquals(0, received[39] + received[110] + received[111], "racks the trace never uses");
  }

  @Test
  void aDayIsTwentyFourHoursOfOtherRacks() throws InputException {
    CoflowTrace trace = CoflowTrace.read(Inputs.trace(Inputs.COFLOWS));
    ClusterTopology topology = Inputs.square(150, 20);
    double hour = imbalance(trace, topology, 1, Reshuffle.NOTHING);
    double day = imbalance(trace, topology, 24, Reshuffle.BOTH);
    assertNotEquals(hour, day);
    assertTrue(hour > 0.25, "an hour's racks differ: " + hour);
    assertTrue(day < hour / 3, "a day's hardly (section 4.3): " + day);
  }

  /** Coefficient of variation over racks of what they receive. */
  private static double imbalance(
      CoflowTrace trace, ClusterTopology topology, int times, Reshuffle reshuffle) {
    double[] received = new double[150];
    ShuffleTraffic.Playing playing =
        new ShuffleTraffic.Playing(times, 3_600_000, reshuffle, 1, 1, 1);
    new ShuffleTraffic(trace, playing, topology, new SplittableRandom(1))
        .requests()
        .forEach(
            request -> {
              TimedRequest.Transfer transfer = (TimedRequest.Transfer) request;
              received[topology.rackOf(transfer.to())] += transfer.sizeBytes();
            });
    double mean = Arrays.stream(received).average().orElseThrow();
    double variance = Arrays.stream(received).map(x -> (x - mean) * (x - mean)).sum() / 150;
    return Math.sqrt(variance) / mean;
  }
}
