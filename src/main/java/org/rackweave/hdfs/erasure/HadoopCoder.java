package org.rackweave.hdfs.erasure;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;
import org.apache.hadoop.io.erasurecode.rawcoder.RawErasureDecoder;
import org.apache.hadoop.io.erasurecode.rawcoder.RawErasureEncoder;
import org.rackweave.erasure.ReedSolomonCode;
import org.rackweave.erasure.StripeCoder;

/**
 * Hadoop's own coders as a stripe coder. They want units of one length: where one ends early, the
 * stripe is coded in blocks, and the missing part of a block is a copy with zeros.
 */
final class HadoopCoder implements StripeCoder {
  private static final int BLOCK_BYTES = 1 << 16;

  private final ReedSolomonCode code;
  private final RawErasureEncoder encoder;
  private final RawErasureDecoder decoder;

  HadoopCoder(ReedSolomonCode code, RawErasureEncoder encoder, RawErasureDecoder decoder) {
    this.code = code;
    this.encoder = encoder;
    this.decoder = decoder;
  }

  @Override
  public ReedSolomonCode code() {
    return code;
  }

  @Override
  public void encode(ByteBuffer[] data, ByteBuffer[] parity, int lengthBytes) throws IOException {
    inBlocks(data, parity, lengthBytes, encoder::encode);
  }

  /** Asks in ascending order: Hadoop 3.4 decodes wrongly what is asked for in another. */
  @Override
  public void decode(ByteBuffer[] units, int[] wanted, ByteBuffer[] outputs, int lengthBytes)
      throws IOException {
    int[] order =
        IntStream.range(0, wanted.length)
            .boxed()
            .sorted(Comparator.comparing(i -> wanted[i]))
            .mapToInt(Integer::intValue)
            .toArray();
    int[] ascending = Arrays.stream(order).map(i -> wanted[i]).toArray();
    ByteBuffer[] targets =
        Arrays.stream(order).mapToObj(i -> outputs[i]).toArray(ByteBuffer[]::new);
    inBlocks(units, targets, lengthBytes, (in, out) -> decoder.decode(in, ascending, out));
  }

  private interface Step {
    void code(ByteBuffer[] inputs, ByteBuffer[] outputs) throws IOException;
  }

  private static void inBlocks(
      ByteBuffer[] inputs, ByteBuffer[] outputs, int lengthBytes, Step step) throws IOException {
    int whole = lengthBytes;
    for (ByteBuffer input : inputs) {
      whole = input == null ? whole : Math.min(whole, input.remaining());
    }
    if (whole > 0) {
      step.code(blocks(inputs, 0, whole), blocks(outputs, 0, whole));
    }
    for (int from = whole; from < lengthBytes; from += BLOCK_BYTES) {
      int bytes = Math.min(BLOCK_BYTES, lengthBytes - from);
      step.code(blocks(inputs, from, bytes), blocks(outputs, from, bytes));
    }
  }

  private static ByteBuffer[] blocks(ByteBuffer[] units, int from, int bytes) {
    ByteBuffer[] blocks = new ByteBuffer[units.length];
    for (int i = 0; i < units.length; i++) {
      blocks[i] = units[i] == null ? null : block(units[i], from, bytes);
    }
    return blocks;
  }

  /** Part of a unit, a view where all of it is there. */
  private static ByteBuffer block(ByteBuffer unit, int from, int bytes) {
    int present = Math.max(0, Math.min(bytes, unit.remaining() - from));
    if (present == bytes) {
      return unit.slice(unit.position() + from, bytes);
    }
    ByteBuffer padded =
        unit.isDirect() ? ByteBuffer.allocateDirect(bytes) : ByteBuffer.allocate(bytes);
    if (present > 0) {
      padded.put(0, unit, unit.position() + from, present);
    }
    return padded;
  }
}
