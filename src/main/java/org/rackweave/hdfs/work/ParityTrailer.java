package org.rackweave.hdfs.work;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32C;
import org.apache.hadoop.util.CrcComposer;
import org.apache.hadoop.util.DataChecksum;

/**
 * What follows the parity in every parity block of a stripe: of each data block the format of its
 * checksums in HDFS, a CRC-32C of these formats, and then of each data block the CRC-32C of every
 * {@value #CHUNK_BYTES} bytes. So a decoder of a part of a block can verify it while it reads
 * parity anyway, and the NameNode need not remember more than one CRC a block. That one proves the
 * others: composed, they must equal it.
 *
 * <p>All numbers have four bytes, high byte first.
 *
 * @param lengths of the data blocks, in bytes, in order
 */
public record ParityTrailer(List<Long> lengths) {
  /** Bytes of a data block that one checksum is of; the last may be of fewer. */
  public static final int CHUNK_BYTES = 64 << 10;

  private static final int BYTES_PER_CHECKSUM_MAX = 1 << 20;

  public ParityTrailer {
    lengths = List.copyOf(lengths);
  }

  /** Bytes of parity in front of it: as many as the longest data block has. */
  public long parityBytes() {
    return lengths.stream().mapToLong(Long::longValue).max().orElse(0);
  }

  /** Its length. */
  public int bytes() {
    return rowAt(lengths.size());
  }

  /** Where the checksums of a data block's chunks begin, from its own first byte. */
  public int rowAt(int member) {
    int at = formatsBytes();
    for (int i = 0; i < member; i++) {
      at += rowBytes(i);
    }
    return at;
  }

  /** Bytes of the checksums of a data block's chunks. */
  public int rowBytes(int member) {
    return Math.toIntExact((lengths.get(member) + CHUNK_BYTES - 1) / CHUNK_BYTES) * Integer.BYTES;
  }

  private int formatsBytes() {
    return (lengths.size() + 1) * Integer.BYTES;
  }

  /**
   * The trailer as bytes.
   *
   * @param formats of the data blocks, see {@link #format}
   * @param rows of each data block the checksums of its chunks
   */
  public ByteBuffer toBytes(List<Integer> formats, List<List<Integer>> rows) {
    ByteBuffer bytes = ByteBuffer.allocate(bytes());
    formats.forEach(bytes::putInt);
    bytes.putInt(checksumOfFormats(bytes));
    rows.forEach(row -> row.forEach(bytes::putInt));
    return bytes.flip();
  }

  private int checksumOfFormats(ByteBuffer bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes.slice(0, formatsBytes() - Integer.BYTES));
    return (int) crc.getValue();
  }

  /** A block's checksum type and the bytes of each checksum as one number. */
  public static int format(DataChecksum checksum) {
    int bytes = checksum.getBytesPerChecksum();
    // Writers need that much memory, and clients choose it.
    DataChecksum kept = bytes > BYTES_PER_CHECKSUM_MAX ? usualFormat() : checksum;
    return kept.getBytesPerChecksum() << Byte.SIZE | kept.getChecksumType().id;
  }

  /** As HDFS does it unless told otherwise; for parity, and for data of which nobody knows. */
  public static DataChecksum usualFormat() {
    return DataChecksum.newDataChecksum(DataChecksum.Type.CRC32C, 512);
  }

  /**
   * The formats of the data blocks.
   *
   * @return of each how DataNodes are to keep its checksums, empty when the bytes were changed
   */
  public Optional<List<DataChecksum>> formats(ByteBuffer bytes) {
    if (bytes.getInt(formatsBytes() - Integer.BYTES) != checksumOfFormats(bytes)) {
      return Optional.empty();
    }
    List<DataChecksum> formats = new ArrayList<>();
    for (int member = 0; member < lengths.size(); member++) {
      int format = bytes.getInt(member * Integer.BYTES);
      formats.add(
          DataChecksum.newDataChecksum(
              DataChecksum.Type.valueOf(format & 0xff), format >>> Byte.SIZE));
    }
    return Optional.of(formats);
  }

  /** Whether all of it is as the proof of its stripe has it. */
  public boolean isProven(ByteBuffer bytes, StripeProof proof) {
    for (int member = 0; member < lengths.size(); member++) {
      ByteBuffer row = bytes.slice(rowAt(member), rowBytes(member));
      if (!isRowProven(row, member, proof)) {
        return false;
      }
    }
    return formats(bytes).isPresent();
  }

  /** Whether the checksums of a data block's chunks are those of the block in the proof. */
  public boolean isRowProven(ByteBuffer row, int member, StripeProof proof) {
    try {
      CrcComposer all = CrcComposer.newCrcComposer(DataChecksum.Type.CRC32C, CHUNK_BYTES);
      long left = lengths.get(member);
      for (int at = 0; at < rowBytes(member); at += Integer.BYTES) {
        all.update(row.getInt(at), Math.min(CHUNK_BYTES, left));
        left -= CHUNK_BYTES;
      }
      return ByteBuffer.wrap(all.digest()).getInt() == proof.checksums().get(member);
    } catch (IOException e) {
      throw new AssertionError("nothing is read", e);
    }
  }
}
