package org.rackweave.erasure;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.util.Arrays;
import java.util.function.LongConsumer;
import java.util.random.RandomGenerator;

/**
 * Streams whole blocks through a coder, a chunk at a time. Blocks of a stripe may differ in length:
 * what one lacks to the longest counts as zeros, in the arithmetic only.
 *
 * <p>Memory: n direct buffers of a chunk, and as many again as blocks are made, kept for the next
 * stripe. Used by one thread.
 */
public final class BlockCoding {
  /** What was encoded does not come back when decoded: memory, processor or coder is faulty. */
  public static final class MiscodedException extends IOException {
    private static final long serialVersionUID = 1;

    private MiscodedException(String message) {
      super(message);
    }
  }

  private final StripeCoder coder;
  private final ReedSolomonCode code;
  private final ByteBuffer[] units;
  private final ByteBuffer[] made;
  private final int chunkBytes;

  /**
   * @param chunkBytes of each block in memory at a time, above 0
   */
  public BlockCoding(StripeCoder coder, int chunkBytes) {
    this.coder = coder;
    this.chunkBytes = chunkBytes;
    code = coder.code();
    units = buffers(code.allUnits(), chunkBytes);
    made = buffers(code.parityUnits(), chunkBytes);
  }

  public ReedSolomonCode code() {
    return code;
  }

  private static ByteBuffer[] buffers(int count, int bytes) {
    ByteBuffer[] buffers = new ByteBuffer[count];
    Arrays.setAll(buffers, i -> ByteBuffer.allocateDirect(bytes));
    return buffers;
  }

  /**
   * A block to read.
   *
   * @param channel at the block's first byte
   * @param lengthBytes of the block
   */
  public record Source(ReadableByteChannel channel, long lengthBytes) {}

  /**
   * Makes the parity blocks of a stripe. Before a chunk of parity is handed on, as many units as
   * the code can lose are drawn, made from the others and compared.
   *
   * @param data the data blocks, 1 to k; further ones count as zeros
   * @param parity take n - k blocks as long as the longest of {@code data}
   * @param random draws what is lost for the check
   * @param progress told the bytes of each block done so far
   * @throws EOFException when a block is shorter than was said
   * @throws MiscodedException when the check fails
   */
  public void encode(
      Source[] data, WritableByteChannel[] parity, RandomGenerator random, LongConsumer progress)
      throws IOException {
    int k = code.dataUnits();
    long lengthBytes = longest(data);
    for (long from = 0; from < lengthBytes; from += chunkBytes) {
      int bytes = (int) Math.min(chunkBytes, lengthBytes - from);
      for (int unit = 0; unit < k; unit++) {
        fill(unit, unit < data.length ? data[unit] : null, from, bytes);
      }
      for (int unit = k; unit < units.length; unit++) {
        units[unit].clear().limit(bytes);
      }
      coder.encode(Arrays.copyOf(units, k), Arrays.copyOfRange(units, k, units.length), bytes);
      check(random, from, bytes);
      for (int unit = k; unit < units.length; unit++) {
        write(parity[unit - k], units[unit]);
      }
      progress.accept(from + bytes);
    }
  }

  /**
   * Makes lost blocks of a stripe.
   *
   * @param known all n blocks, null where one is lost or not to be read; a data block that never
   *     was has length 0
   * @param wanted numbers of the blocks to make, at most n - k
   * @param lengths of these blocks
   * @param outputs take them
   * @param progress told the bytes of each block done so far
   * @throws EOFException when a block is shorter than was said
   * @throws IllegalArgumentException when fewer than k blocks are known
   */
  public void decode(
      Source[] known,
      int[] wanted,
      long[] lengths,
      WritableByteChannel[] outputs,
      LongConsumer progress)
      throws IOException {
    long lengthBytes = Arrays.stream(lengths).max().orElse(0);
    int[] read = firstKnown(known);
    for (long from = 0; from < lengthBytes; from += chunkBytes) {
      int bytes = (int) Math.min(chunkBytes, lengthBytes - from);
      ByteBuffer[] survivors = new ByteBuffer[units.length];
      for (int unit : read) {
        fill(unit, known[unit], from, bytes);
        survivors[unit] = units[unit];
      }
      make(survivors, wanted, bytes);
      for (int i = 0; i < wanted.length; i++) {
        made[i].limit((int) Math.max(0, Math.min(bytes, lengths[i] - from)));
        write(outputs[i], made[i]);
      }
      progress.accept(from + bytes);
    }
  }

  private static long longest(Source[] data) {
    return Arrays.stream(data).mapToLong(Source::lengthBytes).max().orElse(0);
  }

  /** Blocks to read: no more than k, for each costs a transfer. */
  private int[] firstKnown(Source[] known) {
    int[] read = new int[code.dataUnits()];
    int count = 0;
    for (int unit = 0; unit < known.length && count < read.length; unit++) {
      if (known[unit] != null) {
        read[count++] = unit;
      }
    }
    if (count < read.length) {
      throw new IllegalArgumentException(
          code.name() + " needs " + read.length + " blocks to make others, not " + count);
    }
    return read;
  }

  /** Reads a chunk of a block, which is empty where the block has ended. */
  private void fill(int unit, Source source, long from, int bytes) throws IOException {
    long left = source == null ? 0 : Math.max(0, source.lengthBytes() - from);
    ByteBuffer chunk = units[unit].clear().limit((int) Math.min(bytes, left));
    while (chunk.hasRemaining()) {
      if (source.channel().read(chunk) < 0) {
        throw new EOFException(
            "block "
                + unit
                + " of "
                + source.lengthBytes()
                + " bytes ended after "
                + (from + chunk.position()));
      }
    }
    chunk.flip();
  }

  private void make(ByteBuffer[] survivors, int[] wanted, int bytes) throws IOException {
    for (int i = 0; i < wanted.length; i++) {
      made[i].clear().limit(bytes);
    }
    coder.decode(survivors, wanted, Arrays.copyOf(made, wanted.length), bytes);
  }

  private void check(RandomGenerator random, long from, int bytes) throws IOException {
    int[] lost = drawn(random);
    ByteBuffer[] survivors = units.clone();
    for (int unit : lost) {
      survivors[unit] = null;
    }
    make(survivors, lost, bytes);
    for (int i = 0; i < lost.length; i++) {
      ByteBuffer expected = units[lost[i]];
      int there = expected.remaining();
      boolean isSame =
          made[i].slice(0, there).equals(expected) && isZero(made[i].slice(there, bytes - there));
      if (!isSame) {
        throw new MiscodedException(
            code.name() + ": unit " + lost[i] + " comes back different after byte " + from);
      }
    }
  }

  private static boolean isZero(ByteBuffer bytes) {
    while (bytes.hasRemaining()) {
      if (bytes.get() != 0) {
        return false;
      }
    }
    return true;
  }

  /** As many units as can be lost, each set as likely, in ascending order. */
  private int[] drawn(RandomGenerator random) {
    int[] lost = new int[code.parityUnits()];
    int count = 0;
    for (int unit = 0; unit < units.length; unit++) {
      if (random.nextInt(units.length - unit) < lost.length - count) {
        lost[count++] = unit;
      }
    }
    return lost;
  }

  private static void write(WritableByteChannel output, ByteBuffer chunk) throws IOException {
    while (chunk.hasRemaining()) {
      output.write(chunk);
    }
    chunk.rewind();
  }
}
