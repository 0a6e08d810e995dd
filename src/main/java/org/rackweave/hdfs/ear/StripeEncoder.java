package org.rackweave.hdfs.ear;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.util.Time;
import org.rackweave.ear.EncodingAdvice;
import org.rackweave.ear.EncodingPlan;
import org.rackweave.ear.EncodingPlanner;
import org.rackweave.ear.ErasureCode;
import org.rackweave.ear.NotEncodable;
import org.rackweave.ear.SealedStripe;
import org.rackweave.ear.StripeFlaw;
import org.rackweave.ear.StripeLocations;
import org.rackweave.ear.StripeRecord;
import org.rackweave.ear.StripeRules;
import org.rackweave.ear.StripeSaving;
import org.rackweave.ear.TargetRacks;
import org.rackweave.hdfs.ClusterView;
import org.rackweave.hdfs.EarConfig;
import org.rackweave.hdfs.ear.BlockLookup.StoredBlock;
import org.rackweave.hdfs.ear.BlockLookup.StoredFile;
import org.rackweave.hdfs.work.EncodeTask;
import org.rackweave.hdfs.work.ParityTrailer;
import org.rackweave.hdfs.work.WorkReport;
import org.rackweave.model.ClusterTopology;
import org.rackweave.placement.Admission;
import org.rackweave.placement.RandomPlacement;
import org.rackweave.placement.Refusal;

/**
 * Encodes one stripe after another, start to end: looks where its replicas are now, plans, allots
 * parity files, has an engine do the work in the core rack and others verify it, looks again, and
 * commits. No replica of a data block is touched; until the commit a stripe that fails leaves
 * nothing behind.
 *
 * <p>Safe for use by many threads, each with stripes of its own.
 */
final class StripeEncoder {
  /** Draws for a parity block before all nodes are tried in turn. */
  private static final int DRAWS_MAX = 16;

  private static final long DESK_GRACE_MS = 60_000;

  private final Supplier<EarConfig> config;
  private final BlockLookup lookup;
  private final ParityFiles parityFiles;
  private final EncodedStripes encoded;
  private final StripeCommands commands;
  private final Supplier<EncodeEngine> engine;
  private final LongSupplier bytesPerSec;
  private final Supplier<ClusterView> cluster;
  private final ParityVerification verification;

  /**
   * @param engine does the work of the next stripe; asked each time
   * @param bytesPerSec most that is read for a stripe in a second, 0 = no limit; asked each time
   */
  StripeEncoder(
      EncodedView view,
      ParityFiles parityFiles,
      StripeCommands commands,
      Supplier<EncodeEngine> engine,
      LongSupplier bytesPerSec) {
    config = view.config();
    lookup = view.lookup();
    this.parityFiles = parityFiles;
    encoded = view.encoded();
    this.commands = commands;
    this.engine = engine;
    this.bytesPerSec = bytesPerSec;
    cluster = view.cluster();
    verification = new ParityVerification(commands);
  }

  /**
   * What has been encoded.
   *
   * @param record of the stripe, durable
   * @param readInRackBytes bytes of data blocks that came from the rack where parity was made
   * @param readAcrossRacksBytes the same from other racks
   */
  record Encoded(StripeRecord record, long readInRackBytes, long readAcrossRacksBytes) {}

  /**
   * Encodes a stripe.
   *
   * @throws EncodingFailedException saying why it was not encoded
   */
  Encoded encode(SealedStripe stripe) throws EncodingFailedException, InterruptedException {
    ParityFiles.Term term = parityFiles.term();
    Optional<Long> taken = encoded.claim(stripe.blockIdList());
    if (taken.isPresent()) {
      throw new EncodingFailedException(
          EncodingRefusal.BLOCK_CHANGED, "block " + taken.get() + " is in another stripe");
    }
    try {
      return encodeClaimed(stripe, term);
    } finally {
      encoded.release(stripe.blockIdList());
    }
  }

  private Encoded encodeClaimed(SealedStripe stripe, ParityFiles.Term term)
      throws EncodingFailedException, InterruptedException {
    ClusterView nodes = cluster.get();
    List<StoredBlock> blocks = unchanged(lookup.blocks(stripe.blockIdList()), null);
    StripeRules rules = config.get().rulesOf(stripe.code());
    Optional<String> policy = lookup.storagePolicy(blocks.get(0).fileId());
    EncodingPlan plan;
    try {
      plan = plan(stripe, rules, blocks, policy.isPresent(), nodes);
    } catch (EncodingFailedException e) {
      if (policy.isEmpty()) {
        throw e;
      }
      policy = Optional.empty(); // parity may lie where files without a policy do
      plan = plan(stripe, rules, blocks, false, nodes);
    }
    StripeRecord record = record(stripe.code(), rules, blocks);
    requireSaving(record);
    ParityFiles.Unfinished parity = allot(term, plan, record, policy.orElse(null), nodes);
    boolean isLeft = true;
    try {
      Made made = work(plan, record, blocks, parity, nodes);
      StripeRecord proven = proven(record, made);
      verification.verify(
          proven,
          notRead(plan, blocks, nodes),
          parity.blocks(),
          made.given().makers(),
          nodes,
          bytesPerSec.getAsLong());
      // Once more: encoding takes minutes, in which files are renamed and get other factors.
      StripeRecord now =
          record(stripe.code(), rules, unchanged(lookup.blocks(stripe.blockIdList()), blocks))
              .proven(proven.checksums());
      requireSaving(now);
      encoded.add(parity.commit(now), now);
      isLeft = false;
      return encoded(now, rackOf(plan, nodes), plan.sources(), made.report(), nodes);
    } catch (InterruptedException e) {
      isLeft = false; // this NameNode ends; what is unfinished goes when the next one begins
      throw e;
    } catch (IOException | IllegalArgumentException e) {
      throw new EncodingFailedException(EncodingRefusal.PARITY_REFUSED, e.getMessage(), e);
    } finally {
      if (isLeft) {
        parity.abandon();
      }
    }
  }

  /**
   * @param before as the blocks have to be still, {@code null} when any will do
   */
  private static List<StoredBlock> unchanged(List<StoredBlock> blocks, List<StoredBlock> before)
      throws EncodingFailedException {
    for (int i = 0; i < blocks.size(); i++) {
      StoredBlock block = blocks.get(i);
      if (block == null || !block.isComplete() || block.lengthBytes() == 0) {
        throw new EncodingFailedException(
            EncodingRefusal.BLOCK_CHANGED, "block " + i + " is gone or being written");
      }
      if (before != null
          && (block.generationStamp() != before.get(i).generationStamp()
              || block.lengthBytes() != before.get(i).lengthBytes())) {
        throw new EncodingFailedException(
            EncodingRefusal.BLOCK_CHANGED, "block " + block.id() + " has been written meanwhile");
      }
    }
    return blocks;
  }

  private EncodingPlan plan(
      SealedStripe stripe,
      StripeRules rules,
      List<StoredBlock> blocks,
      boolean asFirstFile,
      ClusterView nodes)
      throws EncodingFailedException {
    ClusterTopology topology = nodes.topology();
    int[][] data =
        blocks.stream().map(block -> nodes.freshNumbersOf(block.replicas())).toArray(int[][]::new);
    StripeLocations where =
        StripeLocations.replicated(
            topology.rackAt(stripe.coreRack()),
            TargetRacks.at(stripe.targetRacks(), topology),
            data,
            blocks.stream().map(block -> nodes.numbersOf(block.leaving())).toArray(int[][]::new));
    long parityBytes = blocks.stream().mapToLong(StoredBlock::lengthBytes).max().orElse(0);
    EncodingAdvice advice =
        new EncodingPlanner(rules, topology)
            .plan(
                where,
                parityBytes,
                new RandomPlacement(topology, DRAWS_MAX, topology.nodeCount()),
                accepting(nodes, parityBytes, asFirstFile ? blocks.get(0) : null),
                ThreadLocalRandom.current());
    if (advice instanceof NotEncodable not) {
      throw new EncodingFailedException(
          EncodingRefusal.NOT_ENCODABLE, why(not, nodes, parityBytes));
    }
    return (EncodingPlan) advice;
  }

  private static String why(NotEncodable not, ClusterView nodes, long parityBytes) {
    List<String> flaws = new ArrayList<>();
    for (StripeFlaw flaw : not.flaws()) {
      flaws.add(flaw.describe(nodes.topology()));
      if (flaw.kind() == StripeFlaw.Kind.NO_ROOM) {
        int all = nodes.datanodes().length;
        long fit =
            IntStream.range(0, all)
                .filter(node -> nodes.isFresh(node) && nodes.hasRoom(node, parityBytes))
                .count();
        flaws.add(
            fit
                + " of "
                + all
                + " DataNodes are fresh and have room for "
                + parityBytes
                + " bytes");
      }
    }
    return String.join("; ", flaws);
  }

  /**
   * HDFS decides when the block is allotted; this keeps it from being asked in vain.
   *
   * @param as a block as whose file parity is to be stored, {@code null} when as is usual
   */
  private Admission accepting(ClusterView nodes, long bytes, StoredBlock as) {
    List<StorageType> types = as == null ? null : lookup.storageTypes(as.fileId(), false);
    return new Admission() {
      @Override
      public Refusal admit(int node, boolean local) {
        if (!nodes.isFresh(node)) {
          return Refusal.NOT_ALIVE;
        }
        boolean hasStorage =
            types == null || lookup.storageOn(nodes.datanodes()[node], types, bytes).isPresent();
        return hasStorage && nodes.hasRoom(node, bytes) ? null : Refusal.NO_SPACE;
      }
    };
  }

  private StripeRecord record(ErasureCode code, StripeRules rules, List<StoredBlock> blocks)
      throws EncodingFailedException {
    List<StripeRecord.Member> members = new ArrayList<>();
    for (StoredBlock block : blocks) {
      StoredFile file = lookup.file(block.fileId());
      if (file == null || !EncodingSchedule.isWanted(config, file, code)) {
        throw new EncodingFailedException(
            EncodingRefusal.BLOCK_CHANGED,
            "the file of block " + block.id() + " is gone, or no longer to be encoded");
      }
      members.add(
          new StripeRecord.Member(
              block.id(),
              block.generationStamp(),
              block.lengthBytes(),
              block.fileId(),
              Math.max(1, file.replication())));
    }
    return new StripeRecord(code, rules.rackLimit(), members);
  }

  /** Factors and lengths may have changed since its turn came. */
  private static void requireSaving(StripeRecord record) throws EncodingFailedException {
    StripeSaving saving = StripeSaving.of(record);
    if (!saving.isWorthwhile()) {
      throw new EncodingFailedException(
          EncodingRefusal.SAVES_NOTHING,
          String.format(
              "parity of %d bytes for surplus replicas of %d bytes",
              saving.parityBytes(), saving.surplusBytes()));
    }
  }

  private ParityFiles.Unfinished allot(
      ParityFiles.Term term,
      EncodingPlan plan,
      StripeRecord record,
      String storagePolicy,
      ClusterView nodes)
      throws EncodingFailedException {
    List<DatanodeDescriptor> targets =
        Arrays.stream(plan.parityTargets()).mapToObj(node -> nodes.datanodes()[node]).toList();
    try {
      ParityTrailer trailer =
          new ParityTrailer(
              record.members().stream().map(StripeRecord.Member::lengthBytes).toList());
      return parityFiles.begin(
          term,
          record.members().get(0).blockId(),
          trailer.parityBytes() + trailer.bytes(),
          storagePolicy,
          targets);
    } catch (IOException e) {
      throw new EncodingFailedException(EncodingRefusal.PARITY_REFUSED, e.getMessage(), e);
    }
  }

  /** Parity that has been made, as is said. */
  private record Made(EncodeEngine.Given given, WorkReport report) {}

  private static StripeRecord proven(StripeRecord record, Made made)
      throws EncodingFailedException {
    int blocks = record.members().size() + record.code().parityBlocks();
    if (made.report().checksums().size() != blocks) {
      throw new EncodingFailedException(
          EncodingRefusal.NOT_VERIFIED,
          made.given().where() + " knows no checksums: its jar is of an earlier version");
    }
    return record.proven(made.report().checksums());
  }

  private static String rackOf(EncodingPlan plan, ClusterView nodes) {
    return nodes.datanodes()[plan.readers()[0]].getNetworkLocation();
  }

  private Made work(
      EncodingPlan plan,
      StripeRecord record,
      List<StoredBlock> blocks,
      ParityFiles.Unfinished parity,
      ClusterView nodes)
      throws EncodingFailedException, InterruptedException {
    List<LocatedBlock> data = new ArrayList<>();
    for (int i = 0; i < blocks.size(); i++) {
      data.add(commands.toRead(blocks.get(i), nodes.datanodes()[plan.sources()[i]]));
    }
    EncodeTask task = new EncodeTask(record.code(), data, parity.blocks(), bytesPerSec.getAsLong());
    List<DatanodeDescriptor> readers =
        Arrays.stream(plan.readers()).mapToObj(node -> nodes.datanodes()[node]).toList();
    EncodeEngine.Work work =
        new EncodeEngine.Work(task, rackOf(plan, nodes), readers, record.parityBytes());
    WorkReport report;
    EncodeEngine.Given given;
    try {
      given = engine.get().give(work, Time.monotonicNow());
      report = given.report().get(given.timeMs() + DESK_GRACE_MS, TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException | IllegalStateException e) {
      throw new EncodingFailedException(EncodingRefusal.WORK_FAILED, e.toString(), e);
    }
    if (report.state() != WorkReport.State.DONE) {
      throw new EncodingFailedException(
          EncodingRefusal.WORK_FAILED, "on " + given.where() + ": " + report.message());
    }
    return new Made(given, report);
  }

  /** The blocks on other DataNodes than they were read from, where there are others. */
  private List<LocatedBlock> notRead(
      EncodingPlan plan, List<StoredBlock> blocks, ClusterView nodes) {
    List<LocatedBlock> data = new ArrayList<>();
    for (int i = 0; i < blocks.size(); i++) {
      int read = plan.sources()[i];
      int other =
          IntStream.of(nodes.freshNumbersOf(blocks.get(i).replicas()))
              .filter(node -> node != read)
              .findFirst()
              .orElse(read);
      data.add(commands.toRead(blocks.get(i), nodes.datanodes()[other]));
    }
    return data;
  }

  private static Encoded encoded(
      StripeRecord record, String rack, int[] sources, WorkReport report, ClusterView nodes) {
    long inRack = 0;
    long acrossRacks = 0;
    for (int i = 0; i < Math.min(sources.length, report.readBytes().size()); i++) {
      long bytes = report.readBytes().get(i);
      // Asked of HDFS and not of the plan, which would have to be right to be found wrong.
      if (rack.equals(nodes.datanodes()[sources[i]].getNetworkLocation())) {
        inRack += bytes;
      } else {
        acrossRacks += bytes;
      }
    }
    return new Encoded(record, inRack, acrossRacks);
  }
}
