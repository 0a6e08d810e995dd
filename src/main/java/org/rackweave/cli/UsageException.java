package org.rackweave.cli;

/** The user asked for something that cannot be done; the message says what and what can. */
public final class UsageException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  public UsageException(String message) {
    super(message);
  }
}
