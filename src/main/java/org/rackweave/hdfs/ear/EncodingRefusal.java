package org.rackweave.hdfs.ear;

import java.util.Locale;

/** Why a stripe was not encoded. Its blocks stay as they are, and are found again later. */
public enum EncodingRefusal {
  /** A block was deleted, is being written again, or its file is not to be encoded so any more. */
  BLOCK_CHANGED,
  /** Its replicas are not where a stripe can be encoded. */
  NOT_ENCODABLE,
  /** Parity would take as much as the replicas that go, or nearly. */
  SAVES_NOTHING,
  /** HDFS did not put parity where it belongs, or did not take it. */
  PARITY_REFUSED,
  /** The DataNode that was to encode it did not. */
  WORK_FAILED,
  /** No other DataNode has read parity back, or it was not what had been made. */
  NOT_VERIFIED;

  /** As people write it, such as {@code block-changed}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
