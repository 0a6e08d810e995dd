package org.rackweave.hdfs.datanode;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import org.rackweave.hdfs.work.ParityTrailer;

/** Checksums of the bytes that pass, of all of them and of every chunk; used by one thread. */
final class RunningChecksum {
  private final CRC32C whole = new CRC32C();
  private final CRC32C chunk = new CRC32C();
  private final List<Integer> chunks = new ArrayList<>();
  private long bytes;

  /** Takes the bytes that a buffer has left, which it keeps. */
  void update(ByteBuffer passing) {
    whole.update(passing.duplicate());
    int at = passing.position();
    while (at < passing.limit()) {
      int left = ParityTrailer.CHUNK_BYTES - (int) (bytes % ParityTrailer.CHUNK_BYTES);
      int taken = Math.min(left, passing.limit() - at);
      chunk.update(passing.slice(at, taken));
      at += taken;
      bytes += taken;
      if (taken == left) {
        chunks.add((int) chunk.getValue());
        chunk.reset();
      }
    }
  }

  /** Bytes so far. */
  long bytes() {
    return bytes;
  }

  /** CRC-32C of all bytes. */
  int ofAll() {
    return (int) whole.getValue();
  }

  /** CRC-32C of each {@link ParityTrailer#CHUNK_BYTES} bytes, and of those left over. */
  List<Integer> ofChunks() {
    List<Integer> all = new ArrayList<>(chunks);
    if (bytes % ParityTrailer.CHUNK_BYTES > 0) {
      all.add((int) chunk.getValue());
    }
    return all;
  }

  /** Has the bytes of a channel pass. */
  ReadableByteChannel of(ReadableByteChannel input) {
    return new ReadableByteChannel() {
      @Override
      public int read(ByteBuffer into) throws IOException {
        int from = into.position();
        int count = input.read(into);
        update(into.slice(from, into.position() - from));
        return count;
      }

      @Override
      public boolean isOpen() {
        return input.isOpen();
      }

      @Override
      public void close() throws IOException {
        input.close();
      }
    };
  }

  /** Has the bytes that go to a channel pass. */
  WritableByteChannel of(WritableByteChannel output) {
    return new WritableByteChannel() {
      @Override
      public int write(ByteBuffer source) throws IOException {
        int from = source.position();
        int count = output.write(source);
        update(source.slice(from, count));
        return count;
      }

      @Override
      public boolean isOpen() {
        return output.isOpen();
      }

      @Override
      public void close() throws IOException {
        output.close();
      }
    };
  }
}
