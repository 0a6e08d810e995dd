package org.rackweave.sim.run;

import java.util.Arrays;
import java.util.function.Function;
import org.rackweave.history.PlacementRecord;
import org.rackweave.history.RecordedWrite;
import org.rackweave.model.ClusterTopology;
import org.rackweave.placement.ReplicaChooser;
import org.rackweave.sim.cluster.Cluster;
import org.rackweave.sim.cluster.ClusterLinks;
import org.rackweave.sim.cluster.TrueLinks;
import org.rackweave.sim.engine.EventLoop;
import org.rackweave.sim.engine.SimTime;
import org.rackweave.sim.engine.Streams;
import org.rackweave.sim.network.FlowNetwork;
import org.rackweave.sim.policy.BlockRequest;
import org.rackweave.sim.policy.PlacementPolicy;
import org.rackweave.sim.policy.RandomChoice;
import org.rackweave.sim.policy.Rules;
import org.rackweave.sim.policy.SinbadPolicy;
import org.rackweave.sim.policy.SpreadPolicy;
import org.rackweave.sim.traffic.BlockOutcome;
import org.rackweave.sim.traffic.BlockWrites;
import org.rackweave.sim.workload.TimedRequest;
import org.rackweave.sinbad.SinbadPlacement;
import org.rackweave.sinbad.Spread;
import org.rackweave.telemetry.NetworkSettings;

/**
 * Recorded writes under recorded loads, placed anew. The NameNode knows all loads as they are. A
 * load leaves an eighth of a link to the writes at least, as the NameNode expects of TCP. Made, run
 * and thrown away.
 */
public final class ReplayRun {
  private static final long EVENTS_MAX = 1_000_000_000L;
  private static final long GRACE_NANOS = SimTime.ofMs(3_600_000);
  private static final long GRACE_STEP_NANOS = SimTime.ofMs(10_000);
  private static final double MOST_BACKGROUND = 0.875;
  private static final double BUSY = 0.8;

  private final RecordedHours hours;
  private final Function<RecordedWrite, Choice> choices;
  private final EventLoop loop = new EventLoop(EVENTS_MAX);
  private final ClusterLinks links;
  private final FlowNetwork network;
  private final Cluster cluster;
  private final PlacementPolicy stock;
  private final PlacementPolicy byNetwork;
  private final BlockWrites blocks;
  private final Outcome outcome;

  /** The write that is being placed. */
  private int placed;

  /** Who places a block. */
  public enum Choice {
    STOCK,
    NETWORK,
    /** It goes where it went. */
    RECORDED
  }

  /**
   * What became of the writes, in their order.
   *
   * @param seconds that each took; not a number where it was not written
   * @param targets DataNodes that got it from elsewhere
   * @param busy those of them whose link, or whose rack's, was in use for more than 80 % then
   */
  public record Outcome(double[] seconds, int[] targets, int[] busy) {}

  /**
   * @param choices by write
   * @param seed of what is random
   */
  public ReplayRun(RecordedHours hours, Function<RecordedWrite, Choice> choices, long seed) {
    this.hours = hours;
    this.choices = choices;
    ClusterTopology topology = hours.topology();
    links = new ClusterLinks(topology, hours.machines());
    network = new FlowNetwork(loop, links.capacities(), 0);
    double[] storage = new double[topology.nodeCount()];
    Arrays.fill(storage, hours.machines().capacityBytes().mean());
    cluster = new Cluster(links, network, storage);
    Streams streams = new Streams(seed);
    Rules rules = new Rules(cluster, loop);
    stock =
        new SpreadPolicy(topology, rules, Spread.TWO_RACK, new RandomChoice(streams.of("stock")));
    NetworkSettings settings =
        new NetworkSettings(
            0,
            hours.machines().oversubscription(),
            hours.machines().diskWriteBytesPerSec(),
            3000,
            0.1);
    byNetwork =
        new SinbadPolicy(
            loop,
            new TrueLinks(loop, cluster, settings),
            new SinbadPlacement(Spread.TWO_RACK, ReplicaChooser.CANDIDATES_MAX),
            rules,
            new SinbadPolicy.Otherwise(0, stock),
            streams.of("network"));
    blocks =
        new BlockWrites(
            loop, cluster, this::place, new BlockWrites.Settings(0, false), this::ended);
    int size = hours.writes().size();
    outcome = new Outcome(new double[size], new int[size], new int[size]);
    Arrays.fill(outcome.seconds, Double.NaN);
    loop.require("no link above its capacity", network.withinCapacity());
  }

  /** Runs from beginning to end; once. */
  public Outcome run() {
    for (RecordedHours.Background load : hours.backgrounds()) {
      loop.at(load.atNanos(), () -> occupy(load));
    }
    for (int i = 0; i < hours.writes().size(); i++) {
      int write = i;
      loop.at(hours.nanos(hours.writes().get(i).decision().atMs()), () -> begin(write));
    }
    long endNanos = hours.nanos(hours.endMs());
    loop.runUntil(endNanos);
    while (blocks.underWay() > 0 && loop.nowNanos() < endNanos + GRACE_NANOS) {
      loop.runUntil(loop.nowNanos() + GRACE_STEP_NANOS);
    }
    return outcome;
  }

  private void occupy(RecordedHours.Background load) {
    ClusterTopology topology = hours.topology();
    double speed = links.hostCapacity();
    for (int node = 0; node < topology.nodeCount(); node++) {
      cluster.occupy(
          node,
          used(load.hostIn()[node]) * speed,
          used(load.hostOut()[node]) * speed,
          loop.nowNanos());
    }
    for (int rack = 0; rack < topology.rackCount(); rack++) {
      double capacity = links.rackCapacity(rack);
      network.setCapacity(links.rackDown(rack), (1 - used(load.rackIn()[rack])) * capacity);
      network.setCapacity(links.rackUp(rack), (1 - used(load.rackOut()[rack])) * capacity);
    }
  }

  private static double used(double share) {
    return Math.max(0, Math.min(MOST_BACKGROUND, share));
  }

  private void begin(int write) {
    placed = write;
    PlacementRecord recorded = hours.writes().get(write).decision();
    blocks.begin(
        new TimedRequest.Write(
            loop.nowNanos(),
            hours.numberOf(recorded.writer()),
            write,
            recorded.sizeBytes(),
            recorded.sizeBytes(),
            recorded.chosen().size()));
  }

  private int[] place(BlockRequest request) {
    RecordedWrite write = hours.writes().get(placed);
    int[] nodes =
        switch (choices.apply(write)) {
          case STOCK -> stock.place(request);
          case NETWORK -> byNetwork.place(request);
          case RECORDED ->
              write.decision().chosen().stream()
                  .mapToInt(hours::numberOf)
                  .filter(node -> node != ClusterTopology.NONE)
                  .distinct()
                  .toArray();
        };
    for (int node : nodes) {
      outcome.targets[placed] += node == request.writer() ? 0 : 1;
      outcome.busy[placed] += node != request.writer() && isBusy(node) ? 1 : 0;
    }
    return nodes;
  }

  private boolean isBusy(int node) {
    int rack = hours.topology().rackOf(node);
    double left = links.hostCapacity() - cluster.receiving(node);
    double rackLeft = network.capacity(links.rackDown(rack)) - network.load(links.rackDown(rack));
    return left < (1 - BUSY) * links.hostCapacity()
        || rackLeft < (1 - BUSY) * links.rackCapacity(rack);
  }

  private void ended(BlockOutcome block) {
    if (block.isWritten()) {
      outcome.seconds[(int) block.file()] = block.writeSeconds();
    }
  }
}
