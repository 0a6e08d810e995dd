package org.rackweave.cli.testbed;

import org.rackweave.cli.UsageException;

/** The whole numbers an option allows, both ends among them. */
record Range(long min, long max) {

  /**
   * Returns {@code value} if it is in this range.
   *
   * @param name what the user calls it
   * @throws UsageException naming the value and the range
   */
  long check(String name, long value) {
    if (value < min || value > max) {
      throw refusal(name, String.valueOf(value));
    }
    return value;
  }

  /**
   * Reads a whole number of this range.
   *
   * @param name what the user calls it
   * @throws UsageException naming the value and the range
   */
  long parse(String name, String value) {
    try {
      return check(name, Long.parseLong(value));
    } catch (NumberFormatException e) {
      throw refusal(name, value);
    }
  }

  private UsageException refusal(String name, String value) {
    return new UsageException(
        name + " is '" + value + "', allowed are whole numbers from " + min + " to " + max);
  }
}
