package org.rackweave.hdfs.eafr;

import java.io.IOException;

/** Changes the factor of a file together with what is kept of it, both or neither. */
public interface FactorChange {
  /** What came of it. */
  enum Result {
    DONE,
    /** There is no such file of replicated blocks any more. */
    GONE,
    /** It has another factor by now, or other marks, or is being written. */
    CHANGED_MEANWHILE,
    OVER_QUOTA
  }

  /**
   * Changes a file in one hold of the namesystem's lock, as the superuser, and returns when the
   * edit log has it.
   *
   * @param from the factor it must have
   * @param to the factor it gets, which may be the same
   * @param markBefore what it must have as {@link FileLookup#MARK}, {@code null} for none
   * @param markAfter what it gets, {@code null} for none
   * @throws IOException when this NameNode is not active, in safe mode, or cannot write
   */
  Result change(long fileId, int from, int to, byte[] markBefore, byte[] markAfter)
      throws IOException;
}
