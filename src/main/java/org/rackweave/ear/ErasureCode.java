package org.rackweave.ear;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A Reed-Solomon code: {@code parityBlocks} more blocks for every {@code dataBlocks}, any {@code
 * dataBlocks} of all of them bring the rest back.
 *
 * @param dataBlocks the paper's k, at least 2
 * @param parityBlocks the paper's n - k, at least 1
 */
public record ErasureCode(int dataBlocks, int parityBlocks) {
  /** Most blocks of a stripe: the arithmetic is in the field of 256 elements, as Hadoop's. */
  public static final int BLOCKS_MAX = 255;

  private static final Pattern NAME = Pattern.compile("rs-([1-9]\\d{0,2})-([1-9]\\d{0,2})");

  /**
   * @throws IllegalArgumentException when there are too few or too many blocks
   */
  public ErasureCode {
    if (dataBlocks < 2 || parityBlocks < 1 || dataBlocks + parityBlocks > BLOCKS_MAX) {
      throw new IllegalArgumentException(
          "a stripe of "
              + dataBlocks
              + " data and "
              + parityBlocks
              + " parity blocks: data must be at least 2, parity at least 1, both together at most "
              + BLOCKS_MAX);
    }
  }

  /**
   * @param name {@code rs-<data blocks>-<parity blocks>} in decimal, such as {@code rs-6-3}
   * @throws IllegalArgumentException naming the name and what is allowed
   */
  public static ErasureCode named(String name) {
    Matcher parts = NAME.matcher(name);
    if (!parts.matches()) {
      throw new IllegalArgumentException(
          "unknown code '" + name + "': use rs-<data>-<parity>, such as rs-6-3 or rs-10-4");
    }
    return new ErasureCode(Integer.parseInt(parts.group(1)), Integer.parseInt(parts.group(2)));
  }

  /** The name {@link #named} understands. */
  public String name() {
    return "rs-" + dataBlocks + '-' + parityBlocks;
  }

  /** Blocks of a whole stripe, the paper's n. */
  public int blocks() {
    return dataBlocks + parityBlocks;
  }
}
