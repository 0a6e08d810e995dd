package org.rackweave.hdfs.ear;

import java.io.Closeable;
import java.io.IOException;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.hdfs.server.protocol.NamenodeProtocols;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.util.Time;
import org.rackweave.ear.StripeRecord;
import org.rackweave.hdfs.ClusterView;
import org.rackweave.hdfs.EarConfig;
import org.rackweave.hdfs.Mode;
import org.rackweave.hdfs.ear.BlockLookup.StoredFile;
import org.rackweave.hdfs.hook.ActiveService;
import org.rackweave.hdfs.hook.Hook;
import org.rackweave.hdfs.hook.HookTimer;
import org.rackweave.hdfs.work.WorkCodec;
import org.rackweave.hdfs.work.WorkQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has sealed stripes encoded when their turn comes, missing blocks made again, and the surplus
 * replicas of files taken away. Works only in an active NameNode out of safe mode: there is one,
 * fenced by the edit log itself, so no two encoders ever have the same stripe.
 */
public final class EncodingService implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(EncodingService.class);
  private static final long TICK_MS = 500;
  private static final long LEASE_MS = 10_000;
  private static final long RETRY_MS = 3_000;

  /** Fewest and most stripes encoded at a time for an operator; between them one a DataNode. */
  private static final int WISHED_LEAST = 4;

  private static final int WISHED_MOST = WorkCodec.ENTRIES_MAX / 2;

  /** The same outside HDFS, where stripes are collected before somebody begins. */
  private static final int OUTSIDE_CONCURRENT = WorkCodec.ENTRIES_MAX;

  /** Blocks whose stripes are given up that get their replicas back together. */
  private static final int RESTORED_AT_A_TIME = 1000;

  private final NameNode nameNode;
  private final StripeRegistry registry;
  private final WorkQueue commands;
  private final BlockLookup lookup;
  private final ParityFiles parityFiles;
  private final EncodeEngine embedded;
  private final OutsideEngine outside;
  private final HostRacks hostRacks;
  private final WithheldReplicas withheld;
  private final EncodingScheduler sending;
  private final UnreadableStripes unreadable;
  private final ShrinkQueue shrinkQueue;
  private final FileRestoring restoring;
  private final AtomicInteger shrinkingHalts = new AtomicInteger();
  private final ReplicaSearch search;
  private final StripeRepair repair;
  private final StripeMonitor monitor;
  private final SafeModeThreshold safeMode;
  private final HandlerWaitLimit waits;
  private final EncodedFileGuard guard;
  private final DegradedReads decoding;
  private final EncodingAdmin admin;
  private final Supplier<ClusterView> cluster;
  private final Supplier<Mode> mode;
  private final HookTimer clock = new HookTimer("rackweave-encoding");
  private volatile EncodingRequest request;
  private final ActiveService service;
  private volatile boolean isReady;

  /** Whether anything of a term may be known. */
  private boolean hasWorked;

  private long leaseRenewedMs;
  private long retriedMs;

  /** What encoding asks of its NameNode. */
  public interface NameNodeAccess {
    /** What clients ask of it. */
    NamenodeProtocols protocol();

    /** Its memory of blocks and files. */
    BlockLookup blocks();
  }

  /**
   * @param cluster asked only when the registry knows the cluster
   * @param mode active: encodes by itself; shadow: for operators only; off: not at all
   */
  public EncodingService(
      NameNode nameNode,
      NameNodeAccess access,
      Configuration conf,
      StripeRegistry registry,
      WorkQueue commands,
      Supplier<ClusterView> cluster,
      Supplier<Mode> mode) {
    this.nameNode = nameNode;
    this.cluster = cluster;
    this.mode = mode;
    this.registry = registry;
    this.commands = commands;
    EarConfig atStart = registry.config();
    lookup = access.blocks();
    parityFiles =
        new ParityFiles(
            access.protocol(),
            atStart.parityDirectory(),
            conf.getLongBytes(
                DFSConfigKeys.DFS_NAMENODE_MIN_BLOCK_SIZE_KEY,
                DFSConfigKeys.DFS_NAMENODE_MIN_BLOCK_SIZE_DEFAULT));
    String blockPool = nameNode.getNamesystem().getBlockPoolId();
    StripeCommands stripeCommands = new StripeCommands(commands, blockPool);
    EncodedStripes encoded = registry.encoded();
    withheld =
        new WithheldReplicas(
            this::knowsStripes, this::isNeeded, lookup, this::suspect, this::forgetDeleted);
    EncodedView view =
        new EncodedView(registry::config, lookup, encoded, withheld, this::knowsStripes, cluster);
    registry.counts().deletions(withheld);
    unreadable = new UnreadableStripes(encoded, lookup, parityFiles);
    embedded = new DataNodeEngine(stripeCommands);
    outside =
        new OutsideEngine(
            embedded,
            () -> Math.max(WISHED_LEAST, registry.config().encodeConcurrent()),
            () -> nameNode.getNamesystem().getBlockManager().getBlockTokenSecretManager());
    hostRacks = new HostRacks(conf);
    StripeEncoder encoder =
        new StripeEncoder(view, parityFiles, stripeCommands, this::engine, this::bytesPerSec);
    search = new ReplicaSearch(stripeCommands, withheld);
    repair = new StripeRepair(view, parityFiles, registry.counts(), stripeCommands, search);
    FileShrinking shrinking = new FileShrinking(view);
    shrinkQueue = new ShrinkQueue(shrinking, registry.counts());
    restoring = new FileRestoring(lookup, RESTORED_AT_A_TIME, Time::monotonicNow);
    StripePlaces places = new StripePlaces(registry::config, lookup, stripeCommands);
    monitor =
        new StripeMonitor(
            view,
            parityFiles,
            restoring,
            repair,
            new PlaceVerifier(places, () -> registry.config().repairConcurrent()),
            registry.counts());
    admin = new EncodingAdmin(access.protocol(), this, registry, lookup, withheld, places, cluster);
    decoding =
        new DegradedReads(
            nameNode,
            registry::config,
            encoded,
            (stripe, nodes) -> LocatedStripe.of(stripe, lookup, withheld, nodes),
            stripeCommands,
            cluster,
            new RegisteredCaller(
                nameNode.getNamesystem().getBlockManager().getDatanodeManager(), conf));
    safeMode =
        new SafeModeThreshold(nameNode.getNamesystem(), view, search, atStart.safeModeGraceMs());
    waits =
        new HandlerWaitLimit(
            conf.getInt(
                DFSConfigKeys.DFS_NAMENODE_HANDLER_COUNT_KEY,
                DFSConfigKeys.DFS_NAMENODE_HANDLER_COUNT_DEFAULT),
            () -> registry.config().changeWaitMs());
    guard = new EncodedFileGuard(nameNode, view, restoring, shrinking, monitor, search, waits);
    sending = new EncodingScheduler(registry::config, registry, lookup, encoder, this::encoded);
    service = new ActiveService(nameNode, this::rest, term -> goOn());
  }

  /**
   * What an operator wants encoded now, whatever the settings say of when.
   *
   * @param directory whose files
   * @param bytesPerSec most that is read for a stripe in a second, 0 = as configured
   * @param outsideRacks racks whose stripes are encoded outside HDFS
   */
  record EncodingRequest(String directory, long bytesPerSec, Set<String> outsideRacks) {
    boolean covers(String path) {
      return directory.equals("/") || path.equals(directory) || path.startsWith(directory + "/");
    }
  }

  /** Encodes for an operator, {@code null} as before. */
  void request(EncodingRequest now) {
    request = now;
    outside.serve(now == null ? Set.of() : now.outsideRacks(), Time.monotonicNow());
  }

  private EncodeEngine engine() {
    EncodingRequest now = request;
    return now == null || now.outsideRacks().isEmpty() ? embedded : outside;
  }

  /** Where work lies that is done outside HDFS. */
  OutsideEngine outside() {
    return outside;
  }

  HostRacks hostRacks() {
    return hostRacks;
  }

  /** Most that is read for a stripe in a second, 0 = no limit. */
  long bytesPerSec() {
    EncodingRequest now = request;
    return now == null || now.bytesPerSec() == 0
        ? registry.config().encodeBytesPerSec()
        : now.bytesPerSec();
  }

  /** Stripes encoded at a time that nobody wishes. */
  private int byItself() {
    return mode.get() == Mode.ACTIVE ? registry.config().encodeConcurrent() : 0;
  }

  /** Whether nothing is encoded and no surplus replica goes; what is encoded stays looked after. */
  boolean isOff() {
    return mode.get() == Mode.OFF;
  }

  private boolean isShrinkingHalted() {
    return isOff() || shrinkingHalts.get() > 0;
  }

  /** Until closed no file gives up replicas: somebody deletes those of which a block is missing. */
  public Closeable haltShrinking() {
    shrinkingHalts.incrementAndGet();
    return shrinkingHalts::decrementAndGet;
  }

  private int concurrent() {
    EncodingRequest now = request;
    if (now == null) {
      return byItself();
    }
    int wished = now.outsideRacks().isEmpty() ? wishedConcurrent() : OUTSIDE_CONCURRENT;
    return Math.max(wished, registry.config().encodeConcurrent());
  }

  private int wishedConcurrent() {
    return Math.max(WISHED_LEAST, Math.min(WISHED_MOST, cluster.get().usableCount()));
  }

  private void encoded(StripeEncoder.Encoded done) {
    StripeRecord record = done.record();
    registry
        .counts()
        .encoded(record.members().stream().mapToLong(StripeRecord.Member::lengthBytes).sum());
    registry.counts().read(done.readInRackBytes(), done.readAcrossRacksBytes());
    record.members().forEach(member -> sawEncodedFile(member.fileId()));
    record.members().forEach(member -> monitor.suspect(member.blockId()));
  }

  /** What keeps the bytes of deleted blocks that stripes count on. */
  public WithheldReplicas withheld() {
    return withheld;
  }

  /** Encoded stripes, for who asks what deaths of DataNodes would do to them. */
  public StripeWalk walk() {
    return new StripeWalk(registry.encoded(), lookup, withheld);
  }

  /** What keeps clients from changing encoded blocks under their stripes. */
  public EncodedFileGuard guard() {
    return guard;
  }

  /** What operators ask for. */
  public EncodingAdmin admin() {
    return admin;
  }

  /** What commands fetch that have stripes encoded outside HDFS. */
  public OutsideWork outsideWork(OutsideWork.Superusers superusers) {
    return new OutsideWork(this, superusers);
  }

  /** What there is to know of degraded reads. */
  public DegradedReads decoding() {
    return decoding;
  }

  /** Encoded stripes; empty when not known, as after a failover. */
  public OptionalInt stripesKnown() {
    return knowsStripes() ? OptionalInt.of(registry.encoded().stripeCount()) : OptionalInt.empty();
  }

  /** Whether all encoded stripes are known, and stripes are encoded and looked after. */
  boolean isReady() {
    return isReady;
  }

  /**
   * Whether it is known of every block whether it is encoded: not yet, after a failover, and not
   * while any record cannot be read.
   */
  boolean knowsStripes() {
    return registry.encoded().isKnown() && service.isCurrent();
  }

  /** Some of the parity files whose stripes' records cannot be read, and what to do; or empty. */
  public String unreadableStripes() {
    long count = registry.encoded().unreadableCount();
    return count == 0
        ? ""
        : String.format(
            "the records of %d stripes cannot be read, among them %s: %s",
            count, unreadable.paths(), UnreadableStripes.WHAT_TO_DO);
  }

  /** Files all of whose blocks are encoded and that are about to give up replicas. */
  int filesToShrink() {
    return shrinkQueue.size();
  }

  FileRestoring restoring() {
    return restoring;
  }

  StripeMonitor monitor() {
    return monitor;
  }

  /** Whether a replica that HDFS would have deleted is of a block that a stripe counts on. */
  private boolean isNeeded(Block block) {
    long id = block.getBlockId();
    boolean areKnown = knowsStripes();
    boolean isCountedOn =
        registry
            .encoded()
            .member(id)
            .filter(member -> member.generationStamp() == block.getGenerationStamp())
            .isPresent();
    // Asked twice: what was known may just have been forgotten, or read.
    return (isCountedOn || !areKnown || !knowsStripes()) && !lookup.isStored(id);
  }

  private void suspect(long blockId) {
    monitor.suspect(blockId);
  }

  /** No open stripe waits for others with a block that nobody will encode. */
  private void forgetDeleted(long blockId) {
    if (registry.isSeated(blockId) && !lookup.isStored(blockId)) {
      registry.withdraw(blockId, Time.monotonicNow());
    }
  }

  /** Begins; returns at once. */
  public void start() {
    clock.every(Hook.ENCODING, TICK_MS, service::tick);
  }

  @Override
  public void close() {
    // Nobody is interrupted: who writes to the edit log would take that with it.
    clock.close();
    admin.close();
    sending.close();
    waits.close();
    parityFiles.endTerm();
    commands.withdrawAll();
    outside.serve(Set.of(), Time.monotonicNow());
  }

  /** Whether a file is to keep its replicas. */
  boolean keepsReplicas(long fileId) {
    StoredFile file = lookup.file(fileId);
    return file != null && file.keepsReplicas();
  }

  /** A file all of whose blocks are encoded, and whose factor is not one, has been seen. */
  void sawEncodedFile(long fileId) {
    shrinkQueue.add(fileId);
  }

  private void goOn() throws IOException {
    hasWorked = true;
    if (!isLoaded() || !service.isCurrent() || !registry.knowsTheCluster()) {
      return; // it ceased to be active meanwhile, or no DataNode is known yet
    }
    if (!nameNode.isInSafeMode()) {
      work(Time.monotonicNow());
    } else if (nameNode.getNamesystem().isInStartupSafeMode()) {
      commands.expire(Time.monotonicNow());
      safeMode.look(Time.monotonicNow());
    }
  }

  /** Reads the stripes before anything else is known: deletions wait for it. */
  private boolean isLoaded() throws IOException {
    try {
      if (!registry.encoded().isLoaded()) {
        registry.encoded().load(parityFiles);
      }
      return true;
    } catch (RetriableException e) {
      return false; // the NameNode has not begun to answer calls
    }
  }

  /** What was known is another NameNode's to know now. */
  private void rest() {
    withheld.clear();
    search.clear();
    if (hasWorked) {
      isReady = false;
      parityFiles.endTerm();
      admin.close();
      commands.withdrawAll();
      outside.serve(Set.of(), Time.monotonicNow());
      registry.encoded().clear();
      registry.counts().damaged(0, 0);
      monitor.clear();
      restoring.clear();
      shrinkQueue.clear();
      hasWorked = false; // when all of it is done
    }
  }

  private void work(long nowMs) throws IOException {
    if (!isReady) {
      parityFiles.beginTerm();
      isReady = true;
      LOG.info("Encoding starts; {} stripes are encoded", registry.encoded().stripeCount());
    }
    commands.expire(nowMs);
    outside.expire(nowMs);
    if (sending.isBusy() && nowMs - leaseRenewedMs > LEASE_MS) {
      leaseRenewedMs = nowMs;
      parityFiles.renewLease();
    }
    monitor.look(nowMs);
    if (nowMs - retriedMs > RETRY_MS) {
      retriedMs = nowMs;
      unreadable.look();
      parityFiles.deleteLeftovers();
      repair.look(nowMs);
      monitor.goOn(nowMs);
      if (shrinkQueue.shrink(this::mayShrink, this::isShrinkingHalted, nowMs)) {
        monitor.verifyPlaces();
      }
    }
    if (isOff()) {
      if (request != null) {
        admin.close();
      }
      return;
    }
    sending.sendDue(request, concurrent(), byItself() > 0);
  }

  /**
   * Where nothing is encoded by itself, files that share a stripe with a wished one just do that.
   */
  private boolean mayShrink(long fileId) {
    EncodingRequest now = request;
    if (byItself() > 0) {
      return true;
    }
    StoredFile file = now == null ? null : lookup.file(fileId);
    return file != null && now.covers(file.path());
  }
}
