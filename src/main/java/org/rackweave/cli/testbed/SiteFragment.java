package org.rackweave.cli.testbed;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.rackweave.hdfs.ConfigKeys;

/** What ships for a policy: the properties in {@code conf/} that a user copies. */
public final class SiteFragment {

  private static final String CONF = "conf";
  private static final String ACTIVE = "active";

  private SiteFragment() {}

  /**
   * The name of a policy's file below the checkout, such as {@code conf/hdfs-site-sinbad.xml}.
   *
   * @throws IllegalArgumentException for stock HDFS, for which nothing ships
   */
  public static String name(TestbedPolicy policy) {
    if (policy == TestbedPolicy.STOCK) {
      throw new IllegalArgumentException("stock HDFS has no settings of Rackweave");
    }
    return CONF + "/hdfs-site-" + policy.label() + ".xml";
  }

  /** The same of the checkout this process was started from. */
  public static Map<String, String> active(TestbedPolicy policy) throws IOException {
    return active(Path.of(System.getProperty("rackweave.home", "")), policy);
  }

  /**
   * All properties of a policy's file, with the mode switched to active and nothing else. The
   * policy itself is left out, since a testbed changes it while it runs.
   *
   * @param home the checkout
   * @throws IOException if there is no such file, or it is of another policy
   */
  static Map<String, String> active(Path home, TestbedPolicy policy) throws IOException {
    Path file = home.toAbsolutePath().resolve(name(policy));
    if (!Files.isReadable(file)) {
      throw new IOException("the settings that ship for " + policy.label() + " are not in " + file);
    }
    Configuration read = new Configuration(false);
    read.addResource(new org.apache.hadoop.fs.Path(file.toUri()));
    Map<String, String> properties = new TreeMap<>();
    try {
      read.forEach(property -> properties.put(property.getKey(), property.getValue()));
    } catch (RuntimeException e) {
      throw new IOException(file + " cannot be read: " + e.getMessage(), e);
    }
    String placed = properties.remove(DFSConfigKeys.DFS_BLOCK_REPLICATOR_CLASSNAME_KEY);
    if (!policy.className().equals(placed)) {
      throw new IOException(
          file
              + ": "
              + DFSConfigKeys.DFS_BLOCK_REPLICATOR_CLASSNAME_KEY
              + " is "
              + placed
              + " in place of "
              + policy.className());
    }
    properties.put(ConfigKeys.MODE, ACTIVE);
    return Map.copyOf(properties);
  }
}
