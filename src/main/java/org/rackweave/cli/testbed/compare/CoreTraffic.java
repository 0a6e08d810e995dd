package org.rackweave.cli.testbed.compare;

import java.io.IOException;
import java.util.Map;
import org.rackweave.cli.testbed.Counters;
import org.rackweave.cli.testbed.LinkBytes;
import org.rackweave.cli.testbed.compare.worker.Report.Done;

/**
 * What had left racks at a moment.
 *
 * @param counters of all links
 * @param backgroundUpBytes background load that had reached the sink
 * @param backgroundDownBytes background load that had reached racks
 */
record CoreTraffic(Counters counters, long backgroundUpBytes, long backgroundDownBytes) {
  /** Shapers count frames, of which 1,448 of 1,514 bytes are what is sent. */
  private static final double FRAME_OVER_PAYLOAD = 1514.0 / 1448;

  static CoreTraffic now(Session session) throws IOException, InterruptedException {
    Map<String, Long> received = session.workers().receivedBytes();
    long upBytes = received.get(session.layout().sink().name());
    long all = received.values().stream().mapToLong(Long::longValue).sum();
    return new CoreTraffic(session.testbed().counters(), upBytes, all - upBytes);
  }

  /** Bytes that left racks since then, background load not counted. */
  long since(CoreTraffic before) {
    long bytes = 0;
    for (Map.Entry<Integer, LinkBytes> uplink : counters.uplinks().entrySet()) {
      bytes += uplink.getValue().since(before.counters().uplinks().get(uplink.getKey())).txBytes();
    }
    long background = backgroundUpBytes - before.backgroundUpBytes();
    return bytes - onTheWire(background);
  }

  /** Bytes on the wire of so many that are sent. */
  static long onTheWire(double bytes) {
    return (long) (bytes * FRAME_OVER_PAYLOAD);
  }

  /** What of an operation's bytes fell into that time, as if it had sent evenly. */
  static double part(Done one, long fromUs, long toUs) {
    double inside = Math.min(one.endUs(), toUs) - (double) Math.max(one.startUs(), fromUs);
    return one.sizeBytes() * Math.max(0, inside / Math.max(1, one.endUs() - one.startUs()));
  }
}
