package org.rackweave.erasure;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.util.Arrays;

/**
 * A unit's bytes as longs. The order of bytes within a long is the machine's: what is computed
 * never looks across bytes.
 */
final class UnitLongs {
  private final ByteBuffer bytes;
  private final LongBuffer longs;

  private UnitLongs(ByteBuffer unit) {
    bytes = unit.slice().order(ByteOrder.nativeOrder());
    longs = bytes.asLongBuffer();
  }

  static UnitLongs[] of(ByteBuffer[] units) {
    UnitLongs[] all = new UnitLongs[units.length];
    for (int i = 0; i < all.length; i++) {
      all[i] = new UnitLongs(units[i]);
    }
    return all;
  }

  /**
   * Reads some longs, zeros beyond the unit's end.
   *
   * @param fromByte a multiple of 8
   */
  void load(int fromByte, int count, long[] to) {
    int from = fromByte / Long.BYTES;
    int whole = Math.max(0, Math.min(count, longs.limit() - from));
    if (whole > 0) {
      longs.get(from, to, 0, whole);
    }
    if (whole < count) {
      Arrays.fill(to, whole, count, 0);
      int tail = (from + whole) * Long.BYTES;
      if (tail < bytes.limit()) {
        to[whole] = partialLong(tail);
      }
    }
  }

  private long partialLong(int fromByte) {
    ByteBuffer one = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder());
    for (int i = fromByte; i < bytes.limit(); i++) {
      one.put(i - fromByte, bytes.get(i));
    }
    return one.getLong(0);
  }

  /**
   * Writes some bytes.
   *
   * @param fromByte a multiple of 8
   */
  void store(long[] from, int fromByte, int count) {
    int whole = count / Long.BYTES;
    longs.put(fromByte / Long.BYTES, from, 0, whole);
    if (whole * Long.BYTES < count) {
      ByteBuffer one = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder());
      one.putLong(0, from[whole]);
      for (int i = whole * Long.BYTES; i < count; i++) {
        bytes.put(fromByte + i, one.get(i - whole * Long.BYTES));
      }
    }
  }
}
