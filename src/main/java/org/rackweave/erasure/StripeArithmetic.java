package org.rackweave.erasure;

import java.nio.ByteBuffer;

/** A way to multiply units with a matrix. Implementations are safe for use by several threads. */
public interface StripeArithmetic {

  /** Multiplication with one matrix, prepared once and used for many stripes by many threads. */
  interface Product {
    /**
     * Makes unit i of {@code outputs} the sum over j of cell (i, j) times unit j of {@code inputs},
     * byte by byte. Units begin at their buffers' positions, which do not move. Inputs are not
     * changed and must not overlap outputs.
     *
     * @param inputs as many as the matrix has columns; one with less than {@code lengthBytes}
     *     remaining counts as followed by zeros
     * @param outputs as many as the matrix has rows, with at least {@code lengthBytes} remaining
     */
    void apply(ByteBuffer[] inputs, ByteBuffer[] outputs, int lengthBytes);

    /**
     * Refuses units that cannot be multiplied with a matrix.
     *
     * @throws IllegalArgumentException naming what is wrong
     */
    static void check(
        ByteMatrix matrix, ByteBuffer[] inputs, ByteBuffer[] outputs, int lengthBytes) {
      if (inputs.length != matrix.columns() || outputs.length != matrix.rows()) {
        throw new IllegalArgumentException(
            "%d units into %d, where it must be %d into %d"
                .formatted(inputs.length, outputs.length, matrix.columns(), matrix.rows()));
      }
      for (int row = 0; row < outputs.length; row++) {
        if (outputs[row].remaining() < lengthBytes || outputs[row].isReadOnly()) {
          throw new IllegalArgumentException(
              "%d bytes cannot be written to output %d, %s"
                  .formatted(lengthBytes, row, outputs[row]));
        }
      }
    }
  }

  Product product(ByteMatrix matrix);
}
