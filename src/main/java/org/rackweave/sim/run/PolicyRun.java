package org.rackweave.sim.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.rackweave.model.ClusterTopology;
import org.rackweave.model.PowerTable;
import org.rackweave.placement.FallbackReason;
import org.rackweave.sim.cluster.Cluster;
import org.rackweave.sim.cluster.ClusterLinks;
import org.rackweave.sim.cluster.EnergyMeter;
import org.rackweave.sim.cluster.NodePower;
import org.rackweave.sim.encoding.EncodedStripe;
import org.rackweave.sim.encoding.StripeEncoding;
import org.rackweave.sim.engine.EventLoop;
import org.rackweave.sim.engine.ProgressListener;
import org.rackweave.sim.engine.SimTime;
import org.rackweave.sim.engine.Streams;
import org.rackweave.sim.network.FlowNetwork;
import org.rackweave.sim.policy.EarPolicy;
import org.rackweave.sim.policy.PlacementPolicy;
import org.rackweave.sim.policy.RandomChoice;
import org.rackweave.sim.policy.Rules;
import org.rackweave.sim.policy.SinbadPolicy;
import org.rackweave.sim.policy.SpreadPolicy;
import org.rackweave.sim.recovery.RecoveryOutcome;
import org.rackweave.sim.scenario.FailureSpec;
import org.rackweave.sim.scenario.PolicySpec;
import org.rackweave.sim.scenario.Scenario;
import org.rackweave.sim.scenario.WorkloadSpec;
import org.rackweave.sim.statistics.Sample;
import org.rackweave.sim.traffic.BlockOutcome;
import org.rackweave.sim.traffic.BlockReads;
import org.rackweave.sim.traffic.BlockWrites;
import org.rackweave.sim.traffic.Feed;
import org.rackweave.sim.traffic.ReadOutcome;
import org.rackweave.sim.traffic.StoredBlocks;
import org.rackweave.sim.traffic.Transfers;
import org.rackweave.sim.traffic.Transfers.GroupOutcome;
import org.rackweave.sim.workload.Distribution;
import org.rackweave.sim.workload.StoredFile;
import org.rackweave.sim.workload.TimedRequest;
import org.rackweave.sinbad.Spread;

/** One policy under one seed's input. Made, run and thrown away. */
public final class PolicyRun {
  /** Far above any run that means something. */
  private static final long EVENTS_MAX = 4_000_000_000L;

  /** How long writes may go on after the last request. */
  private static final long GRACE_NANOS = SimTime.ofMs(4 * 3_600_000);

  private static final long GRACE_STEP_NANOS = SimTime.ofMs(10_000);

  private static final double[] NO_DRAWS = {};

  /** Over which the load of links is averaged for its variation (Sinbad, section 4.3). */
  private static final long VARIATION_NANOS = SimTime.ofMs(10_000);

  private final RunInput input;
  private final Scenario scenario;
  private final PolicySpec spec;
  private final EventLoop loop = new EventLoop(EVENTS_MAX);
  private final Cluster cluster;
  private final FlowNetwork network;
  private final PlacementPolicy policy;
  private final BlockWrites writes;
  private final BlockReads reads;
  private final StoredBlocks stored;
  private final StripeEncoding encoding;
  private final Transfers transfers;
  private final EnergyMeter energy;
  private final List<LinkUse> watched = new ArrayList<>();
  private final List<Double> cvUp = new ArrayList<>();
  private final List<Double> cvDown = new ArrayList<>();
  private final List<PolicyRecord.RackLook> looks = new ArrayList<>();

  /** As of the last look, {@code null} before the first. */
  private double[] occupied;

  private final List<BlockOutcome> blocks = new ArrayList<>();
  private final List<EncodedStripe> encodedStripes = new ArrayList<>();
  private final List<ReadOutcome> readBlocks = new ArrayList<>();
  private final List<GroupOutcome> groups = new ArrayList<>();
  private final long warmUpNanos;
  private final long endNanos;

  public PolicyRun(RunInput input, PolicySpec spec) {
    this.input = input;
    this.spec = spec;
    scenario = input.scenario();
    warmUpNanos = SimTime.ofMs(scenario.run().warmUpMs());
    endNanos = SimTime.ofMs(scenario.run().durationMs());
    ClusterTopology topology = input.machines().topology();
    ClusterLinks links = new ClusterLinks(topology, scenario.cluster());
    network =
        new FlowNetwork(loop, links.capacities(), SimTime.ofMs(scenario.run().settleEndsMs()));
    Streams streams = new Streams(input.seed());
    cluster = new Cluster(links, network, capacities(topology, streams.of("capacity")));
    policy = new PolicyWiring(loop, cluster, scenario, streams).policy(spec);
    writes = new BlockWrites(loop, cluster, policy, PolicyWiring.writing(spec), this::blockEnded);
    stored = new StoredBlocks(cluster);
    reads =
        new BlockReads(
            loop,
            cluster,
            stored,
            readSlots(topology, streams.of("read slots")),
            streams.of("reads"),
            this::readEnded);
    storeFiles(streams.of("stored"));
    encoding =
        new EncodingWiring(loop, cluster, scenario.encoding(), streams)
            .schedule(policy, encodedStripes::add);
    transfers = new Transfers(loop, cluster, this::groupEnded);
    energy =
        new EnergyMeter(loop, PowerTable.eafr(scenario.power().sleepWatts()), topology.nodeCount());
    new NodePower(loop, cluster, energy, scenario.power()).start();
    watchRackLinks(links);
    loop.require("no link above its capacity", network.withinCapacity());
    loop.require("bytes are conserved", network.conservesBytes());
    loop.require("replicas on distinct nodes that are up", writes.soundReplicas());
  }

  private void watchRackLinks(ClusterLinks links) {
    int racks = cluster.topology().rackCount();
    long lookNanos = SimTime.ofMs(scenario.run().lookMs());
    watched.add(
        new LinkUse(
            loop, network, racks, links::rackUp, VARIATION_NANOS, use -> addVariation(use, cvUp)));
    watched.add(
        new LinkUse(
            loop,
            network,
            racks,
            links::rackDown,
            VARIATION_NANOS,
            use -> addVariation(use, cvDown)));
    if (lookNanos > 0) {
      watched.add(new LinkUse(loop, network, racks, links::rackDown, lookNanos, this::addLook));
    }
  }

  private static void addVariation(double[] use, List<Double> variations) {
    Sample sample = new Sample(use);
    if (sample.max() > 0) {
      variations.add(sample.variation());
    }
  }

  private void addLook(double[] use) {
    double[] before = occupied;
    occupied = IntStream.range(0, use.length).mapToDouble(cluster::occupied).toArray();
    double[] load = new double[use.length];
    for (int rack = 0; rack < use.length; rack++) {
      boolean isSteady = before != null && before[rack] == occupied[rack] && occupied[rack] < 1;
      load[rack] = isSteady ? Math.min(1, use[rack] / (1 - occupied[rack])) : Double.NaN;
    }
    looks.add(new PolicyRecord.RackLook(load, occupied));
  }

  private double[] capacities(ClusterTopology topology, SplittableRandom random) {
    Distribution capacity = scenario.cluster().capacityBytes();
    double[] bytes = new double[topology.nodeCount()];
    for (int node = 0; node < bytes.length; node++) {
      bytes[node] = capacity.draw(random);
    }
    return bytes;
  }

  private int[] readSlots(ClusterTopology topology, SplittableRandom random) {
    Distribution drawn = scenario.cluster().readSlots();
    int[] slots = new int[topology.nodeCount()];
    for (int node = 0; node < slots.length; node++) {
      slots[node] = (int) Math.max(1, Math.round(drawn.draw(random)));
    }
    return slots;
  }

  /**
   * Files that are there at the start lie where stock placement left them, for every policy but one
   * that is said to have placed them itself.
   */
  private void storeFiles(SplittableRandom random) {
    PlacementPolicy before =
        spec instanceof PolicySpec.Ear ear && ear.placesStored()
            ? policy
            : new SpreadPolicy(
                cluster.topology(),
                new Rules(cluster, loop),
                Spread.TWO_RACK,
                new RandomChoice(random));
    try (Stream<StoredFile> files = input.workload().requests().storedFiles()) {
      files.forEachOrdered(file -> stored.store(file, before));
    }
  }

  private void blockEnded(BlockOutcome outcome) {
    if (input.readsOrDeletes()) {
      stored.ended(outcome);
    }
    if (outcome.askedNanos() >= warmUpNanos) {
      blocks.add(outcome);
    }
  }

  private void readEnded(ReadOutcome outcome) {
    if (outcome.askedNanos() >= warmUpNanos) {
      readBlocks.add(outcome);
    }
  }

  private void groupEnded(GroupOutcome outcome) {
    if (outcome.startedNanos() >= warmUpNanos) {
      groups.add(outcome);
    }
  }

  /** Runs from beginning to end; once. */
  public PolicyRecord run(ProgressListener progress) {
    loop.listen(progress);
    scenario.failures().forEach(this::schedule);
    watched.forEach(links -> links.watch(warmUpNanos, endNanos));
    try (Feed feed = new Feed(loop, input.workload().requests().requests(), this::take)) {
      feed.start();
      loop.runUntil(endNanos);
    }
    writes.endEndless();
    long graceEnds = endNanos + GRACE_NANOS;
    while (writes.underWay() + reads.underWay() + encoding.underWay() > 0
        && loop.nowNanos() < graceEnds) {
      loop.runUntil(loop.nowNanos() + GRACE_STEP_NANOS);
    }
    return toRecord();
  }

  private void schedule(FailureSpec failure) {
    boolean isRack = failure.rack().isPresent();
    int index = failure.index();
    loop.at(
        SimTime.ofMs(failure.atMs()),
        () -> {
          if (isRack) {
            cluster.failRack(index, loop.nowNanos());
          } else {
            cluster.fail(index, loop.nowNanos());
          }
        });
    if (failure.returnMs() < scenario.run().durationMs()) {
      loop.at(
          SimTime.ofMs(failure.returnMs()),
          () -> {
            if (isRack) {
              cluster.restoreRack(index);
            } else {
              cluster.restore(index);
            }
          });
    }
  }

  private void take(TimedRequest request) {
    if (request.atNanos() >= endNanos) {
      return;
    }
    if (request instanceof TimedRequest.Write write) {
      if (input.readsOrDeletes()) {
        stored.begin(write);
      }
      writes.begin(write);
    } else if (request instanceof TimedRequest.Read read) {
      reads.begin(read);
    } else if (request instanceof TimedRequest.Delete delete) {
      stored.delete(delete.file());
    } else if (request instanceof TimedRequest.Transfer transfer) {
      // A trace of shuffles knows racks only: its tasks are all of a rack's tasks together.
      int part = input.workload().requests().partOf(transfer.group());
      if (scenario.workloads().get(part) instanceof WorkloadSpec.Shuffles) {
        transfers.beginBetweenRacks(transfer);
      } else {
        transfers.beginBetweenNodes(transfer);
      }
    } else if (request instanceof TimedRequest.NodeLoad load) {
      cluster.occupy(load.node(), load.inBytesPerSec(), load.outBytesPerSec(), loop.nowNanos());
    }
    // Renames move no byte; another replication factor is not simulated.
  }

  private Map<FallbackReason, Long> fallbacks() {
    if (policy instanceof SinbadPolicy sinbad) {
      return sinbad.fallbacks();
    }
    return policy instanceof EarPolicy ear ? ear.fallbacks() : Map.of();
  }

  private PolicyRecord toRecord() {
    ClusterTopology topology = cluster.topology();
    double[] rackBytes = new double[topology.rackCount()];
    double[] rackBlocks = new double[topology.rackCount()];
    double[] nodeBytes = new double[topology.nodeCount()];
    for (int node = 0; node < nodeBytes.length; node++) {
      nodeBytes[node] = cluster.usedBytes(node);
      rackBytes[topology.rackOf(node)] += nodeBytes[node];
      rackBlocks[topology.rackOf(node)] += cluster.blocks(node);
    }
    return new PolicyRecord(
        spec.name(),
        List.copyOf(blocks),
        List.copyOf(readBlocks),
        List.copyOf(groups),
        values(cvUp),
        values(cvDown),
        List.copyOf(looks),
        rackBytes,
        rackBlocks,
        nodeBytes,
        energy.kilowattHours(),
        fallbacks(),
        new EncodingRecord(
            encodedStripes,
            encoding.underWay(),
            policy instanceof EarPolicy ear ? ear.meanDraws() : NO_DRAWS),
        RecoveryOutcome.NONE,
        new PolicyRecord.Effort(
            loop.nowNanos(),
            loop.eventCount(),
            network.flowsStarted(),
            network.settlements(),
            writes.underWay() + reads.underWay()));
  }

  private static double[] values(List<Double> numbers) {
    return numbers.stream().mapToDouble(Double::doubleValue).toArray();
  }
}
