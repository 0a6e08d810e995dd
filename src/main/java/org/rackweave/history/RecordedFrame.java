package org.rackweave.history;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.rackweave.history.LinkHistory.Frame;
import org.rackweave.model.ClusterTopology;
import org.rackweave.model.NodePlace;
import org.rackweave.telemetry.LinkSnapshot;

/**
 * A {@link Frame} as the black box keeps it, with what it takes to make rates of it. Speeds are
 * bytes per second.
 *
 * @param fromMs wall clock when it begins: after its step where there was a restart
 * @param toMs wall clock when it ends, later
 * @param racks the DataNodes, in the order of the shares
 * @param host speed of a DataNode's link, the median
 * @param oversubscription of the racks' links, the median; at least 1
 * @param disk what one block can be written with at most
 */
public record RecordedFrame(
    long atMs,
    long fromMs,
    long toMs,
    List<Rack> racks,
    byte[] hostRx,
    byte[] hostTx,
    byte[] rackRx,
    byte[] rackTx,
    double host,
    double oversubscription,
    double disk) {

  /** Network location of a rack, and the names of its DataNodes. */
  public record Rack(String path, List<String> nodes) {
    public Rack {
      Objects.requireNonNull(path, "path");
      nodes = List.copyOf(nodes);
    }
  }

  /** Refuses what was not written by this version. */
  public RecordedFrame {
    int nodes = racks.stream().mapToInt(rack -> rack.nodes.size()).sum();
    long paths =
        racks.stream().filter(rack -> !rack.nodes.isEmpty()).map(Rack::path).distinct().count();
    boolean isWhole =
        hostRx.length == nodes
            && hostTx.length == nodes
            && racks.size() == paths
            && rackRx.length == paths
            && rackTx.length == paths
            && fromMs < toMs;
    if (!isWhole) {
      throw new IllegalArgumentException("a frame whose parts do not match");
    }
  }

  /** Of a frame, with the speeds of a snapshot. */
  public static RecordedFrame of(Frame frame, LinkSnapshot links) {
    ClusterTopology topology = frame.topology();
    List<Rack> racks = new ArrayList<>();
    for (int rack = 0; rack < topology.rackCount(); rack++) {
      racks.add(
          new Rack(
              topology.rackPath(rack),
              IntStream.range(topology.firstNode(rack), topology.firstNode(rack + 1))
                  .mapToObj(topology::nodeName)
                  .toList()));
    }
    ClusterTopology now = links.topology();
    double host = median(IntStream.range(0, now.nodeCount()).mapToDouble(links::hostCapacity));
    double least =
        median(
            IntStream.range(0, now.rackCount())
                .mapToDouble(rack -> host * now.rackSize(rack) / links.rackCapacity(rack)));
    return new RecordedFrame(
        frame.atMs(),
        frame.fromMs(),
        frame.toMs(),
        racks,
        frame.hostRx(),
        frame.hostTx(),
        frame.rackRx(),
        frame.rackTx(),
        host,
        Math.max(1, least),
        links.diskWriteBytesPerSec());
  }

  /** Of those above 0 and finite; 0 without any. */
  private static double median(DoubleStream values) {
    double[] sorted = values.filter(one -> one > 0 && Double.isFinite(one)).sorted().toArray();
    return sorted.length == 0 ? 0 : sorted[(sorted.length - 1) / 2];
  }

  /** The DataNodes by racks. */
  public ClusterTopology topology() {
    return ClusterTopology.of(
        racks.stream()
            .flatMap(rack -> rack.nodes.stream().map(one -> new NodePlace(one, rack.path, null)))
            .toList());
  }

  /** The frame again, of its {@link #topology}. */
  public Frame frame(ClusterTopology topology) {
    return new Frame(atMs, fromMs, toMs, topology, hostRx, hostTx, rackRx, rackTx);
  }
}
