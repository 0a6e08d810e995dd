package org.rackweave.eafr;

import java.util.Locale;

/**
 * A server's next role and why.
 *
 * @param value what the reason is about: free bytes, milliseconds asleep, or a block's id
 * @param bound what it was compared with, 0 where there is nothing to compare
 */
public record RoleChange(
    int node, ServerRole from, ServerRole to, Reason reason, long value, long bound) {

  /** Why a server changes its role. */
  public enum Reason {
    /** A standby server is full of cold files (Eq. 8); free bytes against tau_s. */
    FULL,
    /** It has slept long enough to look at its files again; milliseconds. */
    VERIFY,
    /** More updates wait for it than are kept; milliseconds asleep. */
    LATE_UPDATES,
    /** A failure left a block no replica that is awake; the block's id. */
    FAILURE
  }

  /** For people. */
  public String describe() {
    return String.format(
        Locale.ROOT, "node %d %s->%s: %s (%d against %d)", node, from, to, reason, value, bound);
  }
}
