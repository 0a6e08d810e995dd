package org.rackweave.hdfs.namenode;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.util.VersionInfo;
import org.rackweave.hdfs.ConfigKeys;
import org.rackweave.hdfs.ConfiguredRules;
import org.rackweave.hdfs.erasure.RackweaveRawErasureCoderFactory;

/** What an operator should know of the policy and the Hadoop that a NameNode starts with. */
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
          "its preference for emptier DataNodes (those more than a tenth fuller than the mean get"
              + " no replicas from Rackweave)",
          PACKAGE + "AvailableSpaceRackFaultTolerantBlockPlacementPolicy",
          "its preference for emptier DataNodes and one rack per replica"
              + " (rackweave.sinbad.spread=distinct-racks spreads replicas over racks)",
          PACKAGE + "BlockPlacementPolicyRackFaultTolerant",
          "one rack per replica (rackweave.sinbad.spread=distinct-racks spreads replicas over"
              + " racks)",
          PACKAGE + "BlockPlacementPolicyWithUpgradeDomain",
          "its rule for deleting replicas and for the Balancer; writes keep replicas in distinct"
              + " upgrade domains",
          PACKAGE + "BlockPlacementPolicyWithNodeGroup",
          "node groups: Rackweave takes each node group for a rack");

  static final Set<String> OURS = Set.of(RACKWEAVE, SINBAD, EAR, DAYU, EAFR);

  /** What else settings of HDFS name that is not in our own package. */
  private static final Set<String> OTHERS =
      Set.of(
          "org.apache.hadoop.hdfs.DegradedReadFileSystem",
          "org.apache.hadoop.fs.DegradedReadHdfs",
          RackweaveRawErasureCoderFactory.CODER_NAME);

  /** Versions of Hadoop that all tests run on. */
  private static final Set<String> TESTED = Set.of("3.4.3", "3.5.0");

  private PolicyAdvice() {}

  /** The version of Hadoop where it is none of those that are tested, empty otherwise. */
  static String unknownHadoop() {
    return TESTED.contains(VersionInfo.getVersion()) ? "" : VersionInfo.getVersion();
  }

  /** The policy in force, by its class name. */
  static String policy(Configuration conf) {
    return conf.getTrimmed(
        DFSConfigKeys.DFS_BLOCK_REPLICATOR_CLASSNAME_KEY,
        DFSConfigKeys.DFS_BLOCK_REPLICATOR_CLASSNAME_DEFAULT.getName());
  }

  /** Keys by which HDFS has Rackweave's classes. */
  static Map<String, String> oursIn(Configuration conf) {
    Map<String, String> ours = new TreeMap<>();
    for (Map.Entry<String, String> entry : conf) {
      String key = entry.getKey();
      String value = entry.getValue();
      if (!key.startsWith("rackweave.")
          && (value.contains("org.rackweave")
              || Stream.concat(OURS.stream(), OTHERS.stream()).anyMatch(value::contains))) {
        ours.put(key, value.trim());
      }
    }
    String roles = conf.getTrimmed(ConfigKeys.EAFR_ROLES, "off");
    if (!roles.equals("off")) {
      ours.put(ConfigKeys.EAFR_ROLES, roles);
    }
    return ours;
  }

  /** One sentence for the log. */
  static String of(Configuration conf) {
    String policy = policy(conf);
    if (policy.equals(RACKWEAVE)) {
      return "all features take part in placement, according to their modes";
    }
    if (policy.equals(SINBAD)) {
      return "new blocks are placed by the network";
    }
    if (policy.equals(EAR)) {
      return "new blocks of " + ConfiguredRules.CODES + " are placed for their stripes";
    }
    if (policy.equals(DAYU)) {
      return "new blocks are placed by stock HDFS, lost replicas by Dayu according to the mode of"
          + " recovery";
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
