package org.rackweave.hdfs.ear;

import java.io.IOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import org.rackweave.ear.ErasureCode;
import org.rackweave.ear.StripeIndex;
import org.rackweave.ear.StripeRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The encoded stripes of one NameNode, in memory; {@link ParityFiles} is where they last. Empty on
 * a standby, read anew by whoever becomes active. At most 64 bytes a data block, see {@link
 * StripeIndex}.
 */
public final class EncodedStripes {
  private static final Logger LOG = LoggerFactory.getLogger(EncodedStripes.class);

  private final Map<ErasureCode, StripeIndex> indexes = new HashMap<>();
  private final LongAdder unreadable = new LongAdder();
  private volatile boolean isKnown;

  /**
   * @param codes those that files may be encoded by
   */
  public EncodedStripes(Collection<ErasureCode> codes) {
    codes.forEach(code -> indexes.put(code, new StripeIndex(code)));
  }

  /** An encoded stripe and the inode of its parity. */
  public record Stripe(StripeRecord record, long parityFile) {}

  /** The stripe that a block is a member of. */
  public Optional<Stripe> of(long blockId) {
    for (StripeIndex index : indexes.values()) {
      synchronized (index) {
        int stripe = index.stripeOf(blockId);
        if (stripe != StripeIndex.NONE) {
          return Optional.of(new Stripe(index.record(stripe), index.parityFile(stripe)));
        }
      }
    }
    return Optional.empty();
  }

  boolean contains(long blockId) {
    return indexes.values().stream().anyMatch(index -> index.stripeOf(blockId) != StripeIndex.NONE);
  }

  void add(long parityFile, StripeRecord record) {
    indexes.get(record.code()).add(parityFile, record);
  }

  /** Reads all stripes anew. One that cannot be read is counted, told in the log, and left. */
  void load(ParityFiles files) throws IOException {
    clear();
    for (ErasureCode code : indexes.keySet()) {
      files.forEach(code, this::read);
    }
    isKnown = true;
  }

  /** Whether all there are have been read: before that, a block may be in one unknown. */
  boolean isKnown() {
    return isKnown;
  }

  private void read(long parityFile, byte[] record) {
    try {
      if (record == null) {
        throw new IllegalArgumentException("it has no attribute " + ParityFiles.RECORD);
      }
      add(parityFile, StripeRecord.of(record));
    } catch (IllegalArgumentException | NullPointerException e) {
      unreadable.increment();
      LOG.error("The stripe of parity file {} cannot be read: {}", parityFile, e.getMessage());
    }
  }

  void clear() {
    isKnown = false;
    indexes.values().forEach(StripeIndex::clear);
    unreadable.reset();
  }

  public int stripeCount() {
    return indexes.values().stream().mapToInt(StripeIndex::stripeCount).sum();
  }

  public int blockCount() {
    return indexes.values().stream().mapToInt(StripeIndex::blockCount).sum();
  }

  /** Parity files whose record is missing, damaged, or names a block of another stripe. */
  public long unreadableCount() {
    return unreadable.sum();
  }
}
