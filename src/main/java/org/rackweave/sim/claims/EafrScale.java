package org.rackweave.sim.claims;

import org.rackweave.sim.claims.ClaimStudy.Plan;
import org.rackweave.sim.engine.Streams;
import org.rackweave.sim.reading.ServerPark;
import org.rackweave.sim.reading.TracedFiles;

/**
 * The paper's cluster, files and rates, or a part of each, so that a server has as much to do.
 *
 * @param part one in so many servers, files and askings
 */
record EafrScale(int part) {
  private static final int QUICK_PART = 5;
  private static final int RACKS = 10;
  private static final int SERVERS_PER_RACK = 30;

  static EafrScale of(Plan plan) {
    return new EafrScale(plan.isQuick() ? QUICK_PART : 1);
  }

  ServerPark park(long seed) {
    return ServerPark.drawn(RACKS, SERVERS_PER_RACK / part, new Streams(seed).of("servers"));
  }

  TracedFiles files(long seed, double sizeExponent) {
    return TracedFiles.drawn(
        TracedFiles.PAPER_FILES / part,
        TracedFiles.PAPER_READ_FILES / part,
        sizeExponent,
        new Streams(seed).of("files"));
  }

  double of(double perSec) {
    return perSec / part;
  }
}
