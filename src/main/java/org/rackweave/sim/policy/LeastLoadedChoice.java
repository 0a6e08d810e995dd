package org.rackweave.sim.policy;

import java.util.SplittableRandom;
import java.util.function.IntPredicate;
import org.rackweave.model.ClusterTopology;
import org.rackweave.sim.cluster.Cluster;

/**
 * The node that serves the fewest transfers; equals are drawn at random. So does CDRM (as EAFR's
 * section 4 describes it).
 */
public final class LeastLoadedChoice implements NodeChoice {
  private final Cluster cluster;
  private final SplittableRandom random;

  public LeastLoadedChoice(Cluster cluster, SplittableRandom random) {
    this.cluster = cluster;
    this.random = random;
  }

  @Override
  public int choose(int first, int number, IntPredicate allowed) {
    int best = ClusterTopology.NONE;
    int leastLoad = Integer.MAX_VALUE;
    int equals = 0;
    for (int node = first; node < first + number; node++) {
      int load = cluster.readers(node) + cluster.writers(node);
      if (load <= leastLoad && allowed.test(node)) {
        equals = load < leastLoad ? 1 : equals + 1;
        leastLoad = load;
        best = random.nextInt(equals) == 0 ? node : best;
      }
    }
    return best;
  }
}
