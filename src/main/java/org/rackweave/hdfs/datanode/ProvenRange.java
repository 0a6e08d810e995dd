package org.rackweave.hdfs.datanode;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.util.zip.CRC32C;
import org.rackweave.hdfs.work.ParityTrailer;

/**
 * Takes the chunks of a block that a range is in, and passes on what is in the range of those that
 * are what their checksums say; used by one thread.
 */
final class ProvenRange implements WritableByteChannel {
  private final ByteBuffer row;
  private final long end;
  private final long chunksEnd;
  private final WritableByteChannel output;
  private final ByteBuffer chunk = ByteBuffer.allocate(ParityTrailer.CHUNK_BYTES);
  private final CRC32C crc = new CRC32C();
  private long at;
  private long passedTo;

  /**
   * @param row checksums of all chunks of the block
   * @param blockBytes of the block
   * @param offset where the range begins
   * @param end where it ends
   */
  ProvenRange(ByteBuffer row, long blockBytes, long offset, long end, WritableByteChannel output) {
    this.row = row;
    this.end = end;
    this.output = output;
    at = offset / ParityTrailer.CHUNK_BYTES * ParityTrailer.CHUNK_BYTES;
    passedTo = offset;
    long chunks = (end + ParityTrailer.CHUNK_BYTES - 1) / ParityTrailer.CHUNK_BYTES;
    chunksEnd = Math.min(blockBytes, chunks * ParityTrailer.CHUNK_BYTES);
  }

  /** Where the first chunk begins. */
  long from() {
    return at;
  }

  /** Where the last chunk ends. */
  long to() {
    return chunksEnd;
  }

  /** Up to where bytes have been passed on. */
  long passedTo() {
    return passedTo;
  }

  /**
   * @throws DisprovedException when a chunk is not what it was, of which nothing is passed on
   */
  @Override
  public int write(ByteBuffer source) throws IOException {
    int taken = source.remaining();
    while (source.hasRemaining()) {
      int bytes = Math.min(source.remaining(), chunk.remaining());
      chunk.put(source.slice(source.position(), bytes));
      source.position(source.position() + bytes);
      if (!chunk.hasRemaining() || at + chunk.position() == chunksEnd) {
        pass();
      }
    }
    return taken;
  }

  private void pass() throws IOException {
    chunk.flip();
    crc.reset();
    crc.update(chunk.duplicate());
    int number = Math.toIntExact(at / ParityTrailer.CHUNK_BYTES);
    if ((int) crc.getValue() != row.getInt(number * Integer.BYTES)) {
      throw new DisprovedException(
          "the bytes made from " + at + " on are not those that were encoded");
    }
    long chunkEnd = at + chunk.remaining();
    chunk.position((int) (passedTo - at)).limit((int) (Math.min(end, chunkEnd) - at));
    while (chunk.hasRemaining()) {
      output.write(chunk);
    }
    passedTo = Math.min(end, chunkEnd);
    at = chunkEnd;
    chunk.clear();
  }

  @Override
  public boolean isOpen() {
    return output.isOpen();
  }

  @Override
  public void close() throws IOException {
    output.close();
  }
}
