package org.rackweave.sim.scenario;

import java.util.Optional;
import org.rackweave.sim.workload.Distribution;

/**
 * The simulated machines and the network between them.
 *
 * @param topologyFile text of {@code hdfs dfsadmin -printTopology}; racks and nodesPerRack are 0
 *     when it is given
 * @param racks number of racks
 * @param nodesPerRack nodes in each rack
 * @param hostLinkBytesPerSec capacity of a node's link, in each direction
 * @param rackLinkBytesPerSec capacity of a rack's link to the core, in each direction; 0 means that
 *     of its hosts together divided by the oversubscription
 * @param oversubscription core-to-rack oversubscription, at least 1
 * @param coreBytesPerSec what the core switches at most; infinite for no limit of its own
 * @param diskWriteBytesPerSec what one block write can use at most; infinite for memory
 * @param diskReadBytesPerSec what one block read can use at most; infinite for memory
 * @param disksPerNode so many blocks are written or read on one node at a time at full speed
 * @param capacityBytes storage of a node, drawn for each
 * @param readSlots reads a node serves at a time, drawn for each; others queue
 */
public record ClusterSpec(
    Optional<String> topologyFile,
    int racks,
    int nodesPerRack,
    double hostLinkBytesPerSec,
    double rackLinkBytesPerSec,
    double oversubscription,
    double coreBytesPerSec,
    double diskWriteBytesPerSec,
    double diskReadBytesPerSec,
    int disksPerNode,
    Distribution capacityBytes,
    Distribution readSlots) {

  /** The same machines and links in an operator's racks. */
  ClusterSpec withTopology(String file) {
    return in(Optional.of(file), 0, 0);
  }

  /** The same in another number of racks; those of an operator stay as they are. */
  public ClusterSpec withRacks(int otherRacks) {
    return topologyFile.isPresent() ? this : in(topologyFile, otherRacks, nodesPerRack);
  }

  private ClusterSpec in(Optional<String> file, int inRacks, int inEach) {
    return new ClusterSpec(
        file,
        inRacks,
        inEach,
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
