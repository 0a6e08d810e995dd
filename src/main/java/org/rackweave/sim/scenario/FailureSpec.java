package org.rackweave.sim.scenario;

/**
 * A node or a rack that goes down.
 *
 * @param part what goes down
 * @param index which node or rack, from 0
 * @param atMs when
 * @param returnMs when it is back, empty as it is stored there; {@link #NEVER} if it stays down
 */
public record FailureSpec(Part part, int index, long atMs, long returnMs) {

  /** The return of what stays down. */
  public static final long NEVER = Long.MAX_VALUE;

  /** What can fail. */
  public enum Part {
    NODE,
    RACK
  }
}
