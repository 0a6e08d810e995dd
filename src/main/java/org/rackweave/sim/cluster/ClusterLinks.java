package org.rackweave.sim.cluster;

import java.util.Arrays;
import java.util.Optional;
import org.rackweave.model.ClusterTopology;
import org.rackweave.sim.network.Path;
import org.rackweave.sim.scenario.ClusterSpec;

/**
 * Numbers of a cluster's links, and the paths over them.
 *
 * <p>A node has a link in each direction and disks; a rack has one in each direction to the core,
 * and the core is a link where it is limited.
 *
 * <p>Traffic of a whole rack, such as the shuffles of a trace that knows racks only, comes from and
 * goes to all of its hosts alike. It is so much of all traffic that it crosses the racks' links
 * alone: what of a rack's link is <i>not</i> its, the traffic between certain nodes, crosses one
 * more link, which counts it and limits nothing. Within a rack it crosses the rack's <i>pool</i>,
 * which is as wide as the hosts' links together. Immutable.
 */
public final class ClusterLinks {
  private final ClusterTopology topology;
  private final ClusterSpec spec;
  private final int nodes;
  private final int racks;
  private final boolean hasDisks;
  private final boolean hasReadDisks;
  private final boolean hasCore;
  private final Path[] betweenRacks;

  public ClusterLinks(ClusterTopology topology, ClusterSpec spec) {
    this.topology = topology;
    this.spec = spec;
    nodes = topology.nodeCount();
    racks = topology.rackCount();
    hasDisks = Double.isFinite(spec.diskWriteBytesPerSec());
    hasReadDisks = Double.isFinite(spec.diskReadBytesPerSec());
    hasCore = Double.isFinite(spec.coreBytesPerSec());
    betweenRacks = new Path[racks * racks];
  }

  public ClusterTopology topology() {
    return topology;
  }

  /** Capacity of every link, bytes per second, by number. */
  public double[] capacities() {
    double[] capacities = new double[readDisk(nodes, 0)];
    for (int node = 0; node < nodes; node++) {
      capacities[hostTx(node)] = spec.hostLinkBytesPerSec();
      capacities[hostRx(node)] = spec.hostLinkBytesPerSec();
      for (int disk = 0; disk < disksPerNode(); disk++) {
        capacities[disk(node, disk)] = spec.diskWriteBytesPerSec();
      }
      for (int disk = 0; disk < readDisksPerNode(); disk++) {
        capacities[readDisk(node, disk)] = spec.diskReadBytesPerSec();
      }
    }
    for (int rack = 0; rack < racks; rack++) {
      capacities[rackUp(rack)] = rackCapacity(rack);
      capacities[rackDown(rack)] = rackCapacity(rack);
      capacities[nodesUp(rack)] = 2 * rackCapacity(rack);
      capacities[nodesDown(rack)] = 2 * rackCapacity(rack);
      capacities[poolTx(rack)] = hostsTogether(rack);
      capacities[poolRx(rack)] = hostsTogether(rack);
    }
    if (hasCore) {
      capacities[core()] = spec.coreBytesPerSec();
    }
    return capacities;
  }

  /** Capacity of every node's link, bytes per second in each direction. */
  public double hostCapacity() {
    return spec.hostLinkBytesPerSec();
  }

  private double hostsTogether(int rack) {
    return hostCapacity() * topology.rackSize(rack);
  }

  /** Capacity of a rack's link to the core, bytes per second in each direction. */
  public double rackCapacity(int rack) {
    return spec.rackLinkBytesPerSec() > 0
        ? spec.rackLinkBytesPerSec()
        : hostsTogether(rack) / spec.oversubscription();
  }

  public int hostTx(int node) {
    return node;
  }

  public int hostRx(int node) {
    return nodes + node;
  }

  public int rackUp(int rack) {
    return 2 * nodes + rack;
  }

  public int rackDown(int rack) {
    return 2 * nodes + racks + rack;
  }

  public int poolTx(int rack) {
    return 2 * nodes + 2 * racks + rack;
  }

  public int poolRx(int rack) {
    return 2 * nodes + 3 * racks + rack;
  }

  /** Counts what crosses {@link #rackUp} from a certain node. */
  int nodesUp(int rack) {
    return 2 * nodes + 4 * racks + rack;
  }

  /** Counts what crosses {@link #rackDown} to a certain node. */
  int nodesDown(int rack) {
    return 2 * nodes + 5 * racks + rack;
  }

  private int core() {
    return 2 * nodes + 6 * racks;
  }

  int disk(int node, int disk) {
    return 2 * nodes + 6 * racks + (hasCore ? 1 : 0) + node * disksPerNode() + disk;
  }

  /** Disks of a node; none where they limit nothing. */
  public int disksPerNode() {
    return hasDisks ? spec.disksPerNode() : 0;
  }

  /** A disk as reads find it: what it reads is not what it writes. */
  int readDisk(int node, int disk) {
    return disk(nodes, 0) + node * readDisksPerNode() + disk;
  }

  /** Disks of a node that reads have to share; none where they limit nothing. */
  public int readDisksPerNode() {
    return hasReadDisks ? spec.disksPerNode() : 0;
  }

  /** From one node's memory to another's. */
  public Path transfer(int from, int to) {
    return new Route().hop(from, to, false).path();
  }

  /** From the hosts of a rack to those of another, or to one another. */
  public Path betweenRacks(int from, int to) {
    int index = from * racks + to;
    if (betweenRacks[index] == null) {
      Route route = new Route();
      betweenRacks[index] =
          from == to
              ? route.over(poolTx(from)).over(poolRx(to)).path()
              : route.between(from, to, false).path();
    }
    return betweenRacks[index];
  }

  /**
   * A write pipeline: every link that any of its hops crosses, and a disk of each node. A link that
   * two hops cross counts once.
   *
   * @param writer node the bytes come from, {@link ClusterTopology#NONE} for one outside
   * @param nodes in pipeline order
   * @param disks which disk of each node, where nodes have some
   * @param isSourceFree whether the writer's own links up to the core are left out
   * @return empty when nothing limits the write: a lone copy in the writer's memory
   */
  public Optional<Path> pipeline(int writer, int[] nodes, int[] disks, boolean isSourceFree) {
    Route route = new Route();
    int at = writer;
    for (int i = 0; i < nodes.length; i++) {
      route.hop(at, nodes[i], isSourceFree && at == writer);
      if (hasDisks) {
        route.over(disk(nodes[i], disks[i]));
      }
      at = nodes[i];
    }
    return route.size == 0 ? Optional.empty() : Optional.of(route.path());
  }

  /**
   * From a node's disk to a client.
   *
   * @param disk which of the node's, where it has some
   * @param reader node of the client, {@link ClusterTopology#NONE} for one outside
   * @return empty when nothing limits the read: one from the reader's own memory
   */
  public Optional<Path> read(int holder, int disk, int reader) {
    Route route = new Route();
    if (hasReadDisks) {
      route.over(readDisk(holder, disk));
    }
    if (reader == ClusterTopology.NONE) {
      int rack = topology.rackOf(holder);
      route.over(hostTx(holder)).over(rackUp(rack)).over(nodesUp(rack));
      if (hasCore) {
        route.over(core());
      }
    } else {
      route.hop(holder, reader, false);
    }
    return route.size == 0 ? Optional.empty() : Optional.of(route.path());
  }

  /** Links collected in order, each once. */
  private final class Route {
    private int[] links = new int[16];
    private int size;

    Route over(int link) {
      for (int i = 0; i < size; i++) {
        if (links[i] == link) {
          return this;
        }
      }
      if (size == links.length) {
        links = Arrays.copyOf(links, size * 2);
      }
      links[size++] = link;
      return this;
    }

    Route hop(int from, int to, boolean isSourceFree) {
      if (from == to) {
        return this;
      }
      int toRack = topology.rackOf(to);
      int fromRack = from == ClusterTopology.NONE ? ClusterTopology.NONE : topology.rackOf(from);
      boolean hasSource = from != ClusterTopology.NONE && !isSourceFree;
      if (hasSource) {
        over(hostTx(from));
      }
      between(fromRack, toRack, isSourceFree);
      if (fromRack != toRack) {
        if (hasSource) {
          over(nodesUp(fromRack));
        }
        over(nodesDown(toRack));
      }
      return over(hostRx(to));
    }

    Route between(int fromRack, int toRack, boolean isSourceFree) {
      if (fromRack == toRack) {
        return this;
      }
      if (fromRack != ClusterTopology.NONE && !isSourceFree) {
        over(rackUp(fromRack));
      }
      if (hasCore) {
        over(core());
      }
      return over(rackDown(toRack));
    }

    Path path() {
      return Path.of(Arrays.copyOf(links, size));
    }
  }
}
