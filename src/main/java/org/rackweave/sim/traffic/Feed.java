package org.rackweave.sim.traffic;

import java.util.Iterator;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.rackweave.sim.engine.EventLoop;
import org.rackweave.sim.workload.TimedRequest;

/** Hands requests over when their time comes, one event for all of one moment. */
public final class Feed implements AutoCloseable {
  private final EventLoop loop;
  private final Stream<TimedRequest> requests;
  private final Iterator<TimedRequest> rest;
  private final Consumer<TimedRequest> taker;
  private TimedRequest next;

  /**
   * @param requests by ascending time; closed with the feed
   */
  public Feed(EventLoop loop, Stream<TimedRequest> requests, Consumer<TimedRequest> taker) {
    this.loop = loop;
    this.requests = requests;
    this.rest = requests.iterator();
    this.taker = taker;
  }

  /** Begins; requests of the past, if any, come now. */
  public void start() {
    advance();
  }

  private void advance() {
    next = rest.hasNext() ? rest.next() : null;
    if (next != null) {
      loop.at(Math.max(loop.nowNanos(), next.atNanos()), this::handOver);
    }
  }

  private void handOver() {
    while (next != null && next.atNanos() <= loop.nowNanos()) {
      taker.accept(next);
      next = rest.hasNext() ? rest.next() : null;
    }
    if (next != null) {
      loop.at(next.atNanos(), this::handOver);
    }
  }

  @Override
  public void close() {
    requests.close();
  }
}
