package org.rackweave.hdfs.ear;

import java.io.IOException;
import java.util.ArrayList;
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
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.rackweave.ear.RebuildPlan;
import org.rackweave.ear.RebuildPlanner;
import org.rackweave.ear.StripeRecord;
import org.rackweave.hdfs.ClusterView;
import org.rackweave.hdfs.EarConfig;
import org.rackweave.hdfs.LogThrottle;
import org.rackweave.hdfs.ear.BlockLookup.StoredBlock;
import org.rackweave.hdfs.ear.BlockLookup.StoredFile;
import org.rackweave.hdfs.work.DecodeTask;
import org.rackweave.hdfs.work.StripeProof;
import org.rackweave.hdfs.work.StripeUnit;
import org.rackweave.hdfs.work.WorkReport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings back data and parity blocks of encoded stripes that HDFS misses: looks through what it
 * lists as missing, and has DataNodes decode it under the same ids, stripes with the fewest
 * survivors first. HDFS itself clears a block from its list when its new replica is reported, so
 * whatever fails is simply still there at the next look. It does not list a block whose last
 * replica went while it was being copied, before that copy has timed out; {@link #suspect} is for
 * these.
 *
 * <p>Soft state, for one thread; the DataNodes' answers may come on any.
 */
final class StripeRepair {
  private static final Logger LOG = LoggerFactory.getLogger(StripeRepair.class);
  private static final LogThrottle FAILURE_LOG = LogThrottle.oncePerMinute();
  private static final LogThrottle LOST_LOG = LogThrottle.oncePerMinute();

  /** Stripes that somebody has seen blocks missing of, between two looks. */
  private static final int SUSPECTS_MAX = 1000;

  private final Supplier<EarConfig> config;
  private final BlockLookup lookup;
  private final ParityFiles parityFiles;
  private final EncodedStripes encoded;
  private final WithheldReplicas withheld;
  private final EncodingCounts counts;
  private final StripeCommands commands;
  private final ReplicaSearch search;
  private final Supplier<ClusterView> cluster;
  private final MissingBlockScan missing;

  /** By the inode of their parity, stripes that somebody has seen blocks missing of. */
  private final Map<Long, EncodedStripes.Stripe> suspects = new HashMap<>();

  /** Inodes of the parity of stripes that are being repaired. */
  private final Set<Long> underWay = ConcurrentHashMap.newKeySet();

  StripeRepair(
      EncodedView view,
      ParityFiles parityFiles,
      EncodingCounts counts,
      StripeCommands commands,
      ReplicaSearch search) {
    config = view.config();
    lookup = view.lookup();
    this.parityFiles = parityFiles;
    encoded = view.encoded();
    withheld = view.withheld();
    this.counts = counts;
    this.commands = commands;
    this.search = search;
    cluster = view.cluster();
    missing = new MissingBlockScan(lookup);
  }

  /** Blocks that may be lost before a stripe cannot be decoded; negative when it cannot. */
  private static int spare(LocatedStripe damaged) {
    return RebuildPlanner.survivors(damaged.where()) - damaged.stripe().record().members().size();
  }

  /** A stripe misses blocks, whatever HDFS says; looked at next time. */
  void suspect(EncodedStripes.Stripe stripe) {
    if (suspects.size() < SUSPECTS_MAX) {
      suspects.put(stripe.parityFile(), stripe);
    }
  }

  /** Looks once and begins what there is room for. */
  void look(long nowMs) throws IOException {
    Map<Long, LocatedStripe> damaged = new HashMap<>();
    ClusterView nodes = cluster.get();
    boolean isAnyEncoded = encoded.stripeCount() > 0;
    for (StoredBlock block : isAnyEncoded ? missing.next() : List.<StoredBlock>of()) {
      Optional<EncodedStripes.Stripe> stripe = stripeOf(block);
      if (stripe.isPresent() && !damaged.containsKey(stripe.get().parityFile())) {
        damaged.put(
            stripe.get().parityFile(), LocatedStripe.of(stripe.get(), lookup, withheld, nodes));
      }
    }
    for (EncodedStripes.Stripe stripe : suspects.values()) {
      if (!damaged.containsKey(stripe.parityFile())) {
        damaged.put(stripe.parityFile(), LocatedStripe.of(stripe, lookup, withheld, nodes));
      }
    }
    suspects.clear();
    List<LocatedStripe> lost = damaged.values().stream().filter(one -> spare(one) < 0).toList();
    counts.damaged(damaged.size() - lost.size(), lost.size());
    for (LocatedStripe one : lost) {
      search.want(one.stripe().record().code(), one.deletedAndUnknown(), nowMs);
    }
    if (!lost.isEmpty() && LOST_LOG.shouldLog()) {
      LOG.error(
          "{} stripes have lost more blocks than can be decoded, one of them with parity (inode"
              + " {}): bring back DataNodes that are down",
          lost.size(),
          lost.get(0).stripe().parityFile());
    }
    search.look(nodes, nowMs);
    damaged.values().stream()
        .filter(one -> spare(one) >= 0)
        .sorted(Comparator.comparingInt(StripeRepair::spare))
        .filter(one -> !underWay.contains(one.stripe().parityFile()))
        .limit(Math.max(0, config.get().repairConcurrent() - underWay.size()))
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

  private void begin(LocatedStripe damaged, ClusterView nodes, long nowMs) {
    StripeRecord record = damaged.stripe().record();
    Optional<RebuildPlan> plan = plan(damaged, nodes);
    Optional<DecodeTask> task = plan.flatMap(planned -> task(damaged, planned, nodes));
    if (task.isEmpty()) {
      if (damaged.isDamaged()) {
        failed(damaged.stripe().parityFile(), "no DataNode can store the missing blocks");
      }
      return;
    }
    DatanodeDescriptor maker = nodes.datanodes()[plan.get().targets()[0]];
    long parityFile = damaged.stripe().parityFile();
    underWay.add(parityFile);
    CompletableFuture<WorkReport> over;
    try {
      over = commands.give(maker, task.get(), record.parityBytes(), nowMs);
    } catch (IllegalStateException e) {
      underWay.remove(parityFile);
      return; // it has enough to do
    }
    over.thenAccept(report -> ended(parityFile, task.get().wanted().size(), report));
  }

  /**
   * On DataNodes with the storage that the files' policies ask for; when these do not do for all,
   * also on such as the policies fall back to.
   */
  private Optional<RebuildPlan> plan(LocatedStripe damaged, ClusterView nodes) {
    Optional<RebuildPlan> asked = plan(damaged, false, nodes);
    boolean isOfAll = asked.isPresent() && asked.get().missing().length == damaged.missingCount();
    return isOfAll ? asked : plan(damaged, true, nodes);
  }

  private Optional<RebuildPlan> plan(
      LocatedStripe damaged, boolean mayFallBack, ClusterView nodes) {
    StripeRecord record = damaged.stripe().record();
    Map<Integer, List<StorageType>> types = new HashMap<>();
    for (int block : damaged.missing()) {
      types.put(block, lookup.storageTypes(damaged.blocks().get(block).fileId(), mayFallBack));
    }
    return new RebuildPlanner(config.get().rulesOf(record), nodes.topology(), nodes::isSilent)
        .plan(
            damaged.where(),
            damaged::isWanted,
            (block, node) ->
                StripePlaces.mayTake(nodes, node, record.parityBytes(), damaged.blocks())
                    && hasStorage(nodes, node, damaged.blocks().get(block), types.get(block)),
            ThreadLocalRandom.current());
  }

  /**
   * @param types {@code null} for a block that only changes its place, which is not this one's work
   */
  private boolean hasStorage(
      ClusterView nodes, int node, StoredBlock block, List<StorageType> types) {
    return types == null
        || lookup.storageOn(nodes.datanodes()[node], types, block.lengthBytes()).isPresent();
  }

  /** Blocks that were deleted or changed are not made again. */
  private Optional<DecodeTask> task(LocatedStripe damaged, RebuildPlan plan, ClusterView nodes) {
    StripeRecord record = damaged.stripe().record();
    List<StripeUnit> wanted = new ArrayList<>();
    for (int i = 0; i < plan.missing().length; i++) {
      int block = plan.missing()[i];
      StoredBlock stored = damaged.blocks().get(block);
      DatanodeDescriptor node = nodes.datanodes()[plan.targets()[i]];
      if (damaged.isWanted(block)) {
        List<StorageType> types = lookup.storageTypes(stored.fileId(), true);
        lookup
            .storageOn(node, types, stored.lengthBytes())
            .map(
                storage ->
                    new StripeUnit(damaged.unit(block), commands.toWrite(stored, node, storage)))
            .ifPresent(wanted::add);
      }
    }
    return wanted.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new DecodeTask(
                record.code(),
                record.members().size(),
                commands.sources(damaged, plan, nodes),
                wanted,
                StripeProof.of(record),
                config.get().encodeBytesPerSec()));
  }

  private void ended(long parityFile, int blocks, WorkReport report) {
    underWay.remove(parityFile);
    if (report.state() == WorkReport.State.DONE) {
      counts.repaired(blocks);
    } else {
      failed(parityFile, report.message());
    }
  }

  private void failed(long parityFile, String why) {
    counts.repairFailed();
    if (FAILURE_LOG.shouldLog()) {
      LOG.warn(
          "A stripe was not repaired and will be tried again, parity file {}: {}", parityFile, why);
    }
  }
}
