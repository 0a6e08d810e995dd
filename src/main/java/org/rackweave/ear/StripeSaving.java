package org.rackweave.ear;

/**
 * What some blocks save as one stripe. Parity blocks are as long as the longest of them, so a
 * stripe of one long block and many short ones takes more than their replicas did.
 *
 * <p>Example, rs-10-4 and three replicas: one block of 128 MB with nine of 1 MB gives back 274 MB
 * and takes 512 MB of parity.
 *
 * @param parityBlocks the code's
 * @param blocks how many there are
 * @param dataBytes of all of them, each counted once
 * @param longestBytes of the longest one
 * @param surplusBytes of the replicas that go, all but one of each block
 */
public record StripeSaving(
    int parityBlocks, int blocks, long dataBytes, long longestBytes, long surplusBytes) {
  /** What encoding costs besides is worth it from a tenth of the surplus on. */
  private static final int WORTHWHILE_PART = 10;

  /** Of no blocks. */
  public static StripeSaving none(ErasureCode code) {
    return new StripeSaving(code.parityBlocks(), 0, 0, 0, 0);
  }

  /** Of an encoded stripe, as it was before members left. */
  public static StripeSaving of(StripeRecord record) {
    StripeSaving saving = none(record.code());
    for (StripeRecord.Member member : record.members()) {
      saving = saving.with(member.lengthBytes(), Math.max(1, member.replication()));
    }
    return saving;
  }

  /**
   * The same with one more block.
   *
   * @param replication replicas that its file wants, at least 1
   */
  public StripeSaving with(long lengthBytes, int replication) {
    return new StripeSaving(
        parityBlocks,
        blocks + 1,
        dataBytes + lengthBytes,
        Math.max(longestBytes, lengthBytes),
        surplusBytes + lengthBytes * (replication - 1));
  }

  public long parityBytes() {
    return parityBlocks * longestBytes;
  }

  /** Bytes that are free afterwards; negative when the stripe takes more than the replicas did. */
  public long savedBytes() {
    return surplusBytes - parityBytes();
  }

  /** Whether enough is saved: at least a tenth of what the surplus replicas take. */
  public boolean isWorthwhile() {
    return savedBytes() > 0 && savedBytes() * WORTHWHILE_PART >= surplusBytes;
  }

  /** Whether blocks are at least half as long as the longest, in the mean. */
  public boolean isDense() {
    return 2 * dataBytes >= blocks * longestBytes;
  }
}
