package org.rackweave.docker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What {@code docker/} says in several places is the same in all of them. */
class ComposeClusterTest {
  private static final Path DOCKER = Path.of("docker");
  private static final int RACKS = 6;
  private static final int DATANODES_PER_RACK = 2;

  private static ComposeFile compose;

  @BeforeAll
  static void readComposeFile() throws IOException {
    compose = ComposeFile.read(DOCKER.resolve("docker-compose.yml"));
  }

  @Test
  void hasANameNodeAndSixRacksOfTwoDataNodesBehindARouterEach() {
    Map<String, Map<String, String>> expected = new TreeMap<>();
    expected.put("namenode", Map.of("core", "10.213.0.10"));
    for (int rack = 1; rack <= RACKS; rack++) {
      String network = "rack-" + rack;
      expected.put(
          "tor-" + rack, Map.of("core", "10.213.0.10" + rack, network, "10.213." + rack + ".254"));
      for (int node = 1; node <= DATANODES_PER_RACK; node++) {
        expected.put(
            "datanode-" + rack + "-" + node, Map.of(network, "10.213." + rack + ".1" + node));
      }
    }
    assertEquals(expected, new TreeMap<>(compose.addresses()));
  }

  @Test
  void everyContainerIsNamedByItsService() {
    for (String service : compose.addresses().keySet()) {
      assertTrue(compose.text().contains("    hostname: " + service + "\n"), service);
    }
  }

  @Test
  void everyNameIsInExtraHosts() {
    Map<String, String> expected = new TreeMap<>();
    compose
        .addresses()
        .forEach(
            (service, addresses) ->
                expected.put(
                    service,
                    addresses.size() == 1
                        ? addresses.values().iterator().next()
                        : addresses.get("core")));
    assertEquals(expected, compose.extraHosts());
  }

  @Test
  void everyNetworkHoldsTheAddressesGivenInIt() {
    compose
        .addresses()
        .forEach(
            (service, addresses) ->
                addresses.forEach(
                    (network, address) ->
                        assertEquals(
                            address.substring(0, address.lastIndexOf('.')) + ".0/24",
                            compose.subnets().get(network),
                            service)));
    assertEquals(RACKS + 1, compose.subnets().size());
  }

  @Test
  void theTableGivesEveryDataNodeTheRackOfItsNetwork() throws IOException {
    Map<String, String> expected = new TreeMap<>();
    compose
        .addresses()
        .forEach(
            (service, addresses) -> {
              if (service.startsWith("datanode-")) {
                addresses.forEach((network, address) -> expected.put(address, "/" + network));
              }
            });
    Map<String, String> table = new TreeMap<>();
    for (String line : Files.readAllLines(DOCKER.resolve("node/etc/topology.table"))) {
      String[] columns = line.split("\\s+");
      assertEquals(2, columns.length, line);
      table.put(columns[0], columns[1]);
    }
    assertEquals(expected, table);
    assertEquals(RACKS * DATANODES_PER_RACK, table.size());
  }

  @Test
  void mountsTheJarThatMavenBuilds() throws IOException {
    String pom = Files.readString(Path.of("pom.xml"));
    assertEquals(
        "../target/"
            + first("<artifactId>(.*)</artifactId>", pom)
            + "-"
            + first("<version>(.*)</version>", pom)
            + ".jar",
        compose.defaults().get("RACKWEAVE_JAR"));
  }

  @Test
  void allMeanTheSameHadoopByDefault() throws IOException {
    String version =
        first("<hadoop.version>(.*)</hadoop.version>", Files.readString(Path.of("pom.xml")));
    assertEquals(version, compose.defaults().get("HADOOP_VERSION"));
    assertEquals(
        version,
        first(
            "<hadoop.version>(.*)</hadoop.version>",
            Files.readString(DOCKER.resolve("hadoop-pom.xml"))));
    assertEquals(
        version, first("\\$\\{HADOOP_VERSION:-(.*)}", Files.readString(DOCKER.resolve("build"))));
  }

  @Test
  void everyVariableIsExplained() throws IOException {
    String readme = Files.readString(DOCKER.resolve("README.md"));
    compose
        .defaults()
        .forEach(
            (name, value) -> {
              assertTrue(readme.contains("`" + name + "`"), name);
              assertTrue(readme.contains("`" + value + "`"), name + " = " + value);
            });
    assertEquals(5, compose.defaults().size());
  }

  private static String first(String pattern, String text) {
    Matcher matcher = Pattern.compile(pattern).matcher(text);
    assertTrue(matcher.find(), pattern);
    return matcher.group(1);
  }
}
