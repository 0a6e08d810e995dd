package org.rackweave.hdfs.ear;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.rackweave.ear.StripeLocations;
import org.rackweave.ear.StripeRecord;
import org.rackweave.ear.TargetRacks;
import org.rackweave.hdfs.ear.BlockLookup.StoredBlock;
import org.rackweave.hdfs.ear.BlockLookup.StoredFile;
import org.rackweave.model.ClusterTopology;

/**
 * An encoded stripe as the NameNode sees it now.
 *
 * @param stripe which one
 * @param blocks data, then parity; {@code null} where one was deleted
 * @param where their sound replicas; none of a block that is not as it was encoded
 */
record LocatedStripe(
    EncodedStripes.Stripe stripe, List<StoredBlock> blocks, StripeLocations where) {

  /**
   * Looks a stripe up.
   *
   * @return empty when its parity file is gone, or not of its code
   */
  static Optional<LocatedStripe> of(
      EncodedStripes.Stripe stripe, BlockLookup lookup, EncodingCluster nodes) {
    StoredFile parity = lookup.file(stripe.parityFile());
    if (parity == null || parity.blockIds().size() != stripe.record().code().parityBlocks()) {
      return Optional.empty();
    }
    List<StripeRecord.Member> members = stripe.record().members();
    List<Long> ids = new ArrayList<>();
    members.forEach(member -> ids.add(member.blockId()));
    ids.addAll(parity.blockIds());
    List<StoredBlock> blocks = lookup.blocks(ids);
    int[][] where = new int[blocks.size()][];
    for (int i = 0; i < where.length; i++) {
      StoredBlock block = blocks.get(i);
      boolean isAsEncoded =
          block != null
              && block.isComplete()
              && (i >= members.size() || isUnchanged(block, members.get(i)));
      where[i] = isAsEncoded ? nodes.numbersOf(block.replicas()) : new int[0];
    }
    return Optional.of(
        new LocatedStripe(
            stripe,
            blocks,
            new StripeLocations(
                ClusterTopology.NONE,
                TargetRacks.ALL,
                Arrays.copyOf(where, members.size()),
                Arrays.copyOfRange(where, members.size(), where.length))));
  }

  private static boolean isUnchanged(StoredBlock block, StripeRecord.Member member) {
    return block.generationStamp() == member.generationStamp()
        && block.lengthBytes() == member.lengthBytes();
  }
}
