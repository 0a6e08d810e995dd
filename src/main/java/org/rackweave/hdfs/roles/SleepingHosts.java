package org.rackweave.hdfs.roles;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.server.blockmanagement.HostConfigManager;
import org.apache.hadoop.hdfs.server.blockmanagement.HostFileManager;
import org.apache.hadoop.util.ReflectionUtils;
import org.rackweave.hdfs.ConfigKeys;

/**
 * The operator's rules for hosts, and on top of them maintenance for DataNodes that sleep: name it
 * in {@code dfs.namenode.hosts.provider.classname}, and what that was before in {@code
 * rackweave.eafr.hosts.provider}. Includes, excludes and upgrade domains are the operator's alone,
 * and of two maintenances the longer one counts.
 *
 * <p>HDFS makes one a NameNode, before there is a namespace to read records from; {@link
 * #setMaintenance} is told of them when the image has been loaded. Until then, and without
 * Rackweave's plugin, it is the operator's rules and nothing else. Thread-safe.
 */
public final class SleepingHosts extends HostConfigManager {
  private HostConfigManager operators;
  private volatile Map<String, Long> untilMs = Map.of();

  /** Built by HDFS through reflection. */
  public SleepingHosts() {}

  /**
   * @throws IllegalArgumentException naming the key, the value and what is allowed
   */
  @Override
  public synchronized void setConf(Configuration conf) {
    if (conf == null) {
      return;
    }
    if (operators == null) {
      operators = operators(conf);
    } else {
      // The next refresh reads other files; another kind of files takes a restart, as in stock.
      operators.setConf(conf);
    }
  }

  private static HostConfigManager operators(Configuration conf) {
    String name = conf.getTrimmed(ConfigKeys.EAFR_HOSTS_PROVIDER, HostFileManager.class.getName());
    Class<?> type = conf.getClassByNameOrNull(name);
    if (type == null
        || !HostConfigManager.class.isAssignableFrom(type)
        || type == SleepingHosts.class) {
      throw new IllegalArgumentException(
          ConfigKeys.EAFR_HOSTS_PROVIDER
              + " = '"
              + name
              + "': allowed is what "
              + DFSConfigKeys.DFS_NAMENODE_HOSTS_PROVIDER_CLASSNAME_KEY
              + " may be without Rackweave, such as "
              + HostFileManager.class.getName());
    }
    return (HostConfigManager) ReflectionUtils.newInstance(type, conf);
  }

  @Override
  public synchronized Configuration getConf() {
    return operators == null ? null : operators.getConf();
  }

  /** The operator's own rules. */
  synchronized HostConfigManager operators() {
    return operators;
  }

  /**
   * Says which DataNodes are in maintenance because they sleep.
   *
   * @param expiryMs by UUID when HDFS ceases to wait for one, wall clock
   */
  void setMaintenance(Map<String, Long> expiryMs) {
    untilMs = Map.copyOf(expiryMs);
  }

  /** When HDFS ceases to wait for a DataNode that sleeps, 0 for one that does not. */
  long sleepsUntilMs(String uuid) {
    return uuid == null ? 0 : untilMs.getOrDefault(uuid, 0L);
  }

  @Override
  public long getMaintenanceExpirationTimeInMS(DatanodeID datanode) {
    return Math.max(
        operators().getMaintenanceExpirationTimeInMS(datanode),
        sleepsUntilMs(datanode.getDatanodeUuid()));
  }

  /** Not while it sleeps: it is woken first, and drained when it is there to be copied from. */
  @Override
  public boolean isExcluded(DatanodeID datanode) {
    return sleepsUntilMs(datanode.getDatanodeUuid()) == 0 && operators().isExcluded(datanode);
  }

  @Override
  public Iterable<InetSocketAddress> getIncludes() {
    return operators().getIncludes();
  }

  @Override
  public Iterable<InetSocketAddress> getExcludes() {
    return operators().getExcludes();
  }

  @Override
  public boolean isIncluded(DatanodeID datanode) {
    return operators().isIncluded(datanode);
  }

  @Override
  public void refresh() throws IOException {
    operators().refresh();
  }

  @Override
  public String getUpgradeDomain(DatanodeID datanode) {
    return operators().getUpgradeDomain(datanode);
  }
}
