package org.rackweave.sim.workload;

import java.util.stream.Stream;

/**
 * What a simulated cluster is asked to do. Immutable: every call of a method gives the same
 * elements again, so that several policies meet the same input. Streams may hold an open file and
 * are to be closed.
 */
public interface Workload {

  /** The files that are there at the start, by ascending number. */
  Stream<StoredFile> storedFiles();

  /** All requests, by ascending time. */
  Stream<TimedRequest> requests();
}
