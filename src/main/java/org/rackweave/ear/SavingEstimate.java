package org.rackweave.ear;

/**
 * What encoding will about save, for any number of blocks in little memory: as if each length, of
 * those between two powers of two, filled stripes of its own, the last one not quite. Blocks too
 * few for that go along with longer ones, which costs no parity, or are left.
 */
public final class SavingEstimate {
  private final ErasureCode code;

  /** Of all blocks of similar lengths together, by the number of leading zeros: longest first. */
  private final StripeSaving[] byLength = new StripeSaving[Long.SIZE + 1];

  public SavingEstimate(ErasureCode code) {
    this.code = code;
  }

  /** Adds a block. */
  public void add(long lengthBytes, int replication) {
    int zeros = Long.numberOfLeadingZeros(lengthBytes);
    StripeSaving before = byLength[zeros] == null ? StripeSaving.none(code) : byLength[zeros];
    byLength[zeros] = before.with(lengthBytes, replication);
  }

  /**
   * What comes of it.
   *
   * @param freedBytes of surplus replicas that go
   * @param parityBytes that come
   */
  public record Sum(long freedBytes, long parityBytes) {}

  public Sum sum() {
    long freed = 0;
    long parity = 0;
    for (StripeSaving alike : byLength) {
      if (alike == null) {
        continue;
      }
      long stripes = (alike.blocks() + code.dataBlocks() - 1) / code.dataBlocks();
      if (stripes > 1 || alike.isWorthwhile()) {
        freed += alike.surplusBytes();
        parity += stripes * alike.parityBytes();
      } else if (parity > 0) {
        freed += alike.surplusBytes();
      }
    }
    return new Sum(freed, parity);
  }
}
