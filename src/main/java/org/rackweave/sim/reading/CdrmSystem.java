package org.rackweave.sim.reading;

import java.util.SplittableRandom;

/**
 * CDRM as EAFR's paper runs it (section 4): two replicas of each file to begin with, and more until
 * a file is as reliable as is wanted, each on the server with the fewest reads.
 *
 * <p>Section 4.1.1 sets CDRM's choice of servers against HDFS's random one without setting the
 * first two replicas apart, so they are chosen in the same way. Before anything is read that deals
 * out replicas evenly: a replica that is to come counts as a read.
 *
 * <p>CDRM's own paper (Wei and others, CLUSTER 2010) counts a file as lost with any of its blocks:
 * with m blocks of r replicas it is there with probability (1 - f^r)^m. With one block, as EAFR's
 * paper has files elsewhere, two replicas would always do and CDRM would never add any, which
 * contradicts its figures.
 */
public final class CdrmSystem implements ReadSystem {
  /** HDFS's default block size. */
  public static final long BLOCK_BYTES = 128L << 20;

  private static final int FIRST_REPLICAS = 2;

  private final ReplicaMap replicas;

  /** Where the first replicas go, or {@code null} for the servers with the fewest reads. */
  private final RandomPlaces firstPlaces;

  private final CopyLanes copies;
  private final Target target;
  private final SplittableRandom random;
  private final int[] wanted;

  /**
   * What CDRM works towards.
   *
   * @param reliability of each file, at least
   * @param failureProbability of each server
   * @param leastReplicas of each file
   * @param isFirstRandom whether the first replicas are placed at random, as HDFS places its own
   */
  public record Target(
      double reliability, double failureProbability, int leastReplicas, boolean isFirstRandom) {
    /** Section 4, for servers that fail with probability 0.1. */
    public static final Target AT_ONE_IN_TEN = new Target(0.98, 0.1, FIRST_REPLICAS, false);

    /** Section 4, for servers that fail with probability 0.2. */
    public static final Target AT_TWO_IN_TEN = new Target(0.8, 0.2, FIRST_REPLICAS, false);

    /** The fewest replicas with which a file is reliable enough. */
    int replicas(long sizeBytes) {
      double blocks = Math.max(1, Math.ceil(sizeBytes / (double) BLOCK_BYTES));
      int count = leastReplicas;
      while (Math.pow(1 - Math.pow(failureProbability, count), blocks) < reliability) {
        count++;
      }
      return count;
    }
  }

  CdrmSystem(
      ServerPark park,
      ReplicaMap replicas,
      CopyLanes copies,
      Target target,
      SplittableRandom random) {
    this.replicas = replicas;
    this.copies = copies;
    this.target = target;
    this.random = random;
    firstPlaces =
        target.isFirstRandom() ? new RandomPlaces(park.topology(), replicas, random.split()) : null;
    wanted = new int[replicas.files()];
  }

  @Override
  public void begin() {
    int[] reads = new int[replicas.servers()];
    for (int file = 0; file < wanted.length; file++) {
      if (firstPlaces == null) {
        storeFirst(file, reads);
      } else {
        firstPlaces.store(file, FIRST_REPLICAS, any -> true);
      }
      wanted[file] = target.replicas(replicas.sizeBytes(file)) - replicas.holders(file).length;
    }
  }

  private void storeFirst(int file, int[] reads) {
    for (int replica = 0; replica < FIRST_REPLICAS; replica++) {
      int server = leastRead(file, reads);
      if (server < 0) {
        return;
      }
      reads[server]++;
      replicas.store(file, server);
    }
  }

  @Override
  public int serverFor(int file, int reader) {
    int[] holders = replicas.holders(file);
    return holders[random.nextInt(holders.length)];
  }

  /** One replica more for each file that lacks some. */
  @Override
  public void endInterval(int[] peaks) {
    int[] reads = peaks.clone();
    for (int file = 0; file < wanted.length; file++) {
      int server = wanted[file] > 0 ? leastRead(file, reads) : -1;
      if (server >= 0) {
        wanted[file]--;
        reads[server]++;
        copies.copy(file, server, nanos -> {});
      }
    }
  }

  /** The server with the fewest reads, those that planned replicas will bring among them. */
  private int leastRead(int file, int[] reads) {
    int from = random.nextInt(reads.length);
    int least = -1;
    for (int i = 0; i < reads.length; i++) {
      int server = (from + i) % reads.length;
      if ((least < 0 || reads[server] < reads[least])
          && replicas.freeBytes(server) >= replicas.sizeBytes(file)
          && !replicas.isTaken(file, server)) {
        least = server;
      }
    }
    return least;
  }

  @Override
  public long[] underWayBytes() {
    return copies.underWayBytes();
  }
}
