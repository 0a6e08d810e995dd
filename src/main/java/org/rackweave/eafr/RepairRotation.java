package org.rackweave.eafr;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Whose turn it is to get a replica that is made again: the counter of Algorithm 4. Thread-safe.
 */
public final class RepairRotation {
  private final AtomicInteger hot = new AtomicInteger();
  private final AtomicInteger standby = new AtomicInteger();

  private AtomicInteger of(ServerRole role) {
    return role == ServerRole.STANDBY ? standby : hot;
  }

  /** Where the circle of a role's servers goes on. */
  int next(ServerRole role) {
    return of(role).get();
  }

  /** The server at a place of the circle has had its turn. */
  void taken(ServerRole role, int place) {
    of(role).set(place + 1);
  }
}
