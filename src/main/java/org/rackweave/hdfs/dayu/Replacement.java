package org.rackweave.hdfs.dayu;

/**
 * A copy in the place of another of the same block.
 *
 * @param ended the one that has been cancelled: its source will never complete it
 * @param instead the one to be made
 */
public record Replacement(PlannedCopy ended, PlannedCopy instead) {
  /** Whether nothing is made in its place: the block waits again. */
  public boolean isWithdrawal() {
    return instead == ended;
  }
}
