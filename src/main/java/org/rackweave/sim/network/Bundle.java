package org.rackweave.sim.network;

import java.util.PriorityQueue;

/** Flows that cross the same links, and therefore always run at the same rate. */
final class Bundle {
  final Path path;
  final Link[] links;

  /** Where each link keeps this bundle. */
  final int[] slots;

  private final PriorityQueue<Flow> flows = new PriorityQueue<>();
  final IndexedHeap.Entry<Bundle> finish = new IndexedHeap.Entry<>(this);

  /** Bytes per second of each flow. */
  double rate;

  /** Bytes per second that the links count: of all flows but those not yet settled. */
  double load;

  int flowCount;

  /** Flows within the load. */
  int settledFlows;

  /** The link whose level is the rate; {@code null} before the first settlement. */
  Link limit;

  /** What each flow has received is the limit's service plus this. */
  private double baseBytes;

  /** Sum over the flows of their size less {@link Flow#endsAtBytes}. */
  private double offsetBytes;

  /** Scratch of {@link FairShares}. */
  int stamp;

  boolean isFixed;
  double newRate;
  Link newLimit;
  Bundle nextHeld;

  Bundle(Path path, Link[] links) {
    this.path = path;
    this.links = links;
    slots = new int[links.length];
  }

  void add(Flow flow) {
    flows.add(flow);
    flowCount++;
    offsetBytes += flow.sizeBytes() - flow.endsAtBytes;
  }

  void remove(Flow flow) {
    if (flows.remove(flow)) {
      flowCount--;
      offsetBytes -= flow.sizeBytes() - flow.endsAtBytes;
    }
  }

  /** The flow that ends first. */
  Flow first() {
    return flows.peek();
  }

  Iterable<Flow> flows() {
    return flows;
  }

  /** Bytes that a flow as old as the bundle has received. */
  double servedBytes(long nowNanos) {
    return limit == null ? baseBytes : limit.serviceBytes(nowNanos) + baseBytes;
  }

  /** Bytes that the flows there are have received. */
  double receivedBytes(long nowNanos) {
    return flowCount * servedBytes(nowNanos) + offsetBytes;
  }

  /** Lets another link limit the bundle from now on. */
  void moveTo(Link newLimit, long nowNanos) {
    double served = servedBytes(nowNanos);
    if (limit != null) {
      limit.finishing.remove(finish);
    }
    limit = newLimit;
    baseBytes = served - newLimit.serviceBytes(nowNanos);
    queue();
  }

  /** Tells the limiting link when the first flow ends. */
  void queue() {
    if (limit == null) {
      return;
    }
    if (flowCount == 0) {
      limit.finishing.remove(finish);
    } else {
      limit.finishing.put(finish, flows.peek().endsAtBytes - baseBytes);
    }
  }
}
