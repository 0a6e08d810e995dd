package org.rackweave.sim.workload;

import java.util.SplittableRandom;
import org.rackweave.model.ClusterTopology;

/** Who reads or writes at a given moment. */
@FunctionalInterface
public interface Clients {

  /** A node, or {@link TimedRequest#OUTSIDE}. */
  int at(long nanos, SplittableRandom random);

  /** Any node, each as likely. */
  static Clients anyNode(ClusterTopology topology) {
    int nodes = topology.nodeCount();
    return (nanos, random) -> random.nextInt(nodes);
  }

  /** Nobody in the cluster. */
  static Clients outside() {
    return (nanos, random) -> TimedRequest.OUTSIDE;
  }
}
