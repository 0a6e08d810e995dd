package org.rackweave.ear;

/** Why a stripe takes no more blocks. */
public enum SealReason {
  /** It has all its k blocks. */
  FULL,
  /** It waited for more blocks as long as it may. */
  AGE,
  /** No layout was found for one more block, and newer stripes needed its place. */
  EXHAUSTED,
  /** Somebody wanted its blocks encoded now. */
  ASKED
}
