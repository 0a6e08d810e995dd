package org.rackweave.hdfs.ear;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.function.ObjIntConsumer;
import org.rackweave.ear.ErasureCode;
import org.rackweave.ear.StripeIndex;
import org.rackweave.ear.StripeRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The encoded stripes of one NameNode, in memory; {@link ParityFiles} is where they last. Empty on
 * a standby, read again by a NameNode that becomes active. At most 70 bytes a data block, see
 * {@link StripeIndex}.
 */
public final class EncodedStripes {
  private static final Logger LOG = LoggerFactory.getLogger(EncodedStripes.class);
  private static final Comparator<ErasureCode> BY_NAME = Comparator.comparing(ErasureCode::name);

  private final Map<ErasureCode, StripeIndex> indexes = new ConcurrentSkipListMap<>(BY_NAME);

  /** Of stripes that are being encoded. */
  private final Set<Long> claimed = ConcurrentHashMap.newKeySet();

  /** Inodes of parity files whose record cannot be read. */
  private final NavigableSet<Long> unreadable = new ConcurrentSkipListSet<>();

  private volatile boolean isLoaded;

  /** An encoded stripe and the inode of its parity. */
  public record Stripe(StripeRecord record, long parityFile) {}

  /** The stripe that a block is a member of. */
  public Optional<Stripe> of(long blockId) {
    for (StripeIndex index : indexes.values()) {
      synchronized (index) {
        int stripe = index.stripeOf(blockId);
        if (stripe != StripeIndex.NONE) {
          return Optional.of(stripe(index, stripe));
        }
      }
    }
    return Optional.empty();
  }

  /** What a stripe's record says of a block that is a member of it. */
  Optional<StripeRecord.Member> member(long blockId) {
    return of(blockId).stream()
        .flatMap(stripe -> stripe.record().members().stream())
        .filter(member -> member.blockId() == blockId)
        .findFirst();
  }

  /** The factor that a file of such blocks had before, 1 when none of them is encoded. */
  int replicationBefore(Collection<Long> blockIds) {
    return blockIds.stream()
        .flatMap(id -> member(id).stream())
        .mapToInt(StripeRecord.Member::replication)
        .max()
        .orElse(1);
  }

  private static Stripe stripe(StripeIndex index, int number) {
    return new Stripe(index.record(number), index.parityFile(number));
  }

  public boolean contains(long blockId) {
    return indexes.values().stream().anyMatch(index -> index.stripeOf(blockId) != StripeIndex.NONE);
  }

  /** Whether a block is a member of a stripe, or of one that is being encoded. */
  boolean isTaken(long blockId) {
    return claimed.contains(blockId) || contains(blockId);
  }

  /** Whether any block {@linkplain #isTaken is taken}. */
  boolean hasTakenAny() {
    return !claimed.isEmpty() || stripeCount() > 0;
  }

  /**
   * Takes blocks for a stripe, until they are released; no block gets into two.
   *
   * @return the first that is taken already, and none is taken for this one; empty when all are
   */
  Optional<Long> claim(Collection<Long> blockIds) {
    List<Long> mine = new ArrayList<>();
    for (long blockId : blockIds) {
      boolean isMine = claimed.add(blockId);
      if (isMine) {
        mine.add(blockId);
      }
      if (!isMine || contains(blockId)) {
        release(mine);
        return Optional.of(blockId);
      }
    }
    return Optional.empty();
  }

  void release(Collection<Long> blockIds) {
    blockIds.forEach(claimed::remove);
  }

  /** A place in a walk over all stripes, see {@link #after}. */
  record Cursor(ErasureCode code, int number) {
    static final Cursor START = new Cursor(null, 0);
  }

  /** A stripe of a walk, and where the walk goes on. */
  record Found(Stripe stripe, Cursor cursor) {}

  /**
   * The next stripe of a walk over all of them; one that is added meanwhile may be left out.
   *
   * @return empty when the walk is over
   */
  Optional<Found> after(Cursor cursor) {
    for (Map.Entry<ErasureCode, StripeIndex> each : indexes.entrySet()) {
      int order = cursor.code() == null ? 1 : BY_NAME.compare(each.getKey(), cursor.code());
      if (order >= 0) {
        StripeIndex index = each.getValue();
        synchronized (index) {
          int stripe = index.next(order == 0 ? cursor.number() : 0);
          if (stripe != StripeIndex.NONE) {
            return Optional.of(
                new Found(stripe(index, stripe), new Cursor(each.getKey(), stripe + 1)));
          }
        }
      }
    }
    return Optional.empty();
  }

  void add(long parityFile, StripeRecord record) {
    indexes.computeIfAbsent(record.code(), StripeIndex::new).add(parityFile, record);
  }

  /** Members of a stripe have left it, as its record says already where it lasts. */
  void leave(StripeRecord record, Set<Long> blockIds) {
    change(record, (index, stripe) -> index.leave(stripe, blockIds));
  }

  /** A stripe is given up. */
  void remove(StripeRecord record) {
    change(record, StripeIndex::remove);
  }

  private void change(StripeRecord record, ObjIntConsumer<StripeIndex> change) {
    StripeIndex index = indexes.get(record.code());
    if (index == null) {
      return; // all were forgotten
    }
    synchronized (index) {
      record.members().stream()
          .filter(member -> !member.hasLeft())
          .mapToInt(member -> index.stripeOf(member.blockId()))
          .filter(stripe -> stripe != StripeIndex.NONE)
          .findFirst()
          .ifPresent(stripe -> change.accept(index, stripe));
    }
  }

  /**
   * Reads all stripes anew, of whichever code. One that cannot be read is remembered and told in
   * the log; as long as there is any, it is not known what is encoded.
   */
  void load(ParityFiles files) throws IOException {
    clear();
    for (ErasureCode code : files.codes()) {
      files.forEach(code, this::read);
    }
    isLoaded = true;
  }

  /** Whether all that can be read have been. */
  boolean isLoaded() {
    return isLoaded;
  }

  /** Whether all there are have been read: before that, a block may be in one unknown. */
  boolean isKnown() {
    return isLoaded && unreadable.isEmpty();
  }

  /** Inodes of some parity files whose record cannot be read, those above one, in order. */
  List<Long> unreadableAfter(long parityFile, int most) {
    return unreadable.tailSet(parityFile, false).stream().limit(most).toList();
  }

  /** A parity file whose record could not be read is gone. */
  void forgetUnreadable(long parityFile) {
    unreadable.remove(parityFile);
  }

  /** A record can be read that could not be before. */
  void addUnreadable(long parityFile, StripeRecord record) {
    add(parityFile, record);
    unreadable.remove(parityFile);
  }

  private void read(long parityFile, byte[] record) {
    try {
      if (record == null) {
        throw new IllegalArgumentException("it has no attribute " + ParityFiles.RECORD);
      }
      add(parityFile, StripeRecord.of(record));
    } catch (IllegalArgumentException | NullPointerException e) {
      unreadable.add(parityFile);
      LOG.error("The stripe of parity file {} cannot be read: {}", parityFile, e.getMessage());
    }
  }

  void clear() {
    isLoaded = false;
    indexes.clear();
    unreadable.clear();
  }

  public int stripeCount() {
    return indexes.values().stream().mapToInt(StripeIndex::stripeCount).sum();
  }

  public int blockCount() {
    return indexes.values().stream().mapToInt(StripeIndex::blockCount).sum();
  }

  /** Parity files whose record is missing, damaged, or names a block of another stripe. */
  public long unreadableCount() {
    return unreadable.size();
  }
}
