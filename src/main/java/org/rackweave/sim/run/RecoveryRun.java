package org.rackweave.sim.run;

import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.rackweave.model.ClusterTopology;
import org.rackweave.sim.engine.ProgressListener;
import org.rackweave.sim.engine.SimTime;
import org.rackweave.sim.engine.Streams;
import org.rackweave.sim.recovery.Recovery;
import org.rackweave.sim.recovery.RecoveryLinks;
import org.rackweave.sim.recovery.RecoveryOutcome;
import org.rackweave.sim.scenario.PolicySpec;
import org.rackweave.sim.scenario.RecoverySpec;
import org.rackweave.sim.scenario.Scenario;
import org.rackweave.sim.workload.LostChunks;
import org.rackweave.sim.workload.TimedRequest;

/**
 * The recovery of one failed node under one policy and one seed, which is a failure case of the
 * paper (section 5): the seed decides which node, what it held and what the foreground does.
 */
public final class RecoveryRun {
  private static final double[] NOTHING = {};

  private final RunInput input;
  private final PolicySpec policy;
  private final LongSupplier clockNanos;

  /**
   * @param clockNanos of the planner's work; a run depends on it only where its policy says so
   */
  public RecoveryRun(RunInput input, PolicySpec policy, LongSupplier clockNanos) {
    this.input = input;
    this.policy = policy;
    this.clockNanos = clockNanos;
  }

  /** Runs from the failure to the end. */
  public PolicyRecord run(ProgressListener progress) {
    Scenario scenario = input.scenario();
    RecoverySpec spec = scenario.recovery();
    ClusterTopology topology = input.machines().topology();
    Streams streams = new Streams(input.seed());
    SplittableRandom random = streams.of("failed node");
    int failed = random.nextInt(topology.nodeCount());
    LostChunks lost =
        new LostChunks(
            topology,
            failed,
            spec.chunksAtFirst(topology.nodeCount()),
            spec.chunkBytes(),
            spec.layout(),
            random);
    RecoveryLinks links =
        new RecoveryLinks(topology, scenario.cluster(), failed, spec.bandwidth(), spec.crossing());
    Recovery recovery =
        new Recovery(
            links,
            spec,
            this::loads,
            lost,
            new Recovery.Deciding(policy, streams.of("planner"), clockNanos));
    return record(recovery.run(scenario.run().durationMs() / 1e3, progress));
  }

  private Stream<TimedRequest> loads() {
    return input.workload().requests().requests();
  }

  private PolicyRecord record(RecoveryOutcome outcome) {
    return new PolicyRecord(
        policy.name(),
        List.of(),
        List.of(),
        List.of(),
        NOTHING,
        NOTHING,
        List.of(),
        NOTHING,
        NOTHING,
        NOTHING,
        0,
        Map.of(),
        new EncodingRecord(List.of(), 0, NOTHING),
        outcome,
        new PolicyRecord.Effort(
            SimTime.ofSeconds(outcome.seconds()),
            outcome.planWorkSec().length,
            outcome.copies(),
            0,
            outcome.missing()));
  }
}
