package org.rackweave.sim.run;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.rackweave.history.PlacementRecord;
import org.rackweave.history.RecordedFrame;
import org.rackweave.history.RecordedWrite;
import org.rackweave.model.ClusterTopology;
import org.rackweave.sim.engine.SimTime;
import org.rackweave.sim.scenario.ClusterSpec;
import org.rackweave.sim.workload.Distribution;

/**
 * What black boxes recorded, as the simulator takes it: a sample of the writes, and the load of all
 * links without these, which stays as it was. Frames of one step, as of two NameNodes or of a
 * restart, are one: their mean, by length. DataNodes are those of the last frame, all with links as
 * fast as the median's. A load that is not known is the mean of those that are.
 */
public final class RecordedHours {
  private static final int DISKS = 12;
  private static final Distribution ANY = new Distribution.Fixed(1e18);

  private final ClusterTopology topology;
  private final ClusterSpec machines;
  private final Map<String, Integer> numbers = new HashMap<>();
  private final long beginMs;
  private final long endMs;
  private final List<RecordedWrite> writes;
  private final double eachStandsFor;
  private final List<Background> backgrounds = new ArrayList<>();

  /**
   * Load from a time on, as shares of links, by node and by rack; below 0 where more was taken away
   * for the writes than was there.
   */
  record Background(
      long atNanos, double[] hostIn, double[] hostOut, double[] rackIn, double[] rackOut) {}

  /**
   * @param recorded frames of one cluster, in any order
   * @param most of the writes that are taken, at least 1; those stand for the others, too
   * @throws IllegalArgumentException when there are no frames, or no speeds of links
   */
  public RecordedHours(List<RecordedFrame> recorded, List<RecordedWrite> recordedWrites, int most) {
    List<RecordedFrame> frames =
        recorded.stream()
            .filter(frame -> frame.host() > 0)
            .sorted(
                Comparator.comparingLong(RecordedFrame::toMs)
                    .thenComparing(RecordedFrame::fromMs)
                    .thenComparing(RecordedFrame::host)
                    .thenComparing(frame -> frame.racks().toString()))
            .toList();
    if (frames.isEmpty()) {
      throw new IllegalArgumentException("the black box has no loads of links");
    }
    RecordedFrame last = frames.get(frames.size() - 1);
    topology = last.topology();
    machines = machines(last);
    for (int node = 0; node < topology.nodeCount(); node++) {
      numbers.put(topology.placeOf(node), node);
    }
    beginMs = frames.stream().mapToLong(RecordedFrame::atMs).min().getAsLong();
    endMs = last.toMs();
    List<RecordedWrite> all =
        recordedWrites.stream()
            .filter(write -> write.decision().atMs() >= beginMs && write.decision().atMs() < endMs)
            .filter(write -> !write.decision().chosen().isEmpty())
            .filter(write -> write.decision().sizeBytes() > 0)
            .sorted(
                Comparator.comparingLong((RecordedWrite write) -> write.decision().atMs())
                    .thenComparing(write -> write.decision().path()))
            .toList();
    int taken = Math.min(most, all.size());
    writes =
        IntStream.range(0, taken)
            .mapToObj(i -> all.get((int) ((long) i * all.size() / taken)))
            .toList();
    eachStandsFor = taken == 0 ? 1 : (double) all.size() / taken;
    frames.stream()
        .collect(Collectors.groupingBy(RecordedFrame::atMs, TreeMap::new, Collectors.toList()))
        .values()
        .forEach(step -> backgrounds.add(background(step)));
  }

  private static ClusterSpec machines(RecordedFrame speeds) {
    return new ClusterSpec(
        Optional.empty(),
        speeds.racks().size(),
        1, // not looked at: nodes are those of the topology
        speeds.host(),
        0,
        speeds.oversubscription(),
        Double.POSITIVE_INFINITY,
        speeds.disk(),
        Double.POSITIVE_INFINITY,
        DISKS,
        ANY,
        ANY);
  }

  /** What is summed of one kind of link: in whole numbers, in which order so ever. */
  private static final class Shares {
    final long[] sums;
    final long[] lengths;

    Shares(int size) {
      sums = new long[size];
      lengths = new long[size];
    }

    void add(byte[] perCent, int[] numbers, long lengthMs) {
      for (int i = 0; i < perCent.length; i++) {
        if (numbers[i] != ClusterTopology.NONE && perCent[i] >= 0) {
          sums[numbers[i]] += perCent[i] * lengthMs;
          lengths[numbers[i]] += lengthMs;
        }
      }
    }

    double[] means() {
      long known = LongStream.of(lengths).sum();
      double mean = known == 0 ? 0 : LongStream.of(sums).sum() / (100.0 * known);
      return IntStream.range(0, sums.length)
          .mapToDouble(i -> lengths[i] == 0 ? mean : sums[i] / (100.0 * lengths[i]))
          .toArray();
    }
  }

  private Background background(List<RecordedFrame> step) {
    Shares hostIn = new Shares(topology.nodeCount());
    Shares hostOut = new Shares(topology.nodeCount());
    Shares rackIn = new Shares(topology.rackCount());
    Shares rackOut = new Shares(topology.rackCount());
    long fromMs = Long.MAX_VALUE;
    long toMs = Long.MIN_VALUE;
    for (RecordedFrame frame : step) {
      int[] nodes =
          frame.racks().stream()
              .flatMap(rack -> rack.nodes().stream().map(node -> rack.path() + '/' + node))
              .mapToInt(this::numberOf)
              .toArray();
      int[] racks = frame.racks().stream().mapToInt(one -> topology.rackAt(one.path())).toArray();
      long lengthMs = frame.toMs() - frame.fromMs();
      hostIn.add(frame.hostRx(), nodes, lengthMs);
      hostOut.add(frame.hostTx(), nodes, lengthMs);
      rackIn.add(frame.rackRx(), racks, lengthMs);
      rackOut.add(frame.rackTx(), racks, lengthMs);
      fromMs = Math.min(fromMs, frame.fromMs());
      toMs = Math.max(toMs, frame.toMs());
    }
    Background all =
        new Background(
            nanos(step.get(0).atMs()),
            hostIn.means(),
            hostOut.means(),
            rackIn.means(),
            rackOut.means());
    for (RecordedWrite write : writes) {
      if (write.decision().atMs() >= fromMs && write.decision().atMs() < toMs) {
        takeAway(all, write.decision(), (toMs - fromMs) / 1000.0);
      }
    }
    return all;
  }

  /** A frame's racks carry what their hosts do, as the NameNode has it: within racks, too. */
  private void takeAway(Background all, PlacementRecord write, double seconds) {
    double host = write.sizeBytes() / seconds / machines.hostLinkBytesPerSec();
    int from = numberOf(write.writer());
    for (String place : write.chosen()) {
      int to = numberOf(place);
      if (to != from && to != ClusterTopology.NONE) {
        all.hostIn[to] -= host;
        all.rackIn[topology.rackOf(to)] -= host / hostsOfRackLink(to);
      }
      if (to != from && from != ClusterTopology.NONE) {
        all.hostOut[from] -= host;
        all.rackOut[topology.rackOf(from)] -= host / hostsOfRackLink(from);
      }
      from = to;
    }
  }

  /** How many times as fast as a node's link that of its rack is. */
  private double hostsOfRackLink(int node) {
    return topology.rackSize(topology.rackOf(node)) / machines.oversubscription();
  }

  /** Number of a DataNode by its place, {@link ClusterTopology#NONE} for another or none. */
  int numberOf(String place) {
    return numbers.getOrDefault(place, ClusterTopology.NONE);
  }

  long nanos(long atMs) {
    return SimTime.ofMs(atMs - beginMs);
  }

  ClusterSpec machines() {
    return machines;
  }

  List<Background> backgrounds() {
    return backgrounds;
  }

  public ClusterTopology topology() {
    return topology;
  }

  /** Wall clock when the first frame's step begins. */
  public long beginMs() {
    return beginMs;
  }

  /** Wall clock when the last frame ends. */
  public long endMs() {
    return endMs;
  }

  /** The writes that are replayed, in the order of time. */
  public List<RecordedWrite> writes() {
    return writes;
  }

  /** How many writes one of them stands for. */
  public double weight(int write) {
    return writes.get(write).weight() * eachStandsFor;
  }
}
