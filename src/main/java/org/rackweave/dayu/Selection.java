package org.rackweave.dayu;

/**
 * A way to choose sources and destinations (section 4.1, and those the paper compares with). It
 * books what it chooses in the {@link SlotLoads} it was made for, and leaves a reason for each task
 * it does not place.
 */
interface Selection {
  /**
   * Chooses for tasks of one redundancy priority.
   *
   * @param tasks of which the first {@code count} are to be placed, in their order; each has a
   *     source with bandwidth and fits the slot
   */
  void select(int[] tasks, int count);
}
