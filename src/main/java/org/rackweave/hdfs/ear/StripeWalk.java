package org.rackweave.hdfs.ear;

import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.rackweave.ear.StripeLocations;
import org.rackweave.hdfs.ClusterView;

/** Looks at encoded stripes, at all or at some, each under short holds of the namesystem's lock. */
public final class StripeWalk {
  /** Extended attribute that files of parity have. */
  public static final String PARITY_MARK = ParityFiles.RECORD;

  private final EncodedStripes encoded;
  private final BlockLookup lookup;
  private final WithheldReplicas withheld;

  /**
   * A stripe.
   *
   * @param pieces DataNodes that can be counted on to have each block that there is, data or parity
   * @param spare blocks it can do without; below 0 when it cannot be decoded already
   */
  public record Seen(int[][] pieces, int spare) {}

  StripeWalk(EncodedStripes encoded, BlockLookup lookup, WithheldReplicas withheld) {
    this.encoded = encoded;
    this.lookup = lookup;
    this.withheld = withheld;
  }

  /** Whether a block is a data block of an encoded stripe. */
  public boolean isMember(long blockId) {
    return encoded.contains(blockId);
  }

  /** One of how many stripes to look at so as to look at no more than so many. */
  public int every(int most) {
    return Math.max(1, (encoded.stripeCount() + most - 1) / most);
  }

  /**
   * Looks at stripes.
   *
   * @param every one of so many is looked at, evenly spaced; 1 for all
   * @throws IllegalStateException when the stripes are not known
   */
  public void forEach(ClusterView nodes, int every, Consumer<Seen> action) {
    if (!encoded.isLoaded()) {
      throw new IllegalStateException(EncodingAdmin.NOT_READY);
    }
    Optional<EncodedStripes.Found> next = encoded.after(EncodedStripes.Cursor.START);
    while (next.isPresent()) {
      action.accept(seen(LocatedStripe.of(next.get().stripe(), lookup, withheld, nodes), nodes));
      EncodedStripes.Cursor after = next.get().cursor();
      next = encoded.after(new EncodedStripes.Cursor(after.code(), after.number() + every - 1));
    }
  }

  private static Seen seen(LocatedStripe located, ClusterView nodes) {
    StripeLocations where = located.where().without(nodes::isSilent);
    int blocks = located.blocks().size();
    int missing = (int) IntStream.range(0, blocks).filter(where::isMissing).count();
    int spare = located.stripe().record().code().parityBlocks() - missing;
    int[] intact = located.intact().toArray();
    // Without enough parity for members that have left, those that stay are single replicas.
    boolean isUnprotected = spare < 0 && IntStream.of(intact).noneMatch(where::isMissing);
    IntStream which =
        isUnprotected
            ? IntStream.of(intact)
            : IntStream.range(0, blocks).filter(block -> !where.isMissing(block));
    return new Seen(
        which.mapToObj(where::readable).toArray(int[][]::new), isUnprotected ? 0 : spare);
  }
}
