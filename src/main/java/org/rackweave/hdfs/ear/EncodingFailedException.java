package org.rackweave.hdfs.ear;

/** Says why a stripe was not encoded. Nothing of it was changed. */
final class EncodingFailedException extends Exception {
  private static final long serialVersionUID = 1;

  private final EncodingRefusal reason;

  EncodingFailedException(EncodingRefusal reason, String message) {
    super(message);
    this.reason = reason;
  }

  EncodingFailedException(EncodingRefusal reason, String message, Throwable cause) {
    super(message, cause);
    this.reason = reason;
  }

  EncodingRefusal reason() {
    return reason;
  }
}
