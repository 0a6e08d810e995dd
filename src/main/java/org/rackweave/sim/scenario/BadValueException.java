package org.rackweave.sim.scenario;

/** A value that is not allowed; the message says what it is and what is. */
final class BadValueException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  private final String where;

  BadValueException(String reason) {
    this("", reason);
  }

  /**
   * @param where the section it is about, for instance {@code failures/1}
   */
  BadValueException(String where, String reason) {
    super(reason);
    this.where = where;
  }

  String where() {
    return where;
  }
}
