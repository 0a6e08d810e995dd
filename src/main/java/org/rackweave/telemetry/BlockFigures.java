package org.rackweave.telemetry;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A number for each of some blocks, on the wire: pairs of a zig-zag varint (block id) and a varint.
 * A rate in bytes per second on replies, bytes done on reports; a rate of {@link #CANCEL} asks that
 * a copy be ended, {@link #CANCELLED} bytes say that it will never be complete.
 */
public final class BlockFigures {
  /** Most blocks. */
  public static final int MOST = 512;

  /** In place of a rate: the copy is to end. */
  public static final long CANCEL = 0;

  /** In place of bytes done: the copy has ended, or will not get to its end. */
  public static final long CANCELLED = Long.MAX_VALUE;

  private static final int MAX_BYTES_PER_BLOCK = 10 + 9;

  private BlockFigures() {}

  /**
   * Encodes figures, each at least 0; of more than {@link #MOST} the first ones.
   *
   * @param figures by block id
   */
  public static byte[] encode(Map<Long, Long> figures) {
    int capacity = Math.min(MOST, figures.size()) * MAX_BYTES_PER_BLOCK;
    WireCursor out = new WireCursor().over(new byte[capacity], 0, capacity);
    int blocks = 0;
    for (Map.Entry<Long, Long> figure : figures.entrySet()) {
      if (blocks++ == MOST) {
        break;
      }
      out.writeVarint(WireCursor.zigZag(figure.getKey()));
      out.writeVarint(Math.max(0, figure.getValue()));
    }
    return Arrays.copyOf(out.buffer(), out.position());
  }

  /**
   * Decodes figures; never throws.
   *
   * @return by block id; {@code null} when the bytes are none, or too many
   */
  public static Map<Long, Long> decode(byte[] bytes) {
    Map<Long, Long> figures = new LinkedHashMap<>();
    WireCursor in = new WireCursor().over(bytes, 0, bytes.length);
    while (in.hasRemaining()) {
      long block = WireCursor.unZigZag(in.readVarint());
      figures.put(block, in.readVarintUpTo(Long.MAX_VALUE));
      if (figures.size() > MOST) {
        return null;
      }
    }
    return in.fault() == null ? figures : null;
  }
}
