package org.rackweave.sim.reading;

import org.rackweave.model.PowerState;

/** How a cluster keeps replicas and sends readers to them. */
public interface ReadSystem {
  /** Places the replicas that are there from the start. */
  void begin();

  /**
   * The server that a reader is sent to.
   *
   * @param reader its node
   */
  int serverFor(int file, int reader);

  /** Some reads of a file have been sent to a server. */
  default void sent(int file, int server, int reads) {}

  /**
   * A server's heartbeat.
   *
   * @param reads under way and waiting there
   */
  default void reported(int server, int reads) {}

  /** All servers have sent their heartbeats. */
  default void allReported() {}

  /**
   * An interval T is over.
   *
   * @param peaks of each server the most reads that a heartbeat in it told of; do not modify
   */
  default void endInterval(int[] peaks) {}

  /** What a server does with its processor. */
  default PowerState power(int server) {
    return PowerState.ON;
  }

  /** Bytes of replicas on their way to each server. */
  long[] underWayBytes();
}
