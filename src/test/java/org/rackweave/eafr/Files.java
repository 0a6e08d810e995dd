package org.rackweave.eafr;

import java.util.stream.IntStream;

/** Files of one block for tests, old and closed unless said otherwise. */
final class Files {
  static final long SIZE = 1000;
  static final FileRule OWN = new FileRule(FileRule.OWN_FACTOR, 1, 10);

  private Files() {}

  /** A file nobody has changed; its replicas are on the given servers. */
  static FileState on(long fileId, int... holders) {
    return of(fileId, FileHistory.untouched(holders.length), OWN, holders);
  }

  static FileState of(long fileId, FileHistory history, FileRule rule, int... holders) {
    return new FileState(
        fileId, holders.length, holders, shape(FileKind.REPLICATED), history, rule);
  }

  static FileState of(long fileId, FileShape shape, int... holders) {
    int factor = holders.length / shape.blocks();
    return new FileState(fileId, factor, holders, shape, FileHistory.untouched(factor), OWN);
  }

  static FileShape shape(FileKind kind) {
    return new FileShape(SIZE, 1, 0, kind);
  }

  /** Raised from {@code ownFactor} to as many replicas as there are holders. */
  static FileState raised(long fileId, int ownFactor, long raisedMs, int... holders) {
    return of(fileId, new FileHistory(ownFactor, holders.length, raisedMs, raisedMs), OWN, holders);
  }

  /** Every replica read so often. */
  static Candidate read(FileState file, double readsPerReplica) {
    double[] reads = IntStream.of(file.holders()).mapToDouble(ignored -> readsPerReplica).toArray();
    return new Candidate(file, FileReads.ofReplicas(reads));
  }
}
