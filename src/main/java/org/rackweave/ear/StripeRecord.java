package org.rackweave.ear;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.zip.CRC32C;

/**
 * What has to last of an encoded stripe. It travels with the stripe's parity, so that who has the
 * one has the other; where replicas are is not in it, the host system knows that better.
 *
 * <p>As bytes: version, k, n - k, c, number of members (one byte each), then of each member block
 * id and generation stamp (eight bytes each), length (six), replicas (two), file id (eight), high
 * byte first, in version 2 the checksums of all blocks (four bytes each), then a CRC-32C of all
 * before. That is {@value #BYTES_MAX} bytes with the widest code there is.
 *
 * @param code with fewer members than k the missing ones count as zeros
 * @param rackLimit the c it was laid out for
 * @param members its data blocks in order, 1 to k of them, some of which may have left
 * @param checksums CRC-32C of each member as it was encoded, then of the parity in each parity
 *     block; empty in a stripe that was encoded before there were any
 */
public record StripeRecord(
    ErasureCode code, int rackLimit, List<Member> members, List<Integer> checksums) {
  private static final byte VERSION_UNPROVEN = 1;
  private static final byte VERSION = 2;
  private static final int HEADER_BYTES = 5;
  private static final int MEMBER_BYTES = 4 * Long.BYTES;
  private static final int CHECK_BYTES = Integer.BYTES;

  /** Length of the longest record: a block less than {@link ErasureCode#BLOCKS_MAX} is data. */
  public static final int BYTES_MAX =
      HEADER_BYTES
          + (ErasureCode.BLOCKS_MAX - 1) * MEMBER_BYTES
          + (ErasureCode.BLOCKS_MAX + 1) * CHECK_BYTES;

  /** Longest block there is, which is HDFS's business far below. */
  public static final long LENGTH_MAX = (1L << 48) - 1;

  /** Most replicas a file had; HDFS's own limit is this or less. */
  public static final int REPLICATION_MAX = Short.MAX_VALUE;

  /**
   * A data block as it was encoded.
   *
   * @param blockId its id
   * @param generationStamp its generation; a block that was written again has another
   * @param lengthBytes its length, 1 to {@link #LENGTH_MAX}
   * @param fileId the inode it belongs to
   * @param replication replicas its file had before, and gets when this stripe is given up; 0 when
   *     the block has left: it was deleted or changed, and its bytes are lost to the stripe
   */
  public record Member(
      long blockId, long generationStamp, long lengthBytes, long fileId, int replication) {

    /** Whether the stripe cannot count on it any more. */
    public boolean hasLeft() {
      return replication == 0;
    }

    Member leaving() {
      return new Member(blockId, generationStamp, lengthBytes, fileId, 0);
    }
  }

  /**
   * @throws IllegalArgumentException when this is no stripe of the code
   */
  public StripeRecord {
    members = List.copyOf(members);
    checksums = List.copyOf(checksums);
    if (!checksums.isEmpty() && checksums.size() != members.size() + code.parityBlocks()) {
      throw new IllegalArgumentException(
          checksums.size() + " checksums of " + members.size() + " members in " + code.name());
    }
    if (members.isEmpty() || members.size() > code.dataBlocks()) {
      throw new IllegalArgumentException(
          members.size() + " members: " + code.name() + " has 1 to " + code.dataBlocks());
    }
    if (rackLimit < 1 || rackLimit > ErasureCode.BLOCKS_MAX) {
      throw new IllegalArgumentException(
          rackLimit + " blocks a rack: allowed are 1 to " + ErasureCode.BLOCKS_MAX);
    }
    Set<Long> ids = new HashSet<>();
    for (Member member : members) {
      if (member.lengthBytes() < 1 || member.lengthBytes() > LENGTH_MAX) {
        throw new IllegalArgumentException(
            "block " + member.blockId() + " of " + member.lengthBytes() + " bytes");
      }
      if (member.replication() < 0 || member.replication() > REPLICATION_MAX) {
        throw new IllegalArgumentException(
            "block " + member.blockId() + " of " + member.replication() + " replicas");
      }
      if (!ids.add(member.blockId())) {
        throw new IllegalArgumentException("block " + member.blockId() + " is there twice");
      }
    }
  }

  /** One whose blocks nobody can prove. */
  public StripeRecord(ErasureCode code, int rackLimit, List<Member> members) {
    this(code, rackLimit, members, List.of());
  }

  /** Whether it says what its blocks were when they were encoded. */
  public boolean isProven() {
    return !checksums.isEmpty();
  }

  /** The same with checksums. */
  public StripeRecord proven(List<Integer> known) {
    return new StripeRecord(code, rackLimit, members, known);
  }

  /** Bytes of parity in each parity block: as many as the longest member has. */
  public long parityBytes() {
    return members.stream().mapToLong(Member::lengthBytes).max().orElseThrow();
  }

  /** Bytes of parity that a member answers for: its part of the data that has not left. */
  public long parityShareBytes(long lengthBytes) {
    long data = members.stream().filter(m -> !m.hasLeft()).mapToLong(Member::lengthBytes).sum();
    return Math.round((double) lengthBytes / data * code.parityBlocks() * parityBytes());
  }

  /** The same stripe after some members have left. */
  public StripeRecord without(Set<Long> blockIds) {
    return new StripeRecord(
        code,
        rackLimit,
        members.stream()
            .map(member -> blockIds.contains(member.blockId()) ? member.leaving() : member)
            .toList(),
        checksums);
  }

  /** The record as bytes, at most {@link #BYTES_MAX}. */
  public byte[] toBytes() {
    ByteBuffer bytes =
        ByteBuffer.allocate(
            HEADER_BYTES + members.size() * MEMBER_BYTES + (checksums.size() + 1) * CHECK_BYTES);
    bytes.put(isProven() ? VERSION : VERSION_UNPROVEN);
    bytes.put((byte) code.dataBlocks());
    bytes.put((byte) code.parityBlocks());
    bytes.put((byte) rackLimit);
    bytes.put((byte) members.size());
    for (Member member : members) {
      bytes.putLong(member.blockId());
      bytes.putLong(member.generationStamp());
      bytes.putLong(member.lengthBytes() << Short.SIZE | member.replication());
      bytes.putLong(member.fileId());
    }
    checksums.forEach(bytes::putInt);
    bytes.putInt(check(bytes.array(), bytes.position()));
    return bytes.array();
  }

  /**
   * The inverse of {@link #toBytes}.
   *
   * @throws IllegalArgumentException saying what is wrong with the bytes
   */
  public static StripeRecord of(byte[] record) {
    if (record.length < HEADER_BYTES + CHECK_BYTES) {
      throw new IllegalArgumentException(
          "a stripe's record of " + record.length + " bytes is cut off");
    }
    ByteBuffer bytes = ByteBuffer.wrap(record);
    byte version = bytes.get();
    if (version != VERSION && version != VERSION_UNPROVEN) {
      throw new IllegalArgumentException(
          "a stripe's record of version " + version + ": known are 1 and " + VERSION);
    }
    int dataBlocks = Byte.toUnsignedInt(bytes.get());
    int parityBlocks = Byte.toUnsignedInt(bytes.get());
    int rackLimit = Byte.toUnsignedInt(bytes.get());
    int count = Byte.toUnsignedInt(bytes.get());
    int checksumCount = version == VERSION ? count + parityBlocks : 0;
    int expected = HEADER_BYTES + count * MEMBER_BYTES + (checksumCount + 1) * CHECK_BYTES;
    if (record.length != expected) {
      throw new IllegalArgumentException(
          "a stripe's record of "
              + record.length
              + " bytes: with "
              + count
              + " members it has "
              + expected);
    }
    if (bytes.getInt(expected - CHECK_BYTES) != check(record, expected - CHECK_BYTES)) {
      throw new IllegalArgumentException("a stripe's record was changed: its CRC-32C is wrong");
    }
    List<Member> members = new ArrayList<>(count);
    for (int member = 0; member < count; member++) {
      members.add(member(bytes));
    }
    List<Integer> checksums = new ArrayList<>(checksumCount);
    for (int block = 0; block < checksumCount; block++) {
      checksums.add(bytes.getInt());
    }
    return new StripeRecord(
        new ErasureCode(dataBlocks, parityBlocks), rackLimit, members, checksums);
  }

  private static Member member(ByteBuffer bytes) {
    long blockId = bytes.getLong();
    long generationStamp = bytes.getLong();
    long lengthAndReplication = bytes.getLong();
    return new Member(
        blockId,
        generationStamp,
        lengthAndReplication >>> Short.SIZE,
        bytes.getLong(),
        (int) (lengthAndReplication & REPLICATION_MAX));
  }

  /** Id of one block of a record in bytes, without looking at the rest. */
  static long blockId(byte[] record, int member) {
    return ByteBuffer.wrap(record).getLong(HEADER_BYTES + member * MEMBER_BYTES);
  }

  private static int check(byte[] bytes, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, length);
    return (int) crc.getValue();
  }
}
