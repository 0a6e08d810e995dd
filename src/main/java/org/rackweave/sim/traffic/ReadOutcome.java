package org.rackweave.sim.traffic;

import org.rackweave.model.ClusterTopology;
import org.rackweave.sim.engine.SimTime;

/**
 * What became of one block that was to be read.
 *
 * @param file number of its file
 * @param block index in the file, from 0
 * @param reader node of the client, or outside
 * @param holder node it was read from; {@link ClusterTopology#NONE} when no replica was left
 * @param sizeBytes of the block
 * @param askedNanos when the client asked for it
 * @param endedNanos when its last byte arrived, or it was given up
 */
public record ReadOutcome(
    long file,
    int block,
    int reader,
    int holder,
    long sizeBytes,
    long askedNanos,
    long endedNanos) {

  /** From the request to the last byte, a wait in the node's queue included. */
  public double seconds() {
    return SimTime.toSeconds(endedNanos - askedNanos);
  }

  /** Whether it was read at all. */
  public boolean isRead() {
    return holder != ClusterTopology.NONE;
  }
}
