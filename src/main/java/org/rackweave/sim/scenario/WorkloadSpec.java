package org.rackweave.sim.scenario;

import java.util.Optional;
import org.rackweave.sim.workload.Distribution;

/** One source of requests. What arrives is the union of all of a scenario's. */
public sealed interface WorkloadSpec {

  /** Unique within a scenario. */
  String name();

  /**
   * Files written at random moments.
   *
   * @param ratePerSec files that begin, on average
   * @param sizeBytes of a file
   * @param blockBytes preferred block size
   * @param replication replicas of each block
   * @param writers who writes
   * @param reducersOf the shuffle workload whose reducers write, if it is they
   */
  record Writes(
      String name,
      double ratePerSec,
      Distribution sizeBytes,
      long blockBytes,
      int replication,
      Clients writers,
      Optional<String> reducersOf,
      long reducerWindowMs)
      implements WorkloadSpec {}

  /**
   * Files read at random moments, some far more often than others.
   *
   * @param ratePerSec reads that begin, on average
   * @param files number of files, there from the start
   * @param exponent Zipf's: the file of rank k is read in proportion to k^-exponent
   */
  record Reads(
      String name,
      double ratePerSec,
      int files,
      double exponent,
      Distribution sizeBytes,
      long blockBytes,
      int replication,
      Clients readers)
      implements WorkloadSpec {}

  /**
   * Shuffles of a coflow trace.
   *
   * @param traceFile the trace; a look-alike is drawn when it is empty
   * @param hours how often the hour is played, re-shuffled each time if more than once
   */
  record Shuffles(String name, Optional<String> traceFile, int hours, Reshuffle reshuffle)
      implements WorkloadSpec {}

  /** Who reads or writes. */
  enum Clients {
    /** Any node, each as likely. */
    NODES,
    /** Nobody in the cluster. */
    OUTSIDE,
    /** Nodes in the racks of reducers whose shuffle arrived shortly before. */
    REDUCERS
  }

  /** What differs between two playings of one hour. */
  enum Reshuffle {
    NOTHING,
    ARRIVALS,
    RACKS,
    BOTH
  }
}
