package org.rackweave.cli.testbed;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.rackweave.cli.testbed.TestbedPlan.Daemon;
import org.rackweave.hdfs.AgentConfig;
import org.rackweave.hdfs.RackweaveConfig;

class TestbedPlanTest {

  private final TestbedPlan plan = PlanFixture.plan(2, 2, 0);
  private final Map<Path, String> files = plan.files(PlanFixture.LAUNCH, "machine");

  private String file(String name) {
    return files.get(PlanFixture.DIRECTORY.resolve(name));
  }

  private Configuration conf(String name) {
    Configuration conf = new Configuration(false);
    for (String site : List.of("core-site.xml", "hdfs-site.xml")) {
      byte[] xml = file("conf/" + name + "/" + site).getBytes(UTF_8);
      conf.addResource(new ByteArrayInputStream(xml), name + "/" + site);
    }
    return conf;
  }

  @Test
  void whatIsMadeIsRemovedByACommandOfItsOwn() {
    List<String> removals = new ArrayList<>();
    plan.resources().forEach(resource -> removals.add(String.join(" ", resource.removal())));
    assertEquals(
        List.of(
            "umount /run/rackweave/lab/storage/nn",
            "umount /run/rackweave/lab/storage/r1h1",
            "umount /run/rackweave/lab/storage/r1h2",
            "umount /run/rackweave/lab/storage/r2h1",
            "umount /run/rackweave/lab/storage/r2h2"),
        removals.subList(0, 5));
    assertEquals("ip link del dev lab-ctl", removals.get(removals.size() - 1));
    for (String namespace : plan.namespaces()) {
      assertTrue(removals.contains("ip netns del " + namespace));
    }
    assertEquals(5 + plan.namespaces().size() + 1, removals.size());
  }

  @Test
  void everythingOutsideTheKernelIsInTheDirectoryOfTheTestbed() {
    files.keySet().forEach(path -> assertTrue(path.startsWith(PlanFixture.DIRECTORY)));
    plan.directories().forEach(path -> assertTrue(path.startsWith(PlanFixture.DIRECTORY)));
    for (Path file : files.keySet()) {
      Path parent = file.getParent();
      assertTrue(
          parent.equals(PlanFixture.DIRECTORY) || plan.directories().contains(parent),
          file::toString);
    }
  }

  @Test
  void theNameNodeKnowsTheRackOfEveryAddress() {
    assertEquals(
        """
        198.18.0.1 /core
        198.18.0.2 /core
        198.18.1.1 /rack-1
        198.18.1.2 /rack-1
        198.18.1.250 /rack-1
        198.18.2.1 /rack-2
        198.18.2.2 /rack-2
        198.18.2.250 /rack-2
        """,
        file("topology.table"));
    assertEquals(
        "/run/rackweave/lab/topology.table", conf("nn").get("net.topology.table.file.name"));
  }

  @Test
  void everyNameIsKnownWithoutDns() {
    List<String> hosts = file("hosts").lines().toList();
    assertEquals("127.0.0.1 localhost machine", hosts.get(0));
    assertTrue(hosts.contains("198.18.2.1 r2h1"));
    assertTrue(hosts.contains("198.18.31.1 outside"));
    assertTrue(file("conf/nn/java.args").contains("-Djdk.net.hosts.file=/run/rackweave/lab/hosts"));
  }

  @Test
  void aDataNodeHasANameAndAnAgentThatKnowsItsLink() {
    Configuration conf = conf("r2h1");
    assertEquals("r2h1", conf.get("dfs.datanode.hostname"));
    assertNull(conf.get("dfs.heartbeat.interval"), "as often as HDFS says");
    assertEquals("hdfs://198.18.0.1:8020", conf.get("fs.defaultFS"));
    assertEquals("file:///run/rackweave/lab/storage/r2h1/data", conf.get("dfs.datanode.data.dir"));
    AgentConfig agent = AgentConfig.from(conf);
    assertEquals(AgentConfig.Sampler.AUTO, agent.sampler());
    assertEquals(25_000_000, agent.linkBytesPerSec());
  }

  @Test
  void theNameNodeKnowsTheSpeedOfTheLinksWhoeverPlaces() {
    for (TestbedPolicy policy : TestbedPolicy.values()) {
      Configuration conf = new Configuration(false);
      plan.hdfs().nameNode(policy).forEach(conf::set);
      assertEquals(policy.className(), conf.get("dfs.block.replicator.classname"));
      assertEquals("25000000", conf.get("rackweave.network.host.bytes-per-sec"));
      assertEquals(12_500_000, RackweaveConfig.from(conf).network().rackBytesPerSec());
    }
    assertTrue(conf("nn").get("dfs.block.replicator.classname").contains("Sinbad"));
  }

  @Test
  void ofRackweaveNothingIsSetButTheSpeedOfLinksAndWhatShips() {
    TestbedPlan shipped = PlanFixture.plan(1, 1, 0, PlanFixture.shipped());
    Map<String, String> nameNode = new HashMap<>(shipped.hdfs().nameNode(TestbedPolicy.SINBAD));
    Map<String, String> dataNode =
        new HashMap<>(shipped.hdfs().dataNode(shipped.layout().host("r1h1")));
    for (Map.Entry<String, String> property : PlanFixture.shipped().entrySet()) {
      assertEquals(property.getValue(), nameNode.remove(property.getKey()));
      assertEquals(property.getValue(), dataNode.remove(property.getKey()));
    }
    assertEquals(
        Set.of("rackweave.network.host.bytes-per-sec", "rackweave.network.rack.bytes-per-sec"),
        ofRackweave(nameNode));
    assertEquals(Set.of("rackweave.agent.link.bytes-per-sec"), ofRackweave(dataNode));
  }

  private static Set<String> ofRackweave(Map<String, String> properties) {
    return properties.entrySet().stream()
        .filter(
            property ->
                (property.getKey() + property.getValue()).contains("rackweave.")
                    && !property.getValue().contains("/rackweave/"))
        .map(Map.Entry::getKey)
        .collect(Collectors.toSet());
  }

  @Test
  void processesOutsideReachTheNameNodeOverTheControlLink() {
    assertEquals("hdfs://198.18.31.2:8020", plan.hdfs().control().get("fs.defaultFS"));
    assertEquals("hdfs://198.18.0.1:8020", plan.hdfs().client().get("fs.defaultFS"));
    assertEquals("0.0.0.0", conf("nn").get("dfs.namenode.rpc-bind-host"));
    assertNull(conf("client").get("dfs.namenode.name.dir"));
  }

  @Test
  void propertiesOfTheUserHaveTheLastWordEverywhere() {
    TestbedPlan own =
        PlanFixture.plan(1, 1, 0, Map.of("dfs.heartbeat.interval", "2", "io.x", "<&>"));
    assertEquals("2", own.hdfs().dataNode(own.layout().host("r1h1")).get("dfs.heartbeat.interval"));
    assertEquals("2", own.hdfs().nameNode(TestbedPolicy.STOCK).get("dfs.heartbeat.interval"));
    assertEquals("2", own.hdfs().client().get("dfs.heartbeat.interval"));
    Map<Path, String> ownFiles = own.files(PlanFixture.LAUNCH, "machine");
    String core = ownFiles.get(PlanFixture.DIRECTORY.resolve("conf/r1h1/core-site.xml"));
    assertTrue(core.contains("<value>&lt;&amp;&gt;</value>"), core);
    assertFalse(core.contains("dfs.heartbeat.interval"));
  }

  @Test
  void aDaemonStartsInItsNamespaceWithItsOwnConfigurationFirst() {
    Host host = plan.layout().host("r2h1");
    List<String> command =
        TestbedPlan.inside(host, plan.command(PlanFixture.LAUNCH, Daemon.DATANODE, host));
    assertEquals(
        List.of("setsid", "ip", "netns", "exec", "lab-r2h1", "/jdk/bin/java"),
        command.subList(0, 6));
    assertEquals("@/run/rackweave/lab/conf/r2h1/java.args", command.get(6));
    assertTrue(command.contains("-Xmx128m"));
    assertEquals(Daemon.DATANODE.mainClass(), command.get(command.size() - 1));
    List<String> arguments = file("conf/r2h1/java.args").lines().toList();
    assertEquals(
        "\"/run/rackweave/lab/conf/r2h1:/run/rackweave/lab/web:/a b/one.jar:/two\"",
        arguments.get(arguments.indexOf("-cp") + 1));
  }

  @Test
  void everyDaemonFindsAWebApplication() {
    for (String name : List.of("hdfs", "datanode", "static")) {
      Path path = PlanFixture.DIRECTORY.resolve("web/webapps").resolve(name);
      assertTrue(plan.directories().contains(path));
    }
  }

  @Test
  void storageIsMemoryOfTheSizeAskedFor() {
    Step mount =
        plan.steps().stream()
            .filter(step -> step.command().contains("lab-r1h2"))
            .findFirst()
            .orElseThrow();
    assertEquals(
        "mount -t tmpfs -o mode=0700,size=2048m lab-r1h2 /run/rackweave/lab/storage/r1h2",
        String.join(" ", mount.command()));
  }
}
