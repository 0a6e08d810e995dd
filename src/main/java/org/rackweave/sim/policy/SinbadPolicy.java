package org.rackweave.sim.policy;

import java.util.EnumMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.rackweave.model.ClusterTopology;
import org.rackweave.placement.FallbackReason;
import org.rackweave.placement.PipelineOrder;
import org.rackweave.placement.PlacementDecision;
import org.rackweave.placement.PlacementRequest;
import org.rackweave.sim.cluster.LinkKnowledge;
import org.rackweave.sim.engine.EventLoop;
import org.rackweave.sim.engine.SimTime;
import org.rackweave.sinbad.SinbadPlacement;
import org.rackweave.telemetry.LinkLedger;

/** The NameNode's own Sinbad, asked as the NameNode's policy asks it. */
public final class SinbadPolicy implements PlacementPolicy {
  /** As {@code rackweave.telemetry.coverage.min}. */
  private static final double COVERAGE_MIN = 0.5;

  private final EventLoop loop;
  private final LinkKnowledge knowledge;
  private final SinbadPlacement sinbad;
  private final Otherwise otherwise;
  private final Rules rules;
  private final SplittableRandom random;
  private final Map<FallbackReason, Long> fallbacks = new EnumMap<>(FallbackReason.class);

  /**
   * What happens to blocks that Sinbad does not place.
   *
   * @param thresholdBytes smaller ones are not offered to it
   * @param stock places them
   */
  public record Otherwise(long thresholdBytes, PlacementPolicy stock) {}

  public SinbadPolicy(
      EventLoop loop,
      LinkKnowledge knowledge,
      SinbadPlacement sinbad,
      Rules rules,
      Otherwise otherwise,
      SplittableRandom random) {
    this.loop = loop;
    this.knowledge = knowledge;
    this.sinbad = sinbad;
    this.rules = rules;
    this.otherwise = otherwise;
    this.random = random;
  }

  /** How often stock placement acted, by reason. */
  public Map<FallbackReason, Long> fallbacks() {
    return Map.copyOf(fallbacks);
  }

  @Override
  public int[] place(BlockRequest request) {
    LinkLedger ledger = knowledge.ledger();
    FallbackReason reason = reasonAgainst(ledger, request);
    if (reason == null) {
      PlacementRequest asked = translate(ledger.topology(), request);
      PlacementDecision decision = sinbad.place(ledger, asked, rules.admissionOf(request), random);
      if (decision.stands()) {
        int[] pipeline = decision.nodes().clone();
        PipelineOrder.arrange(ledger.topology(), request.writer(), pipeline);
        sinbad.commit(ledger, asked, pipeline, SimTime.toMs(loop.nowNanos()));
        return pipeline;
      }
      reason = decision.fallback();
    }
    fallbacks.merge(reason, 1L, Long::sum);
    return otherwise.stock().place(request);
  }

  private FallbackReason reasonAgainst(LinkLedger ledger, BlockRequest request) {
    if (request.sizeBytes() < otherwise.thresholdBytes()) {
      return FallbackReason.SMALL_BLOCK;
    }
    if (ledger == null) {
      return FallbackReason.NO_SNAPSHOT;
    }
    return ledger.snapshot().coverage() < COVERAGE_MIN ? FallbackReason.LOW_COVERAGE : null;
  }

  static PlacementRequest translate(ClusterTopology topology, BlockRequest request) {
    int writer = request.writer();
    int rack = writer == ClusterTopology.NONE ? ClusterTopology.NONE : topology.rackOf(writer);
    int replicas = Math.min(request.replicas(), topology.nodeCount());
    int maxPerRack = Rules.maxPerRack(replicas, topology.rackCount());
    return PlacementRequest.newBlock(replicas, writer, rack, maxPerRack, request.sizeBytes());
  }
}
