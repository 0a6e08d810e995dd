package org.rackweave.hdfs.ear;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.rackweave.ear.RebuildPlanner;
import org.rackweave.ear.StripeMaintenance;
import org.rackweave.ear.StripeMaintenance.Care;
import org.rackweave.ear.StripeMaintenance.MemberState;
import org.rackweave.ear.StripeRecord;
import org.rackweave.hdfs.ClusterView;
import org.rackweave.hdfs.EarConfig;
import org.rackweave.hdfs.LogThrottle;
import org.rackweave.hdfs.ear.BlockLookup.StoredBlock;
import org.rackweave.hdfs.ear.BlockLookup.StoredFile;
import org.rackweave.hdfs.hook.Hook;
import org.rackweave.hdfs.hook.HookGuard;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sees to it that no file is less safe because another one's blocks, of the same stripe, were
 * deleted or changed: does what {@link StripeMaintenance} decides. Stripes that something was heard
 * of are looked at at once, all others in turn, since much can happen that nobody hears of.
 *
 * <p>Soft state, for one thread, but for {@link #suspect}. What was begun is found again after a
 * failover: a stripe that is to be given up still is.
 */
final class StripeMonitor {
  private static final Logger LOG = LoggerFactory.getLogger(StripeMonitor.class);
  private static final LogThrottle PARITY_LOG = LogThrottle.oncePerMinute();
  private static final LogThrottle FAILED_LOG = LogThrottle.oncePerMinute();
  private static final LogThrottle KEPT_LOG = LogThrottle.oncePerMinute();

  /** Stripes looked at in one go, some 20 microseconds of the namesystem's read lock each. */
  private static final int LOOKED_AT_MAX = 100;

  /** Stripes that are given up looked at in one go; most wait for HDFS, or for a snapshot. */
  private static final int GIVING_UP_LOOKED_AT_MAX = 1000;

  /** Stripes that miss too much, looked at in one go, all of them in minutes. */
  private static final int DAMAGED_LOOKED_AT_MAX = 1000;

  /** Blocks that something was heard of; of those beyond, the walk over all takes care. */
  private static final int SUSPECTS_MAX = 100_000;

  /**
   * DataNodes that come back do so within minutes; what is lost for longer does not come back by
   * itself. HDFS has then missed them for its own ten minutes, too.
   */
  static final long LOST_AFTER_MS = TimeUnit.MINUTES.toMillis(10);

  /** Stripes that miss too much and are remembered; of others it is asked when these are fewer. */
  private static final int LOST_MAX = 100_000;

  private final Supplier<EarConfig> config;
  private final BlockLookup lookup;
  private final ParityFiles parityFiles;
  private final EncodedStripes encoded;
  private final WithheldReplicas withheld;
  private final FileRestoring restoring;
  private final StripeRepair repair;
  private final PlaceVerifier verifier;
  private final EncodingCounts counts;
  private final Supplier<ClusterView> cluster;
  private final Set<Long> suspects = new HashSet<>();
  private final Deque<Long> suspectOrder = new ArrayDeque<>();

  /** By the inode of their parity, those that were found to be given up. */
  private final Map<Long, EncodedStripes.Stripe> givingUp = new LinkedHashMap<>();

  /** By the inode of their parity, those beyond decoding. */
  private final Map<Long, Damaged> lost = new LinkedHashMap<>();

  /** By the inode of their parity, those that are to be repaired before they let members go. */
  private final Map<Long, Damaged> keeping = new LinkedHashMap<>();

  /**
   * A stripe that misses too much.
   *
   * @param blockId of a member that is intact
   */
  private record Damaged(long blockId, long sinceMs) {}

  /** Whether suspects have been taken and not all looked at. */
  private volatile boolean isLooking;

  private EncodedStripes.Cursor cursor = EncodedStripes.Cursor.START;
  private long walkAgainAtMs;

  StripeMonitor(
      EncodedView view,
      ParityFiles parityFiles,
      FileRestoring restoring,
      StripeRepair repair,
      PlaceVerifier verifier,
      EncodingCounts counts) {
    config = view.config();
    lookup = view.lookup();
    this.parityFiles = parityFiles;
    encoded = view.encoded();
    withheld = view.withheld();
    this.restoring = restoring;
    this.repair = repair;
    this.verifier = verifier;
    this.counts = counts;
    cluster = view.cluster();
  }

  /** Something may have become of a block. Thread-safe and quick. */
  void suspect(long blockId) {
    synchronized (suspects) {
      if (suspects.size() < SUSPECTS_MAX && suspects.add(blockId)) {
        suspectOrder.add(blockId);
      }
    }
  }

  /** Whether nothing heard of is left to look at, and no stripe waits to be given up. */
  boolean isIdle() {
    synchronized (suspects) {
      return suspects.isEmpty() && !isLooking && counts.givingUp() == 0;
    }
  }

  private List<Long> takeSuspects() {
    synchronized (suspects) {
      List<Long> taken = new ArrayList<>();
      while (taken.size() < LOOKED_AT_MAX && !suspectOrder.isEmpty()) {
        taken.add(suspectOrder.remove());
      }
      taken.forEach(suspects::remove);
      isLooking = !taken.isEmpty();
      return taken;
    }
  }

  /** The next walk moves blocks that lie wrong. */
  void verifyPlaces() {
    verifier.wake();
  }

  void clear() {
    synchronized (suspects) {
      suspects.clear();
      suspectOrder.clear();
    }
    givingUp.clear();
    lost.clear();
    keeping.clear();
    verifier.clear();
    cursor = EncodedStripes.Cursor.START;
    walkAgainAtMs = 0;
  }

  /** Looks at what was heard of, and goes on with the walk over all. */
  void look(long nowMs) {
    ClusterView nodes = cluster.get();
    Map<Long, EncodedStripes.Stripe> heardOf = new LinkedHashMap<>();
    for (long blockId : takeSuspects()) {
      encoded.of(blockId).ifPresent(stripe -> heardOf.put(stripe.parityFile(), stripe));
    }
    for (EncodedStripes.Stripe stripe : heardOf.values()) {
      attend(stripe, nodes, new HashMap<>(), nowMs);
    }
    counts.givingUp(givingUp.size());
    isLooking = false;
    if (nowMs >= walkAgainAtMs) {
      walk(nodes, nowMs);
    }
  }

  private void walk(ClusterView nodes, long nowMs) {
    Map<Long, Boolean> whole = new HashMap<>();
    if (cursor == EncodedStripes.Cursor.START) {
      verifier.beginWalk(nodes.usableCount());
    }
    for (int looked = 0; looked < LOOKED_AT_MAX; looked++) {
      Optional<EncodedStripes.Found> next = encoded.after(cursor);
      if (next.isEmpty()) {
        cursor = EncodedStripes.Cursor.START;
        walkAgainAtMs = nowMs + config.get().auditIntervalMs();
        counts.walked();
        return;
      }
      cursor = next.get().cursor();
      attend(next.get().stripe(), nodes, whole, nowMs);
    }
  }

  /** Goes on with the stripes that are being given up, those first that were not for longest. */
  void goOn(long nowMs) {
    ClusterView nodes = cluster.get();
    List<EncodedStripes.Stripe> next =
        givingUp.values().stream().limit(GIVING_UP_LOOKED_AT_MAX).toList();
    for (EncodedStripes.Stripe stripe : next) {
      givingUp.remove(stripe.parityFile());
      givingUp.put(stripe.parityFile(), stripe);
      attend(stripe, nodes, new HashMap<>(), nowMs);
    }
    goOnWith(lost, nodes, nowMs);
    goOnWith(keeping, nodes, nowMs);
    restoring.tick(nodes.usableCount());
    counts.givingUp(givingUp.size());
  }

  /** Stripes beyond decoding that are remembered. */
  int lostCount() {
    return lost.size();
  }

  /** The walk over all stripes comes by too seldom to tell that one was damaged all the time. */
  private void goOnWith(Map<Long, Damaged> damaged, ClusterView nodes, long nowMs) {
    for (long parityFile : damaged.keySet().stream().limit(DAMAGED_LOOKED_AT_MAX).toList()) {
      Damaged its = damaged.remove(parityFile);
      Optional<EncodedStripes.Stripe> stripe =
          encoded.of(its.blockId()).filter(now -> now.parityFile() == parityFile);
      if (stripe.isPresent()) {
        damaged.put(parityFile, its);
        attend(stripe.get(), nodes, new HashMap<>(), nowMs);
      }
    }
  }

  /**
   * Does for a stripe what it needs; one for which that cannot be done holds up no other.
   *
   * @param whole what is known of files, by inode: whether all of their blocks are encoded
   */
  private void attend(
      EncodedStripes.Stripe stripe, ClusterView nodes, Map<Long, Boolean> whole, long nowMs) {
    try {
      tryToAttend(stripe, nodes, whole, nowMs);
    } catch (IOException | RuntimeException | AssertionError e) { // HDFS throws all of them
      if (!(e instanceof IOException)) {
        HookGuard.failed(Hook.ENCODING, e);
      }
      if (FAILED_LOG.shouldLog()) {
        LOG.error("Cannot maintain the stripe with parity (inode {})", stripe.parityFile(), e);
      }
    }
  }

  private void tryToAttend(
      EncodedStripes.Stripe stripe, ClusterView nodes, Map<Long, Boolean> whole, long nowMs)
      throws IOException {
    StripeRecord record = stripe.record();
    LocatedStripe located = LocatedStripe.of(stripe, lookup, withheld, nodes);
    Map<Integer, StoredFile> files = filesOf(located);
    Care care = config.get().careOf(record, states(located, files));
    // Who has moved it, as to the trash, is about to delete it; and after the next start it is not
    // found where it is.
    if (!located.hasParity() || !parityFiles.isParity(located.parity().path())) {
      care = Care.GIVE_UP;
      if (PARITY_LOG.shouldLog()) {
        LOG.error(
            "The parity (inode {}) of the stripe of {} is gone, moved or damaged: its blocks get"
                + " replicas",
            stripe.parityFile(),
            files.values().stream()
                .filter(StoredFile::isCurrent)
                .map(StoredFile::path)
                .distinct()
                .toList());
      }
    }
    boolean isLost = isLostForGood(located, nowMs);
    if (care != Care.LET_GO) {
      keeping.remove(stripe.parityFile());
    }
    if (care == Care.GIVE_UP) {
      if (isGivenUp(located, files, nodes)) {
        return;
      }
    } else {
      givingUp.remove(stripe.parityFile());
      if (care == Care.LET_GO) {
        letGoOrKeep(located, nowMs);
      } else {
        verifier.look(located, files, nodes);
      }
    }
    if (located.isDamaged()) {
      repair.suspect(stripe);
    }
    for (Map.Entry<Integer, StoredFile> each : files.entrySet()) {
      StripeRecord.Member member = record.members().get(each.getKey());
      StoredFile file = each.getValue();
      if (file.canGetBack(member.blockId())
          && (isLost && !restoring.isFull() || file.isLazyPersist() || !isWhole(file, whole))) {
        restoring.want(file.id(), member.replication());
      }
    }
  }

  /**
   * Whether a stripe has been beyond decoding for so long that what it lost will not come back:
   * nothing but their replicas protects what survives. It stays a stripe, since something may.
   */
  private boolean isLostForGood(LocatedStripe located, long nowMs) {
    long parityFile = located.stripe().parityFile();
    OptionalInt intact = located.intact().findFirst();
    if (intact.isEmpty() || RebuildPlanner.isDecodable(located.where())) {
      lost.remove(parityFile);
      return false;
    }
    if (lost.size() >= LOST_MAX && !lost.containsKey(parityFile)) {
      return false;
    }
    return nowMs - sinceMs(lost, located, intact.getAsInt(), nowMs) >= LOST_AFTER_MS;
  }

  private static long sinceMs(
      Map<Long, Damaged> damaged, LocatedStripe located, int intact, long nowMs) {
    long blockId = located.stripe().record().members().get(intact).blockId();
    return damaged
        .compute(
            located.stripe().parityFile(),
            (ignored, before) -> new Damaged(blockId, before == null ? nowMs : before.sinceMs()))
        .sinceMs();
  }

  /**
   * Whether all blocks of a file are encoded. In one of one replica some may not be: somebody put
   * them there by a way we do not see, as on a NameNode without us.
   */
  private boolean isWhole(StoredFile file, Map<Long, Boolean> whole) {
    return whole.computeIfAbsent(
        file.id(), id -> file.blockIds().stream().allMatch(encoded::contains));
  }

  /** Files of intact members, by the member's place. */
  private Map<Integer, StoredFile> filesOf(LocatedStripe located) {
    Map<Integer, StoredFile> files = new HashMap<>();
    for (int i = 0; i < located.members().size(); i++) {
      StoredFile file =
          located.members().get(i).isIntact()
              ? lookup.file(located.blocks().get(i).fileId())
              : null;
      if (file != null) {
        files.put(i, file);
      }
    }
    return files;
  }

  private static List<MemberState> states(LocatedStripe located, Map<Integer, StoredFile> files) {
    List<MemberState> states = new ArrayList<>(located.members());
    files.forEach(
        (i, file) -> {
          if (file.keepsReplicas() && file.replication() > 1) {
            states.set(i, MemberState.KEPT);
          }
        });
    return states;
  }

  /**
   * Lets members go unless what others miss now could not be made without them: then the stripe is
   * repaired first. One beyond decoding keeps them as long as it is, be it for good: DataNodes that
   * come back may make it decodable with them.
   */
  private void letGoOrKeep(LocatedStripe located, long nowMs) throws IOException {
    long parityFile = located.stripe().parityFile();
    if (!located.needsDeleted()) {
      keeping.remove(parityFile);
      letGo(located);
      return;
    }
    if (keeping.size() >= LOST_MAX && !keeping.containsKey(parityFile)) {
      return; // the walk comes by
    }
    int intact = located.intact().findFirst().orElseThrow();
    long keptMs = nowMs - sinceMs(keeping, located, intact, nowMs);
    if (keptMs >= LOST_AFTER_MS && KEPT_LOG.shouldLog()) {
      LOG.error(
          "For {} s the stripe with parity (inode {}) has not been repaired, and the bytes of its"
              + " deleted blocks are kept for that: {} blocks are missing. Look for DataNodes that"
              + " are down, and whether others have space ({} such stripes)",
          TimeUnit.MILLISECONDS.toSeconds(keptMs),
          parityFile,
          located.missingCount(),
          keeping.size());
    }
  }

  private void letGo(LocatedStripe located) throws IOException {
    StripeRecord record = located.stripe().record();
    Set<Long> leaving = new HashSet<>();
    for (int i = 0; i < located.members().size(); i++) {
      if (!located.members().get(i).isIntact()) {
        leaving.add(record.members().get(i).blockId());
      }
    }
    parityFiles.replaceRecord(located.stripe().parityFile(), record.without(leaving));
    encoded.leave(record, leaving);
    leaving.forEach(withheld::release);
    counts.membersLeft(leaving.size());
  }

  /** Gives a stripe up, or begins to; whether it is a stripe no more. */
  private boolean isGivenUp(
      LocatedStripe located, Map<Integer, StoredFile> files, ClusterView nodes) throws IOException {
    EncodedStripes.Stripe stripe = located.stripe();
    if (!areRestored(located, files, nodes)) {
      givingUp.put(stripe.parityFile(), stripe);
      return false;
    }
    StoredFile parity = lookup.file(stripe.parityFile());
    if (parity != null && parity.isCurrent() && parityFiles.isParity(parity.path())) {
      parityFiles.delete(parity);
    }
    encoded.remove(stripe.record());
    stripe.record().members().forEach(member -> withheld.release(member.blockId()));
    givingUp.remove(stripe.parityFile());
    lost.remove(stripe.parityFile());
    counts.givenUp();
    return true;
  }

  private boolean areRestored(
      LocatedStripe located, Map<Integer, StoredFile> files, ClusterView nodes) {
    boolean areRestored = true;
    for (int i = 0; i < located.members().size(); i++) {
      if (!located.members().get(i).isIntact()) {
        continue;
      }
      StoredFile file = files.get(i);
      StoredBlock block = located.blocks().get(i);
      if (file == null) {
        areRestored = false; // it is being deleted
      } else if (file.canGetBack(block.id())) {
        restoring.want(file.id(), located.stripe().record().members().get(i).replication());
        areRestored = false;
      } else if (!file.hasNow(block.id()) && block.expectedReplicas() <= 1) {
        areRestored = false; // until its snapshots are deleted
      } else {
        areRestored &= FileRestoring.hasFreshReplicas(block, nodes);
      }
    }
    return areRestored;
  }
}
