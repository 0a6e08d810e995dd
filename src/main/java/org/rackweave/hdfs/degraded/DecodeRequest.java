package org.rackweave.hdfs.degraded;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.WritableUtils;
import org.apache.hadoop.security.token.Token;

/**
 * A client wants a range of a block that has no replica.
 *
 * @param block id, generation and block pool; its length does not matter
 * @param token which lets the client read that block
 * @param offset first byte, at least 0
 * @param length bytes, at least 1
 */
public record DecodeRequest(
    ExtendedBlock block, Token<BlockTokenIdentifier> token, long offset, long length) {
  private static final int VERSION = 1;

  /** Bytes of a part of a token; HDFS's have some hundred. */
  private static final int TOKEN_PART_MAX = 1 << 16;

  /**
   * @throws IllegalArgumentException when it is no range
   */
  public DecodeRequest {
    if (offset < 0 || length < 1) {
      throw new IllegalArgumentException(length + " bytes from " + offset + " of " + block);
    }
  }

  /** Without the token, which is no business of a log. */
  @Override
  public String toString() {
    return length + " bytes from " + offset + " of " + block;
  }

  /** Writes it, version first. */
  public void write(DataOutputStream out) throws IOException {
    out.writeByte(VERSION);
    out.writeUTF(block.getBlockPoolId());
    out.writeLong(block.getBlockId());
    out.writeLong(block.getGenerationStamp());
    token.write(out);
    out.writeLong(offset);
    out.writeLong(length);
  }

  /**
   * Reads what {@link #write} wrote.
   *
   * @throws IOException when it is of another version or makes no sense
   */
  public static DecodeRequest read(DataInputStream in) throws IOException {
    int version = in.readUnsignedByte();
    if (version != VERSION) {
      throw new IOException("a request of version " + version + ": known is " + VERSION);
    }
    String blockPool = in.readUTF();
    long blockId = in.readLong();
    ExtendedBlock block = new ExtendedBlock(blockPool, blockId, 0, in.readLong());
    Token<BlockTokenIdentifier> token =
        new Token<>(part(in), part(in), new Text(part(in)), new Text(part(in)));
    try {
      return new DecodeRequest(block, token, in.readLong(), in.readLong());
    } catch (IllegalArgumentException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  /**
   * A part of a token as HDFS writes them. It comes from who has shown nothing yet, and HDFS's own
   * reader would make room for any length before a byte of it is there.
   */
  private static byte[] part(DataInputStream in) throws IOException {
    int length = WritableUtils.readVInt(in);
    if (length < 0 || length > TOKEN_PART_MAX) {
      throw new IOException(
          "a token with " + length + " bytes in a part, allowed are 0 to " + TOKEN_PART_MAX);
    }
    byte[] part = new byte[length];
    in.readFully(part);
    return part;
  }
}
