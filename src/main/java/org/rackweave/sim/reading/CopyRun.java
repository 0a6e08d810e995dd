package org.rackweave.sim.reading;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.rackweave.eafr.DestinationOdds;
import org.rackweave.eafr.LotteryPlacement;
import org.rackweave.eafr.RateAdjustment;
import org.rackweave.eafr.RoleAssignment;
import org.rackweave.eafr.ServerRole;
import org.rackweave.eafr.Servers;
import org.rackweave.eafr.TransferSpeeds;
import org.rackweave.model.ClusterTopology;
import org.rackweave.placement.PlacementRequest;
import org.rackweave.sim.engine.EventLoop;
import org.rackweave.sim.engine.SimTime;
import org.rackweave.sim.engine.Streams;
import org.rackweave.sim.statistics.Sample;

/**
 * How long new replicas take (sections 4.1.2 and 4.2.1): copies of files of five sizes begin at
 * random moments, from random servers to those a system chooses, over links that are partly taken.
 */
public final class CopyRun {
  /** Sizes of files in MB (Fig. 8a's axis), each as likely. */
  public static final List<Integer> SIZES_MB = List.of(1, 10, 100, 1000, 10_000);

  private static final double MEGABYTE = 1e6;
  private static final int SHAPERS = 2000;
  private static final int DRAWS_MAX = 20;
  private static final long EVENTS_MAX = 50_000_000;
  private static final long HEARTBEAT_NANOS = 3 * SimTime.NANOS_PER_SEC;
  private static final double STANDBY_FRACTION = 0.3;

  /**
   * The paper's thresholds. Its rates may fall to nothing where other traffic alone keeps a link
   * busy, and such a copy would never arrive; a tenth of the link is ours.
   */
  private static final RateAdjustment ADJUSTMENT =
      new RateAdjustment(
          RateAdjustment.PAPER.lowFraction(),
          RateAdjustment.PAPER.highFraction(),
          (long) (ServerPark.LINK_BYTES_PER_SEC / 10));

  private final EventLoop loop = new EventLoop(EVENTS_MAX);
  private final ServerPark park;
  private final Way way;
  private final Plan plan;
  private final CopyLinks links;
  private final SplittableRandom arrivals;
  private final SplittableRandom choices;
  private final ServerRole[] roles;
  private final TransferSpeeds speeds;
  private final int[] incoming;
  private final Deque<Integer> freeShapers = new ArrayDeque<>();
  private final List<List<Integer>> senders = new ArrayList<>();
  private final List<List<Double>> seconds = new ArrayList<>();
  private DestinationOdds odds;
  private int begun;
  private int ended;

  /** How a destination is chosen. */
  public enum Destination {
    /** HDFS: a random server. */
    RANDOM,
    /** CDRM: the server with the fewest reads and copies. */
    LEAST_READ,
    /** EAFR: section 3.3. */
    LOTTERY
  }

  /**
   * A way of copying.
   *
   * @param hasRates whether Algorithm 2 sets the copies' rates
   */
  public record Way(Destination destination, boolean hasRates) {}

  /**
   * What is copied.
   *
   * @param copiesPerSec on average
   * @param warmUpNanos copies before count in no figure
   * @param durationNanos no copy begins later; those under way go on
   */
  public record Plan(double copiesPerSec, long warmUpNanos, long durationNanos) {}

  public CopyRun(ServerPark park, Way way, Plan plan, long seed) {
    Streams streams = new Streams(seed);
    this.park = park;
    this.way = way;
    this.plan = plan;
    links = new CopyLinks(loop, park, SHAPERS, streams.of("links"));
    arrivals = streams.of("copies");
    choices = streams.of("choices");
    roles = RoleAssignment.drawn(park.topology(), STANDBY_FRACTION, streams.of("roles"));
    speeds = new TransferSpeeds(park.servers(), EafrSettings.ALPHA);
    incoming = new int[park.servers()];
    IntStream.range(0, SHAPERS).forEach(freeShapers::add);
    for (int server = 0; server < park.servers(); server++) {
      senders.add(new ArrayList<>());
    }
    SIZES_MB.forEach(size -> seconds.add(new ArrayList<>()));
  }

  /** Runs; seconds that copies of each of the sizes took. */
  public List<Sample> run() {
    loop.at(nextArrival(), this::begin);
    loop.after(SimTime.ofMs(EafrSettings.INTERVAL_MS), this::endWindow);
    if (way.hasRates()) {
      loop.after(HEARTBEAT_NANOS, this::adjustRates);
    }
    loop.runUntil(plan.durationNanos());
    while (ended < begun) {
      loop.runUntil(loop.nowNanos() + SimTime.NANOS_PER_SEC);
    }
    return seconds.stream()
        .map(all -> new Sample(all.stream().mapToDouble(Double::doubleValue).toArray()))
        .toList();
  }

  private long nextArrival() {
    return loop.nowNanos() + SimTime.ofSeconds(arrivals.nextExponential() / plan.copiesPerSec());
  }

  private void begin() {
    if (loop.nowNanos() > plan.durationNanos()) {
      return;
    }
    int kind = arrivals.nextInt(SIZES_MB.size());
    int from = arrivals.nextInt(park.servers());
    double size = SIZES_MB.get(kind) * MEGABYTE;
    int to = destination(from);
    long since = loop.nowNanos();
    begun++;
    incoming[to]++;
    if (way.hasRates()) {
      int shaper = freeShapers.remove();
      links.setRate(shaper, park.linkBytesPerSec());
      senders.get(to).add(shaper);
      links.shapedCopy(
          shaper,
          from,
          to,
          size,
          () -> {
            senders.get(to).remove((Integer) shaper);
            freeShapers.add(shaper);
            end(kind, to, since);
          });
    } else {
      links.copy(from, to, size, () -> end(kind, to, since));
    }
    loop.at(nextArrival(), this::begin);
  }

  private void end(int kind, int to, long sinceNanos) {
    long nanos = loop.nowNanos() - sinceNanos;
    ended++;
    incoming[to]--;
    speeds.completed(to, Math.round(SIZES_MB.get(kind) * MEGABYTE), nanos);
    if (sinceNanos >= plan.warmUpNanos()) {
      seconds.get(kind).add(SimTime.toSeconds(nanos));
    }
  }

  private int destination(int from) {
    return switch (way.destination()) {
      case RANDOM -> {
        int drawn = choices.nextInt(park.servers() - 1);
        yield drawn < from ? drawn : drawn + 1;
      }
      case LEAST_READ -> leastRead(from);
      case LOTTERY -> drawn(from);
    };
  }

  private int leastRead(int from) {
    int at = choices.nextInt(park.servers());
    int least = -1;
    for (int i = 0; i < park.servers(); i++) {
      int server = (at + i) % park.servers();
      if (server != from && (least < 0 || busy(server) < busy(least))) {
        least = server;
      }
    }
    return least;
  }

  private int busy(int server) {
    return links.reads(server) + incoming[server];
  }

  private int drawn(int from) {
    if (odds == null) {
      odds = DestinationOdds.of(servers(), speeds.expected(), EafrSettings.BETA, 0);
    }
    PlacementRequest request =
        new PlacementRequest(
            1,
            ClusterTopology.NONE,
            ClusterTopology.NONE,
            new int[] {from},
            false,
            false,
            ClusterTopology.NONE,
            2,
            0,
            0);
    int[] nodes =
        new LotteryPlacement(odds, DRAWS_MAX, park.servers())
            .choose(request, (node, local) -> null, choices)
            .nodes();
    return nodes[nodes.length - 1];
  }

  private Servers servers() {
    Servers.Builder built = Servers.of(park.topology(), 1);
    for (int server = 0; server < roles.length; server++) {
      built
          .role(server, roles[server])
          .capacity(server, park.places()[server])
          .reads(server, busy(server));
    }
    return built.build();
  }

  private void endWindow() {
    speeds.endWindow();
    odds = null;
    loop.after(SimTime.ofMs(EafrSettings.INTERVAL_MS), this::endWindow);
  }

  private void adjustRates() {
    for (int server = 0; server < park.servers(); server++) {
      List<Integer> shapers = senders.get(server);
      if (!shapers.isEmpty()) {
        double[] rates =
            ADJUSTMENT.adjust(
                park.linkBytesPerSec(),
                links.receivedBytesPerSec(server),
                shapers.stream().mapToDouble(links::rate).toArray());
        for (int i = 0; i < rates.length; i++) {
          links.setRate(shapers.get(i), rates[i]);
        }
      }
    }
    loop.after(HEARTBEAT_NANOS, this::adjustRates);
  }

  @Override
  public String toString() {
    return way + " " + Arrays.toString(incoming);
  }
}
