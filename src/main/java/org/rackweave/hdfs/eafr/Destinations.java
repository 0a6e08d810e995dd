package org.rackweave.hdfs.eafr;

import org.rackweave.eafr.DestinationOdds;
import org.rackweave.eafr.LotteryPlacement;
import org.rackweave.eafr.RackRule;
import org.rackweave.eafr.ReplicaChoice;
import org.rackweave.eafr.Servers;
import org.rackweave.hdfs.EafrConfig;
import org.rackweave.placement.ReplicaChooser;

/**
 * Who gets new replicas and who loses them, as things stood when it was drawn up. Immutable.
 *
 * @param servers roles, loads and room
 * @param lottery draws the servers of new replicas
 * @param deletion chooses the replica that goes (Eq. 7)
 */
public record Destinations(Servers servers, ReplicaChooser lottery, ReplicaChoice deletion) {
  /** Draws for a replica before all servers are looked through. */
  private static final int DRAWS_MAX = 16;

  /** Refused servers after which stock placement acts. */
  private static final int CANDIDATES_MAX = 64;

  /** HDFS asks which replica goes only when one is to go; one stays on a hot server. */
  private static final int HOT_REPLICAS = 1;

  /**
   * Draws up the odds, in O(n log n).
   *
   * @param bytesPerSec expected transfer speed to each server
   */
  static Destinations of(Servers servers, double[] bytesPerSec, EafrConfig config) {
    DestinationOdds odds =
        DestinationOdds.of(servers, bytesPerSec, config.beta(), config.reserveBytes());
    return new Destinations(
        servers,
        new LotteryPlacement(odds, DRAWS_MAX, CANDIDATES_MAX),
        new ReplicaChoice(
            servers, RackRule.hdfs(servers.topology()), HOT_REPLICAS, config.reserveBytes()));
  }
}
