package org.rackweave.erasure;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * A coder that multiplies with matrices. Matrices for decoding are kept for the {@value
 * #MAX_PATTERNS} erasure patterns used last: a failure asks for few of them very often.
 */
public final class MatrixCoder implements StripeCoder {
  static final int MAX_PATTERNS = 64;

  private final ReedSolomonCode code;
  private final StripeArithmetic arithmetic;
  private final StripeArithmetic.Product parity;
  private final RecentlyUsed<ByteBuffer, StripeArithmetic.Product> recoveries =
      new RecentlyUsed<>(MAX_PATTERNS);

  public MatrixCoder(ReedSolomonCode code, StripeArithmetic arithmetic) {
    this.code = code;
    this.arithmetic = arithmetic;
    parity = arithmetic.product(code.parityRows());
  }

  @Override
  public ReedSolomonCode code() {
    return code;
  }

  @Override
  public void encode(ByteBuffer[] data, ByteBuffer[] parityUnits, int lengthBytes) {
    parity.apply(data, parityUnits, lengthBytes);
  }

  @Override
  public void decode(ByteBuffer[] units, int[] wanted, ByteBuffer[] outputs, int lengthBytes) {
    int[] survivors = survivors(units);
    ByteBuffer[] read = new ByteBuffer[survivors.length];
    for (int i = 0; i < read.length; i++) {
      read[i] = units[survivors[i]];
    }
    recovery(survivors, wanted).apply(read, outputs, lengthBytes);
  }

  /** Numbers of the first k units that are there. */
  private int[] survivors(ByteBuffer[] units) {
    if (units.length != code.allUnits()) {
      throw new IllegalArgumentException(
          code.name() + " has " + code.allUnits() + " units, not " + units.length);
    }
    int[] survivors = new int[code.dataUnits()];
    int found = 0;
    for (int unit = 0; unit < units.length && found < survivors.length; unit++) {
      if (units[unit] != null) {
        survivors[found++] = unit;
      }
    }
    if (found < survivors.length) {
      throw new IllegalArgumentException(
          code.name() + " needs " + survivors.length + " units to decode, not " + found);
    }
    return survivors;
  }

  private StripeArithmetic.Product recovery(int[] survivors, int[] wanted) {
    for (int unit : wanted) {
      code.checkUnit(unit);
    }
    return recoveries.get(
        pattern(survivors, wanted), () -> arithmetic.product(code.recoveryRows(survivors, wanted)));
  }

  int patternsKept() {
    return recoveries.size();
  }

  /** A key that compares by content. Of survivors there are always k, so nothing is ambiguous. */
  private static ByteBuffer pattern(int[] survivors, int[] wanted) {
    ByteBuffer pattern = ByteBuffer.allocate(survivors.length + wanted.length);
    Arrays.stream(survivors).forEach(unit -> pattern.put((byte) unit));
    Arrays.stream(wanted).forEach(unit -> pattern.put((byte) unit));
    return pattern.flip();
  }
}
