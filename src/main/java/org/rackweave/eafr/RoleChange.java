package org.rackweave.eafr;

import java.util.Locale;

/**
 * A server's next role and why.
 *
 * @param value what the reason is about: free bytes, milliseconds asleep, a block's id, or reads
 * @param bound what it was compared with, 0 where there is nothing to compare
 */
public record RoleChange(
    int node, ServerRole from, ServerRole to, Reason reason, long value, long bound) {

  /** Why a server changes its role. */
  public enum Reason {
    /** A standby server is full of cold files (Eq. 8); free bytes against tau_s. */
    FULL(Equation.EQ8),
    /** An operator names it among those that sleep whenever they can; free bytes. */
    NAMED(Equation.NAMED),
    /** It has slept long enough to look at its files again; milliseconds. */
    VERIFY(Equation.VERIFY),
    /** More updates wait for it than are kept; milliseconds asleep. */
    LATE_UPDATES(Equation.LATE_UPDATES),
    /** A failure left a block no replica that is awake; the block's id. */
    FAILURE(Equation.NO_REPLICA),
    /** Others have too many reads; reads against places of all but the largest of them. */
    READS(Equation.BUSY),
    /** Others do without it; reads against places of all but the largest of them. */
    FEW_READS(Equation.CALM);

    private final Equation equation;

    Reason(Equation equation) {
      this.equation = equation;
    }

    /** What it follows from. */
    public Equation equation() {
      return equation;
    }
  }

  /** For people: what it follows from, and its numbers. */
  public String because() {
    String numbers =
        switch (reason) {
          case FULL -> " (%d against %d bytes)";
          case VERIFY -> " (%d against %d ms)";
          case LATE_UPDATES -> " (asleep for %d ms)";
          case FAILURE -> " (block %d)";
          case READS, FEW_READS -> " (%d against %d)";
          case NAMED -> "";
        };
    return String.format(
        Locale.ROOT, "%s: %s" + numbers, reason.equation(), reason.equation().text(), value, bound);
  }

  /**
   * For people.
   *
   * @param server its name
   */
  public String describe(String server) {
    return String.format(Locale.ROOT, "%s %s->%s, %s", server, from, to, because());
  }
}
