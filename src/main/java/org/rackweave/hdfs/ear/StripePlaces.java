package org.rackweave.hdfs.ear;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.util.Time;
import org.rackweave.ear.ErasureCode;
import org.rackweave.ear.StripeAudit;
import org.rackweave.ear.StripeAuditor;
import org.rackweave.ear.StripeMove;
import org.rackweave.hdfs.ClusterView;
import org.rackweave.hdfs.EarConfig;
import org.rackweave.hdfs.ear.BlockLookup.StoredBlock;
import org.rackweave.hdfs.ear.BlockLookup.StoredFile;
import org.rackweave.hdfs.work.MoveTask;
import org.rackweave.hdfs.work.WorkReport;

/** Tells which blocks of stripes lie wrong, and has DataNodes move them. Thread-safe. */
final class StripePlaces {
  private final Supplier<EarConfig> config;
  private final BlockLookup lookup;
  private final StripeCommands commands;

  StripePlaces(Supplier<EarConfig> config, BlockLookup lookup, StripeCommands commands) {
    this.config = config;
    this.lookup = lookup;
    this.commands = commands;
  }

  /** What is wrong with where a stripe lies; members that are gone or changed do not count. */
  StripeAudit audit(LocatedStripe located, ClusterView nodes) {
    long bytes = located.stripe().record().parityBytes();
    return new StripeAuditor(config.get().rulesOf(located.stripe().record()), nodes.topology())
        .audit(
            located.where().withData(intact(located)),
            (block, node) ->
                mayTake(nodes, node, bytes, located.blocks())
                    && hasStorage(nodes.datanodes()[node], blockOf(block, located), located));
  }

  /**
   * Whether a node may get a block of a stripe. Not when it has a replica of one that is to go:
   * were that deleted and made anew before the DataNode reports, HDFS would never hear of the
   * deletion and take the new replica for the old one.
   *
   * @param blocks the stripe's, {@code null} for those that are gone
   */
  static boolean mayTake(ClusterView nodes, int node, long bytes, List<StoredBlock> blocks) {
    return nodes.isFresh(node)
        && nodes.hasRoom(node, bytes)
        && blocks.stream()
            .noneMatch(
                block -> block != null && block.hasPassingReplicaOn(nodes.datanodes()[node]));
  }

  private boolean hasStorage(DatanodeDescriptor datanode, int block, LocatedStripe located) {
    StoredBlock stored = located.blocks().get(block);
    return stored == null || lookup.hasStorage(datanode, stored);
  }

  /** Places of the members that are as they were encoded. */
  static int[] intact(LocatedStripe located) {
    return IntStream.range(0, located.members().size())
        .filter(member -> located.members().get(member).isIntact())
        .toArray();
  }

  /**
   * Has a block of an encoded stripe moved, as an audit advised.
   *
   * @return empty when that has to wait: HDFS is about to choose among its replicas, or the
   *     DataNode has enough to do
   */
  Optional<CompletableFuture<WorkReport>> move(
      LocatedStripe located, StripeMove move, ClusterView nodes) {
    StoredBlock stored = located.blocks().get(blockOf(move.block(), located));
    return stored == null || hasSurplus(stored, lookup.file(stored.fileId()))
        ? Optional.empty()
        : move(stored, located.stripe().record().code(), move, nodes);
  }

  /**
   * Whether a block has replicas to give up. One that has several and none to give up is moved like
   * any other: it may be that its file cannot be shrunk before.
   *
   * @param file {@code null} when it is gone
   */
  static boolean hasSurplus(StoredBlock stored, StoredFile file) {
    int kept = file == null ? 1 : Math.max(file.replication(), file.heldReplication());
    return stored.replicas().size() > kept;
  }

  /**
   * Has one replica of a block moved, as the Balancer does it.
   *
   * @return empty when that has to wait: the DataNode has no storage for it, or enough to do
   */
  Optional<CompletableFuture<WorkReport>> move(
      StoredBlock stored, ErasureCode code, StripeMove move, ClusterView nodes) {
    DatanodeDescriptor from = nodes.datanodes()[move.from()];
    DatanodeDescriptor to = nodes.datanodes()[move.to()];
    Optional<BlockLookup.Storage> storage =
        lookup.storageOn(to, lookup.storageTypes(stored.fileId(), true), stored.lengthBytes());
    if (storage.isEmpty()) {
      return Optional.empty();
    }
    MoveTask task =
        new MoveTask(
            code,
            commands.toRead(stored, from),
            commands.toWrite(stored, to, storage.get()),
            config.get().encodeBytesPerSec());
    try {
      return Optional.of(commands.give(to, task, stored.lengthBytes(), Time.monotonicNow()));
    } catch (IllegalStateException e) {
      return Optional.empty();
    }
  }

  /** The audit knows only of members that are there. */
  private static int blockOf(int block, LocatedStripe located) {
    int[] there = intact(located);
    return block < there.length ? there[block] : block - there.length + located.members().size();
  }
}
