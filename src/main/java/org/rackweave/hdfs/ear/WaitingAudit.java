package org.rackweave.hdfs.ear;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.rackweave.ear.ReplicaDrift;
import org.rackweave.ear.ReplicaDrift.NodeCondition;
import org.rackweave.ear.SealedStripe;
import org.rackweave.ear.StripeAudit;
import org.rackweave.ear.StripeAuditor;
import org.rackweave.ear.StripeFlaw;
import org.rackweave.ear.StripeLocations;
import org.rackweave.ear.TargetRacks;
import org.rackweave.hdfs.ClusterView;
import org.rackweave.hdfs.EarConfig;
import org.rackweave.hdfs.ear.BlockLookup.StoredBlock;
import org.rackweave.hdfs.ear.BlockLookup.StoredFile;
import org.rackweave.model.ClusterTopology;

/**
 * Looks at stripes that wait to be encoded: whether each can be, inside its core rack and without a
 * move, and what has come between where it cannot. Used by one thread.
 */
final class WaitingAudit {
  private static final String CAUSE = "waiting_not_encodable_";

  private final Supplier<EarConfig> config;
  private final BlockLookup lookup;
  private final ClusterView nodes;
  private final Map<String, Integer> numbers = new HashMap<>();

  WaitingAudit(Supplier<EarConfig> config, BlockLookup lookup, ClusterView nodes) {
    this.config = config;
    this.lookup = lookup;
    this.nodes = nodes;
    ClusterTopology topology = nodes.topology();
    for (int node = 0; node < topology.nodeCount(); node++) {
      numbers.put(topology.nodeName(node), node);
    }
  }

  /** Why a stripe cannot be encoded where it is. */
  enum Cause {
    /** A DataNode is dead or gone; HDFS makes the replicas it had elsewhere. */
    FAILURE,
    /** A DataNode is taken out of service. */
    DECOMMISSION,
    /** A file wants fewer replicas than it had. */
    SETREP,
    /** The Balancer, the Mover, or somebody by hand has moved a replica. */
    MOVED,
    /** Racks have come, gone or filled since the stripe was formed. */
    RACKS;

    String key() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** A stripe that was looked at, with the blocks that the audit speaks of. */
  record Looked(List<StoredBlock> blocks, StripeAudit audit) {}

  /**
   * Looks at a stripe and adds it to the figures.
   *
   * @return empty when one of its blocks is gone, and the others are to get into other stripes
   */
  Optional<Looked> look(SealedStripe stripe, JobStatus status) {
    status.add("waiting_stripes", 1);
    List<StoredBlock> blocks = lookup.blocks(stripe.blockIdList());
    if (blocks.contains(null)) {
      status.add("waiting_with_blocks_gone", 1);
      return Optional.empty();
    }
    StripeAudit audit = audit(stripe, blocks);
    if (audit.isSound()) {
      status.add("waiting_encodable", 1);
    } else {
      Cause cause = cause(stripe, blocks, audit);
      status.add("waiting_not_encodable", 1);
      status.add(CAUSE + cause.key(), 1);
      status.line(describe(stripe, audit, cause));
    }
    return Optional.of(new Looked(blocks, audit));
  }

  private StripeAudit audit(SealedStripe stripe, List<StoredBlock> blocks) {
    ClusterTopology topology = nodes.topology();
    StripeLocations where =
        StripeLocations.replicated(
            topology.rackAt(stripe.coreRack()),
            TargetRacks.at(stripe.targetRacks(), topology),
            blocks.stream().map(block -> nodes.numbersOf(block.replicas())).toArray(int[][]::new),
            blocks.stream().map(block -> nodes.numbersOf(block.leaving())).toArray(int[][]::new));
    long bytes = blocks.stream().mapToLong(StoredBlock::lengthBytes).max().orElse(0);
    return new StripeAuditor(config.get().rulesOf(stripe.code()), topology)
        .audit(
            where,
            (block, node) ->
                StripePlaces.mayTake(nodes, node, bytes, blocks)
                    && (block >= blocks.size()
                        || lookup.hasStorage(nodes.datanodes()[node], blocks.get(block))));
  }

  /**
   * The gravest of what happened to blocks that something is wrong with; or to any other, which may
   * have got into the way of those.
   */
  private Cause cause(SealedStripe stripe, List<StoredBlock> blocks, StripeAudit audit) {
    IntStream flawed =
        audit.flaws().stream()
            .filter(flaw -> flaw.kind().isOfBlock())
            .mapToInt(StripeFlaw::subject);
    return gravest(stripe, blocks, flawed)
        .or(() -> gravest(stripe, blocks, IntStream.range(0, blocks.size())))
        .map(drift -> Cause.valueOf(drift.name()))
        .orElse(Cause.RACKS);
  }

  private Optional<ReplicaDrift> gravest(
      SealedStripe stripe, List<StoredBlock> blocks, IntStream which) {
    return which
        .mapToObj(block -> drift(stripe.replicas().get(block), blocks.get(block)))
        .filter(drift -> drift != ReplicaDrift.NONE)
        .min(Comparator.naturalOrder());
  }

  private ReplicaDrift drift(List<String> recordedNames, StoredBlock block) {
    // A node that has left the topology has no number there.
    int[] recorded =
        recordedNames.stream()
            .mapToInt(name -> numbers.getOrDefault(name, ClusterTopology.NONE))
            .toArray();
    StoredFile file = lookup.file(block.fileId());
    return ReplicaDrift.of(
        recorded,
        nodes.numbersOf(block.replicas()),
        file == null ? 0 : file.replication(),
        this::condition);
  }

  private NodeCondition condition(int node) {
    if (node == ClusterTopology.NONE || !nodes.datanodes()[node].isAlive()) {
      return NodeCondition.GONE;
    }
    DatanodeDescriptor datanode = nodes.datanodes()[node];
    return datanode.isInService() ? NodeCondition.LIVE : NodeCondition.LEAVING;
  }

  private String describe(SealedStripe stripe, StripeAudit audit, Cause cause) {
    StringBuilder text = new StringBuilder("waiting ").append(stripe).append(':');
    audit
        .flaws()
        .forEach(flaw -> text.append(' ').append(flaw.describe(nodes.topology())).append(';'));
    text.append(" cause: ").append(cause.key());
    audit.moves().forEach(move -> text.append(" -> ").append(move.describe(nodes.topology())));
    return text.toString();
  }
}
