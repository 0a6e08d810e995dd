package org.rackweave.sim.workload;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * What the jobs of a SWIM trace do to the file system: they read inputs that are there from the
 * start and write their outputs. Both happen at submission, for how long a job computes is not in
 * the trace; shuffles are left out for the same reason.
 *
 * <p>Inputs and outputs are cut into parts, one file each, that different clients read and write at
 * the same time, as the tasks of a job do.
 */
public final class SwimFiles implements Workload {

  private static final long NANOS_PER_MS = 1_000_000;

  private final List<SwimJob> jobs;
  private final Use use;
  private final Clients clients;
  private final long seed;

  /** Number of the first input part of each job, and after the last job the number of all parts. */
  private final long[] firstInput;

  /**
   * Which of a job's bytes are used, and how.
   *
   * @param reads whether inputs are stored and read
   * @param writes whether outputs are written
   * @param partBytes largest file, at least 1
   * @param blockBytes preferred block size of every file
   * @param replication replicas of every block
   * @param speed jobs come so many times as fast, above 0
   * @param durationNanos no job starts at this moment or later
   */
  public record Use(
      boolean reads,
      boolean writes,
      long partBytes,
      long blockBytes,
      int replication,
      double speed,
      long durationNanos) {}

  public SwimFiles(SwimTrace trace, Use use, Clients clients, SplittableRandom random) {
    this.use = use;
    this.clients = clients;
    this.seed = random.nextLong();
    jobs = trace.jobs().stream().filter(job -> atNanos(job) < use.durationNanos()).toList();
    firstInput = new long[jobs.size() + 1];
    for (int i = 0; i < jobs.size(); i++) {
      long parts = use.reads() ? parts(jobs.get(i).inputBytes()) : 0;
      firstInput[i + 1] = firstInput[i] + parts;
    }
  }

  private long atNanos(SwimJob job) {
    return Math.round(job.submitMs() / use.speed() * NANOS_PER_MS);
  }

  private long parts(long bytes) {
    return (bytes + use.partBytes() - 1) / use.partBytes();
  }

  private long partBytes(long bytes, long part) {
    return Math.min(use.partBytes(), bytes - part * use.partBytes());
  }

  @Override
  public Stream<StoredFile> storedFiles() {
    return IntStream.range(0, jobs.size()).boxed().flatMap(this::inputs);
  }

  private Stream<StoredFile> inputs(int job) {
    List<StoredFile> inputs = new ArrayList<>();
    for (long part = 0; part < firstInput[job + 1] - firstInput[job]; part++) {
      long sizeBytes = partBytes(jobs.get(job).inputBytes(), part);
      inputs.add(
          new StoredFile(firstInput[job] + part, sizeBytes, use.blockBytes(), use.replication()));
    }
    return inputs.stream();
  }

  @Override
  public Stream<TimedRequest> requests() {
    SplittableRandom random = new SplittableRandom(seed);
    long[] nextFile = {firstInput[jobs.size()]};
    return IntStream.range(0, jobs.size())
        .boxed()
        .flatMap(job -> requests(job, nextFile, random).stream());
  }

  private List<TimedRequest> requests(int number, long[] nextFile, SplittableRandom random) {
    SwimJob job = jobs.get(number);
    long at = atNanos(job);
    List<TimedRequest> requests = new ArrayList<>();
    for (long file = firstInput[number]; file < firstInput[number + 1]; file++) {
      requests.add(new TimedRequest.Read(at, clients.at(at, random), file));
    }
    for (long part = 0; use.writes() && part < parts(job.outputBytes()); part++) {
      requests.add(
          new TimedRequest.Write(
              at,
              clients.at(at, random),
              nextFile[0]++,
              partBytes(job.outputBytes(), part),
              use.blockBytes(),
              use.replication()));
    }
    return requests;
  }
}
