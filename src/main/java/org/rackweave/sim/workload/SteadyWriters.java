package org.rackweave.sim.workload;

import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Clients that write one block after another from the beginning to the end: where they are slowed
 * down they write less, and there are never more at a time.
 */
public final class SteadyWriters implements Workload {
  private final int writers;
  private final long blockBytes;
  private final int replication;
  private final Clients clients;
  private final long seed;

  /**
   * @param writers how many, at least 1
   * @param blockBytes size of every block
   */
  public SteadyWriters(
      int writers, long blockBytes, int replication, Clients clients, SplittableRandom random) {
    this.writers = writers;
    this.blockBytes = blockBytes;
    this.replication = replication;
    this.clients = clients;
    this.seed = random.nextLong();
  }

  @Override
  public Stream<StoredFile> storedFiles() {
    return Stream.empty();
  }

  @Override
  public Stream<TimedRequest> requests() {
    SplittableRandom random = new SplittableRandom(seed);
    return IntStream.range(0, writers)
        .mapToObj(
            file ->
                new TimedRequest.Write(
                    0,
                    clients.at(0, random),
                    file,
                    TimedRequest.Write.ENDLESS,
                    blockBytes,
                    replication));
  }
}
