package org.rackweave.hdfs.ear;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.rackweave.ear.Keepers;
import org.rackweave.ear.RebuildPlanner;
import org.rackweave.ear.StripeLocations;
import org.rackweave.ear.StripeMaintenance.Care;
import org.rackweave.hdfs.ClusterView;
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
    /** Somebody wants it to keep its replicas, or it has left the directories that are encoded. */
    KEPT,
    /** A snapshot wants more replicas. */
    HELD_BY_SNAPSHOT,
    /** A stripe of it is given up. */
    STRIPE_GIVEN_UP,
    /**
     * Its replicas are not as they were when it was encoded, HDFS does not know them yet, or a
     * DataNode that its stripes count on is silent.
     */
    NOT_NOW,
    /** Others of its stripe lie where it would have to: a block has to be moved before. */
    NO_PLACE,
    /** Files are encoded when somebody wishes only, and nobody wished it of this one. */
    NOT_WISHED,
    /** It is not there any more. */
    GONE
  }

  private final Supplier<EarConfig> config;
  private final BlockLookup lookup;
  private final EncodedStripes encoded;
  private final WithheldReplicas withheld;
  private final Supplier<ClusterView> cluster;

  /** How many calls exempt a file, by inode. */
  private final Map<Long, Integer> exempt = new HashMap<>();

  FileShrinking(EncodedView view) {
    config = view.config();
    lookup = view.lookup();
    encoded = view.encoded();
    withheld = view.withheld();
    cluster = view.cluster();
  }

  /** Until closed, files keep what replicas they have: a block of their stripes is to change. */
  final class Exemption implements AutoCloseable {
    private final List<Long> fileIds = new ArrayList<>();

    /** Exempts one more; one that is being shrunk is done before this returns. */
    void add(long fileId) {
      synchronized (FileShrinking.this) {
        exempt.merge(fileId, 1, Integer::sum);
        fileIds.add(fileId);
      }
    }

    @Override
    public void close() {
      synchronized (FileShrinking.this) {
        for (long fileId : fileIds) {
          exempt.merge(fileId, -1, (count, one) -> count == 1 ? null : count - 1);
        }
      }
    }
  }

  /** Exempts a file; one that is being shrunk is done before this returns. */
  Exemption exempt(long fileId) {
    Exemption exemption = new Exemption();
    exemption.add(fileId);
    return exemption;
  }

  /** The snapshot that holds a file, empty when there is none any more. */
  String heldBy(long fileId) {
    StoredFile file = lookup.file(fileId);
    return file == null ? "" : file.heldBy();
  }

  synchronized Outcome shrink(long fileId) throws IOException {
    StoredFile file = lookup.file(fileId);
    if (file == null || !file.isCurrent()) {
      return Outcome.GONE;
    }
    if (file.replication() == 1) {
      return Outcome.SHRUNK_BEFORE;
    }
    if (file.keepsReplicas() || config.get().paths().of(file.path()).isEmpty()) {
      return Outcome.KEPT;
    }
    if (file.isOpen() || exempt.containsKey(fileId)) {
      return Outcome.NOT_NOW;
    }
    Map<Long, DatanodeDescriptor> keepers = new HashMap<>();
    ClusterView nodes = cluster.get();
    for (long blockId : file.blockIds()) {
      Optional<EncodedStripes.Stripe> stripe = encoded.of(blockId);
      if (stripe.isEmpty()) {
        return Outcome.PART_ENCODED;
      }
      if (!keepers.containsKey(blockId)) {
        LocatedStripe located = LocatedStripe.of(stripe.get(), lookup, withheld, nodes);
        if (isGivenUp(located)) {
          return Outcome.STRIPE_GIVEN_UP;
        }
        Optional<Outcome> whyNot = addKeepers(located, nodes, keepers);
        if (whyNot.isPresent()) {
          return whyNot.get();
        }
      }
    }
    if (file.heldReplication() > 1) {
      return Outcome.HELD_BY_SNAPSHOT;
    }
    return lookup.shrink(file, keepers) ? Outcome.SHRUNK : Outcome.NOT_NOW;
  }

  private boolean isGivenUp(LocatedStripe located) {
    return !located.hasParity()
        || config.get().careOf(located.stripe().record(), located.members()) == Care.GIVE_UP;
  }

  /**
   * Decides for all members of a stripe at once. Replicas go only where every other block of the
   * stripe, too, is on a DataNode that can be counted on.
   *
   * @return why it cannot be decided, if so
   */
  private Optional<Outcome> addKeepers(
      LocatedStripe located, ClusterView nodes, Map<Long, DatanodeDescriptor> keepers) {
    int[] staying = StripePlaces.intact(located);
    StripeLocations where = located.where().withData(staying).without(node -> !nodes.isFresh(node));
    if (RebuildPlanner.survivors(where) < staying.length + where.parity().length) {
      return Optional.of(Outcome.NOT_NOW);
    }
    Optional<int[]> chosen =
        Keepers.choose(
            config.get().rulesOf(located.stripe().record()),
            nodes.topology(),
            where,
            ThreadLocalRandom.current());
    if (chosen.isEmpty()) {
      return Optional.of(Outcome.NO_PLACE);
    }
    for (int i = 0; i < staying.length; i++) {
      keepers.put(located.blocks().get(staying[i]).id(), nodes.datanodes()[chosen.get()[i]]);
    }
    for (int i = 0; i < where.parity().length; i++) {
      long parity = located.blocks().get(located.members().size() + i).id();
      keepers.put(parity, nodes.datanodes()[where.parity()[i][0]]);
    }
    return Optional.empty();
  }
}
