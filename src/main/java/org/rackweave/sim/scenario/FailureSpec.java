package org.rackweave.sim.scenario;

import java.util.Optional;

/** A node or a rack that goes down, and comes back empty as it is stored there. */
public record FailureSpec(
    @Allowed("0 to 100000000, or none")
        @Default("none")
        @Meaning("number of the node that" + " fails, from 0")
        Optional<Integer> node,
    @Allowed("0 to 100000000, or none")
        @Default("none")
        @Meaning("or of the rack that fails," + " from 0")
        Optional<Integer> rack,
    @Allowed("0ms to 365d") @Meaning("time of the failure") long atMs,
    @Allowed(value = "0ms to 365d, or never", or = NEVER)
        @Default("never")
        @Meaning("time of its return, with its data")
        long returnMs) {

  /** The return of what stays down. */
  public static final long NEVER = Long.MAX_VALUE;

  /**
   * @throws IllegalArgumentException when it is not one part that fails, or it returns too soon
   */
  public FailureSpec {
    if (node.isPresent() == rack.isPresent()) {
      throw new IllegalArgumentException("either node or rack fails");
    }
    if (returnMs <= atMs) {
      throw new IllegalArgumentException("return is not after at");
    }
  }

  /** What is counted by the index: {@code node} or {@code rack}. */
  public String part() {
    return rack.isPresent() ? "rack" : "node";
  }

  /** Which of its kind. */
  public int index() {
    return rack.or(() -> node).orElseThrow();
  }
}
