package org.rackweave.hdfs.hook;

import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.util.Time;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.rackweave.hdfs.ConfigKeys;
import org.rackweave.hdfs.ConfiguredRules;
import org.rackweave.hdfs.RolesConfig;
import org.rackweave.hdfs.namenode.PlacementContext;
import org.rackweave.hdfs.namenode.RackCluster;

/** What a timer of a NameNode has left behind when it does not tick any more. */
@Tag("newest-hadoop")
class HookWatchdogIT {
  private static final long LATE_MS = 61_000;

  @AfterEach
  void noMoreFaults() {
    HookGuard.inject(null);
  }

  @Test
  void stockPlacesAndSortsWhileEafrDoesNotTick() throws Exception {
    Configuration conf = RackCluster.conf();
    conf.set(ConfiguredRules.HEAT, "/data=adapt max=5");
    try (RackCluster cluster = RackCluster.start(conf, 1, 1).awaitCoverage()) {
      PlacementContext context = cluster.context();
      RackCluster.await("EAFR works", () -> context.readRouting() != null);
      long before = HookGuard.failures(Hook.EAFR);
      HookGuard.inject(
          hook -> {
            if (hook == Hook.EAFR) {
              throw new OutOfMemoryError("injected");
            }
          });
      RackCluster.await("a tick fails", () -> HookGuard.failures(Hook.EAFR) > before);

      // What it lets go of is no tick: only ticks are to fail.
      HookGuard.inject(
          hook -> {
            if (Thread.currentThread().getName().equals("rackweave-eafr")) {
              throw new OutOfMemoryError("injected");
            }
          });
      HookWatchdog.look(Time.monotonicNow() + LATE_MS);

      assertNull(context.readRouting());
      assertNull(context.destinations());
      cluster.write("/data/file", 1, 2);

      HookGuard.inject(null);
      RackCluster.await("EAFR works again", () -> context.readRouting() != null);
      assertTrue(HookWatchdog.told() > 0);
    }
  }

  @Test
  void rolesThatAlwaysFailAreLateThoughEafrTicks() throws Exception {
    Configuration conf = RackCluster.conf();
    conf.set(ConfiguredRules.HEAT, "/data=adapt max=5");
    conf.set(ConfigKeys.EAFR_ROLES, "named");
    conf.set(DFSConfigKeys.DFS_NAMENODE_HOSTS_PROVIDER_CLASSNAME_KEY, RolesConfig.HOSTS_PROVIDER);
    try (RackCluster cluster = RackCluster.start(conf, 1, 1).awaitCoverage()) {
      RackCluster.await("EAFR works", () -> cluster.context().readRouting() != null);
      long before = HookGuard.failures(Hook.SERVER_ROLES);
      HookGuard.inject(
          hook -> {
            if (hook == Hook.SERVER_ROLES) {
              throw new IllegalStateException("injected");
            }
          });
      RackCluster.await("a tick fails", () -> HookGuard.failures(Hook.SERVER_ROLES) > before);
      long sinceMs = Time.monotonicNow();
      RackCluster.await(
          "only EAFR ticks",
          () -> {
            long nowMs = Time.monotonicNow();
            return nowMs - HookWatchdog.ageMs(Hook.EAFR, nowMs) > sinceMs
                && nowMs - HookWatchdog.ageMs(Hook.SERVER_ROLES, nowMs) <= sinceMs;
          });

      HookGuard.inject(null);
      RackCluster.await(
          "roles are looked at again",
          () -> {
            long nowMs = Time.monotonicNow();
            return nowMs - HookWatchdog.ageMs(Hook.SERVER_ROLES, nowMs) > sinceMs;
          });
      assertTrue(Hook.SERVER_ROLES.isTimer(), "has a gauge");
    }
  }
}
