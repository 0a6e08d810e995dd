package org.rackweave.sim.scenario;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonSubTypes.Type;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.util.List;
import java.util.Optional;
import org.rackweave.sim.workload.Distribution;
import org.rackweave.sim.workload.Popularity;
import org.rackweave.sim.workload.Reshuffle;

/** One source of requests. What arrives is the union of all of a scenario's. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
@JsonSubTypes({
  @Type(name = "writes", value = WorkloadSpec.Writes.class),
  @Type(name = "reads", value = WorkloadSpec.Reads.class),
  @Type(name = "shuffles", value = WorkloadSpec.Shuffles.class),
  @Type(name = "swim", value = WorkloadSpec.Swim.class),
  @Type(name = "transfers", value = WorkloadSpec.Transfers.class),
  @Type(name = "foreground", value = WorkloadSpec.Foreground.class),
  @Type(name = "streams", value = WorkloadSpec.Streams.class),
  @Type(name = "hot-racks", value = WorkloadSpec.Hot.class),
  @Type(name = "steady-writes", value = WorkloadSpec.Steady.class),
  @Type(name = "audit", value = WorkloadSpec.Audit.class),
  @Type(name = "stored", value = WorkloadSpec.Stored.class)
})
public sealed interface WorkloadSpec {

  /** Unique within a scenario. */
  String name();

  /** Traffic behind the backs of the file system's clients. */
  interface Background {}

  /** Files written at random moments. */
  record Writes(
      String name,
      @Allowed("1/h to 1000000/s") @Meaning("mean rate of new files") double ratePerSec,
      @Allowed("1B to 1024TiB") @Default("128MiB") @Meaning("size of each file")
          Distribution sizeBytes,
      @Allowed("1B to 1TiB") @Default("128MiB") @Meaning("preferred block size") long blockBytes,
      @Allowed("1 to 512") @Default("3") @Meaning("replicas of each block") int replication,
      @Default("nodes") @Meaning("random nodes, clients outside, or nodes where a reducer may run")
          Writers writers,
      @Allowed("a workload of kind shuffles, or none")
          @Default("none")
          @Meaning("with `writers reducers`: the workload whose reducers write")
          Optional<String> reducersOf,
      @Allowed("1ms to 1d")
          @Default("1min")
          @Meaning("time after the arrival of its shuffle within which a reducer writes")
          long reducerWindowMs)
      implements WorkloadSpec {
    /**
     * @throws IllegalArgumentException when reducers write and nobody knows whose, or the reverse
     */
    public Writes {
      if ((writers == Writers.REDUCERS) != reducersOf.isPresent()) {
        throw new IllegalArgumentException("writers reducers and reducers-of go together");
      }
    }
  }

  /** Files read at random moments, some far more often than others. */
  record Reads(
      String name,
      @Allowed("1/h to 1000000/s") @Meaning("mean rate of new reads") double ratePerSec,
      @Allowed("1 to 100000")
          @Default("1")
          @Meaning("clients that open the same file at the same moment")
          int together,
      @Allowed("1 to 10000000") @Meaning("files, which exist from the start") int files,
      @Default("zipf 1")
          @Meaning("how often a file is read: by its rank (zipf), or drawn for" + " each file")
          Popularity popularity,
      @Allowed("1B to 1024TiB") @Default("128MiB") @Meaning("size of each file")
          Distribution sizeBytes,
      @Allowed("1B to 1TiB") @Default("128MiB") @Meaning("preferred block size") long blockBytes,
      @Allowed("1 to 512") @Default("3") @Meaning("replicas of each block") int replication,
      @Default("nodes") @Meaning("random nodes, or clients outside") Who readers)
      implements WorkloadSpec {}

  /** Shuffles of a coflow trace; a look-alike is drawn when there is no file. */
  record Shuffles(
      String name,
      @Allowed("a file, or look-alike")
          @Default("look-alike")
          @Meaning("the trace, searched beside the scenario and in the directory of traces")
          Optional<String> traceFile,
      @Default("no") @Meaning("whether a missing trace is an error; otherwise a look-alike is used")
          boolean required,
      @Allowed("1 to 10000") @Default("1") @Meaning("how often the trace is played in sequence")
          int times,
      @Allowed("1ms to 1d") @Default("1h") @Meaning("time from one start of the trace to the next")
          long periodMs,
      @Default("nothing")
          @Meaning("what each repetition changes: arrival times, the order of the racks, or both")
          Reshuffle reshuffle,
      @Allowed("0.001 to 1000") @Default("1") @Meaning("factor of the trace's speed") double speed,
      @Allowed("1 to 1000")
          @Default("1")
          @Meaning(
              "concurrent copies of the trace, each on the racks after those of the"
                  + " previous one")
          int copies,
      @Allowed("0.001 to 1000") @Default("1") @Meaning("factor of the size of every transfer")
          double sizeFactor)
      implements WorkloadSpec, Background {}

  /** What the jobs of a SWIM trace read and write; a look-alike is drawn when there is no file. */
  record Swim(
      String name,
      @Allowed("a file, or look-alike")
          @Default("look-alike")
          @Meaning("the trace, searched beside the scenario and in the directory of traces")
          Optional<String> traceFile,
      @Default("no") @Meaning("whether a missing trace is an error; otherwise a look-alike is used")
          boolean required,
      @Default("no") @Meaning("whether inputs exist from the start and are read") boolean reads,
      @Default("yes") @Meaning("whether outputs are written") boolean writes,
      @Allowed("1MiB to 1TiB")
          @Default("1GiB")
          @Meaning("larger inputs and outputs are split into files of this size")
          long partBytes,
      @Allowed("1B to 1TiB") @Default("128MiB") @Meaning("preferred block size") long blockBytes,
      @Allowed("1 to 512") @Default("3") @Meaning("replicas of each block") int replication,
      @Allowed("0.001 to 1000") @Default("1") @Meaning("factor of the trace's speed") double speed,
      @Default("nodes") @Meaning("random nodes, or clients outside") Who clients)
      implements WorkloadSpec {}

  /** Traffic between random nodes. */
  record Transfers(
      String name,
      @Allowed("1/h to 1000000/s") @Meaning("mean rate of new transfers") double ratePerSec,
      @Allowed("1B to 1024TiB") @Default("exponential 64MiB") @Meaning("size of each transfer")
          Distribution sizeBytes,
      @Allowed("0 to 100%") @Default("50%") @Meaning("fraction of transfers between racks")
          double crossRack)
      implements WorkloadSpec, Background {}

  /** What nodes do besides, as a load of their links that changes with every timeslot. */
  record Foreground(
      String name,
      @Allowed("0 to 95%") @Default("40%") @Meaning("average load of a node's link") double mean,
      @Allowed("0 to 100%")
          @Default("50%")
          @Meaning("standard deviation of the load over nodes," + " relative to the mean")
          double deviation,
      @Allowed("100ms to 1h") @Default("15s") @Meaning("time between two changes") long slotMs)
      implements WorkloadSpec, Background {}

  /** Traffic that never ends or yields, from every other node to the one after it. */
  record Streams(
      String name,
      @Allowed("0B/s to 1Tbps") @Meaning("bandwidth of each pair; what a link cannot carry is lost")
          double bandwidthBytesPerSec)
      implements WorkloadSpec, Background {}

  /** Racks whose nodes are busy, all but a few, and after a while all but a few others. */
  record Hot(
      String name,
      @Allowed("1 to 10000") @Default("1") @Meaning("racks without load") int free,
      @Allowed("0 to 95%")
          @Default("80%")
          @Meaning("load of the links into the nodes of all other racks; it does not yield")
          double in,
      @Allowed("0 to 95%") @Default("80%") @Meaning("load of the links out of them") double out,
      @Allowed("100ms to 1h") @Default("20s") @Meaning("how long the same racks are free")
          long stayMs)
      implements WorkloadSpec, Background {}

  /** Clients that write one block after another until the run ends. */
  record Steady(
      String name,
      @Allowed("1 to 100000")
          @Meaning("concurrent clients, each writing one block after another until the run ends")
          int atATime,
      @Allowed("1B to 1TiB") @Default("128MiB") @Meaning("preferred block size") long blockBytes,
      @Allowed("1 to 512") @Default("3") @Meaning("replicas of each block") int replication,
      @Default("nodes") @Meaning("random nodes, or clients outside") Who clients)
      implements WorkloadSpec {}

  /** An operator's audit log. What it says of sizes is of files the listing does not know. */
  record Audit(
      String name,
      @Allowed("a file, or several with commas between, the oldest first")
          @Meaning("the NameNode's audit log")
          List<String> logFiles,
      @Allowed("a file, or none")
          @Default("none")
          @Meaning("output of `hdfs oiv -p Delimited`, for sizes")
          Optional<String> listingFile,
      @Allowed("1B to 1024TiB") @Default("log-uniform 1MB 10GB") @Meaning("size of each file")
          Distribution sizeBytes,
      @Allowed("1B to 1TiB") @Default("128MiB") @Meaning("preferred block size") long blockBytes,
      @Allowed("1 to 512") @Default("3") @Meaning("replicas of each block") int replication,
      @Default("outside") @Meaning("clients that are no node: outside, or spread over the nodes")
          Strangers strangers,
      @Allowed("0.001 to 1000") @Default("1") @Meaning("factor of the trace's speed") double speed,
      @Allowed("1 to 100000000")
          @Default("5000000")
          @Meaning("most files and paths of the log, about 200 bytes each; more are an error")
          int filesMax)
      implements WorkloadSpec {
    public Audit {
      logFiles = List.copyOf(logFiles);
    }
  }

  /** An operator's files, there from the start. */
  record Stored(
      String name,
      @Allowed("a file") @Meaning("output of `hdfs oiv -p Delimited`") String listingFile,
      @Allowed("0.001% to 100%")
          @Default("100%")
          @Meaning("fraction of the files used, evenly over the listing")
          double share)
      implements WorkloadSpec {}

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
