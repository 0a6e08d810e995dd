package org.rackweave.hdfs.ear;

import java.util.Arrays;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.rackweave.ear.RebuildPlanner;
import org.rackweave.hdfs.ClusterView;
import org.rackweave.hdfs.LockHolder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets a NameNode that starts leave safe mode although DataNodes are down that have the one replica
 * of encoded blocks. HDFS waits until nearly all blocks have been reported, for ever; but a block
 * that can be decoded is not lost. When no DataNode has come, and none has reported more, for a
 * while, such blocks are taken out of the number HDFS waits for; the rest is HDFS's own business,
 * its extension included.
 *
 * <p>For one thread.
 */
final class SafeModeThreshold {
  private static final Logger LOG = LoggerFactory.getLogger(SafeModeThreshold.class);

  private final FSNamesystem namesystem;
  private final EncodedStripes encoded;
  private final BlockLookup lookup;
  private final WithheldReplicas withheld;
  private final ReplicaSearch search;
  private final Supplier<ClusterView> cluster;
  private final long graceMs;
  private long reported = -1;
  private long unchangedSinceMs;
  private long takenOut;

  /**
   * @param graceMs how long nobody has to have reported anything new
   */
  SafeModeThreshold(FSNamesystem namesystem, EncodedView view, ReplicaSearch search, long graceMs) {
    this.namesystem = namesystem;
    encoded = view.encoded();
    lookup = view.lookup();
    withheld = view.withheld();
    this.search = search;
    cluster = view.cluster();
    this.graceMs = graceMs;
  }

  /** Looks once, while the NameNode is active and in the safe mode of its start. */
  void look(long nowMs) {
    search.look(cluster.get(), nowMs);
    long now = reported();
    if (now != reported) {
      reported = now;
      unchangedSinceMs = nowMs;
      return;
    }
    if (now == 0 || nowMs - unchangedSinceMs < graceMs) {
      return;
    }
    unchangedSinceMs = nowMs; // and again when this was not enough
    long decodable = decodable(nowMs);
    if (decodable != takenOut) {
      takenOut = decodable;
      LOG.info(
          "{} blocks have no replica and can be decoded; safe mode does not wait for them",
          decodable);
      namesystem.writeLock();
      try {
        namesystem.getBlockManager().setBlockTotal(namesystem.getCompleteBlocksTotal() - decodable);
      } finally {
        namesystem.writeUnlock(LockHolder.NAME);
      }
    }
  }

  /** Replicas that DataNodes have reported. */
  private long reported() {
    return Arrays.stream(cluster.get().datanodes())
        .filter(DatanodeDescriptor::isAlive)
        .mapToLong(DatanodeDescriptor::numBlocks)
        .sum();
  }

  /**
   * Blocks of encoded stripes, parity too, that have no replica and can be made. Of what cannot be
   * made without deleted blocks it is looked who has these, for the next time.
   */
  private long decodable(long nowMs) {
    ClusterView nodes = cluster.get();
    long decodable = 0;
    EncodedStripes.Cursor cursor = EncodedStripes.Cursor.START;
    for (Optional<EncodedStripes.Found> next = encoded.after(cursor);
        next.isPresent();
        next = encoded.after(cursor)) {
      cursor = next.get().cursor();
      LocatedStripe located = LocatedStripe.of(next.get().stripe(), lookup, withheld, nodes);
      if (located.isDamaged() && RebuildPlanner.isDecodable(located.where())) {
        decodable += located.missingCount();
      } else if (located.isDamaged()) {
        search.want(located.stripe().record().code(), located.deletedAndUnknown(), nowMs);
      }
    }
    return decodable;
  }
}
