package org.rackweave.eafr;

/**
 * Reads of one file in an interval. A counter may be shared, so each figure has a lower and an
 * upper bound.
 *
 * @param sureReads the paper's v, at least: reads of a block, averaged over the file's blocks
 * @param mostReads the same, at most
 * @param sureReplicaReads the paper's v_ij, at least: for each replica of each block
 * @param mostReplicaReads the same, at most; do not modify
 */
public record FileReads(
    double sureReads, double mostReads, double[] sureReplicaReads, double[] mostReplicaReads) {

  /** A file of one block whose replicas have been read so often, known for certain. */
  public static FileReads ofReplicas(double... reads) {
    double sum = 0;
    for (double replica : reads) {
      sum += replica;
    }
    return new FileReads(sum, sum, reads, reads);
  }
}
