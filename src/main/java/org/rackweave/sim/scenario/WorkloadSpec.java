package org.rackweave.sim.scenario;

import java.util.List;
import java.util.Optional;
import org.rackweave.sim.workload.Distribution;
import org.rackweave.sim.workload.Popularity;
import org.rackweave.sim.workload.Reshuffle;

/** One source of requests. What arrives is the union of all of a scenario's. */
public sealed interface WorkloadSpec {

  /** Unique within a scenario. */
  String name();

  /** Whether clients of the file system make it, rather than traffic behind their backs. */
  default boolean byClients() {
    return false;
  }

  /**
   * Files written at random moments.
   *
   * @param ratePerSec files that begin, on average
   * @param sizeBytes of a file
   * @param blockBytes preferred block size
   * @param replication replicas of each block
   * @param writers who writes
   * @param reducersOf name of the shuffles whose reducers write, if it is they
   * @param windowMs a reducer writes at most so long after its shuffle arrived
   */
  record Writes(
      String name,
      double ratePerSec,
      Distribution sizeBytes,
      long blockBytes,
      int replication,
      Writers writers,
      Optional<String> reducersOf,
      long windowMs)
      implements WorkloadSpec {
    @Override
    public boolean byClients() {
      return true;
    }
  }

  /**
   * Files read at random moments, some far more often than others.
   *
   * @param ratePerSec reads that begin, on average
   * @param together so many clients open the same file at the same moment
   * @param files number of files, there from the start
   * @param popularity how often each is read
   */
  record Reads(
      String name,
      double ratePerSec,
      int together,
      int files,
      Popularity popularity,
      Distribution sizeBytes,
      long blockBytes,
      int replication,
      Who readers)
      implements WorkloadSpec {
    @Override
    public boolean byClients() {
      return true;
    }
  }

  /**
   * Shuffles of a coflow trace.
   *
   * @param traceFile the trace; a look-alike is drawn when it is empty
   * @param required whether a trace that is not found is an error; else a look-alike stands for it
   * @param times how often it is played, one after another
   * @param periodMs from the beginning of one playing to that of the next
   * @param reshuffle what differs from one to the next
   * @param speed arrivals come so many times as fast
   * @param copies so many at once, on racks further along
   * @param sizeFactor every transfer is so many times as large
   */
  record Shuffles(
      String name,
      Optional<String> traceFile,
      boolean required,
      int times,
      long periodMs,
      Reshuffle reshuffle,
      double speed,
      int copies,
      double sizeFactor)
      implements WorkloadSpec {}

  /**
   * What the jobs of a SWIM trace read and write.
   *
   * @param traceFile the trace; a look-alike is drawn when it is empty
   * @param required whether a trace that is not found is an error; else a look-alike stands for it
   * @param reads whether inputs are there from the start and read
   * @param writes whether outputs are written
   * @param partBytes larger inputs and outputs are several files
   * @param speed jobs come so many times as fast
   */
  record Swim(
      String name,
      Optional<String> traceFile,
      boolean required,
      boolean reads,
      boolean writes,
      long partBytes,
      long blockBytes,
      int replication,
      double speed,
      Who clients)
      implements WorkloadSpec {
    @Override
    public boolean byClients() {
      return true;
    }
  }

  /**
   * Traffic between random nodes.
   *
   * @param ratePerSec transfers that begin, on average
   * @param crossRack fraction between different racks
   */
  record Transfers(String name, double ratePerSec, Distribution sizeBytes, double crossRack)
      implements WorkloadSpec {}

  /**
   * What nodes do besides, as a load of their links that changes with every timeslot.
   *
   * @param mean of the load, as a fraction of a node's link
   * @param deviation of the load over nodes, relative to the mean
   * @param slotMs length of a timeslot
   */
  record Foreground(String name, double mean, double deviation, long slotMs)
      implements WorkloadSpec {}

  /**
   * Traffic that never ends or yields, from every other node to the one after it.
   *
   * @param bytesPerSec of each pair
   */
  record Streams(String name, double bytesPerSec) implements WorkloadSpec {}

  /**
   * Racks whose nodes are busy, all but a few, and after a while all but a few others.
   *
   * @param free racks without load at a time
   * @param in into the nodes of the other racks, as a fraction of their links
   * @param out out of them
   * @param stayMs how long the same racks are free
   */
  record Hot(String name, int free, double in, double out, long stayMs) implements WorkloadSpec {}

  /**
   * Clients that write one block after another until the run ends.
   *
   * @param writers how many
   */
  record Steady(String name, int writers, long blockBytes, int replication, Who clients)
      implements WorkloadSpec {
    @Override
    public boolean byClients() {
      return true;
    }
  }

  /**
   * An operator's audit log.
   *
   * @param logFiles parts of one log, the oldest first
   * @param listingFile text of the namespace that tells sizes, if there is one
   * @param sizeBytes of files the listing does not know
   * @param blockBytes of files the listing does not know
   * @param replication of files the listing does not know
   * @param strangers what becomes of clients that are no node of the topology
   * @param speed the log is played so many times as fast
   * @param filesMax more files or paths are an error
   */
  record Audit(
      String name,
      List<String> logFiles,
      Optional<String> listingFile,
      Distribution sizeBytes,
      long blockBytes,
      int replication,
      Strangers strangers,
      double speed,
      int filesMax)
      implements WorkloadSpec {
    public Audit {
      logFiles = List.copyOf(logFiles);
    }

    @Override
    public boolean byClients() {
      return true;
    }
  }

  /**
   * An operator's files, there from the start.
   *
   * @param listingFile text of the namespace
   * @param share fraction of the files taken, evenly over the listing
   */
  record Stored(String name, String listingFile, double share) implements WorkloadSpec {
    @Override
    public boolean byClients() {
      return true;
    }
  }

  /** Who writes. */
  enum Writers {
    /** Any node, each as likely. */
    NODES,
    /** Nobody in the cluster. */
    OUTSIDE,
    /** The nodes of reducers whose shuffle arrived shortly before. */
    REDUCERS
  }

  /** Who reads, or reads and writes. */
  enum Who {
    /** Any node, each as likely. */
    NODES,
    /** Nobody in the cluster. */
    OUTSIDE
  }

  /** What becomes of clients that are no node of the topology. */
  enum Strangers {
    /** They stay outside. */
    OUTSIDE,
    /** Each address gets a node. */
    SPREAD
  }
}
