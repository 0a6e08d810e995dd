package org.rackweave.sim.workload;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.rackweave.model.ClusterTopology;

/**
 * The shuffles of a coflow trace as transfers between nodes. A trace knows racks only, so each
 * mapper and each reducer gets a node of its rack, drawn once. What a reducer receives comes from
 * all mappers alike, to the byte; a mapper and a reducer on one node exchange nothing over the
 * network.
 *
 * <p>Racks of the trace beyond those of the cluster are folded onto it: rack r becomes r modulo the
 * number of racks.
 */
public final class ShuffleTraffic implements Workload {

  private static final long NANOS_PER_MS = 1_000_000;

  /** All playings together, by ascending arrival. */
  private final List<Placed> placed;

  /**
   * How a trace is played.
   *
   * @param times how often, one after another, at least 1
   * @param periodMs time from the beginning of one playing to that of the next
   * @param reshuffle what differs from one to the next; with more than one playing, the first is
   *     re-shuffled too
   * @param speed arrivals come so many times as fast, above 0
   * @param copies so many independent copies at once, each on racks further along, at least 1
   * @param sizeFactor every transfer is so many times as large, above 0
   */
  public record Playing(
      int times, long periodMs, Reshuffle reshuffle, double speed, int copies, double sizeFactor) {

    /** The trace once, as it is. */
    public static Playing once() {
      return new Playing(1, 3_600_000, Reshuffle.NOTHING, 1, 1, 1);
    }
  }

  /**
   * A coflow on nodes.
   *
   * @param atNanos when it starts
   * @param mappers node of each
   * @param reducers node of each
   * @param sizeBytes of each reducer
   */
  record Placed(long atNanos, int[] mappers, int[] reducers, long[] sizeBytes) {}

  public ShuffleTraffic(
      CoflowTrace trace, Playing playing, ClusterTopology topology, SplittableRandom random) {
    SplittableRandom order = random.split();
    SplittableRandom nodes = random.split();
    List<Placed> all = new ArrayList<>();
    for (int time = 0; time < playing.times(); time++) {
      CoflowTrace played = playing.reshuffle().apply(trace, order);
      for (Coflow coflow : played.coflows()) {
        long afterMs = coflow.arrivalMs() + time * playing.periodMs();
        long atNanos = Math.round(afterMs / playing.speed() * NANOS_PER_MS);
        for (int copy = 0; copy < playing.copies(); copy++) {
          int shift = copy * trace.racks();
          all.add(place(coflow, atNanos, shift, playing.sizeFactor(), topology, nodes));
        }
      }
    }
    // Stable: coflows of one moment keep their order.
    all.sort(Comparator.comparingLong(Placed::atNanos));
    placed = List.copyOf(all);
  }

  private static Placed place(
      Coflow coflow,
      long atNanos,
      int shift,
      double sizeFactor,
      ClusterTopology topology,
      SplittableRandom random) {
    int[] mappers =
        coflow.mapperRacks().stream()
            .mapToInt(rack -> node(topology, rack + shift, random))
            .toArray();
    int[] reducers =
        coflow.reducers().stream()
            .mapToInt(reducer -> node(topology, reducer.rack() + shift, random))
            .toArray();
    long[] sizes =
        coflow.reducers().stream()
            .mapToLong(reducer -> Math.round(reducer.sizeBytes() * sizeFactor))
            .toArray();
    return new Placed(atNanos, mappers, reducers, sizes);
  }

  private static int node(ClusterTopology topology, int traceRack, SplittableRandom random) {
    int rack = traceRack % topology.rackCount();
    return topology.firstNode(rack) + random.nextInt(topology.rackSize(rack));
  }

  @Override
  public Stream<StoredFile> storedFiles() {
    return Stream.empty();
  }

  @Override
  public Stream<TimedRequest> requests() {
    return IntStream.range(0, placed.size())
        .boxed()
        .flatMap(number -> transfers(placed.get(number), number));
  }

  private static Stream<TimedRequest> transfers(Placed coflow, long number) {
    List<TimedRequest> transfers = new ArrayList<>();
    int senders = coflow.mappers().length;
    for (int reducer = 0; reducer < coflow.reducers().length; reducer++) {
      int to = coflow.reducers()[reducer];
      long sizeBytes = coflow.sizeBytes()[reducer];
      for (int mapper = 0; mapper < senders; mapper++) {
        // The first few mappers carry the bytes that a division leaves over.
        long part = sizeBytes / senders + (mapper < sizeBytes % senders ? 1 : 0);
        int from = coflow.mappers()[mapper];
        if (part > 0 && from != to) {
          transfers.add(new TimedRequest.Transfer(coflow.atNanos(), from, to, part, number));
        }
      }
    }
    return transfers.stream();
  }

  /**
   * Writers at the reducers: at each moment one of the reducers whose shuffle began within the
   * window before, each as likely; any reducer of the whole run when there is none.
   */
  public Clients reducersWithin(long windowNanos) {
    return new Reducers(placed, windowNanos);
  }

  /** The nodes of all reducers in order of time, so that a window is a range of them. */
  private static final class Reducers implements Clients {
    private final long[] atNanos;
    private final int[] nodes;
    private final long windowNanos;

    Reducers(List<Placed> placed, long windowNanos) {
      atNanos =
          placed.stream()
              .flatMapToLong(
                  coflow -> IntStream.of(coflow.reducers()).mapToLong(node -> coflow.atNanos()))
              .toArray();
      nodes = placed.stream().flatMapToInt(coflow -> IntStream.of(coflow.reducers())).toArray();
      this.windowNanos = windowNanos;
    }

    @Override
    public int at(long nanos, SplittableRandom random) {
      int from = firstAtOrAfter(nanos - windowNanos);
      int to = firstAtOrAfter(nanos + 1);
      if (from == to) {
        from = 0;
        to = nodes.length;
      }
      return to == 0 ? TimedRequest.OUTSIDE : nodes[from + random.nextInt(to - from)];
    }

    private int firstAtOrAfter(long nanos) {
      int low = 0;
      int high = atNanos.length;
      while (low < high) {
        int middle = (low + high) >>> 1;
        if (atNanos[middle] < nanos) {
          low = middle + 1;
        } else {
          high = middle;
        }
      }
      return low;
    }
  }
}
