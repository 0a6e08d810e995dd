package org.rackweave.sim.reading;

import static org.rackweave.model.ClusterTopology.NONE;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.rackweave.eafr.FailureRepair;
import org.rackweave.eafr.FileReads;
import org.rackweave.eafr.LostReplica;
import org.rackweave.eafr.RackRule;
import org.rackweave.eafr.RepairPlan;
import org.rackweave.eafr.RoleAssignment;
import org.rackweave.eafr.ServerRole;
import org.rackweave.eafr.Servers;
import org.rackweave.eafr.Temperature;
import org.rackweave.eafr.Thresholds;
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
    List<LostReplica> lost = lost();
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

  private List<LostReplica> lost() {
    List<LostReplica> lost = new ArrayList<>();
    for (int file = 0; file < files.count(); file++) {
      int[] holders = replicas.holders(file);
      int[] left = Arrays.stream(holders).filter(holder -> !failed.get(holder)).toArray();
      double[] reads = new double[holders.length];
      Arrays.fill(reads, files.reads()[file] / INTERVALS / holders.length);
      for (int holder : holders) {
        if (failed.get(holder)) {
          lost.add(
              new LostReplica(
                  file,
                  holder,
                  left,
                  files.sizeBytes()[file],
                  Thresholds.PAPER.temperature(FileReads.ofReplicas(reads), holders.length)));
        }
      }
    }
    return lost;
  }

  private List<Step> planned(List<LostReplica> lost) {
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
    return FailureRepair.plan(
            built.build(),
            RackRule.hdfs(park.topology()),
            EafrSettings.RESERVE_BYTES,
            lost,
            RepairPlan.Turn.FIRST)
        .steps()
        .stream()
        .map(step -> new Step((int) step.blockId(), step.source(), step.destination()))
        .toList();
  }

  private List<Step> drawn(List<LostReplica> lost, boolean byRole) {
    List<Step> steps = new ArrayList<>();
    for (LostReplica replica : lost) {
      int file = (int) replica.blockId();
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

  private int drawn(LostReplica replica, IntPredicate wanted) {
    int[] fitting =
        IntStream.range(0, park.servers())
            .filter(server -> wanted.test(server) && fits(replica, server))
            .toArray();
    return fitting.length == 0 ? NONE : fitting[choices.nextInt(fitting.length)];
  }

  private boolean fits(LostReplica replica, int server) {
    return !failed.get(server)
        && !replicas.isTaken((int) replica.blockId(), server)
        && replicas.freeBytes(server) >= Math.max(EafrSettings.RESERVE_BYTES, replica.sizeBytes());
  }
}
