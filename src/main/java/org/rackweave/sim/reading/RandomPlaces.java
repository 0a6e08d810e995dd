package org.rackweave.sim.reading;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.rackweave.model.ClusterTopology;

/** Random servers with room, in two racks or more where a file has two replicas or more. */
final class RandomPlaces {
  private final ClusterTopology topology;
  private final ReplicaMap replicas;
  private final SplittableRandom random;

  RandomPlaces(ClusterTopology topology, ReplicaMap replicas, SplittableRandom random) {
    this.topology = topology;
    this.replicas = replicas;
    this.random = random;
  }

  /**
   * Stores replicas of a file; fewer where there is no room.
   *
   * @param preferred servers that come first
   */
  void store(int file, int count, IntPredicate preferred) {
    for (int replica = 0; replica < count; replica++) {
      int server = draw(file, preferred);
      server = server < 0 ? draw(file, any -> true) : server;
      if (server < 0) {
        return;
      }
      replicas.store(file, server);
    }
  }

  private int draw(int file, IntPredicate preferred) {
    for (int attempt = 0; attempt < 2 * replicas.servers(); attempt++) {
      int server = random.nextInt(replicas.servers());
      if (preferred.test(server) && fits(file, server)) {
        return server;
      }
    }
    int[] left =
        IntStream.range(0, replicas.servers())
            .filter(server -> preferred.test(server) && fits(file, server))
            .toArray();
    return left.length == 0 ? -1 : left[random.nextInt(left.length)];
  }

  private boolean fits(int file, int server) {
    int[] holders = replicas.holders(file);
    boolean needsOtherRack = holders.length == 1;
    return replicas.freeBytes(server) >= replicas.sizeBytes(file)
        && Arrays.stream(holders).noneMatch(holder -> holder == server)
        && !(needsOtherRack && topology.rackOf(holders[0]) == topology.rackOf(server));
  }
}
