package org.rackweave.sim.cluster;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntConsumer;
import org.rackweave.model.ClusterTopology;
import org.rackweave.sim.engine.SimTime;
import org.rackweave.sim.network.Flow;
import org.rackweave.sim.network.FlowNetwork;

/**
 * What changes about a cluster's machines: which are up, what their disks hold, whom they serve.
 * Single-threaded.
 *
 * <p>Listeners learn of a node that goes down; they end the flows it took part in.
 */
public final class Cluster {
  /**
   * HDFS's default for a node that sends no heartbeat: ten of 3 s and two rechecks of 5 minutes.
   */
  private static final long DECLARED_DEAD_NANOS = SimTime.ofMs(630_000);

  private final ClusterLinks links;
  private final ClusterTopology topology;
  private final FlowNetwork network;
  private final double[] capacityBytes;
  private final double[] usedBytes;
  private final long[] blocks;
  private final int[] readers;
  private final int[] writers;
  private final List<List<Flow>> blocksComing = new ArrayList<>();
  private final int[] nextDisk;
  private final int[] nextReadDisk;
  private final int[] holds;
  private final long[] downSinceNanos;
  private final OwnWork rxWork;
  private final OwnWork txWork;
  private final List<IntConsumer> whenDown = new ArrayList<>();
  private final List<IntConsumer> whenUp = new ArrayList<>();
  private final List<IntConsumer> whenWorkChanges = new ArrayList<>();

  /**
   * @param capacityBytes storage of each node
   */
  public Cluster(ClusterLinks links, FlowNetwork network, double[] capacityBytes) {
    this.links = links;
    this.topology = links.topology();
    this.network = network;
    this.capacityBytes = capacityBytes.clone();
    int nodes = topology.nodeCount();
    usedBytes = new double[nodes];
    blocks = new long[nodes];
    readers = new int[nodes];
    writers = new int[nodes];
    nextDisk = new int[nodes];
    nextReadDisk = new int[nodes];
    holds = new int[nodes];
    downSinceNanos = new long[nodes];
    rxWork = new OwnWork(nodes);
    txWork = new OwnWork(nodes);
    for (int node = 0; node < nodes; node++) {
      blocksComing.add(new ArrayList<>(0));
    }
  }

  public ClusterTopology topology() {
    return topology;
  }

  public ClusterLinks links() {
    return links;
  }

  public FlowNetwork network() {
    return network;
  }

  public boolean isUp(int node) {
    return holds[node] == 0;
  }

  /** Whether the NameNode has given a node up; one that has just gone is still offered. */
  public boolean isDeclaredDead(int node, long nowNanos) {
    return !isUp(node) && nowNanos - downSinceNanos[node] > DECLARED_DEAD_NANOS;
  }

  /**
   * Calls listeners back with each node that goes down or comes back.
   *
   * @param down hears of a node when it has gone
   * @param up hears of a node when it is there again
   */
  public void listen(IntConsumer down, IntConsumer up) {
    whenDown.add(down);
    whenUp.add(up);
  }

  /** A node stops; once more for a node that is down already, its rack having failed too. */
  public void fail(int node, long nowNanos) {
    if (holds[node]++ == 0) {
      downSinceNanos[node] = nowNanos;
      whenDown.forEach(listener -> listener.accept(node));
    }
  }

  /** Takes one reason to be down from a node. */
  public void restore(int node) {
    if (holds[node] > 0 && --holds[node] == 0) {
      whenUp.forEach(listener -> listener.accept(node));
    }
  }

  public void failRack(int rack, long nowNanos) {
    forRack(rack, node -> fail(node, nowNanos));
  }

  public void restoreRack(int rack) {
    forRack(rack, this::restore);
  }

  private void forRack(int rack, IntConsumer action) {
    for (int node = topology.firstNode(rack); node < topology.firstNode(rack + 1); node++) {
      action.accept(node);
    }
  }

  /** The disk that takes the next block of a node: one after another, as HDFS does. */
  public int nextDisk(int node) {
    int disks = links.disksPerNode();
    return disks == 0 ? 0 : nextDisk[node]++ % disks;
  }

  /** Which disk of each node takes the next block. */
  public int[] nextDisks(int[] nodes) {
    return Arrays.stream(nodes).map(this::nextDisk).toArray();
  }

  /** The disk of a node that the next read finds its block on: one after another, as stored. */
  public int nextReadDisk(int node) {
    int disks = links.readDisksPerNode();
    return disks == 0 ? 0 : nextReadDisk[node]++ % disks;
  }

  /** Calls a listener back with each node that begins or ends a transfer. */
  public void listenToTransfers(IntConsumer listener) {
    whenWorkChanges.add(listener);
  }

  /** A transfer into a node begins (+1) or ends (-1). */
  public void writing(int node, int change) {
    writers[node] += change;
    whenWorkChanges.forEach(listener -> listener.accept(node));
  }

  /** A block of HDFS is on its way into a node, until {@link #blockCame}. */
  public void blockComes(int node, Flow block) {
    blocksComing.get(node).add(block);
  }

  /** A block of HDFS has come into a node, or comes no more. */
  public void blockCame(int node, Flow block) {
    blocksComing.get(node).remove(block);
  }

  /** Bytes of blocks of HDFS that a node receives a second now, from a writer on it, too. */
  public double receivingBlocks(int node) {
    double bytesPerSec = 0;
    for (Flow block : blocksComing.get(node)) {
      bytesPerSec += block.bytesPerSec();
    }
    return bytesPerSec;
  }

  /** A transfer out of a node begins (+1) or ends (-1). */
  public void reading(int node, int change) {
    readers[node] += change;
    whenWorkChanges.forEach(listener -> listener.accept(node));
  }

  public int readers(int node) {
    return readers[node];
  }

  public int writers(int node) {
    return writers[node];
  }

  /** A node has stored a replica. */
  public void store(int node, double sizeBytes) {
    usedBytes[node] += sizeBytes;
    blocks[node]++;
  }

  /** A node has deleted a replica. */
  public void drop(int node, double sizeBytes) {
    usedBytes[node] -= sizeBytes;
    blocks[node]--;
  }

  public double usedBytes(int node) {
    return usedBytes[node];
  }

  public long blocks(int node) {
    return blocks[node];
  }

  public double freeBytes(int node) {
    return capacityBytes[node] - usedBytes[node];
  }

  /** Used part of a node's storage, 0 to 1. */
  public double usedFraction(int node) {
    return capacityBytes[node] == 0 ? 1 : Math.min(1, usedBytes[node] / capacityBytes[node]);
  }

  /** From now on a node's own work takes this much of its link, and leaves the rest. */
  public void occupy(int node, double inBytesPerSec, double outBytesPerSec, long nowNanos) {
    double capacity = links.hostCapacity();
    double in = Math.min(capacity, inBytesPerSec);
    double out = Math.min(capacity, outBytesPerSec);
    rxWork.change(node, in, nowNanos);
    txWork.change(node, out, nowNanos);
    network.setCapacity(links.hostRx(node), capacity - in);
    network.setCapacity(links.hostTx(node), capacity - out);
  }

  /** Share of what a rack's nodes may receive that their own work takes, 0 to 1. */
  public double occupied(int rack) {
    double taken = 0;
    for (int node = topology.firstNode(rack); node < topology.firstNode(rack + 1); node++) {
      taken += rxWork.bytesPerSec[node];
    }
    return taken / (links.hostCapacity() * topology.rackSize(rack));
  }

  /** What nodes move besides what the network carries for others, one direction of it. */
  private static final class OwnWork {
    final double[] bytesPerSec;
    final double[] bytes;
    final long[] sinceNanos;

    OwnWork(int nodes) {
      bytesPerSec = new double[nodes];
      bytes = new double[nodes];
      sinceNanos = new long[nodes];
    }

    void change(int node, double rate, long nowNanos) {
      bytes[node] = bytesUntil(node, nowNanos);
      sinceNanos[node] = nowNanos;
      bytesPerSec[node] = rate;
    }

    double bytesUntil(int node, long nowNanos) {
      return bytes[node] + bytesPerSec[node] * (nowNanos - sinceNanos[node]) / 1e9;
    }
  }

  /** Bytes that a node's link has received: its own and its share of the whole rack's. */
  public double receivedBytes(int node, long nowNanos) {
    int rack = topology.rackOf(node);
    double whole =
        network.carriedBytes(links.rackDown(rack))
            - network.carriedBytes(links.nodesDown(rack))
            + network.carriedBytes(links.poolRx(rack));
    return network.carriedBytes(links.hostRx(node))
        + share(whole, rack)
        + rxWork.bytesUntil(node, nowNanos);
  }

  /** Bytes that a node's link has sent. */
  public double sentBytes(int node, long nowNanos) {
    int rack = topology.rackOf(node);
    double whole =
        network.carriedBytes(links.rackUp(rack))
            - network.carriedBytes(links.nodesUp(rack))
            + network.carriedBytes(links.poolTx(rack));
    return network.carriedBytes(links.hostTx(node))
        + share(whole, rack)
        + txWork.bytesUntil(node, nowNanos);
  }

  /** Bytes per second that a node receives now. */
  public double receiving(int node) {
    int rack = topology.rackOf(node);
    double whole =
        network.load(links.rackDown(rack))
            - network.load(links.nodesDown(rack))
            + network.load(links.poolRx(rack));
    return network.load(links.hostRx(node)) + share(whole, rack) + rxWork.bytesPerSec[node];
  }

  /** Bytes per second that a node sends now. */
  public double sending(int node) {
    int rack = topology.rackOf(node);
    double whole =
        network.load(links.rackUp(rack))
            - network.load(links.nodesUp(rack))
            + network.load(links.poolTx(rack));
    return network.load(links.hostTx(node)) + share(whole, rack) + txWork.bytesPerSec[node];
  }

  /** A node's part of what its whole rack moves; rounding may leave less than nothing. */
  private double share(double whole, int rack) {
    return Math.max(0, whole) / topology.rackSize(rack);
  }
}
