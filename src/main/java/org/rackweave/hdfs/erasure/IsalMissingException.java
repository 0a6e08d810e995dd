package org.rackweave.hdfs.erasure;

/** libisal cannot be used here; the message says why. */
final class IsalMissingException extends Exception {
  private static final long serialVersionUID = 1;

  IsalMissingException(String message, Throwable cause) {
    super(message, cause);
  }
}
