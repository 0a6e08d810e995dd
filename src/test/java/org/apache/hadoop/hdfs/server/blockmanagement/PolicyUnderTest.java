package org.apache.hadoop.hdfs.server.blockmanagement;

import java.util.Arrays;
import org.apache.hadoop.conf.Configuration;
import org.rackweave.eafr.DestinationOdds;
import org.rackweave.eafr.LotteryPlacement;
import org.rackweave.eafr.RackRule;
import org.rackweave.eafr.RepairPlacement;
import org.rackweave.eafr.RepairRotation;
import org.rackweave.eafr.ReplicaChoice;
import org.rackweave.eafr.Servers;
import org.rackweave.hdfs.ConfigKeys;
import org.rackweave.hdfs.ConfiguredRules;
import org.rackweave.hdfs.FeatureModes;
import org.rackweave.hdfs.Mode;
import org.rackweave.hdfs.RemovedKeys;
import org.rackweave.hdfs.eafr.Destinations;
import org.rackweave.hdfs.namenode.PlacementContext;

/** Every policy of ours, and each way in which it places a block, for tests that hold for all. */
enum PolicyUnderTest {
  SINBAD,
  SINBAD_DISTINCT_RACKS,
  EAR,
  EAR_BY_SINBAD,
  EAFR,
  DAYU,
  /** All features at once. */
  ALL,
  /** All but Sinbad: stripes among hot servers. */
  ALL_BUT_LINKS;

  void configure(Configuration conf) {
    switch (this) {
      case SINBAD_DISTINCT_RACKS -> conf.set(ConfigKeys.SPREAD, "distinct-racks");
      case EAR -> conf.set(ConfiguredRules.CODES, "/=rs-3-2");
      case EAR_BY_SINBAD -> {
        conf.set(ConfiguredRules.CODES, "/=rs-3-2");
        conf.set(RemovedKeys.EAR_RANKING, "sinbad");
      }
      case ALL -> conf.set(ConfiguredRules.CODES, "/=rs-3-2");
      case ALL_BUT_LINKS -> {
        conf.set(ConfiguredRules.CODES, "/=rs-3-2");
        conf.set(ConfigKeys.MODE, "active placement=off");
      }
      default -> {}
    }
  }

  /** Whether it draws hot servers by their odds. */
  boolean hasOdds() {
    return this == EAFR || this == ALL || this == ALL_BUT_LINKS;
  }

  /** The modes in which it is what its name says. */
  FeatureModes modes() {
    FeatureModes active = FeatureModes.all(Mode.ACTIVE);
    return this == ALL_BUT_LINKS ? active.with("placement=off") : active;
  }

  /** Lets every DataNode that the snapshot knows take part in EAFR's lottery. */
  void publish(PlacementContext context) {
    if (hasOdds()) {
      publish(context, Servers.of(context.state().topology(), 10).build());
    }
  }

  static void publish(PlacementContext context, Servers servers) {
    double[] speeds = new double[servers.topology().nodeCount()];
    Arrays.fill(speeds, 1);
    context.setDestinations(
        new Destinations(
            servers,
            new LotteryPlacement(DestinationOdds.of(servers, speeds, 0.5, 0), 16, 64),
            new ReplicaChoice(servers, RackRule.hdfs(servers.topology()), 1, 0),
            null,
            new RepairPlacement(servers, 0, new RepairRotation(), 64),
            null));
  }

  RackweaveBlockPlacementPolicy policy(FakeDataNodes cluster) {
    RackweaveBlockPlacementPolicy policy =
        switch (this) {
          case SINBAD, SINBAD_DISTINCT_RACKS -> new SinbadBlockPlacementPolicy();
          case EAR, EAR_BY_SINBAD -> new EarBlockPlacementPolicy();
          case EAFR -> new EafrBlockPlacementPolicy();
          case DAYU -> new DayuBlockPlacementPolicy();
          case ALL, ALL_BUT_LINKS -> new RackweaveBlockPlacementPolicy();
        };
    policy.initialize(cluster.conf, cluster, cluster.topology, new Host2NodesMap());
    return policy;
  }
}
