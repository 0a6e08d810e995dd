package org.rackweave.hdfs.roles;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.server.blockmanagement.CombinedHostFileManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rackweave.hdfs.ConfigKeys;

/** The operator's rules, with and without servers that sleep. */
class SleepingHostsTest {
  private static final long UNTIL_MS = 5000;
  private static final DatanodeID SLEEPER = datanode("127.0.0.1", "sleeper");
  private static final DatanodeID OTHER = datanode("127.0.0.2", "other");

  @TempDir Path directory;

  private static DatanodeID datanode(String address, String uuid) {
    return new DatanodeID(address, "host-of-" + uuid, uuid, 9866, 9864, 9865, 9867);
  }

  private Configuration conf() {
    Configuration conf = new Configuration(false);
    conf.set(DFSConfigKeys.DFS_HOSTS, directory.resolve("include").toString());
    conf.set(DFSConfigKeys.DFS_HOSTS_EXCLUDE, directory.resolve("exclude").toString());
    return conf;
  }

  private SleepingHosts hosts(Configuration conf) throws Exception {
    SleepingHosts hosts = new SleepingHosts();
    hosts.setConf(conf);
    hosts.refresh();
    hosts.setMaintenance(Map.of("sleeper", UNTIL_MS));
    return hosts;
  }

  @Test
  void includesAndExcludesAreTheOperatorsButWhoSleepsIsNotDrained() throws Exception {
    Files.writeString(directory.resolve("include"), "127.0.0.1\n127.0.0.2\n");
    Files.writeString(directory.resolve("exclude"), "127.0.0.1\n127.0.0.2\n");
    SleepingHosts hosts = hosts(conf());
    assertTrue(hosts.isIncluded(SLEEPER) && hosts.isIncluded(OTHER));
    assertFalse(hosts.isIncluded(datanode("127.0.0.3", "stranger")));
    assertTrue(hosts.isExcluded(OTHER));
    assertFalse(hosts.isExcluded(SLEEPER));
    assertTrue(hosts.operators().isExcluded(SLEEPER));
    assertEquals(UNTIL_MS, hosts.getMaintenanceExpirationTimeInMS(SLEEPER));
    assertEquals(0, hosts.getMaintenanceExpirationTimeInMS(OTHER));
    hosts.setMaintenance(Map.of());
    assertTrue(hosts.isExcluded(SLEEPER));
    assertEquals(0, hosts.getMaintenanceExpirationTimeInMS(SLEEPER));
  }

  @Test
  void theLongerMaintenanceCountsAndUpgradeDomainsAreKept() throws Exception {
    Files.writeString(
        directory.resolve("include"),
        "[{\"hostName\":\"127.0.0.1\",\"adminState\":\"IN_MAINTENANCE\","
            + "\"maintenanceExpireTimeInMS\":7000},"
            + "{\"hostName\":\"127.0.0.2\",\"upgradeDomain\":\"ud1\"}]");
    Configuration conf = conf();
    conf.set(ConfigKeys.EAFR_HOSTS_PROVIDER, CombinedHostFileManager.class.getName());
    SleepingHosts hosts = hosts(conf);
    assertEquals(7000, hosts.getMaintenanceExpirationTimeInMS(SLEEPER));
    hosts.setMaintenance(Map.of("sleeper", 9000L));
    assertEquals(9000, hosts.getMaintenanceExpirationTimeInMS(SLEEPER));
    assertEquals("ud1", hosts.getUpgradeDomain(OTHER));
  }

  @Test
  void aRefreshReadsTheFilesThatTheNewConfigurationNames() throws Exception {
    Files.writeString(directory.resolve("include"), "");
    Files.writeString(directory.resolve("exclude"), "");
    SleepingHosts hosts = hosts(conf());
    assertFalse(hosts.isExcluded(OTHER));
    Configuration changed = conf();
    Path elsewhere = directory.resolve("elsewhere");
    Files.writeString(elsewhere, "127.0.0.2\n");
    changed.set(DFSConfigKeys.DFS_HOSTS_EXCLUDE, elsewhere.toString());
    hosts.setConf(changed);
    hosts.refresh();
    assertTrue(hosts.isExcluded(OTHER));
    assertEquals(UNTIL_MS, hosts.getMaintenanceExpirationTimeInMS(SLEEPER));
  }

  @Test
  void refusesAProviderThatIsNone() {
    for (String bad : new String[] {"no.such.Class", "java.lang.String", name()}) {
      Configuration conf = conf();
      conf.set(ConfigKeys.EAFR_HOSTS_PROVIDER, bad);
      String message =
          assertThrows(IllegalArgumentException.class, () -> new SleepingHosts().setConf(conf))
              .getMessage();
      assertTrue(
          message.startsWith("rackweave.eafr.hosts.provider = '" + bad + "': allowed is"), message);
    }
  }

  private static String name() {
    return SleepingHosts.class.getName();
  }
}
