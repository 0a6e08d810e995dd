package org.rackweave.hdfs;

import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;

/**
 * What the operator told the DataNode's agent.
 *
 * @param sampler where the agent reads traffic
 * @param interfaceName network interface to count; empty = the one that carries the address the
 *     DataNode registered with
 * @param linkBytesPerSec capacity of the link in one direction; 0 = what the kernel says
 * @param workThreads orders of the NameNode done at a time; 0 = none
 * @param decodeAddress where clients ask for ranges of lost blocks; empty = nowhere
 * @param decodeThreads clients served at a time
 * @param decodeBytesPerSec most that is read of other DataNodes for all clients together; 0 = no
 *     limit
 * @param pluginNamed whether the DataNode starts {@link #PLUGIN}
 */
public record AgentConfig(
    Sampler sampler,
    String interfaceName,
    long linkBytesPerSec,
    int workThreads,
    Optional<InetSocketAddress> decodeAddress,
    int decodeThreads,
    long decodeBytesPerSec,
    boolean pluginNamed) {

  /** Where the agent reads traffic. */
  public enum Sampler {
    /** {@link #DATANODE} when the registered address is a loopback one, else {@link #NIC}. */
    AUTO,
    /** Counters of the host's network interface. */
    NIC,
    /** The DataNode's own counters, for DataNodes that share an interface. */
    DATANODE
  }

  /** Class that gives the agent the DataNode's own counters. */
  public static final String PLUGIN = "org.rackweave.hdfs.datanode.RackweaveDataNodePlugin";

  private static final long MAX_LINK_BYTES_PER_SEC = 1_000_000_000_000L;
  private static final String NOWHERE = "none";
  private static final Pattern ADDRESS =
      Pattern.compile(
          NOWHERE
              + "|[^\\s/]+:([0-9]{1,4}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]"
              + "|6553[0-5])");
  private static final Pattern INTERFACE_NAME = Pattern.compile("(?!\\.\\.?$)[^\\s/]{1,15}");

  /**
   * Questions to a NameNode at a time: one of each client, and what the agent itself has to say.
   */
  public int questionsMax() {
    return decodeThreads + 2;
  }

  /**
   * @throws IllegalArgumentException naming key, value and allowed range
   */
  public static AgentConfig from(Configuration conf) {
    ConfigReader reader = new ConfigReader(conf);
    return new AgentConfig(
        reader.choice(AgentKeys.SAMPLER, Sampler.AUTO),
        reader.text(
            AgentKeys.INTERFACE,
            "",
            INTERFACE_NAME,
            "the name of a network interface, up to 15 characters without '/' or blanks"),
        reader.wholeNumber(AgentKeys.LINK_BYTES_PER_SEC, 0, 0, MAX_LINK_BYTES_PER_SEC),
        (int) reader.wholeNumber(AgentKeys.WORK_THREADS, 2, 0, 64),
        decodeAddress(reader),
        (int) reader.wholeNumber(AgentKeys.DECODE_THREADS, 8, 1, 1000),
        reader.wholeNumber(AgentKeys.DECODE_BYTES_PER_SEC, 100L << 20, 0, MAX_LINK_BYTES_PER_SEC),
        conf.getTrimmedStringCollection(DFSConfigKeys.DFS_DATANODE_PLUGINS_KEY).contains(PLUGIN));
  }

  private static Optional<InetSocketAddress> decodeAddress(ConfigReader reader) {
    String address =
        reader.text(
            AgentKeys.DECODE_ADDRESS,
            "0.0.0.0:9863",
            ADDRESS,
            "host:port with a port up to 65535, or " + NOWHERE);
    if (address.equals(NOWHERE)) {
      return Optional.empty();
    }
    int colon = address.lastIndexOf(':');
    int port = Integer.parseInt(address.substring(colon + 1));
    return Optional.of(new InetSocketAddress(address.substring(0, colon), port));
  }
}
