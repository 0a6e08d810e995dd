package org.rackweave.sim.scenario;

import java.util.ArrayList;
import java.util.List;
import org.rackweave.model.ClusterTopology;
import org.rackweave.model.NodePlace;
import org.rackweave.sim.workload.InputException;
import org.rackweave.sim.workload.KnownClients;
import org.rackweave.sim.workload.PrintedTopology;

/**
 * The nodes of a scenario.
 *
 * @param topology racks and nodes; node i of rack r of a counted cluster is called {@code r<r>n<i>}
 * @param clients which addresses of an audit log are among them
 */
public record Machines(ClusterTopology topology, KnownClients clients) {

  /**
   * Builds the nodes, from the operator's topology if the scenario names one.
   *
   * @throws InputException when that cannot be read, or a failure is of a node it does not have
   */
  public static Machines of(Scenario scenario, InputFiles files) throws InputException {
    Machines machines = of(scenario.cluster(), files);
    for (FailureSpec failure : scenario.failures()) {
      int there =
          failure.rack().isPresent()
              ? machines.topology.rackCount()
              : machines.topology.nodeCount();
      if (failure.index() >= there) {
        throw new InputException(
            files.need(scenario.cluster().topologyFile().orElseThrow()),
            0,
            String.format(
                "has %d %ss; the scenario fails %s %d, counted from 0",
                there, failure.part(), failure.part(), failure.index()));
      }
    }
    return machines;
  }

  private static Machines of(ClusterSpec cluster, InputFiles files) throws InputException {
    if (cluster.topologyFile().isPresent()) {
      PrintedTopology printed = PrintedTopology.read(files.need(cluster.topologyFile().get()));
      ClusterTopology topology = printed.topology();
      return new Machines(topology, KnownClients.of(printed, topology));
    }
    List<NodePlace> places = new ArrayList<>();
    for (int rack = 0; rack < cluster.racks(); rack++) {
      for (int node = 0; node < cluster.nodesPerRack(); node++) {
        places.add(new NodePlace("r" + rack + "n" + node, "/r" + rack, null));
      }
    }
    return new Machines(ClusterTopology.of(places), KnownClients.none());
  }
}
