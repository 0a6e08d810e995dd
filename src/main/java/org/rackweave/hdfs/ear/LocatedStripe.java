package org.rackweave.hdfs.ear;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.LongPredicate;
import java.util.stream.IntStream;
import org.rackweave.ear.RebuildPlanner;
import org.rackweave.ear.StripeLocations;
import org.rackweave.ear.StripeMaintenance.MemberState;
import org.rackweave.ear.StripeRecord;
import org.rackweave.ear.TargetRacks;
import org.rackweave.hdfs.ClusterView;
import org.rackweave.hdfs.ear.BlockLookup.StoredBlock;
import org.rackweave.hdfs.ear.BlockLookup.StoredFile;
import org.rackweave.model.ClusterTopology;

/**
 * An encoded stripe as the NameNode sees it now.
 *
 * @param stripe which one
 * @param blocks data, then parity; {@code null} where one was deleted
 * @param members how each data block is, {@link MemberState#KEPT} told from {@code ENCODED} by
 *     nobody yet
 * @param parity its parity file, {@code null} unless that is there, not in a snapshot only, and has
 *     the blocks its code wants
 * @param where sound replicas of all that is as it was encoded, those that can be read but leave
 *     with their DataNode told from others, those of deleted blocks included that are withheld from
 *     deletion
 */
record LocatedStripe(
    EncodedStripes.Stripe stripe,
    List<StoredBlock> blocks,
    List<MemberState> members,
    StoredFile parity,
    StripeLocations where) {

  /** Looks a stripe up. */
  static LocatedStripe of(
      EncodedStripes.Stripe stripe,
      BlockLookup lookup,
      WithheldReplicas withheld,
      ClusterView nodes) {
    List<StripeRecord.Member> members = stripe.record().members();
    int parityBlocks = stripe.record().code().parityBlocks();
    StoredFile found = lookup.file(stripe.parityFile());
    StoredFile parity =
        found != null && found.isCurrent() && found.blockIds().size() == parityBlocks
            ? found
            : null;
    List<Long> ids = new ArrayList<>();
    members.forEach(member -> ids.add(member.blockId()));
    if (parity != null) {
      ids.addAll(parity.blockIds());
    }
    List<StoredBlock> blocks = new ArrayList<>(lookup.blocks(ids));
    if (parity == null) {
      blocks.addAll(Collections.nCopies(parityBlocks, null));
    }
    List<MemberState> states = new ArrayList<>();
    int[][] where = new int[blocks.size()][];
    int[][] leaving = new int[blocks.size()][];
    for (int i = 0; i < where.length; i++) {
      StoredBlock block = blocks.get(i);
      if (i < members.size()) {
        MemberState state = stateOf(members.get(i), block);
        states.add(state);
        where[i] = nodesOf(members.get(i), state, block, withheld, nodes);
        leaving[i] = leavingOf(members.get(i), state, block, withheld, nodes);
      } else {
        boolean isThere = block != null && block.isComplete();
        where[i] = isThere ? nodes.numbersOf(block.replicas()) : new int[0];
        leaving[i] = isThere ? nodes.numbersOf(block.leaving()) : new int[0];
      }
    }
    return new LocatedStripe(
        stripe,
        blocks,
        List.copyOf(states),
        parity,
        new StripeLocations(
            ClusterTopology.NONE,
            TargetRacks.ALL,
            Arrays.copyOf(where, members.size()),
            Arrays.copyOfRange(where, members.size(), where.length),
            leaving));
  }

  /** Whether there is parity to decode with. */
  boolean hasParity() {
    return parity != null;
  }

  private static MemberState stateOf(StripeRecord.Member member, StoredBlock block) {
    if (member.hasLeft()) {
      return MemberState.LEFT;
    }
    if (block == null) {
      return MemberState.DELETED;
    }
    boolean isAsEncoded =
        block.isComplete()
            && block.generationStamp() == member.generationStamp()
            && block.lengthBytes() == member.lengthBytes();
    return isAsEncoded ? MemberState.ENCODED : MemberState.CHANGED;
  }

  private static int[] nodesOf(
      StripeRecord.Member member,
      MemberState state,
      StoredBlock block,
      WithheldReplicas withheld,
      ClusterView nodes) {
    return switch (state) {
      case ENCODED, KEPT -> nodes.numbersOf(block.replicas());
      case DELETED -> nodes.usableNumbersOf(withheld.holders(member.blockId()));
      case CHANGED, LEFT -> new int[0];
    };
  }

  private static int[] leavingOf(
      StripeRecord.Member member,
      MemberState state,
      StoredBlock block,
      WithheldReplicas withheld,
      ClusterView nodes) {
    return switch (state) {
      case ENCODED, KEPT -> nodes.numbersOf(block.leaving());
      case DELETED -> nodes.leavingNumbersOf(withheld.holders(member.blockId()));
      case CHANGED, LEFT -> new int[0];
    };
  }

  /** The number that a block has in its code, which knows of no short stripes. */
  int unit(int block) {
    int zeros = stripe.record().code().dataBlocks() - members.size();
    return block < members.size() ? block : block + zeros;
  }

  /** Whether a block, data or parity, may be made again should it be missing. */
  boolean isWanted(int block) {
    return block < members.size()
        ? members.get(block).isIntact()
        : blocks.get(block) != null && blocks.get(block).isComplete();
  }

  /** Numbers of the members that are as they were encoded. */
  IntStream intact() {
    return IntStream.range(0, members.size()).filter(member -> members.get(member).isIntact());
  }

  /** Whether it cannot be decoded without the bytes of blocks that were deleted. */
  boolean needsDeleted() {
    return members.contains(MemberState.DELETED)
        && !RebuildPlanner.isDecodable(where, block -> isOf(block, MemberState.DELETED));
  }

  /**
   * Whether it can be decoded, or may be once replicas of deleted blocks have been found.
   *
   * @param mayTurnUp whether that may be of one that nobody is known to have
   */
  boolean mayBeDecoded(LongPredicate mayTurnUp) {
    return readable(mayTurnUp).count() >= members.size();
  }

  /**
   * Whether blocks are missing that can be decoded, or may be, and could not without a member.
   *
   * @param mayTurnUp as in {@link #mayBeDecoded}
   */
  boolean needs(long blockId, LongPredicate mayTurnUp) {
    List<StripeRecord.Member> its = stripe.record().members();
    boolean hasNoneToSpare = RebuildPlanner.survivors(where) <= its.size();
    return hasNoneToSpare
        && isDamaged()
        && mayBeDecoded(mayTurnUp)
        && readable(mayTurnUp)
            .anyMatch(block -> block < its.size() && its.get(block).blockId() == blockId);
  }

  private IntStream readable(LongPredicate mayTurnUp) {
    return IntStream.range(0, blocks.size())
        .filter(
            block ->
                !where.isMissing(block)
                    || isOf(block, MemberState.DELETED)
                        && mayTurnUp.test(stripe.record().members().get(block).blockId()));
  }

  /** Members that are deleted and of which nobody is known to have a replica. */
  List<StripeRecord.Member> deletedAndUnknown() {
    return IntStream.range(0, members.size())
        .filter(member -> isOf(member, MemberState.DELETED) && where.isMissing(member))
        .mapToObj(stripe.record().members()::get)
        .toList();
  }

  /** How the members are once one of them has been written again. */
  List<MemberState> membersOnceChanged(long blockId) {
    List<MemberState> after = new ArrayList<>(members);
    for (int i = 0; i < after.size(); i++) {
      if (stripe.record().members().get(i).blockId() == blockId) {
        after.set(i, MemberState.CHANGED);
      }
    }
    return after;
  }

  private boolean isOf(int block, MemberState state) {
    return block < members.size() && members.get(block) == state;
  }

  /** Whether a block that may be made again has no replica to read. */
  boolean isDamaged() {
    return missingCount() > 0;
  }

  /** Blocks that may be made again and have no replica to read. */
  int missingCount() {
    return missing().length;
  }

  /** Their numbers. */
  int[] missing() {
    return IntStream.range(0, blocks.size())
        .filter(block -> isWanted(block) && where.isMissing(block))
        .toArray();
  }

  /** Whether a block has replicas that are to go, or are unsound. */
  boolean hasOtherReplicas() {
    return blocks.stream()
        .anyMatch(
            block -> block != null && !(block.others().isEmpty() && block.leaving().isEmpty()));
  }

  /** What there is to read of a block of which there is a replica: as it was encoded. */
  StoredBlock toRead(int block) {
    StoredBlock stored = blocks.get(block);
    if (stored != null) {
      return stored;
    }
    StripeRecord.Member member = stripe.record().members().get(block);
    return new StoredBlock(
        member.blockId(),
        member.generationStamp(),
        member.lengthBytes(),
        member.fileId(),
        true,
        1,
        List.of(),
        List.of(),
        List.of());
  }
}
