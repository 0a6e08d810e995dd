package org.rackweave.hdfs.namenode;

import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.rackweave.hdfs.ConfiguredRules;

/** What an operator should know about the placement policy in force when the NameNode starts. */
public final class PolicyAdvice {
  /** Class name of the policy with all features. */
  public static final String RACKWEAVE =
      "org.apache.hadoop.hdfs.server.blockmanagement.RackweaveBlockPlacementPolicy";

  /** Class name of Sinbad's policy. */
  public static final String SINBAD =
      "org.apache.hadoop.hdfs.server.blockmanagement.SinbadBlockPlacementPolicy";

  /** Class name of EAR's policy. */
  public static final String EAR =
      "org.apache.hadoop.hdfs.server.blockmanagement.EarBlockPlacementPolicy";

  /** Class name of the policy that does nothing but hold stock's recovery back. */
  public static final String DAYU =
      "org.apache.hadoop.hdfs.server.blockmanagement.DayuBlockPlacementPolicy";

  /** Class name of EAFR's policy. */
  public static final String EAFR =
      "org.apache.hadoop.hdfs.server.blockmanagement.EafrBlockPlacementPolicy";

  private static final String PACKAGE = "org.apache.hadoop.hdfs.server.blockmanagement.";

  private static final Map<String, String> LOST =
      Map.of(
          PACKAGE + "AvailableSpaceBlockPlacementPolicy",
          "its preference for emptier DataNodes (those more than a tenth fuller than the mean get no"
              + " replicas from Rackweave)",
          PACKAGE + "AvailableSpaceRackFaultTolerantBlockPlacementPolicy",
          "its preference for emptier DataNodes and one rack per replica"
              + " (rackweave.sinbad.spread=distinct-racks spreads replicas over racks)",
          PACKAGE + "BlockPlacementPolicyRackFaultTolerant",
          "one rack per replica (rackweave.sinbad.spread=distinct-racks spreads replicas over racks)",
          PACKAGE + "BlockPlacementPolicyWithUpgradeDomain",
          "its rule for deleting replicas and for the Balancer; writes keep replicas in distinct"
              + " upgrade domains",
          PACKAGE + "BlockPlacementPolicyWithNodeGroup",
          "node groups: Rackweave takes each node group for a rack");

  private PolicyAdvice() {}

  /** One sentence for the log. */
  static String of(Configuration conf) {
    String policy =
        conf.getTrimmed(
            DFSConfigKeys.DFS_BLOCK_REPLICATOR_CLASSNAME_KEY,
            DFSConfigKeys.DFS_BLOCK_REPLICATOR_CLASSNAME_DEFAULT.getName());
    if (policy.equals(RACKWEAVE)) {
      return "all features take part in placement, each as its mode says";
    }
    if (policy.equals(SINBAD)) {
      return "new blocks are placed by the network";
    }
    if (policy.equals(EAR)) {
      return "new blocks of " + ConfiguredRules.CODES + " are placed for their stripes";
    }
    if (policy.equals(DAYU)) {
      return "new blocks are placed by stock HDFS, and lost replicas by Dayu as the mode of recovery says";
    }
    if (policy.equals(EAFR)) {
      return "new replicas go to fast and idle DataNodes where "
          + ConfiguredRules.HEAT
          + " is set, and to stock's choice elsewhere";
    }
    String lost = LOST.get(policy);
    return DFSConfigKeys.DFS_BLOCK_REPLICATOR_CLASSNAME_KEY
        + " is "
        + policy
        + ": Rackweave measures but places nothing. To place by the network set it to "
        + RACKWEAVE
        + (lost == null ? "" : "; that would lose " + lost);
  }
}
