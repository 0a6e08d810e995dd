package org.rackweave.hdfs.ear;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.rackweave.hdfs.ClusterView;
import org.rackweave.hdfs.LogThrottle;
import org.rackweave.hdfs.ear.BlockLookup.StoredBlock;
import org.rackweave.hdfs.ear.BlockLookup.StoredFile;
import org.rackweave.model.Parts;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives encoded files the replicas back that they had before: raises their factors, a bounded
 * number of blocks at a time, so that HDFS's queue of blocks to replicate stays short.
 *
 * <p>Soft state: callers that need a file restored ask again. A file counts for a bounded time
 * only: of some HDFS cannot make the replicas, and others must not wait for them. Thread-safe.
 */
final class FileRestoring {
  private static final Logger LOG = LoggerFactory.getLogger(FileRestoring.class);
  private static final LogThrottle REFUSED_LOG = LogThrottle.oncePerMinute();

  /** Files that wait; of others it is asked again. */
  private static final int WAITING_MAX = 100_000;

  /** Blocks looked up in one hold of the namesystem's lock. */
  private static final int LOOKED_AT_MAX = 1000;

  /** For how long one that was raised keeps others waiting. */
  static final long COUNTED_MS = TimeUnit.MINUTES.toMillis(10);

  /**
   * A file whose factor has been raised.
   *
   * @param untilMs when it counts no more, whether or not it has its replicas
   */
  private record Raised(int blocks, long untilMs) {}

  private final BlockLookup lookup;
  private final int blocksMax;
  private final LongSupplier clockMs;

  /** Factor by inode. */
  private final Map<Long, Integer> waiting = new LinkedHashMap<>();

  /** By inode. */
  private final Map<Long, Raised> underWay = new LinkedHashMap<>();

  /**
   * @param blocksMax blocks that are restored at a time; a file with more is restored by itself
   * @param clockMs monotonic
   */
  FileRestoring(BlockLookup lookup, int blocksMax, LongSupplier clockMs) {
    this.lookup = lookup;
    this.blocksMax = blocksMax;
    this.clockMs = clockMs;
  }

  /** Has a file restored when its turn comes. */
  synchronized void want(long fileId, int replication) {
    if (!underWay.containsKey(fileId)
        && (waiting.size() < WAITING_MAX || waiting.containsKey(fileId))) {
      waiting.merge(fileId, replication, Math::max);
    }
  }

  /** Raises a file's factor at once: somebody waits for it. */
  void now(StoredFile file, int replication) throws IOException {
    lookup.raise(file.id(), replication);
    synchronized (this) {
      waiting.remove(file.id());
      underWay.put(file.id(), raised(file));
    }
  }

  private Raised raised(StoredFile file) {
    return new Raised(file.blockIds().size(), clockMs.getAsLong() + COUNTED_MS);
  }

  /** Whether as many files wait as have their turn next: others are to be wanted later. */
  synchronized boolean isFull() {
    return waiting.size() >= blocksMax;
  }

  /** Files that wait for their turn, or for HDFS to make the replicas. */
  synchronized int pending() {
    return waiting.size() + underWay.size();
  }

  synchronized void clear() {
    waiting.clear();
    underWay.clear();
  }

  /** Goes on; to be called repeatedly. A file that HDFS refuses to raise holds up no other. */
  synchronized void tick(int usableNodes) {
    underWay.entrySet().removeIf(each -> isOver(each.getKey(), each.getValue(), usableNodes));
    int blocks = underWay.values().stream().mapToInt(Raised::blocks).sum();
    for (Iterator<Map.Entry<Long, Integer>> each = waiting.entrySet().iterator();
        each.hasNext() && blocks < blocksMax; ) {
      Map.Entry<Long, Integer> next = each.next();
      StoredFile file = lookup.file(next.getKey());
      if (file != null && isWanted(file)) {
        int more = file.blockIds().size();
        if (blocks > 0 && blocks + more > blocksMax) {
          return;
        }
        if (isRaised(file, next.getValue())) {
          underWay.put(file.id(), raised(file));
          blocks += more;
        }
      }
      each.remove();
    }
  }

  /** Not when its owner has set a factor since. */
  private static boolean isWanted(StoredFile file) {
    return file.isCurrent() && file.replication() == 1 && file.mark() != ReplicaMark.ONE;
  }

  private boolean isOver(long fileId, Raised raised, int usableNodes) {
    StoredFile file = clockMs.getAsLong() < raised.untilMs() ? lookup.file(fileId) : null;
    return file == null || file.replication() == 1 || hasReplicas(file, usableNodes);
  }

  private boolean isRaised(StoredFile file, int replication) {
    try {
      lookup.raise(file.id(), replication);
      return true;
    } catch (IOException e) {
      if (REFUSED_LOG.shouldLog()) {
        LOG.error(
            "{} could not get its {} replicas back; trying again", file.path(), replication, e);
      }
      return false;
    }
  }

  private boolean hasReplicas(StoredFile file, int usableNodes) {
    List<Long> ids = new ArrayList<>(file.blockIds());
    for (List<Long> some : Parts.of(ids, LOOKED_AT_MAX)) {
      for (StoredBlock block : lookup.blocks(some)) {
        // Of one that is written, or lost, HDFS makes no replicas.
        boolean canBeCopied = block != null && block.isComplete() && block.isReadable();
        if (canBeCopied && !hasReplicas(block, usableNodes)) {
          return false;
        }
      }
    }
    return true;
  }

  /** The same, counting such DataNodes only as have sent heartbeats of late: others may be dead. */
  static boolean hasFreshReplicas(StoredBlock block, ClusterView nodes) {
    return nodes.freshNumbersOf(block.replicas()).length
        >= Math.max(1, Math.min(block.expectedReplicas(), nodes.usableCount()));
  }

  /** Whether a block has the replicas that HDFS makes of it, or as many as there are nodes for. */
  static boolean hasReplicas(StoredBlock block, int usableNodes) {
    return block.replicas().size() >= Math.max(1, Math.min(block.expectedReplicas(), usableNodes));
  }
}
