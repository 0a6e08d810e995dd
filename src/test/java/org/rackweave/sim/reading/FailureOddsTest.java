package org.rackweave.sim.reading;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Section 4.1.6: when all servers storing a file's replicas fail, requests for it fail. */
class FailureOddsTest {
  @Test
  void aReadFailsWithAllReplicas() {
    int files = 200;
    long[] sizes = new long[files];
    ReplicaMap map = new ReplicaMap(sizes, new long[40]);
    double[] weights = new double[files];
    SplittableRandom random = new SplittableRandom(3);
    for (int file = 0; file < files; file++) {
      int replicas = file % 2 == 0 ? 1 : 3;
      for (int server : random.ints(0, 40).distinct().limit(replicas).toArray()) {
        map.store(file, server);
      }
      weights[file] = file % 2 == 0 ? 3 : 1;
    }
    double expected = 0.75 * (1 - 0.2) + 0.25 * (1 - 0.008);
    assertEquals(expected, FailureOdds.success(map, weights, 0.2, random), 0.01);
    assertEquals(1, FailureOdds.success(map, weights, 0, random));
  }
}
