package org.rackweave.sim.workload;

/**
 * A file that is there when the simulation starts. Where its replicas lie is the simulator's to
 * draw: no input tells it.
 *
 * @param file its number, see {@link TimedRequest}
 * @param sizeBytes length, at least 0
 * @param blockBytes preferred block size, at least 1
 * @param replication replicas of every block, at least 1
 */
public record StoredFile(long file, long sizeBytes, long blockBytes, int replication) {

  /** Number of blocks of the file; an empty file has none. */
  public long blocks() {
    return (sizeBytes + blockBytes - 1) / blockBytes;
  }
}
