package org.rackweave.sim.reading;

import static org.rackweave.model.ClusterTopology.NONE;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.rackweave.eafr.FileReads;
import org.rackweave.eafr.RepairPlacement;
import org.rackweave.eafr.RepairRotation;
import org.rackweave.eafr.RepairSource;
import org.rackweave.eafr.RoleAssignment;
import org.rackweave.eafr.ServerRole;
import org.rackweave.eafr.Servers;
import org.rackweave.eafr.Temperature;
import org.rackweave.eafr.Thresholds;
import org.rackweave.placement.Admission;
import org.rackweave.placement.PlacementDecision;
import org.rackweave.placement.PlacementRequest;
import org.rackweave.placement.Refusal;
import org.rackweave.sim.engine.EventLoop;
import org.rackweave.sim.engine.SimTime;
import org.rackweave.sim.engine.Streams;

/**
 * How long it takes to make the replicas of failed servers again (section 4.2.3). All copies begin
 * at once, over links that are partly taken; the last to arrive counts.
 */
public final class RecoveryRun {
  private static final long EVENTS_MAX = 50_000_000;
  private static final int REPLICAS = 2;
  private static final double STANDBY_FRACTION = 0.3;

  /** As the NameNode has it: refused servers after which stock placement acts. */
  private static final int CANDIDATES_MAX = 64;

  /** Intervals T in the trace's four hours. */
  private static final double INTERVALS =
      TracedFiles.TRACE_SECONDS * 1000 / EafrSettings.INTERVAL_MS;

  private final EventLoop loop = new EventLoop(EVENTS_MAX);
  private final ServerPark park;
  private final TracedFiles files;
  private final CopyLinks links;
  private final ReplicaMap replicas;
  private final ServerRole[] roles;
  private final SplittableRandom choices;
  private final BitSet failed = new BitSet();

  /**
   * What came of a failure.
   *
   * @param seconds until the last replica was there
   * @param copies made
   * @param left replicas that were left to HDFS
   * @param mostIncoming copies into the server with most
   */
  public record Outcome(double seconds, int copies, int left, int mostIncoming) {}

  /** Who plans the copies. */
  public enum Planner {
    /** Algorithm 4. */
    ALGORITHM_4,
    /** EAFR/B: any server with a replica and any with room. */
    CHANCE,
    /**
     * As EAFR/B, but on hot servers for hot files and on standby ones for others, where possible.
     */
    CHANCE_BY_ROLE
  }

  private record Step(int file, int from, int to) {}

  /**
   * A replica that a failed server had.
   *
   * @param holders servers of the file's other replicas that are alive
   */
  private record Lost(int file, int[] holders, long sizeBytes, Temperature temperature) {}

  public RecoveryRun(ServerPark park, TracedFiles files, int failures, long seed) {
    Streams streams = new Streams(seed);
    this.park = park;
    this.files = files;
    links = new CopyLinks(loop, park, 0, streams.of("links"));
    roles = RoleAssignment.drawn(park.topology(), STANDBY_FRACTION, streams.of("roles"));
    replicas = new ReplicaMap(files.sizeBytes(), park.storageBytes());
    choices = streams.of("choices");
    RandomPlaces places = new RandomPlaces(park.topology(), replicas, streams.of("places"));
    for (int file = 0; file < files.count(); file++) {
      places.store(file, REPLICAS, any -> true);
    }
    SplittableRandom failing = streams.of("failures");
    while (failed.cardinality() < failures) {
      failed.set(failing.nextInt(park.servers()));
    }
  }

  /** Runs, once. */
  public Outcome run(Planner planner) {
    List<Lost> lost = lost();
    List<Step> steps =
        planner == Planner.ALGORITHM_4
            ? planned(lost)
            : drawn(lost, planner == Planner.CHANCE_BY_ROLE);
    int[] incoming = new int[park.servers()];
    int[] underWay = {steps.size()};
    for (Step step : steps) {
      incoming[step.to()]++;
      double size = files.sizeBytes()[step.file()];
      links.copy(step.from(), step.to(), size, () -> underWay[0]--);
    }
    loop.runToEnd();
    if (underWay[0] != 0) {
      throw new IllegalStateException(underWay[0] + " copies never arrived");
    }
    return new Outcome(
        SimTime.toSeconds(loop.nowNanos()),
        steps.size(),
        lost.size() - steps.size(),
        Arrays.stream(incoming).max().orElse(0));
  }

  private List<Lost> lost() {
    List<Lost> lost = new ArrayList<>();
    for (int file = 0; file < files.count(); file++) {
      int[] holders = replicas.holders(file);
      int[] left = Arrays.stream(holders).filter(holder -> !failed.get(holder)).toArray();
      double[] reads = new double[holders.length];
      Arrays.fill(reads, files.reads()[file] / INTERVALS / holders.length);
      for (int holder : holders) {
        if (failed.get(holder)) {
          lost.add(
              new Lost(
                  file,
                  left,
                  files.sizeBytes()[file],
                  Thresholds.PAPER.temperature(FileReads.ofReplicas(reads), holders.length)));
        }
      }
    }
    return lost;
  }

  /** As the NameNode is asked, a block at a time: for the source, and for the destination. */
  private List<Step> planned(List<Lost> lost) {
    Servers servers = servers();
    int[] reads = new int[park.servers()];
    RepairSource sources = new RepairSource(servers, none -> false, node -> reads[node]);
    RepairPlacement places =
        new RepairPlacement(
            servers, EafrSettings.RESERVE_BYTES, new RepairRotation(), CANDIDATES_MAX);
    List<Step> steps = new ArrayList<>();
    for (Lost replica : lost) {
      int from = sources.of(replica.holders());
      if (from != NONE) {
        PlacementDecision decision =
            places
                .of(replica.temperature())
                .choose(request(replica, from), admission(replica), choices);
        if (decision.stands()) {
          int to = decision.nodes()[0];
          reads[from]++;
          replicas.reserve(replica.file(), to);
          steps.add(new Step(replica.file(), from, to));
        }
      }
    }
    return steps;
  }

  private Servers servers() {
    Servers.Builder built = Servers.of(park.topology(), 1);
    for (int server = 0; server < park.servers(); server++) {
      built
          .role(server, roles[server])
          .capacity(server, park.places()[server])
          .reads(server, links.reads(server))
          .freeBytes(server, replicas.freeBytes(server));
      if (failed.get(server)) {
        built.failed(server);
      }
    }
    return built.build();
  }

  private PlacementRequest request(Lost replica, int from) {
    int replicasPerRack = 1; // stock HDFS's for two replicas
    int rack = park.topology().rackOf(from);
    return new PlacementRequest(
        1,
        from,
        rack,
        replica.holders(),
        false,
        false,
        NONE,
        replicasPerRack,
        0,
        replica.sizeBytes());
  }

  private Admission admission(Lost replica) {
    return (node, local) -> fits(replica, node) ? null : Refusal.NO_SPACE;
  }

  private List<Step> drawn(List<Lost> lost, boolean byRole) {
    List<Step> steps = new ArrayList<>();
    for (Lost replica : lost) {
      int file = replica.file();
      int[] holders = replica.holders();
      if (holders.length > 0) {
        ServerRole role =
            replica.temperature() == Temperature.COLD ? ServerRole.STANDBY : ServerRole.HOT;
        int to = byRole ? drawn(replica, server -> roles[server] == role) : NONE;
        to = to == NONE ? drawn(replica, any -> true) : to;
        if (to != NONE) {
          replicas.reserve(file, to);
          steps.add(new Step(file, holders[choices.nextInt(holders.length)], to));
        }
      }
    }
    return steps;
  }

  private int drawn(Lost replica, IntPredicate wanted) {
    int[] fitting =
        IntStream.range(0, park.servers())
            .filter(server -> wanted.test(server) && fits(replica, server))
            .toArray();
    return fitting.length == 0 ? NONE : fitting[choices.nextInt(fitting.length)];
  }

  private boolean fits(Lost replica, int server) {
    return !failed.get(server)
        && !replicas.isTaken(replica.file(), server)
        && replicas.freeBytes(server) >= Math.max(EafrSettings.RESERVE_BYTES, replica.sizeBytes());
  }
}
