package org.apache.hadoop.hdfs.server.blockmanagement;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;
import org.apache.hadoop.hdfs.AddBlockFlag;
import org.apache.hadoop.net.Node;
import org.apache.hadoop.util.Time;
import org.rackweave.ear.EarDecision;
import org.rackweave.ear.EarPlacement;
import org.rackweave.ear.OpenStripes;
import org.rackweave.hdfs.ClusterView;
import org.rackweave.hdfs.LengthHint;
import org.rackweave.hdfs.eafr.Destinations;
import org.rackweave.hdfs.ear.AddBlockCall;
import org.rackweave.hdfs.ear.StripeRegistry;
import org.rackweave.hdfs.hook.Hook;
import org.rackweave.hdfs.hook.HookGuard;
import org.rackweave.hdfs.namenode.PlacementContext;
import org.rackweave.history.PlacementRecord.Ranking;
import org.rackweave.model.ClusterTopology;
import org.rackweave.placement.Admission;
import org.rackweave.placement.FallbackReason;
import org.rackweave.placement.PipelineOrder;
import org.rackweave.placement.PlacementDecision;
import org.rackweave.placement.PlacementRequest;
import org.rackweave.placement.RandomPlacement;
import org.rackweave.placement.ReplicaChooser;
import org.rackweave.telemetry.LinkSnapshot;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One call of {@code chooseTarget}: translates HDFS's arguments into a {@link PlacementRequest},
 * has it decided the way that its {@link PlacementPath} goes, and translates the answer back.
 * Single-threaded.
 */
final class TargetDecision {
  private static final Logger LOG = LoggerFactory.getLogger(TargetDecision.class);
  private static final int[] NO_NODES = {};

  /** Draws for a replica before all nodes are tried in turn. */
  private static final int DRAWS_MAX = 16;

  private final RackweaveBlockPlacementPolicy policy;
  private final PlacementContext context;
  private final TargetCall call;
  private final PlacementPath path;
  private final Purpose purpose;

  private final long startedNanos = System.nanoTime();
  private boolean byLinks;
  private ClusterView state;
  private PlacementRequest request;
  private HdfsAdmission admission;
  private PlacementDecision decision;
  private Ranking ranking = Ranking.RANDOM;

  TargetDecision(
      RackweaveBlockPlacementPolicy policy,
      PlacementContext context,
      TargetCall call,
      PlacementPath path,
      Purpose purpose) {
    this.policy = policy;
    this.context = context;
    this.call = call;
    this.path = path;
    this.purpose = purpose;
  }

  /** What a decision is made for. */
  enum Purpose {
    /** To be carried out. */
    ACT,
    /** To be compared with what stock chooses. */
    SHADOW,
    /** To be compared with what another decision chooses: leaves nothing behind that counts. */
    SHADOW_BESIDE
  }

  /**
   * Decides.
   *
   * @return {@code null} when the decision stands, otherwise why stock placement must act
   */
  FallbackReason decide() {
    if (path.whyStock() != null) {
      return path.whyStock();
    }
    FallbackReason unknown = path.byLinks() ? whyNotByLinks() : FallbackReason.NO_ODDS;
    if (path.code() != null) {
      byLinks = unknown == null;
      return place(call.blockSizeBytes()); // however small: its stripe wants it
    }
    FallbackReason reason = unknown == null ? placeByLinks() : unknown;
    boolean canDoWithout =
        path.byOdds() && (unknown != null || reason == FallbackReason.SMALL_BLOCK);
    if (!canDoWithout) {
      return reason;
    }
    FallbackReason otherwise = place(call.blockSizeBytes());
    return otherwise == FallbackReason.NO_ODDS ? reason : otherwise;
  }

  private FallbackReason placeByLinks() {
    long lengthHintBytes = call.isNewBlock() ? LengthHint.current() : LengthHint.NONE;
    long blockSizeBytes = call.blockSizeBytes();
    long sizeBytes = blockSizeBytes;
    if (lengthHintBytes != LengthHint.NONE
        && blockSizeBytes > 0
        && purpose != Purpose.SHADOW_BESIDE) {
      long placedBytes = context.fileProgress().next(call.path()) * blockSizeBytes;
      long restBytes = Math.max(0, lengthHintBytes - placedBytes);
      sizeBytes = Math.max(1, Math.min(blockSizeBytes, restBytes));
      if (restBytes <= blockSizeBytes) {
        context.fileProgress().finished(call.path());
      }
    }
    if (sizeBytes < context.config().thresholdBytes()) {
      return FallbackReason.SMALL_BLOCK;
    }
    byLinks = true;
    return place(sizeBytes);
  }

  /** Why the links are not known well enough to choose by. */
  private FallbackReason whyNotByLinks() {
    LinkSnapshot snapshot = context.state().links();
    if (context.isStale(snapshot, Time.monotonicNow())) {
      return FallbackReason.STALE_SNAPSHOT;
    }
    double coverage = snapshot.coverage();
    return coverage < context.config().coverageMin() ? FallbackReason.LOW_COVERAGE : null;
  }

  private FallbackReason place(long sizeBytes) {
    state = context.state();
    FallbackReason reason = translate(sizeBytes);
    if (reason != null || request.replicas() == 0) {
      return reason;
    }
    decision = choose(request);
    if (LOG.isDebugEnabled()) {
      LOG.debug("{}: {}", call.path(), decision.describe(state.topology()));
    }
    return decision.fallback();
  }

  private PlacementDecision choose(PlacementRequest wanted) {
    Destinations destinations = path.byOdds() ? context.destinations() : null;
    if (destinations != null && !destinations.areOf(state.topology())) {
      destinations = null; // DataNodes came or went; there will be new ones at once
    }
    ReplicaChooser ranking = ranking(destinations);
    if (ranking == null) {
      return PlacementDecision.fallback(FallbackReason.NO_ODDS, NO_NODES);
    }
    RandomGenerator random = ThreadLocalRandom.current();
    return path.code() == null
        ? ranking.choose(wanted, pool(destinations), random)
        : seat(wanted, ranking, destinations, random);
  }

  /** The first ranking that knows enough, {@code null} for none. */
  private ReplicaChooser ranking(Destinations destinations) {
    if (byLinks) {
      ranking = Ranking.NETWORK;
      return (wanted, admits, random) ->
          context.sinbad().place(state.ledger(), wanted, admits, random);
    }
    if (destinations != null) {
      ranking = Ranking.ODDS;
      return PlacementPath.isRepair(call)
          ? destinations.chooser(call.path(), call.existing().size())
          : destinations.lottery();
    }
    return path.code() == null
        ? null
        : new RandomPlacement(state.topology(), DRAWS_MAX, ReplicaChooser.CANDIDATES_MAX);
  }

  /** HDFS's rules for an attempt, behind those of EAFR. */
  private Admission pool(Destinations destinations) {
    HdfsAdmission host = freshAdmission();
    return destinations == null ? host : destinations.hotOnly(host);
  }

  /** Finds the block a seat in a stripe, among nodes that its layout allows. */
  private PlacementDecision seat(
      PlacementRequest wanted,
      ReplicaChooser ranking,
      Destinations destinations,
      RandomGenerator random) {
    StripeRegistry registry = context.stripes();
    OpenStripes stripes = registry.openStripes(path.code());
    AddBlockCall addBlock = AddBlockCall.current();
    if (purpose == Purpose.SHADOW_BESIDE) {
      return ranking.choose(wanted, pool(destinations), random);
    }
    if (addBlock == null || stripes == null) {
      registry.unobserved();
      return ranking.choose(wanted, pool(destinations), random);
    }
    EarDecision seated =
        new EarPlacement(stripes, state.topology(), ranking)
            .place(
                wanted, () -> pool(destinations), random, Time.monotonicNow(), registry.events());
    registry.placed(seated.outcome());
    DatanodeDescriptor[] datanodes = state.datanodes();
    addBlock.seat(
        stripes,
        seated.seat(),
        seated.placement().nodes(),
        node -> datanodes[node].getDatanodeUuid());
    return seated.placement();
  }

  /** HDFS's rules for an attempt; what earlier ones admitted is forgotten. */
  private HdfsAdmission freshAdmission() {
    if (admission.isFresh()) {
      return admission;
    }
    int total = call.existing().size() + request.replicas();
    admit(
        policy.storageTypes().of(call.storagePolicy(), total, call.existing()),
        request.maxPerRack());
    return admission;
  }

  private void admit(StorageTypeQuota quota, int maxPerRack) {
    admission = new HdfsAdmission(policy, state, call, quota, maxPerRack);
    if (call.hasFlag(AddBlockFlag.NO_LOCAL_WRITE)) {
      admission.exclude(call.writer());
    }
  }

  private FallbackReason translate(long sizeBytes) {
    ClusterTopology topology = state.topology();
    List<DatanodeStorageInfo> existing = call.existing();
    Node writer = call.writer();
    int writerNumber = writer == null ? ClusterTopology.NONE : state.numberOf(writer);
    if (writerNumber == ClusterTopology.NONE
        && writer instanceof DatanodeDescriptor
        && writer.getParent() != null) {
      return FallbackReason.UNKNOWN_NODE;
    }
    int[] held = existing.isEmpty() ? NO_NODES : new int[existing.size()];
    for (int i = 0; i < held.length; i++) {
      held[i] = state.numberOf(existing.get(i).getDatanodeDescriptor());
      if (held[i] == ClusterTopology.NONE) {
        return FallbackReason.UNKNOWN_NODE;
      }
    }
    // HDFS counts the DataNodes and racks that there are now. The snapshot may not know the latest:
    // then too few are found by it, or too few in a rack, and stock acts.
    int[] limits = policy.getMaxNodesPerRack(held.length, call.replicas());
    int replicas = Math.max(0, limits[0]);
    int maxPerRack = limits[1];
    int total = held.length + replicas;
    StorageTypeQuota quota = policy.storageTypes().of(call.storagePolicy(), total, existing);
    if (quota.isEmpty()) {
      return FallbackReason.NO_STORAGE_TYPE;
    }
    admit(quota, maxPerRack);
    request =
        new PlacementRequest(
            replicas,
            writerNumber,
            writerRack(topology, writerNumber, held),
            held,
            existing.isEmpty(),
            policy.prefersLocalNode() && !call.hasFlag(AddBlockFlag.NO_LOCAL_WRITE),
            forbiddenRack(topology),
            maxPerRack,
            topology.domainCount() == 0 ? 0 : context.config().domainFactor(),
            sizeBytes);
    return null;
  }

  /** Rack of the writer; without one HDFS takes the first replica's node for the writer. */
  private int writerRack(ClusterTopology topology, int writerNumber, int[] held) {
    Node writer = call.writer();
    if (writerNumber != ClusterTopology.NONE) {
      return topology.rackOf(writerNumber);
    }
    if (held.length > 0 && !(writer instanceof DatanodeDescriptor)) {
      return topology.rackOf(held[0]);
    }
    return writer == null ? ClusterTopology.NONE : topology.rackAt(writer.getNetworkLocation());
  }

  private int forbiddenRack(ClusterTopology topology) {
    Node writer = call.writer();
    return call.hasFlag(AddBlockFlag.NO_LOCAL_RACK) && writer != null && policy.racks() > 2
        ? topology.rackAt(writer.getNetworkLocation())
        : ClusterTopology.NONE;
  }

  /** Carries the decision out: promises its bytes to the links and forms the pipeline. */
  DatanodeStorageInfo[] commit() {
    int[] pipeline = pipeline();
    if (decision != null && context.decisions().admits(startedNanos)) {
      HookGuard.run(
          Hook.DECISION_RECORD,
          () -> new DecisionRecorder(context, call).carriedOut(trial(pipeline), Time.now()));
    }
    context.sinbad().commit(state.ledger(), request, pipeline, Time.monotonicNow());
    DatanodeStorageInfo[] targets = storagesOf(pipeline);
    context.metrics().decided(System.nanoTime() - startedNanos);
    return targets;
  }

  /** What was decided, {@code null} where it did not come to that. */
  DecisionRecorder.Trial trial() {
    return decision == null ? null : trial(decision.stands() ? pipeline() : NO_NODES);
  }

  private DecisionRecorder.Trial trial(int[] pipeline) {
    return new DecisionRecorder.Trial(state, request, decision, ranking, pipeline);
  }

  /** Counts a decision that was not carried out. */
  void compare(DatanodeStorageInfo[] stock) {
    List<DatanodeStorageInfo> ours = List.of(storagesOf(pipeline()));
    boolean same = ours.size() == stock.length && ours.containsAll(List.of(stock));
    context.metrics().shadowed(System.nanoTime() - startedNanos, same);
  }

  private int[] pipeline() {
    int[] chosen = decision == null ? NO_NODES : decision.nodes();
    int[] held = call.returnExisting() ? request.existing() : NO_NODES;
    int[] pipeline = Arrays.copyOf(held, held.length + chosen.length);
    System.arraycopy(chosen, 0, pipeline, held.length, chosen.length);
    PipelineOrder.arrange(state.topology(), request.writer(), pipeline);
    return pipeline;
  }

  private DatanodeStorageInfo[] storagesOf(int[] pipeline) {
    DatanodeStorageInfo[] storages = new DatanodeStorageInfo[pipeline.length];
    for (int i = 0; i < pipeline.length; i++) {
      storages[i] = admission.storageOn(state.datanodes()[pipeline[i]]);
    }
    return storages;
  }
}
