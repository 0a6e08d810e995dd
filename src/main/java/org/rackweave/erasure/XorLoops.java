package org.rackweave.erasure;

/**
 * The inner loops of {@link JavaArithmetic}: sums of arrays, with or without a doubling of the
 * target first. A long holds eight field elements.
 *
 * <p>HotSpot turns each loop into vector instructions of whatever width the processor has. It does
 * so only for loops as plain as these: few operations, whole arrays, one index. Merging two of them
 * halves the speed.
 */
final class XorLoops {
  private static final long TOP_BITS = 0x8080808080808080L;
  private static final long ALL_BUT_LOWEST_BITS = 0xfefefefefefefefeL;
  private static final long REDUCTIONS = Gf256.REDUCTION * 0x0101010101010101L;

  private XorLoops() {}

  /**
   * Eight elements times x. Where an element's top bit is set it leaves the byte and comes back as
   * the reduction: 0x80 - 0x01 = 0x7f covers all bits of that.
   */
  private static long doubled(long elements) {
    long top = elements & TOP_BITS;
    return ((elements + elements) & ALL_BUT_LOWEST_BITS) ^ ((top - (top >>> 7)) & REDUCTIONS);
  }

  static void sum(int length, long[] to, long[] a) {
    for (int i = 0; i < length; i++) {
      to[i] = a[i];
    }
  }

  static void sum(int length, long[] to, long[] a, long[] b) {
    for (int i = 0; i < length; i++) {
      to[i] = a[i] ^ b[i];
    }
  }

  static void sum(int length, long[] to, long[] a, long[] b, long[] c) {
    for (int i = 0; i < length; i++) {
      to[i] = a[i] ^ b[i] ^ c[i];
    }
  }

  static void sum(int length, long[] to, long[] a, long[] b, long[] c, long[] d) {
    for (int i = 0; i < length; i++) {
      to[i] = a[i] ^ b[i] ^ c[i] ^ d[i];
    }
  }

  static void doubleAndAdd(int length, long[] to, long[] a) {
    for (int i = 0; i < length; i++) {
      to[i] = doubled(to[i]) ^ a[i];
    }
  }

  static void doubleAndAdd(int length, long[] to, long[] a, long[] b) {
    for (int i = 0; i < length; i++) {
      to[i] = doubled(to[i]) ^ a[i] ^ b[i];
    }
  }

  static void doubleAndAdd(int length, long[] to, long[] a, long[] b, long[] c) {
    for (int i = 0; i < length; i++) {
      to[i] = doubled(to[i]) ^ a[i] ^ b[i] ^ c[i];
    }
  }

  static void doubleAndAdd(int length, long[] to, long[] a, long[] b, long[] c, long[] d) {
    for (int i = 0; i < length; i++) {
      to[i] = doubled(to[i]) ^ a[i] ^ b[i] ^ c[i] ^ d[i];
    }
  }
}
