package org.rackweave.trial;

/** By whom a file's blocks are placed that takes part in a comparison. */
public enum Arm {
  RACKWEAVE,
  STOCK;

  /**
   * The arm of a file: as large a random share of all files goes to either, and all blocks of a
   * file to the same. The same file has the same arm on every NameNode, at any time.
   *
   * @param fileId inode
   * @param salt what makes one comparison's arms different from another's
   * @param share of each arm, at most 0.5
   * @return {@code null} for a file that takes no part
   */
  static Arm of(long fileId, long salt, double share) {
    long hash = fileId * 0x9E3779B97F4A7C15L + salt; // mixed as SplitMix64 does
    hash = (hash ^ (hash >>> 30)) * 0xBF58476D1CE4E5B9L;
    hash = (hash ^ (hash >>> 27)) * 0x94D049BB133111EBL;
    double at = ((hash ^ (hash >>> 31)) >>> 11) * 0x1p-53;
    return at < share ? RACKWEAVE : at < 2 * share ? STOCK : null;
  }
}
