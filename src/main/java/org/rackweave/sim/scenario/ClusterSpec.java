package org.rackweave.sim.scenario;

import java.util.Optional;
import org.rackweave.sim.workload.Distribution;

/**
 * The simulated machines and the network between them. What is unlimited is infinite, and racks'
 * links of 0 follow from those of their hosts.
 */
public record ClusterSpec(
    @Allowed("a file, or none")
        @Default("none")
        @Meaning(
            "output of `hdfs dfsadmin -printTopology`, in place of `racks` and"
                + " `nodes-per-rack`")
        Optional<String> topologyFile,
    @Allowed("0 to 10000") @Default("0") @Meaning("number of racks") int racks,
    @Allowed("0 to 10000") @Default("0") @Meaning("nodes per rack") int nodesPerRack,
    @Allowed("1kB/s to 1Tbps")
        @Default("1Gbps")
        @Meaning("capacity of a node's link, in each" + " direction")
        double hostLinkBytesPerSec,
    @Allowed(value = "1kB/s to 1Tbps, or from-hosts", or = 0)
        @Default("from-hosts")
        @Meaning(
            "capacity of a rack's link to the core, in each direction; from-hosts: the sum"
                + " of its nodes' links divided by the oversubscription")
        double rackLinkBytesPerSec,
    @Allowed("1 to 1000")
        @Default("1")
        @Meaning("oversubscription of the links between racks" + " and core")
        double oversubscription,
    @Allowed(value = "1kB/s to 1Tbps, or unlimited", or = Double.POSITIVE_INFINITY)
        @Default("unlimited")
        @Meaning("capacity of the core")
        double coreBytesPerSec,
    @Allowed(value = "1kB/s to 1Tbps, or unlimited", or = Double.POSITIVE_INFINITY)
        @Default("unlimited")
        @Meaning("limit of one block write")
        double diskWriteBytesPerSec,
    @Allowed(value = "1kB/s to 1Tbps, or unlimited", or = Double.POSITIVE_INFINITY)
        @Default("unlimited")
        @Meaning("limit of one block read")
        double diskReadBytesPerSec,
    @Allowed("1 to 1000")
        @Default("1")
        @Meaning("concurrent block writes or reads on a node at full speed")
        int disksPerNode,
    @Allowed("1B to 1000TB") @Default("10TB") @Meaning("storage of a node, drawn for each node")
        Distribution capacityBytes,
    @Allowed("0 to 1000000")
        @Default("4096")
        @Meaning("concurrent reads of a node, drawn for each node; others queue")
        Distribution readSlots) {

  private static final long NODES_MAX = 1_000_000;

  /**
   * @throws IllegalArgumentException when nodes are neither counted nor listed, or too many
   */
  public ClusterSpec {
    boolean counted = racks > 0 && nodesPerRack > 0;
    boolean uncounted = racks == 0 && nodesPerRack == 0;
    if (topologyFile.isPresent() ? !uncounted : !counted) {
      throw new IllegalArgumentException(
          "either topology, or racks and nodes-per-rack of at least 1 each");
    }
    if ((long) racks * nodesPerRack > NODES_MAX) {
      throw new IllegalArgumentException("racks times nodes-per-rack is more than " + NODES_MAX);
    }
  }

  /** The same in another number of racks; those of an operator stay as they are. */
  public ClusterSpec withRacks(int otherRacks) {
    if (topologyFile.isPresent()) {
      return this;
    }
    return new ClusterSpec(
        topologyFile,
        otherRacks,
        nodesPerRack,
        hostLinkBytesPerSec,
        rackLinkBytesPerSec,
        oversubscription,
        coreBytesPerSec,
        diskWriteBytesPerSec,
        diskReadBytesPerSec,
        disksPerNode,
        capacityBytes,
        readSlots);
  }
}
