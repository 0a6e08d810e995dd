package org.rackweave.hdfs.ear;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.LongPredicate;
import java.util.function.Supplier;
import org.rackweave.ear.ErasureCode;
import org.rackweave.ear.LeaveReason;
import org.rackweave.ear.OpenStripeStatus;
import org.rackweave.ear.OpenStripes;
import org.rackweave.ear.SealedStripe;
import org.rackweave.ear.Seat;
import org.rackweave.ear.StripeEvent;
import org.rackweave.ear.StripeOutcome;
import org.rackweave.ear.WrittenBlock;
import org.rackweave.hdfs.EarConfig;
import org.rackweave.history.Event.Kind;
import org.rackweave.history.EventLog;
import org.rackweave.model.ClusterTopology;

/**
 * The stripes of one NameNode: open ones of every code, and sealed ones that wait to be encoded.
 *
 * <p>Soft state: a NameNode that starts or takes over forms stripes anew from where replicas really
 * are. At most {@value #SEALED_MAX} sealed stripes wait; the oldest is dropped for the next, and
 * its blocks are found again as any others.
 *
 * <p>Thread-safe. {@link #adopt}, {@link #expire} and {@link #forgetAll} exclude each other.
 */
public final class StripeRegistry {
  /** Some 200 bytes each with a wide code. */
  static final int SEALED_MAX = 100_000;

  private final Supplier<EarConfig> config;
  private final Deque<SealedStripe> sealed = new ArrayDeque<>();

  /** Blocks of stripes sealed or being encoded; guarded by {@link #sealed}, as that is. */
  private final Set<Long> sealedBlocks = new HashSet<>();

  private final EncodedStripes encoded = new EncodedStripes();
  private final EncodingCounts counts = new EncodingCounts();
  private final Map<StripeOutcome, LongAdder> outcomes = counters(StripeOutcome.class);
  private final Map<LeaveReason, LongAdder> departures = counters(LeaveReason.class);
  private final LongAdder sealedCount = new LongAdder();
  private final LongAdder droppedCount = new LongAdder();
  private final LongAdder takenApartCount = new LongAdder();
  private final LongAdder unobservedCount = new LongAdder();
  private final LongAdder foundCount = new LongAdder();
  private final LongAdder searchCount = new LongAdder();
  private final Consumer<StripeEvent> events = this::note;
  private final EventLog log;

  private volatile Cluster cluster;

  /** What is in force together. */
  private record Cluster(
      ClusterTopology topology,
      Map<String, Integer> numbers,
      Map<ErasureCode, OpenStripes> openStripes) {}

  /**
   * @param config the settings in force
   * @param log gets why blocks and files are not encoded
   */
  public StripeRegistry(Supplier<EarConfig> config, EventLog log) {
    this.config = config;
    this.log = log;
    cluster = new Cluster(null, Map.of(), Map.of());
  }

  private static <E extends Enum<E>> Map<E, LongAdder> counters(Class<E> type) {
    Map<E, LongAdder> counters = new EnumMap<>(type);
    for (E constant : type.getEnumConstants()) {
      counters.put(constant, new LongAdder());
    }
    return counters;
  }

  public EarConfig config() {
    return config.get();
  }

  /** Stripes that are encoded. */
  public EncodedStripes encoded() {
    return encoded;
  }

  /** What has been encoded since the start. */
  public EncodingCounts counts() {
    return counts;
  }

  /**
   * Puts another topology in force; open stripes stay as far as it allows.
   *
   * @param uuids of the DataNodes, by node number
   */
  public synchronized void adopt(ClusterTopology topology, List<String> uuids, long nowMs) {
    Map<ErasureCode, OpenStripes> open = new HashMap<>(cluster.openStripes());
    open.values()
        .forEach(stripes -> stripes.adopt(topology, ThreadLocalRandom.current(), nowMs, events));
    Map<String, Integer> numbers = new HashMap<>(2 * uuids.size());
    for (int node = 0; node < uuids.size(); node++) {
      numbers.put(uuids.get(node), node);
    }
    cluster = new Cluster(topology, numbers, open);
  }

  /** The open stripes of a code that some path has, {@code null} before the first topology. */
  public OpenStripes openStripes(ErasureCode code) {
    OpenStripes open = cluster.openStripes().get(code);
    return open == null ? begin(code) : open;
  }

  private synchronized OpenStripes begin(ErasureCode code) {
    Cluster now = cluster;
    if (now.topology() == null || now.openStripes().containsKey(code)) {
      return now.openStripes().get(code);
    }
    Map<ErasureCode, OpenStripes> open = new HashMap<>(now.openStripes());
    open.put(code, new OpenStripes(config.get().rulesOf(code), now.topology()));
    cluster = new Cluster(now.topology(), now.numbers(), open);
    return open.get(code);
  }

  /** Takes what happens to open stripes. */
  public Consumer<StripeEvent> events() {
    return events;
  }

  private void note(StripeEvent event) {
    if (event instanceof StripeEvent.Left left) {
      departures.get(left.reason()).increment();
      if (left.reason() != LeaveReason.WITHDRAWN && left.reason() != LeaveReason.SEATED_ANEW) {
        log.add(
            Kind.ENCODING,
            "blk_" + left.blockId(),
            () ->
                "left a stripe that was not full: "
                    + left.reason().name().toLowerCase(Locale.ROOT).replace('_', ' '));
      }
    } else if (event instanceof StripeEvent.Sealed closed) {
      sealedCount.increment();
      synchronized (sealed) {
        if (sealed.size() == SEALED_MAX) {
          forget(sealed.removeFirst());
          droppedCount.increment();
        }
        sealed.addLast(closed.stripe());
        for (long blockId : closed.stripe().blockIds()) {
          sealedBlocks.add(blockId);
        }
      }
    }
  }

  /** Says that a stripe was not encoded. */
  void refused(EncodingRefusal why, List<String> files, String text) {
    counts.refused(why, text);
    files.forEach(path -> log.add(Kind.ENCODING, path, () -> text));
  }

  private void forget(SealedStripe stripe) {
    for (long blockId : stripe.blockIds()) {
      sealedBlocks.remove(blockId);
    }
  }

  /** Counts what became of a block that was placed. */
  public void placed(StripeOutcome outcome) {
    outcomes.get(outcome).increment();
  }

  /** Counts a block whose id could not have been learned, and which is in no stripe therefore. */
  public void unobserved() {
    unobservedCount.increment();
  }

  /** Tells the id of the block that took a seat. */
  void bind(OpenStripes stripes, Seat seat, long blockId, long nowMs) {
    stripes.bind(seat, blockId, nowMs, events);
  }

  /** Gives back a seat whose block was not written. */
  void release(OpenStripes stripes, Seat seat, long nowMs) {
    stripes.release(seat, nowMs, events);
  }

  /** A block was abandoned or deleted, or is about to change: no open stripe keeps it. */
  void withdraw(long blockId, long nowMs) {
    for (OpenStripes stripes : cluster.openStripes().values()) {
      if (stripes.withdraw(blockId, nowMs, events)) {
        return;
      }
    }
  }

  /**
   * A block's pipeline was rebuilt.
   *
   * @param uuids of the DataNodes that write it now; one that is not known makes it leave
   */
  void moved(long blockId, List<String> uuids, long nowMs) {
    Cluster now = cluster;
    int[] nodes = numbersOf(uuids, now);
    if (nodes.length < 2 || Arrays.stream(nodes).anyMatch(node -> node < 0)) {
      withdraw(blockId, nowMs);
      return;
    }
    for (OpenStripes stripes : now.openStripes().values()) {
      if (!stripes.moved(blockId, now.topology(), nodes, nowMs, events)) {
        stripes.withdraw(blockId, nowMs, events);
      }
    }
  }

  /** Node numbers, each once whatever a client reports; -1 for what is not known. */
  private static int[] numbersOf(List<String> uuids, Cluster now) {
    return uuids.stream()
        .mapToInt(uuid -> now.numbers().getOrDefault(uuid, -1))
        .distinct()
        .toArray();
  }

  /** Whether there is a cluster to form stripes in. */
  boolean knowsTheCluster() {
    Cluster now = cluster;
    return now.topology() != null && now.topology().nodeCount() > 0;
  }

  /**
   * A block that is written has been seen; if it is in no stripe it gets into one. A block that was
   * deleted a moment ago may get into one as well, which is taken apart when it is to be encoded.
   *
   * @param code of the block's path
   * @param block its length and its file's factor decide which others it may be with
   * @param uuids of the DataNodes that have it
   */
  void found(ErasureCode code, WrittenBlock block, List<String> uuids, long nowMs) {
    Cluster now = cluster;
    int[] nodes = numbersOf(uuids, now);
    if (block.lengthBytes() == 0 // there is nothing to encode
        || Arrays.stream(nodes).anyMatch(node -> node < 0)
        || isInStripe(now, block.id())) {
      return;
    }
    OpenStripes stripes = openStripes(code);
    if (stripes.join(block, nodes, now.topology(), ThreadLocalRandom.current(), nowMs, events)) {
      foundCount.increment();
    }
  }

  /** Whether a block is in an open stripe. */
  boolean isSeated(long blockId) {
    return isSeated(cluster, blockId);
  }

  private static boolean isSeated(Cluster now, long blockId) {
    for (OpenStripes stripes : now.openStripes().values()) {
      if (stripes.seatOf(blockId) != null) {
        return true;
      }
    }
    return false;
  }

  private boolean isInStripe(Cluster now, long blockId) {
    if (isSeated(now, blockId)) {
      return true;
    }
    synchronized (sealed) {
      if (sealedBlocks.contains(blockId)) {
        return true;
      }
    }
    return encoded.contains(blockId);
  }

  /** Everything there is to find has been seen once more. */
  void searched() {
    searchCount.increment();
  }

  /** Whether there is no stripe, open or sealed. */
  boolean isEmpty() {
    return sealedWaiting() == 0 && openStatus().isEmpty();
  }

  /** Begins anew with no stripes: this NameNode is not told of changes any more. */
  synchronized void forgetAll() {
    cluster = new Cluster(cluster.topology(), cluster.numbers(), Map.of());
    synchronized (sealed) {
      sealed.clear();
      sealedBlocks.clear();
    }
  }

  /** Seals stripes that are old and gives back seats that nobody bound; to be called repeatedly. */
  public synchronized void expire(long nowMs) {
    cluster.openStripes().values().forEach(stripes -> stripes.expire(nowMs, events));
  }

  /** Seals open stripes that have a wanted block, where that is worth the parity. */
  synchronized void seal(LongPredicate wanted, long nowMs) {
    cluster.openStripes().values().forEach(stripes -> stripes.seal(wanted, nowMs, events));
  }

  /** Whether a block's stripe is sealed and not encoded yet. */
  public boolean awaitsEncoding(long blockId) {
    synchronized (sealed) {
      return sealedBlocks.contains(blockId);
    }
  }

  /**
   * Takes the sealed stripe that waits longest, {@code null} when none does. Its blocks get into no
   * other before it is {@link #finished} or {@link #putBack}.
   */
  public SealedStripe nextSealed() {
    synchronized (sealed) {
      return sealed.pollFirst();
    }
  }

  /** The sealed stripes that wait, the oldest first. */
  public List<SealedStripe> waiting() {
    synchronized (sealed) {
      return List.copyOf(sealed);
    }
  }

  /** Lets a stripe that was taken wait again, behind all others. */
  public void putBack(SealedStripe stripe) {
    synchronized (sealed) {
      sealed.addLast(stripe);
    }
  }

  /** A stripe that was taken is encoded, or will not be. */
  public void finished(SealedStripe stripe) {
    synchronized (sealed) {
      forget(stripe);
    }
  }

  /** A stripe that was taken will not be encoded: its blocks are free to get into others. */
  void takenApart(SealedStripe stripe) {
    takenApartCount.increment(); // first, so that nobody sees them free and believes all is over
    finished(stripe);
  }

  /** Sealed stripes that were taken apart since the start. */
  public long takenApartCount() {
    return takenApartCount.sum();
  }

  /** Sealed stripes that wait. */
  public int sealedWaiting() {
    synchronized (sealed) {
      return sealed.size();
    }
  }

  /** Every open stripe. */
  public List<OpenStripeStatus> openStatus() {
    return cluster.openStripes().values().stream()
        .flatMap(stripes -> stripes.status().stream())
        .toList();
  }

  public long outcomeCount(StripeOutcome outcome) {
    return outcomes.get(outcome).sum();
  }

  public long departureCount(LeaveReason reason) {
    return departures.get(reason).sum();
  }

  /** Stripes sealed since the start. */
  public long sealedCount() {
    return sealedCount.sum();
  }

  /** Sealed stripes that made room for later ones. */
  public long droppedCount() {
    return droppedCount.sum();
  }

  /** Blocks that were found in no stripe and got into one. */
  public long foundCount() {
    return foundCount.sum();
  }

  /** Searches for blocks in no stripe that came to their end. */
  public long searchCount() {
    return searchCount.sum();
  }

  public long unobservedCount() {
    return unobservedCount.sum();
  }
}
