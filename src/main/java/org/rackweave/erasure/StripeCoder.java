package org.rackweave.erasure;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Encodes and decodes stripes of one code. Units begin at their buffers' positions, which do not
 * move; a unit with less than the stripe's length remaining counts as followed by zeros, so short
 * blocks need no padding. Buffers of one call are all direct or all on the heap. Safe for use by
 * several threads.
 */
public interface StripeCoder {

  ReedSolomonCode code();

  /**
   * Makes the parity units.
   *
   * @param data the k data units
   * @param parity filled: m buffers with at least {@code lengthBytes} remaining
   */
  void encode(ByteBuffer[] data, ByteBuffer[] parity, int lengthBytes) throws IOException;

  /**
   * Makes lost units.
   *
   * @param units all k + m units, null where one is lost or not to be read; the first k that are
   *     not null are used
   * @param wanted numbers of the units to make, at most m
   * @param outputs filled: one buffer for each of {@code wanted} with at least {@code lengthBytes}
   *     remaining
   * @throws IllegalArgumentException when fewer than k units are given
   */
  void decode(ByteBuffer[] units, int[] wanted, ByteBuffer[] outputs, int lengthBytes)
      throws IOException;
}
