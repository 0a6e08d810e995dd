package org.rackweave.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.rackweave.hdfs.ConfigKeys;
import org.rackweave.hdfs.FeatureModes;
import org.rackweave.history.Event;

/** What operators see of servers' roles, and what becomes of what they say of them. */
@Tag("newest-hadoop")
class EafrRolesIT {
  @RegisterExtension final PowerSwitch power = new PowerSwitch();

  @Test
  void operatorsSeeRolesAndWakeAndPutToSleep() throws Exception {
    Configuration conf = SleepRig.conf(power, "h0,nosuchhost");
    conf.set(ConfigKeys.EAFR_ROLES_STANDBY, "h1");
    try (RackCluster cluster = SleepRig.start(conf, power)) {
      NameNode nameNode = cluster.mini().getNameNode();
      SleepRig.letSleep(nameNode);
      SleepRig.awaitAsleep(nameNode, "h0");
      JsonNode roles = SleepRig.roles(cluster);
      assertEquals("nosuchhost", roles.path("unknown_hosts").asText());
      assertEquals("cold", role(roles, "h0"));
      assertEquals("standby", role(roles, "h1"));
      assertEquals("hot", role(roles, "h2"));
      assertEquals(6, roles.path("datanodes").asInt());
      assertEquals(1, roles.path("servers_cold").asInt());
      RackCluster.await(
          "sleeping saves",
          () -> SleepRig.roles(cluster).path("energy_saved_kwh_per_day").asDouble() > 0);
      SleepRig.eafr(cluster, "wake", "h0");
      SleepRig.awaitInService(nameNode, "h0");
      SleepRig.eafr(cluster, "sleep", "h3");
      SleepRig.awaitAsleep(nameNode, "h3");
      assertEquals(List.of("sleep", "wake", "sleep"), power.words());
      List<String> events =
          cluster
              .context()
              .events()
              .latest(100, 100, event -> event.kind() == Event.Kind.SLEEP)
              .stream()
              .map(event -> event.text().replaceFirst(".*? ", "").replaceFirst(":.*", ""))
              .toList();
      assertTrue(
          events.containsAll(List.of("falls asleep", "is asleep", "is woken", "is awake")),
          events::toString);
    }
  }

  /** No interval ends here. */
  private Configuration confForPlans() {
    Configuration conf = SleepRig.conf(power, "h0");
    conf.set(ConfigKeys.EAFR_INTERVAL, "1h");
    conf.set(ConfigKeys.EAFR_ROLES_STANDBY, "h1,h2,h3");
    conf.set(ConfigKeys.EAFR_ROLES_COLD_SHARE, "0.67"); // four of six
    conf.set(ConfigKeys.EAFR_LATE_UPDATES_MAX, "1");
    conf.setLong(ConfigKeys.EAFR_RESERVE_BYTES, 1L << 60); // so that all are full
    return conf;
  }

  @Test
  void aPlanShowsWhoIsToSleepAndWhyAndChangesNothing() throws Exception {
    try (RackCluster cluster = SleepRig.start(confForPlans(), power)) {
      SleepRig.writeTo(cluster, new Path("/sole"), SleepRig.datanode(cluster, "h2"));
      RackCluster.await("roles are known", () -> standby(cluster).size() == 4);
      JsonNode plan = SleepRig.eafr(cluster, "plan");
      assertEquals(
          Set.of("h0 standby->cold NAMED", "h1 standby->cold EQ8", "h3 standby->cold EQ8"),
          changes(plan),
          plan.toString());
      assertEquals("h0", host(plan.at("/servers/0")), "who is named is first");
      String because = plan.at("/servers/1/because").asText();
      assertTrue(
          because.matches("EQ8: free space < tau_s \\([0-9]+ against " + (1L << 60) + " bytes\\)"),
          because);
      assertEquals(1, plan.path("stay_awake_needed").asInt(), plan.toString());
      assertEquals("in active mode, or by --apply", plan.path("falling_asleep").asText());
      assertEquals(0, plan.path("changes").size());
      assertEquals(0, plan.path("cold").asInt(-1));
      assertEquals(4, plan.path("cold_max").asInt());
      FeatureModes shadow = cluster.context().modes();
      cluster.context().setModes(shadow.with("sleep=off"));
      JsonNode left = SleepRig.eafr(cluster, "plan", "--apply", plan.path("plan").asText());
      assertEquals(
          Map.of("h0", "switched_off", "h1", "switched_off", "h3", "switched_off"), outcomes(left));
      assertEquals(0, left.path("servers_done").asInt(-1));
      plan = SleepRig.eafr(cluster, "plan");
      assertEquals("not while off", plan.path("falling_asleep").asText());
      assertEquals(Set.of(), changes(plan));
      assertEquals(0, SleepRig.cold(cluster));
      assertEquals(List.of(), power.orders());
    }
  }

  @Test
  void aPlanThatIsAppliedPutsToSleepAndWakesTheVeryServersItShows() throws Exception {
    try (RackCluster cluster = SleepRig.start(confForPlans(), power)) {
      Path gone = new Path("/gone");
      SleepRig.writeTo(
          cluster, gone, SleepRig.datanode(cluster, "h0"), SleepRig.datanode(cluster, "h5"));
      SleepRig.writeTo(cluster, new Path("/sole"), SleepRig.datanode(cluster, "h2"));
      NameNode nameNode = cluster.mini().getNameNode();
      SleepRig.letSleep(nameNode);
      RackCluster.await("roles are known", () -> standby(cluster).size() == 4);
      AtomicReference<JsonNode> shown = new AtomicReference<>();
      RackCluster.await(
          "all but one are to sleep",
          () -> {
            shown.set(SleepRig.eafr(cluster, "plan"));
            return changes(shown.get()).size() == 3;
          });
      JsonNode plan = shown.get();
      assertEquals("at the end of the interval", plan.path("falling_asleep").asText());
      SleepRig.eafr(cluster, "sleep", "h3");
      JsonNode applied = SleepRig.eafr(cluster, "plan", "--apply", plan.path("plan").asText());
      assertEquals(
          Map.of("h0", "done", "h1", "done", "h3", "changed_meanwhile"), outcomes(applied));
      assertEquals(2, applied.path("servers_done").asInt());
      SleepRig.awaitAsleep(nameNode, "h0", "h1", "h3");
      assertEquals(List.of("sleep", "sleep", "sleep"), power.words());
      assertEquals(3, SleepRig.cold(cluster));

      assertTrue(cluster.fs().delete(gone, false));
      RackCluster.await(
          "one has a late update, and the others are as they are to be",
          () ->
              changes(SleepRig.eafr(cluster, "plan"))
                  .equals(Set.of("h0 cold->standby LATE_UPDATES")));
      assertEquals(0, power.count("wake"), "nobody is woken by a plan");
      assertEquals(Map.of("h0", "done"), outcomes(SleepRig.eafr(cluster, "plan", "--apply")));
      SleepRig.awaitInService(nameNode, "h0");
      assertEquals(1, power.count("wake"));
      SleepRig.awaitAsleep(nameNode, "h1", "h3");
      assertEquals(1, SleepRig.roles(cluster).path("woken_late_updates").asLong());
      assertEquals(0, SleepRig.copies(cluster.mini()));
    }
  }

  private static Map<String, String> outcomes(JsonNode applied) {
    Map<String, String> outcomes = new LinkedHashMap<>();
    for (JsonNode server : applied.path("servers")) {
      outcomes.put(host(server), server.path("outcome").asText());
    }
    return outcomes;
  }

  /** What a plan says of servers. */
  private static Set<String> changes(JsonNode plan) {
    Set<String> changes = new TreeSet<>();
    for (JsonNode server : plan.path("servers")) {
      changes.add(
          String.format(
              "%s %s->%s %s",
              host(server),
              server.path("from").asText(),
              server.path("to").asText(),
              server.path("equation").asText()));
    }
    return changes;
  }

  private static String host(JsonNode server) {
    return server.path("datanode").asText().replaceFirst(":[0-9]+$", "");
  }

  @Test
  void drawnRolesAreTheSameAfterARestart() throws Exception {
    Configuration conf = SleepRig.conf(power, "");
    conf.set(ConfigKeys.EAFR_ROLES, "drawn");
    conf.set(ConfigKeys.EAFR_ROLES_STANDBY_SHARE, "0.5");
    try (RackCluster cluster = SleepRig.start(conf, power)) {
      SleepRig.letSleep(cluster.mini().getNameNode());
      RackCluster.await("one of each rack is drawn", () -> standby(cluster).size() == 3);
      Set<String> drawn = standby(cluster);
      cluster.mini().restartNameNode(0, true);
      // Nobody is drawn in shadow mode, which it is again after the restart.
      RackCluster.await("the same are standby", () -> isStandby(cluster, drawn));
      assertEquals(0, power.orders().size());
    }
  }

  /** False also when the first call over a connection from before the restart fails. */
  private static boolean isStandby(RackCluster cluster, Set<String> uuids) {
    try {
      return standby(cluster).equals(uuids);
    } catch (AssertionError e) {
      return false;
    }
  }

  private static Set<String> standby(RackCluster cluster) {
    Set<String> standby = new TreeSet<>();
    for (JsonNode server : SleepRig.roles(cluster).path("servers")) {
      if (server.path("role").asText().equals("standby")) {
        standby.add(server.path("uuid").asText());
      }
    }
    return standby;
  }

  private static String role(JsonNode roles, String host) {
    for (JsonNode server : roles.path("servers")) {
      if (host(server).equals(host)) {
        return server.path("role").asText();
      }
    }
    throw new AssertionError(host + " is not in " + roles);
  }
}
