package org.rackweave.hdfs.ear;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.rackweave.ear.Keepers;
import org.rackweave.ear.StripeRecord;
import org.rackweave.hdfs.EarConfig;
import org.rackweave.hdfs.ear.BlockLookup.StoredFile;

/**
 * Takes the surplus replicas of files away, when every block of a file is in an encoded stripe:
 * HDFS has one factor for a whole file. Which replica of a block stays is decided by its stripe.
 */
public final class FileShrinking {
  /** What became of a file. */
  public enum Outcome {
    /** It has one replica of each block now. */
    SHRUNK,
    /** It had one already. */
    SHRUNK_BEFORE,
    /** Blocks of it are in no encoded stripe yet. */
    PART_ENCODED,
    /** A snapshot wants more replicas. */
    HELD_BY_SNAPSHOT,
    /** Its replicas are not as they were when it was encoded, or HDFS does not know them yet. */
    NOT_NOW,
    /** It is not there any more. */
    GONE
  }

  private final EarConfig config;
  private final BlockLookup lookup;
  private final EncodedStripes encoded;
  private final Supplier<EncodingCluster> cluster;

  FileShrinking(
      EarConfig config,
      BlockLookup lookup,
      EncodedStripes encoded,
      Supplier<EncodingCluster> cluster) {
    this.config = config;
    this.lookup = lookup;
    this.encoded = encoded;
    this.cluster = cluster;
  }

  Outcome shrink(long fileId) throws IOException {
    StoredFile file = lookup.file(fileId);
    if (file == null) {
      return Outcome.GONE;
    }
    if (file.replication() == 1) {
      return Outcome.SHRUNK_BEFORE;
    }
    if (file.isOpen()) {
      return Outcome.NOT_NOW;
    }
    Map<Long, DatanodeDescriptor> keepers = new HashMap<>();
    EncodingCluster nodes = cluster.get();
    for (long blockId : file.blockIds()) {
      Optional<EncodedStripes.Stripe> stripe = encoded.of(blockId);
      if (stripe.isEmpty()) {
        return Outcome.PART_ENCODED;
      }
      if (!keepers.containsKey(blockId) && !addKeepers(stripe.get(), nodes, keepers)) {
        return Outcome.NOT_NOW;
      }
    }
    if (file.heldReplication() > 1) {
      return Outcome.HELD_BY_SNAPSHOT;
    }
    return lookup.shrink(file, keepers) ? Outcome.SHRUNK : Outcome.NOT_NOW;
  }

  /** Decides for all members of a stripe at once. */
  private boolean addKeepers(
      EncodedStripes.Stripe stripe, EncodingCluster nodes, Map<Long, DatanodeDescriptor> keepers) {
    List<StripeRecord.Member> members = stripe.record().members();
    Optional<int[]> chosen =
        LocatedStripe.of(stripe, lookup, nodes)
            .flatMap(
                located ->
                    Keepers.choose(
                        config.rules().get(stripe.record().code()),
                        nodes.topology(),
                        located.where(),
                        ThreadLocalRandom.current()));
    if (chosen.isEmpty()) {
      return false;
    }
    for (int i = 0; i < members.size(); i++) {
      keepers.put(members.get(i).blockId(), nodes.datanodes()[chosen.get()[i]]);
    }
    return true;
  }
}
