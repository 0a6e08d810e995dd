package org.rackweave.hdfs.work;

import java.util.List;
import java.util.Optional;
import org.rackweave.ear.ErasureCode;
import org.rackweave.ear.StripeRecord;

/**
 * What the blocks of a stripe were when it was encoded, so that a repair or a reader knows whether
 * it is that.
 *
 * @param lengths of the data blocks, in bytes, in order
 * @param checksums CRC-32C of each data block, then of each parity block without its trailer
 */
public record StripeProof(List<Long> lengths, List<Integer> checksums) {

  /**
   * @throws IllegalArgumentException when there are not more checksums than data blocks
   */
  public StripeProof {
    lengths = List.copyOf(lengths);
    checksums = List.copyOf(checksums);
    if (lengths.isEmpty() || checksums.size() <= lengths.size()) {
      throw new IllegalArgumentException(
          checksums.size() + " checksums of " + lengths.size() + " data blocks and parity");
    }
  }

  /** The proof in a stripe's record, empty in that of one encoded before there were proofs. */
  public static Optional<StripeProof> of(StripeRecord record) {
    return record.isProven()
        ? Optional.of(
            new StripeProof(
                record.members().stream().map(StripeRecord.Member::lengthBytes).toList(),
                record.checksums()))
        : Optional.empty();
  }

  /** What follows the parity in each parity block. */
  public ParityTrailer trailer() {
    return new ParityTrailer(lengths);
  }

  /**
   * Bytes of a block, a parity block's trailer left out.
   *
   * @param unit its number in the code
   */
  public long lengthOf(int unit) {
    return unit < lengths.size() ? lengths.get(unit) : trailer().parityBytes();
  }

  /** CRC-32C of as many bytes of a block. */
  public int checksumOf(int unit, ErasureCode code) {
    int zeros = code.dataBlocks() - lengths.size();
    return checksums.get(unit < lengths.size() ? unit : unit - zeros);
  }
}
