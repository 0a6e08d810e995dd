package org.rackweave.ear;

import java.util.Arrays;
import java.util.Set;

/**
 * The encoded stripes of one code, found by the blocks they consist of.
 *
 * <p><b>Goal.</b> At most 70 bytes of memory a data block from k = 3 on where there is no more
 * parity than data, so that a NameNode can know hundreds of millions of them. Records stay the
 * bytes they are stored as ({@link StripeRecord}, 36 a data block, 4 a parity block and 9 a
 * stripe). An open-addressing table holds of each block four bytes, its stripe's number times k
 * plus its place there; the id to compare is read from the record. The table doubles when it is
 * three quarters full, so it takes at most 11 bytes a block.
 *
 * <p>Thread-safe.
 */
public final class StripeIndex {
  /** No stripe. */
  public static final int NONE = -1;

  private static final int FIRST_CAPACITY = 64;

  private final ErasureCode code;
  private final int membersMax;

  /** By hash of the block id; {@link #NONE} where nothing is. */
  private int[] slotAt = free(FIRST_CAPACITY);

  private int blockCount;

  private byte[][] records = new byte[FIRST_CAPACITY][];
  private long[] parityFiles = new long[FIRST_CAPACITY];

  /** Numbers below were in use; those in {@link #unused} are free again. */
  private int numbers;

  private int[] unused = new int[FIRST_CAPACITY];
  private int unusedCount;

  public StripeIndex(ErasureCode code) {
    this.code = code;
    membersMax = code.dataBlocks();
  }

  private static int[] free(int capacity) {
    int[] all = new int[capacity];
    Arrays.fill(all, NONE);
    return all;
  }

  /**
   * Adds a stripe.
   *
   * @param parityFile inode of its parity
   * @return its number, valid until it is removed
   * @throws IllegalArgumentException when it is of another code or a member is in a stripe already;
   *     nothing is changed
   */
  public synchronized int add(long parityFile, StripeRecord record) {
    if (!record.code().equals(code)) {
      throw new IllegalArgumentException(
          "the stripe of parity file "
              + parityFile
              + " is of "
              + record.code().name()
              + ", not of "
              + code.name());
    }
    for (StripeRecord.Member member : record.members()) {
      int other = member.hasLeft() ? NONE : stripeOf(member.blockId());
      if (other != NONE) {
        throw new IllegalArgumentException(
            "block "
                + member.blockId()
                + " is in the stripe of parity file "
                + parityFiles[other]
                + " and cannot be in that of "
                + parityFile);
      }
    }
    int stripe = nextNumber();
    records[stripe] = record.toBytes();
    parityFiles[stripe] = parityFile;
    for (int member = 0; member < record.members().size(); member++) {
      if (!record.members().get(member).hasLeft()) {
        put(stripe * membersMax + member);
      }
    }
    return stripe;
  }

  /**
   * Lets members of a stripe leave: it is found by the others only, and they may be in another.
   *
   * @param stripe its number
   * @return its record from now on
   */
  public synchronized StripeRecord leave(int stripe, Set<Long> blockIds) {
    StripeRecord before = record(stripe);
    StripeRecord after = before.without(blockIds);
    for (StripeRecord.Member member : before.members()) {
      if (!member.hasLeft() && blockIds.contains(member.blockId())) {
        removeBlock(member.blockId());
      }
    }
    records[stripe] = after.toBytes();
    return after;
  }

  /** The first number from this one on that a stripe has, {@link #NONE} when there is none. */
  public synchronized int next(int number) {
    for (int stripe = number; stripe < numbers; stripe++) {
      if (records[stripe] != null) {
        return stripe;
      }
    }
    return NONE;
  }

  private int nextNumber() {
    if (unusedCount > 0) {
      return unused[--unusedCount];
    }
    if (numbers == records.length) {
      records = Arrays.copyOf(records, numbers + numbers / 4);
      parityFiles = Arrays.copyOf(parityFiles, numbers + numbers / 4);
    }
    return numbers++;
  }

  /** Number of the stripe that a block is a member of, or {@link #NONE}. */
  public synchronized int stripeOf(long blockId) {
    int slot = slotAt[find(blockId)];
    return slot == NONE ? NONE : slot / membersMax;
  }

  /** What there is to know of a stripe. */
  public synchronized StripeRecord record(int stripe) {
    return StripeRecord.of(records[required(stripe)]);
  }

  /** Inode of a stripe's parity. */
  public synchronized long parityFile(int stripe) {
    return parityFiles[required(stripe)];
  }

  private int required(int stripe) {
    if (stripe < 0 || stripe >= numbers || records[stripe] == null) {
      throw new IllegalArgumentException("there is no stripe " + stripe);
    }
    return stripe;
  }

  /** Removes a stripe, whose number may be another's from then on. */
  public synchronized void remove(int stripe) {
    for (StripeRecord.Member member : StripeRecord.of(records[required(stripe)]).members()) {
      if (!member.hasLeft()) {
        removeBlock(member.blockId());
      }
    }
    records[stripe] = null;
    if (unusedCount == unused.length) {
      unused = Arrays.copyOf(unused, unusedCount * 2);
    }
    unused[unusedCount++] = stripe;
  }

  /** Forgets all stripes. */
  public synchronized void clear() {
    slotAt = free(FIRST_CAPACITY);
    blockCount = 0;
    records = new byte[FIRST_CAPACITY][];
    parityFiles = new long[FIRST_CAPACITY];
    numbers = 0;
    unusedCount = 0;
  }

  public synchronized int stripeCount() {
    return numbers - unusedCount;
  }

  /** Data blocks of all stripes, those left out that have left. */
  public synchronized int blockCount() {
    return blockCount;
  }

  /** Bytes of memory that all of it takes, the headers of Java's arrays included. */
  synchronized long memoryBytes() {
    long bytes = (long) (slotAt.length + unused.length) * Integer.BYTES;
    bytes += (long) records.length * (Integer.BYTES + Long.BYTES);
    for (int stripe = 0; stripe < numbers; stripe++) {
      int header = 16;
      int whole = records[stripe] == null ? 0 : header + records[stripe].length;
      bytes += (whole + 7) / 8 * 8;
    }
    return bytes;
  }

  private int home(long blockId) {
    // Ids are consecutive: a multiplication by the golden ratio spreads them.
    long mixed = blockId * 0x9E3779B97F4A7C15L;
    return (int) (mixed >>> 33) & (slotAt.length - 1);
  }

  private int after(int at) {
    return at + 1 == slotAt.length ? 0 : at + 1;
  }

  private long blockIn(int slot) {
    return StripeRecord.blockId(records[slot / membersMax], slot % membersMax);
  }

  /** Where a block is, or the free place where it would be. */
  private int find(long blockId) {
    int at = home(blockId);
    while (slotAt[at] != NONE && blockIn(slotAt[at]) != blockId) {
      at = after(at);
    }
    return at;
  }

  private void put(int slot) {
    if ((blockCount + 1) * 4L > slotAt.length * 3L) {
      grow();
    }
    slotAt[find(blockIn(slot))] = slot;
    blockCount++;
  }

  private void grow() {
    int[] before = slotAt;
    slotAt = free(before.length * 2);
    for (int slot : before) {
      if (slot != NONE) {
        slotAt[find(blockIn(slot))] = slot;
      }
    }
  }

  /** Empties a place and moves up those behind it that would not be found any more. */
  private void removeBlock(long blockId) {
    int gap = find(blockId);
    for (int at = after(gap); slotAt[at] != NONE; at = after(at)) {
      int home = home(blockIn(slotAt[at]));
      boolean isReachable = gap <= at ? gap < home && home <= at : gap < home || home <= at;
      if (!isReachable) {
        slotAt[gap] = slotAt[at];
        gap = at;
      }
    }
    slotAt[gap] = NONE;
    blockCount--;
  }
}
