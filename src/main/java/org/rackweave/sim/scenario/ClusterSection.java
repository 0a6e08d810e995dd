package org.rackweave.sim.scenario;

import java.util.List;
import java.util.Optional;
import org.rackweave.sim.workload.Distribution;

/** The keys of {@code cluster}. */
final class ClusterSection {

  private static final double LINK_MIN = 1e3;
  private static final double LINK_MAX = 125e9;

  private static final ValueKind<Double> LINK =
      ValueKind.quantity(Units.BANDWIDTH, LINK_MIN, LINK_MAX);

  private static final ValueKind<Double> UNLIMITED_LINK =
      ValueKind.orWord("unlimited", Double.POSITIVE_INFINITY, LINK);

  private static final Key<ClusterSpec, Optional<String>> TOPOLOGY =
      new Key<>(
          "topology",
          ValueKind.optional("none", ValueKind.text("a file")),
          "none",
          ClusterSpec::topologyFile,
          "text of `hdfs dfsadmin -printTopology`; then racks and nodes come from it");

  private static final Key<ClusterSpec, Integer> RACKS =
      new Key<>("racks", ValueKind.count(0, 10_000), "0", ClusterSpec::racks, "number of racks");

  private static final Key<ClusterSpec, Integer> NODES =
      new Key<>(
          "nodes-per-rack",
          ValueKind.count(0, 10_000),
          "0",
          ClusterSpec::nodesPerRack,
          "nodes of each rack");

  private static final Key<ClusterSpec, Double> HOST_LINK =
      new Key<>(
          "host-link",
          LINK,
          "1Gbps",
          ClusterSpec::hostLinkBytesPerSec,
          "link of a node, in each direction");

  private static final Key<ClusterSpec, Double> RACK_LINK =
      new Key<>(
          "rack-link",
          ValueKind.orWord("from-hosts", 0.0, LINK),
          "from-hosts",
          ClusterSpec::rackLinkBytesPerSec,
          "link of a rack to the core, in each direction; from-hosts is the sum of its nodes'"
              + " links divided by the oversubscription");

  private static final Key<ClusterSpec, Double> OVERSUBSCRIPTION =
      new Key<>(
          "oversubscription",
          ValueKind.quantity(Units.NUMBER, 1, 1000),
          "1",
          ClusterSpec::oversubscription,
          "of the links between racks and core");

  private static final Key<ClusterSpec, Double> CORE =
      new Key<>(
          "core",
          UNLIMITED_LINK,
          "unlimited",
          ClusterSpec::coreBytesPerSec,
          "what the core switches at most");

  private static final Key<ClusterSpec, Double> DISK_WRITE =
      new Key<>(
          "disk-write",
          UNLIMITED_LINK,
          "unlimited",
          ClusterSpec::diskWriteBytesPerSec,
          "what one block write can use at most");

  private static final Key<ClusterSpec, Double> DISK_READ =
      new Key<>(
          "disk-read",
          UNLIMITED_LINK,
          "unlimited",
          ClusterSpec::diskReadBytesPerSec,
          "what one block read can use at most");

  private static final Key<ClusterSpec, Integer> DISKS =
      new Key<>(
          "disks-per-node",
          ValueKind.count(1, 1000),
          "1",
          ClusterSpec::disksPerNode,
          "so many blocks are written or read on one node at a time at full speed");

  private static final Key<ClusterSpec, Distribution> CAPACITY =
      new Key<>(
          "capacity",
          DistributionText.kind(Units.BYTES, 1, 1e15),
          "10TB",
          ClusterSpec::capacityBytes,
          "storage of a node, drawn for each");

  private static final Key<ClusterSpec, Distribution> READ_SLOTS =
      new Key<>(
          "read-slots",
          DistributionText.kind(Units.NUMBER, 0, 1e6),
          "4096",
          ClusterSpec::readSlots,
          "reads a node serves at a time, drawn for each; others queue");

  static final Schema<ClusterSpec> SCHEMA =
      new Schema<>(
          "cluster",
          ClusterSpec.class,
          List.of(
              TOPOLOGY,
              RACKS,
              NODES,
              HOST_LINK,
              RACK_LINK,
              OVERSUBSCRIPTION,
              CORE,
              DISK_WRITE,
              DISK_READ,
              DISKS,
              CAPACITY,
              READ_SLOTS),
          ClusterSection::build);

  private ClusterSection() {}

  private static ClusterSpec build(Schema.Values<ClusterSpec> values) {
    ClusterSpec cluster =
        new ClusterSpec(
            values.get(TOPOLOGY),
            values.get(RACKS),
            values.get(NODES),
            values.get(HOST_LINK),
            values.get(RACK_LINK),
            values.get(OVERSUBSCRIPTION),
            values.get(CORE),
            values.get(DISK_WRITE),
            values.get(DISK_READ),
            values.get(DISKS),
            values.get(CAPACITY),
            values.get(READ_SLOTS));
    boolean counted = cluster.racks() > 0 && cluster.nodesPerRack() > 0;
    boolean uncounted = cluster.racks() == 0 && cluster.nodesPerRack() == 0;
    if (cluster.topologyFile().isPresent() ? !uncounted : !counted) {
      throw new IllegalArgumentException(
          "either topology, or racks and nodes-per-rack of at least 1 each");
    }
    if ((long) cluster.racks() * cluster.nodesPerRack() > 1_000_000) {
      throw new IllegalArgumentException("racks times nodes-per-rack is more than 1000000");
    }
    return cluster;
  }
}
