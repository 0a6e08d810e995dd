package org.rackweave.hdfs.eafr;

import org.rackweave.eafr.DestinationOdds;
import org.rackweave.eafr.LotteryPlacement;
import org.rackweave.eafr.RackRule;
import org.rackweave.eafr.RepairPlacement;
import org.rackweave.eafr.RepairRotation;
import org.rackweave.eafr.ReplicaChoice;
import org.rackweave.eafr.Servers;
import org.rackweave.hdfs.EafrConfig;
import org.rackweave.model.ClusterTopology;
import org.rackweave.placement.Admission;
import org.rackweave.placement.ReplicaChooser;

/**
 * Who gets new replicas, who loses them and who sends them, as things stood when it was drawn up.
 * Immutable.
 *
 * @param servers roles, loads and room
 * @param lottery draws the servers of new replicas
 * @param deletion chooses the replica that goes (Eq. 7)
 * @param detector tells which replicas were lost, {@code null} where nobody does
 * @param repair chooses the servers of those (Algorithm 4)
 * @param sources chooses where copies are read, {@code null} where stock HDFS does
 */
public record Destinations(
    Servers servers,
    LotteryPlacement lottery,
    ReplicaChoice deletion,
    RepairDetector detector,
    RepairPlacement repair,
    CopySources sources) {
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
  static Destinations of(
      Servers servers,
      double[] bytesPerSec,
      EafrConfig config,
      RepairDetector detector,
      RepairRotation turns,
      CopySources sources) {
    DestinationOdds odds =
        DestinationOdds.of(servers, bytesPerSec, config.beta(), config.reserveBytes());
    return new Destinations(
        servers,
        new LotteryPlacement(odds, DRAWS_MAX, CANDIDATES_MAX),
        new ReplicaChoice(
            servers, RackRule.hdfs(servers.topology()), HOT_REPLICAS, config.reserveBytes()),
        detector,
        new RepairPlacement(servers, config.reserveBytes(), turns, CANDIDATES_MAX),
        sources);
  }

  /** Whether they are drawn up for the DataNodes that a topology knows. */
  public boolean areOf(ClusterTopology topology) {
    return servers.topology() == topology;
  }

  /** Refuses servers that are not hot, or full, before the host system is asked. */
  public Admission hotOnly(Admission host) {
    return lottery.hotOnly(host);
  }

  /**
   * Who chooses the server of a replica that HDFS's own monitor asks for.
   *
   * @param path of the block's file
   * @param replicas that the block has
   */
  public ReplicaChooser chooser(String path, int replicas) {
    return detector == null ? lottery : detector.chooser(path, replicas, lottery, repair);
  }
}
