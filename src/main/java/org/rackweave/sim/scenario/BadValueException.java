package org.rackweave.sim.scenario;

/** A value that is not allowed; the message says what it is and what is. */
final class BadValueException extends Exception {
  private static final long serialVersionUID = 1L;

  BadValueException(String reason) {
    super(reason);
  }
}
