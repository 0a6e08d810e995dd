package org.rackweave.hdfs.eafr;

/** Which source a copy has got that HDFS orders, and why it is stock's. */
public enum SourceOutcome {
  /** The one that Algorithm 4 says, and stock HDFS had drawn another. */
  REDIRECTED,
  /** Stock's: it has drawn the one that Algorithm 4 says. */
  DRAWN_IS_BEST,
  /** Stock's: there is one live replica. */
  ONLY_REPLICA,
  /** Stock's: one that is being drained, which has no writes to serve. */
  DRAINED,
  /** Stock's: all better ones have as many copies to send as HDFS lets them, or are silent. */
  OTHERS_BUSY,
  /** Stock's: a DataNode with a replica just came or left. */
  UNKNOWN_NODE,
  /** Stock's: more copies wait than are kept in mind. */
  TOO_MANY,
  /** Nobody's: HDFS did not order the copy after all. */
  NOT_ORDERED
}
