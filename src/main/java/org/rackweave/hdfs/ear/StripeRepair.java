package org.rackweave.hdfs.ear;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.rackweave.ear.RebuildPlan;
import org.rackweave.ear.RebuildPlanner;
import org.rackweave.ear.StripeLocations;
import org.rackweave.ear.StripeRecord;
import org.rackweave.ear.TargetRacks;
import org.rackweave.hdfs.EarConfig;
import org.rackweave.hdfs.LogThrottle;
import org.rackweave.hdfs.ear.BlockLookup.StoredBlock;
import org.rackweave.hdfs.ear.BlockLookup.StoredFile;
import org.rackweave.hdfs.work.DecodeTask;
import org.rackweave.hdfs.work.StripeUnit;
import org.rackweave.hdfs.work.WorkDesk;
import org.rackweave.hdfs.work.WorkReport;
import org.rackweave.model.ClusterTopology;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings back data and parity blocks of encoded stripes that HDFS misses: looks through what it
 * lists as missing, and has DataNodes decode it under the same ids, stripes with the fewest
 * survivors first. HDFS itself clears a block from its list when its new replica is reported, so
 * whatever fails is simply still there at the next look.
 *
 * <p>Soft state, for one thread; the DataNodes' answers may come on any.
 */
final class StripeRepair {
  private static final Logger LOG = LoggerFactory.getLogger(StripeRepair.class);
  private static final LogThrottle FAILURE_LOG = LogThrottle.oncePerMinute();

  /** Missing blocks looked at in one hold of the lock; the rest follows when these are back. */
  private static final int LOOKED_AT_MAX = 1000;

  /** At this pace a DataNode is taken to be stuck, in bytes of each block a second. */
  private static final long LEAST_PACE_BYTES_PER_SEC = 256 << 10;

  private static final long LEAST_TIME_MS = 120_000;

  private final EarConfig config;
  private final BlockLookup lookup;
  private final ParityFiles parityFiles;
  private final EncodedStripes encoded;
  private final EncodingCounts counts;
  private final WorkDesk desk;
  private final Supplier<EncodingCluster> cluster;
  private final String blockPool;

  /** Inodes of the parity of stripes that are being repaired. */
  private final Set<Long> underWay = ConcurrentHashMap.newKeySet();

  StripeRepair(
      EarConfig config,
      BlockLookup lookup,
      ParityFiles parityFiles,
      EncodedStripes encoded,
      EncodingCounts counts,
      WorkDesk desk,
      Supplier<EncodingCluster> cluster,
      String blockPool) {
    this.config = config;
    this.lookup = lookup;
    this.parityFiles = parityFiles;
    this.encoded = encoded;
    this.counts = counts;
    this.desk = desk;
    this.cluster = cluster;
    this.blockPool = blockPool;
  }

  /** A stripe some block of which is missing. */
  private record Damaged(
      EncodedStripes.Stripe stripe, List<StoredBlock> blocks, StripeLocations where) {
    int survivors() {
      return RebuildPlanner.survivors(where) - stripe.record().members().size();
    }
  }

  /** Looks once and begins what there is room for. */
  void look(long nowMs) throws IOException {
    Map<Long, Damaged> damaged = new HashMap<>();
    EncodingCluster nodes = cluster.get();
    for (StoredBlock block : lookup.missing(LOOKED_AT_MAX)) {
      Optional<EncodedStripes.Stripe> stripe = stripeOf(block);
      if (stripe.isPresent() && !damaged.containsKey(stripe.get().parityFile())) {
        damage(stripe.get(), nodes)
            .ifPresent(found -> damaged.put(found.stripe().parityFile(), found));
      }
    }
    counts.damaged(
        (int) damaged.values().stream().filter(one -> one.survivors() >= 0).count(),
        (int) damaged.values().stream().filter(one -> one.survivors() < 0).count());
    damaged.values().stream()
        .filter(one -> one.survivors() >= 0)
        .sorted(Comparator.comparingInt(Damaged::survivors))
        .filter(one -> !underWay.contains(one.stripe().parityFile()))
        .limit(Math.max(0, config.repairConcurrent() - underWay.size()))
        .forEach(one -> begin(one, nodes, nowMs));
  }

  private Optional<EncodedStripes.Stripe> stripeOf(StoredBlock block) throws IOException {
    Optional<EncodedStripes.Stripe> stripe = encoded.of(block.id());
    if (stripe.isPresent()) {
      return stripe;
    }
    StoredFile file = lookup.file(block.fileId());
    if (file == null || !parityFiles.isParity(file.path())) {
      return Optional.empty();
    }
    Optional<StripeRecord> record = parityFiles.recordAt(file.path());
    return record.map(read -> new EncodedStripes.Stripe(read, file.id()));
  }

  private Optional<Damaged> damage(EncodedStripes.Stripe stripe, EncodingCluster nodes) {
    StoredFile parity = lookup.file(stripe.parityFile());
    if (parity == null) {
      return Optional.empty();
    }
    List<StripeRecord.Member> members = stripe.record().members();
    List<Long> ids = new ArrayList<>();
    members.forEach(member -> ids.add(member.blockId()));
    ids.addAll(parity.blockIds());
    List<StoredBlock> blocks = lookup.blocks(ids);
    int[][] where = new int[blocks.size()][];
    for (int i = 0; i < where.length; i++) {
      StoredBlock block = blocks.get(i);
      boolean isAsEncoded =
          block != null
              && block.isComplete()
              && (i >= members.size()
                  || block.generationStamp() == members.get(i).generationStamp());
      where[i] = isAsEncoded ? nodes.numbersOf(block.replicas()) : new int[0];
    }
    return Optional.of(
        new Damaged(
            stripe,
            blocks,
            new StripeLocations(
                ClusterTopology.NONE,
                TargetRacks.ALL,
                Arrays.copyOf(where, members.size()),
                Arrays.copyOfRange(where, members.size(), where.length))));
  }

  private void begin(Damaged damaged, EncodingCluster nodes, long nowMs) {
    StripeRecord record = damaged.stripe().record();
    Optional<RebuildPlan> plan =
        new RebuildPlanner(config.rules().get(record.code()), nodes.topology())
            .plan(
                damaged.where(),
                node -> accepts(nodes.datanodes()[node], record.parityBytes()),
                ThreadLocalRandom.current());
    if (plan.isEmpty()) {
      return;
    }
    Optional<DecodeTask> task = task(damaged, plan.get(), nodes);
    if (task.isEmpty()) {
      return;
    }
    DatanodeDescriptor maker = nodes.datanodes()[plan.get().targets()[0]];
    long timeMs = LEAST_TIME_MS + record.parityBytes() * 1000 / LEAST_PACE_BYTES_PER_SEC;
    long parityFile = damaged.stripe().parityFile();
    underWay.add(parityFile);
    CompletableFuture<WorkReport> over;
    try {
      over = desk.give(maker.getDatanodeUuid(), task.get(), timeMs, nowMs);
    } catch (IllegalStateException e) {
      underWay.remove(parityFile);
      return; // it has enough to do
    }
    over.thenAccept(report -> ended(parityFile, task.get().wanted().size(), report));
  }

  private static boolean accepts(DatanodeDescriptor datanode, long bytes) {
    return datanode.isAlive() && datanode.isInService() && datanode.getRemaining() >= 2 * bytes;
  }

  /** Blocks that were deleted are not made again, nor read. */
  private Optional<DecodeTask> task(Damaged damaged, RebuildPlan plan, EncodingCluster nodes) {
    StripeRecord record = damaged.stripe().record();
    int members = record.members().size();
    int zeros = record.code().dataBlocks() - members;
    List<StripeUnit> sources = new ArrayList<>();
    for (int i = 0; i < plan.sources().length; i++) {
      int block = plan.sources()[i];
      DatanodeDescriptor node = nodes.datanodes()[plan.sourceNodes()[i]];
      sources.add(
          new StripeUnit(
              block < members ? block : block + zeros,
              located(damaged.blocks().get(block), node, StorageType.DEFAULT, "")));
    }
    List<StripeUnit> wanted = new ArrayList<>();
    for (int i = 0; i < plan.missing().length; i++) {
      int block = plan.missing()[i];
      StoredBlock stored = damaged.blocks().get(block);
      DatanodeDescriptor node = nodes.datanodes()[plan.targets()[i]];
      Optional<BlockLookup.Storage> storage = lookup.storageOn(node);
      if (stored != null && stored.isComplete() && storage.isPresent()) {
        wanted.add(
            new StripeUnit(
                block < members ? block : block + zeros,
                located(stored, node, storage.get().type(), storage.get().id())));
      }
    }
    return wanted.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new DecodeTask(record.code(), members, sources, wanted, config.encodeBytesPerSec()));
  }

  private LocatedBlock located(
      StoredBlock block, DatanodeDescriptor node, StorageType type, String storageId) {
    return new LocatedBlock(
        new ExtendedBlock(blockPool, block.id(), block.lengthBytes(), block.generationStamp()),
        new DatanodeInfo[] {node},
        new String[] {storageId},
        new StorageType[] {type});
  }

  private void ended(long parityFile, int blocks, WorkReport report) {
    underWay.remove(parityFile);
    if (report.state() == WorkReport.State.DONE) {
      counts.repaired(blocks);
    } else {
      counts.repairFailed();
      if (FAILURE_LOG.shouldLog()) {
        LOG.warn(
            "A stripe was not repaired and is tried again, parity file {}: {}",
            parityFile,
            report.message());
      }
    }
  }
}
