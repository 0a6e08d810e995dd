package org.rackweave.cli.ear.yarn;

/** What a job counts. */
public enum EncodeCounter {
  /** Stripes whose parity is stored. */
  STRIPES_ENCODED,
  /** Stripes whose blocks could not be read or written. */
  STRIPES_FAILED,
  /** Stripes not begun because the job ran on a node that is not in their core rack. */
  STRIPES_REFUSED_IN_WRONG_RACK,
  /** Bytes of data blocks in the stripes encoded. */
  BYTES_READ
}
