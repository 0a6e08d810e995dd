package org.rackweave.dayu;

/** Where groups begin in an array sorted by group. */
final class Offsets {
  private Offsets() {}

  /** Turns sizes of groups, one place late, into where each begins. */
  static void sum(int[] sizes) {
    for (int i = 1; i < sizes.length; i++) {
      sizes[i] += sizes[i - 1];
    }
  }
}
