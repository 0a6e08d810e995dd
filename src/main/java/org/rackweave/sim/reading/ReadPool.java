package org.rackweave.sim.reading;

import org.rackweave.model.ClusterTopology;
import org.rackweave.sim.engine.Event;
import org.rackweave.sim.engine.EventLoop;
import org.rackweave.sim.engine.SimTime;

/**
 * All servers' reads on one clock. A read costs a round trip beside what its server makes it wait.
 */
final class ReadPool {
  /**
   * The response: HDFS sends a block in packets of 64 KiB ({@code BlockSender}), the reader has a
   * response with the first.
   */
  static final long RESPONSE_BYTES = 64 << 10;

  /** Round trips inside a rack and between racks; the usual orders of magnitude. */
  private static final long SAME_RACK_NANOS = SimTime.NANOS_PER_MS / 10;

  private static final long OTHER_RACK_NANOS = SimTime.NANOS_PER_MS / 2;

  private final EventLoop loop;
  private final ClusterTopology topology;
  private final ReadServer[] servers;
  private final Event[] next;
  private final boolean[] isTouched;
  private final int[] touched;
  private int touchedCount;
  private LatencyLog latencies = new LatencyLog(0);
  private Watcher watcher = server -> {};
  private long arrived;
  private long answered;
  private int lastChanged;

  /** Hears of servers whose reads have changed. */
  @FunctionalInterface
  interface Watcher {
    void changed(int server);
  }

  ReadPool(EventLoop loop, ServerPark park) {
    this.loop = loop;
    topology = park.topology();
    servers = new ReadServer[park.servers()];
    next = new Event[servers.length];
    isTouched = new boolean[servers.length];
    touched = new int[servers.length];
    for (int server = 0; server < servers.length; server++) {
      servers[server] =
          new ReadServer(
              park.places()[server], park.linkBytesPerSec(), RESPONSE_BYTES, this::answered);
    }
    loop.require("places", () -> servers[lastChanged].fault());
  }

  /** Counts the responses to come in another log. */
  void log(LatencyLog latencies) {
    this.latencies = latencies;
  }

  void watch(Watcher watcher) {
    this.watcher = watcher;
  }

  /** A reader asks a server; what it sets off happens with {@link #settle}. */
  void ask(int server, int reader, double sizeBytes) {
    long now = loop.nowNanos();
    arrived++;
    servers[server].arrive(now, now - roundTrip(server, reader), sizeBytes);
    if (!isTouched[server]) {
      isTouched[server] = true;
      touched[touchedCount++] = server;
    }
  }

  private long roundTrip(int server, int reader) {
    if (server == reader) {
      return 0;
    }
    boolean isNear = topology.rackOf(server) == topology.rackOf(reader);
    return isNear ? SAME_RACK_NANOS : OTHER_RACK_NANOS;
  }

  /** Once the reads of this moment have been asked. */
  void settle() {
    for (int i = 0; i < touchedCount; i++) {
      isTouched[touched[i]] = false;
      changed(touched[i]);
    }
    touchedCount = 0;
  }

  private void changed(int server) {
    lastChanged = server;
    long due = servers[server].nextEndNanos();
    Event known = next[server];
    // One that comes too early finds nothing to end; to move it with every read costs more.
    if (known == null || !known.isPending() || known.timeNanos() > due) {
      if (known != null) {
        known.cancel();
      }
      next[server] = due == Long.MAX_VALUE ? null : loop.at(due, () -> end(server));
    }
    watcher.changed(server);
  }

  private void end(int server) {
    servers[server].settle(loop.nowNanos());
    changed(server);
  }

  private void answered(long askedNanos, long answeredNanos) {
    answered++;
    latencies.add(answeredNanos - askedNanos);
  }

  int serving(int server) {
    return servers[server].serving();
  }

  /** Reads under way and waiting, the paper's h. */
  int reads(int server) {
    return servers[server].serving() + servers[server].waiting();
  }

  /** Part of a server's places that are taken. */
  double utilisation(int server) {
    return servers[server].serving() / (double) servers[server].places();
  }

  long arrived() {
    return arrived;
  }

  /** Reads that have had their response. */
  long answered() {
    return answered;
  }

  long ended() {
    long sum = 0;
    for (ReadServer server : servers) {
      sum += server.ended();
    }
    return sum;
  }

  long waiting() {
    long sum = 0;
    for (ReadServer server : servers) {
      sum += server.waiting();
    }
    return sum;
  }

  /** What is wrong with all reads together, or {@code null}: each is in one place. */
  String fault() {
    long serving = 0;
    for (ReadServer server : servers) {
      serving += server.serving();
    }
    long seen = ended() + waiting() + serving;
    if (seen != arrived) {
      return arrived + " reads arrived and " + seen + " are ended, waiting or served";
    }
    return answered <= arrived - waiting() && answered >= ended()
        ? null
        : answered + " of " + arrived + " reads answered, " + waiting() + " waiting";
  }
}
