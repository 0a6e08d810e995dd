package org.rackweave.sim.traffic;

import org.rackweave.sim.engine.SimTime;

/**
 * What became of one block that was to be written.
 *
 * @param file number of its file
 * @param block index in the file, from 0
 * @param writer node of the client, or outside
 * @param sizeBytes of the block
 * @param askedNanos when the client asked for it
 * @param placedNanos when it was placed: later only where a policy collects requests
 * @param endedNanos when the last replica's last byte was written, or the write was given up
 * @param nodes that hold it, in pipeline order; none when the write was given up
 */
public record BlockOutcome(
    long file,
    int block,
    int writer,
    long sizeBytes,
    long askedNanos,
    long placedNanos,
    long endedNanos,
    int[] nodes) {

  /** From its placement to its end. */
  public double writeSeconds() {
    return SimTime.toSeconds(endedNanos - placedNanos);
  }

  /** From the request to its end. */
  public double secondsWithWait() {
    return SimTime.toSeconds(endedNanos - askedNanos);
  }

  /** Whether it was written at all. */
  public boolean isWritten() {
    return nodes.length > 0;
  }
}
