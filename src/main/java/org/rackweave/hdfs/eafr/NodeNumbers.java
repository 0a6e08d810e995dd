package org.rackweave.hdfs.eafr;

import java.util.Arrays;

/**
 * Finds the number of a DataNode by its UUID.
 *
 * <p>A map from strings to boxed numbers, but with two words to look at instead of four: with
 * 25,000 DataNodes every one of them is a miss of the processor's cache, and a NameNode asks for
 * each replica of each block that a reader is told of. Open addressing, at most half full.
 * Immutable.
 */
final class NodeNumbers {
  /** The answer for a UUID that is not there. */
  static final int UNKNOWN = -1;

  private static final int SLOTS_MIN = 4;

  private final String[] uuids;
  private final int[] numbers;

  /**
   * @param uuidOfNumber of each number its UUID, {@code null} where there is none
   */
  NodeNumbers(String[] uuidOfNumber) {
    int slots = SLOTS_MIN;
    while (slots < 2 * uuidOfNumber.length) {
      slots *= 2;
    }
    uuids = new String[slots];
    numbers = new int[slots];
    Arrays.fill(numbers, UNKNOWN);
    for (int number = 0; number < uuidOfNumber.length; number++) {
      if (uuidOfNumber[number] != null) {
        int slot = slotOf(uuidOfNumber[number]);
        uuids[slot] = uuidOfNumber[number];
        numbers[slot] = number;
      }
    }
  }

  /** The number of a DataNode; of two with one UUID the later one's. */
  int of(String uuid) {
    return uuid == null ? UNKNOWN : numbers[slotOf(uuid)];
  }

  /** Where a UUID is, or where it would be. */
  private int slotOf(String uuid) {
    int hash = uuid.hashCode();
    int slot = hash ^ hash >>> 16;
    for (int mask = uuids.length - 1; ; slot++) {
      String there = uuids[slot & mask];
      if (there == null || there.equals(uuid)) {
        return slot & mask;
      }
    }
  }
}
