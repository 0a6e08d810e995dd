package org.rackweave.cli.testbed.compare.worker;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * The bytes of a file. They follow from its path, so that a reader knows what must be in it and
 * nobody has to remember.
 */
final class Content {

  private static final int PIECE_BYTES = 64 << 10;

  private final SplittableRandom random;
  private final byte[] piece = new byte[PIECE_BYTES];

  private Content(String path) {
    random = new SplittableRandom(path.hashCode());
  }

  private void next() {
    ByteBuffer buffer = ByteBuffer.wrap(piece);
    while (buffer.hasRemaining()) {
      buffer.putLong(random.nextLong());
    }
  }

  /** Writes the first {@code sizeBytes} of the file at {@code path}. */
  static void write(String path, long sizeBytes, OutputStream out) throws IOException {
    Content content = new Content(path);
    for (long left = sizeBytes; left > 0; left -= PIECE_BYTES) {
      content.next();
      out.write(content.piece, 0, (int) Math.min(left, PIECE_BYTES));
    }
  }

  /**
   * Reads to the end.
   *
   * @return number of bytes
   * @throws IOException if a byte is not what {@link #write} wrote
   */
  static long verify(String path, InputStream in) throws IOException {
    Content content = new Content(path);
    byte[] read = new byte[PIECE_BYTES];
    long size = 0;
    for (int n = in.readNBytes(read, 0, PIECE_BYTES);
        n > 0;
        n = in.readNBytes(read, 0, PIECE_BYTES)) {
      content.next();
      if (!Arrays.equals(read, 0, n, content.piece, 0, n)) {
        throw new IOException(path + " does not read back as it was written");
      }
      size += n;
    }
    return size;
  }
}
