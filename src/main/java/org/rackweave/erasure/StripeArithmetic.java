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
  }

  Product product(ByteMatrix matrix);
}
