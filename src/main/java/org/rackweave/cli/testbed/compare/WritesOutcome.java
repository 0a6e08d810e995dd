package org.rackweave.cli.testbed.compare;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.rackweave.cli.experiment.BlockWrite;
import org.rackweave.cli.experiment.LinkWindow;
import org.rackweave.cli.testbed.Layout;
import org.rackweave.cli.testbed.compare.worker.Report.Done;

/** Puts together what the plan, the workers, the links and the NameNode say of one run. */
final class WritesOutcome {

  private final Layout layout;
  private final WritesSettings settings;
  private final WritesPlan plan;
  private final Map<String, Done> writes = new HashMap<>();
  private final List<LinkWindow> nodeWindows;
  private final List<LinkWindow> uplinkWindows;

  WritesOutcome(
      Layout layout,
      WritesSettings settings,
      WritesPlan plan,
      List<Done> writes,
      List<RunWatch.LinkReading> readings) {
    this.layout = layout;
    this.settings = settings;
    this.plan = plan;
    writes.forEach(write -> this.writes.put(write.id(), write));
    this.nodeWindows = LinkWindows.ofDataNodes(layout, plan.schedule(), readings);
    this.uplinkWindows = LinkWindows.ofRacks(layout, plan.schedule(), readings);
  }

  /**
   * Every write of the plan with its class by the racks that were hot when it was due.
   *
   * @throws IOException if a file is missing, has another length, or no replica
   */
  List<BlockWrite> blocks(List<ClusterFiles.Stored> stored) throws IOException {
    return classed(stored, this::due);
  }

  /**
   * Every write of the plan with its class by the racks that were hot while it was written.
   *
   * @throws IOException as above
   */
  List<BlockWrite> blocksWhileWritten(List<ClusterFiles.Stored> stored) throws IOException {
    return classed(stored, this::whileWritten);
  }

  private interface Classing {
    BlockWrite of(PoissonWrites.Planned write, List<Integer> replicas, double seconds);
  }

  private List<BlockWrite> classed(List<ClusterFiles.Stored> stored, Classing classing)
      throws IOException {
    Map<String, ClusterFiles.Stored> byName = new HashMap<>();
    for (ClusterFiles.Stored file : stored) {
      byName.put(file.path().substring(file.path().lastIndexOf('/') + 1), file);
    }
    List<BlockWrite> blocks = new ArrayList<>();
    for (PoissonWrites.Planned planned : plan.writes()) {
      ClusterFiles.Stored file = byName.get(planned.name());
      if (file == null || file.sizeBytes() != settings.blockBytes() || file.replicas().isEmpty()) {
        throw new IOException("Written was " + planned.name() + ", but the NameNode has " + file);
      }
      double seconds = writes.get(planned.name()).seconds();
      blocks.add(classing.of(planned, file.replicas(), seconds));
    }
    return blocks;
  }

  /** By the racks that were hot when a write was due: what a policy could know of. */
  private BlockWrite due(PoissonWrites.Planned write, List<Integer> replicas, double seconds) {
    return classed(write, replicas, seconds, plan.schedule().hotAt(write.atMs()));
  }

  /** By the racks that were hot at any moment while it was written: what it met. */
  private BlockWrite whileWritten(
      PoissonWrites.Planned write, List<Integer> replicas, double seconds) {
    long endMs = write.atMs() + Math.round(1000 * seconds);
    return classed(write, replicas, seconds, plan.schedule().hotBetween(write.atMs(), endMs));
  }

  private BlockWrite classed(
      PoissonWrites.Planned write, List<Integer> replicas, double seconds, Set<Integer> hot) {
    return classed(layout.racks().get(0).dataNodes().size(), write, replicas, seconds, hot);
  }

  /** Says of a write whether its writer and its targets are in racks that are hot. */
  static BlockWrite classed(
      int nodesPerRack,
      PoissonWrites.Planned write,
      List<Integer> replicas,
      double seconds,
      Set<Integer> hot) {
    boolean targetHot =
        replicas.stream()
            .anyMatch(node -> node != write.writer() && hot.contains(node / nodesPerRack));
    return new BlockWrite(
        write.atMs() * 1_000_000L, seconds, hot.contains(write.writer() / nodesPerRack), targetHot);
  }

  /** Bytes of replicas by DataNode. */
  long[] placedBytes(List<ClusterFiles.Stored> stored) {
    long[] placed = new long[layout.dataNodes().size()];
    for (ClusterFiles.Stored file : stored) {
      file.replicas().forEach(node -> placed[node] += file.sizeBytes());
    }
    return placed;
  }

  List<LinkWindow> uplinkWindows() {
    return uplinkWindows;
  }

  List<LinkWindow> nodeWindowsWithArrivals() {
    return withArrivals(nodeWindows);
  }

  List<LinkWindow> uplinkWindowsWithArrivals() {
    return withArrivals(uplinkWindows);
  }

  private List<LinkWindow> withArrivals(List<LinkWindow> windows) {
    return windows.stream()
        .filter(window -> window.isWithin(settings.settleMs(), settings.endMs()))
        .toList();
  }

  /** The longest that a write began after its time. */
  double latestStartSeconds() {
    return writes.values().stream()
        .mapToDouble(write -> (write.startUs() - write.scheduledUs()) / 1e6)
        .max()
        .orElse(0);
  }
}
