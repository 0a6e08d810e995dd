package org.rackweave.sim.reading;

import java.util.SplittableRandom;

/** HDFS: so many replicas of each file on random servers, and a random one for each read. */
public final class FixedSystem implements ReadSystem {
  private final ReplicaMap replicas;
  private final RandomPlaces places;
  private final int factor;
  private final SplittableRandom random;

  public FixedSystem(ServerPark park, ReplicaMap replicas, int factor, SplittableRandom random) {
    this.replicas = replicas;
    this.factor = factor;
    this.random = random;
    places = new RandomPlaces(park.topology(), replicas, random.split());
  }

  @Override
  public void begin() {
    for (int file = 0; file < replicas.files(); file++) {
      places.store(file, factor, any -> true);
    }
  }

  @Override
  public int serverFor(int file, int reader) {
    int[] holders = replicas.holders(file);
    return holders[random.nextInt(holders.length)];
  }

  @Override
  public long[] underWayBytes() {
    return new long[replicas.servers()];
  }
}
