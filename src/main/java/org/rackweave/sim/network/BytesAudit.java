package org.rackweave.sim.network;

/**
 * Looks for bytes that were lost or made: what a link has carried, its load added up over time, is
 * what the flows that crossed it have received, each at the pace of the link that limits it. The
 * two sums share no step.
 *
 * <p>Looking at every link after every event would cost more than the simulation. One link is
 * looked at after each event, in turn; what is lost stays lost, so it is found one round later.
 */
final class BytesAudit {
  /** Rounding allowed, as a fraction of the bytes. */
  private static final double TOLERANCE = 1e-6;

  /** The end of a flow is rounded to a hundredth of a byte and up to the next nanosecond. */
  private static final double FLOW_END_BYTES = 0.01;

  private static final double FLOW_END_SECONDS = 2e-9;

  private static final double TOLERANCE_BYTES = 1;

  private final Link[] links;
  private int next;

  BytesAudit(Link[] links) {
    this.links = links;
  }

  /** What is wrong with the next link, or {@code null}. */
  String faultOfNext(long nowNanos) {
    Link link = links[next];
    next = next + 1 == links.length ? 0 : next + 1;
    double carried = link.carriedBytes(nowNanos);
    double received = link.endedFlowsBytes;
    for (int i = 0; i < link.bundleCount; i++) {
      received += link.bundles[i].receivedBytes(nowNanos);
    }
    double perFlow = FLOW_END_BYTES + FLOW_END_SECONDS * link.capacity;
    double slack = TOLERANCE_BYTES + TOLERANCE * carried + perFlow * link.endedFlows;
    return Math.abs(carried - received) <= slack
        ? null
        : "link " + link.id + " carried " + carried + " B, its flows received " + received + " B";
  }
}
