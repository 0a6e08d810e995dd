package org.rackweave.docker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocolPB.DatanodeProtocolPB;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rackweave.hdfs.ConfigKeys;
import org.w3c.dom.NodeList;

/** The site files of {@code conf/} and {@code docker/} mean what they are meant to. */
class SiteFilesTest {
  private static final Path ETC = Path.of("docker/node/etc");
  private static final Path CONF = Path.of("conf");
  private static final String POLICY = "dfs.block.replicator.classname";

  @TempDir Path directory;

  @Test
  void everyKeyIsOneThatHadoopOrRackweaveDescribes() throws Exception {
    Set<String> known = new HashSet<>();
    for (String defaults :
        List.of("core-default.xml", "hdfs-default.xml", "rackweave-default.xml")) {
      known.addAll(texts("name", Configuration.class.getResource("/" + defaults).toString()));
    }
    // Hadoop reads the engine of a protocol from a key it describes nowhere.
    known.add("rpc.engine." + DatanodeProtocolPB.class.getName());
    for (Path site : siteFiles()) {
      for (String key : texts("name", site.toUri().toString())) {
        assertTrue(known.contains(key), site + ": " + key);
      }
    }
  }

  @Test
  void everyClassNamedIsThere() throws Exception {
    Set<String> classes = new TreeSet<>();
    for (Path site : siteFiles()) {
      for (String value : texts("value", site.toUri().toString())) {
        if (value.startsWith("org.")) {
          classes.add(Class.forName(value).getSimpleName());
        }
      }
    }
    assertTrue(classes.contains("TableMapping"), classes.toString());
    assertTrue(classes.contains("SinbadBlockPlacementPolicy"), classes.toString());
  }

  /** Whoever copies one begins as is promised; the containers are there to be played with. */
  @Test
  void whatIsMeantForClustersBeginsInShadow() throws IOException {
    for (Path site : siteFiles()) {
      if (site.startsWith(CONF)) {
        assertEquals("shadow", configuration(site).get(ConfigKeys.MODE), site.toString());
      }
    }
  }

  @Test
  void aContainerHasThePropertiesOfItsPolicyAndTheSpeedOfItsLinks() throws IOException {
    Configuration sinbad = container(CONF.resolve("hdfs-site-sinbad.xml"));
    for (Map.Entry<String, String> property : configuration(CONF.resolve("hdfs-site-sinbad.xml"))) {
      boolean isMode = property.getKey().equals(ConfigKeys.MODE);
      assertEquals(
          isMode ? "active" : property.getValue(),
          sinbad.get(property.getKey()),
          property.getKey());
    }
    assertEquals("${env.NIC_BYTES_PER_SEC}", sinbad.getRaw("rackweave.agent.link.bytes-per-sec"));
  }

  @Test
  void stockIsHdfsWithoutAnyClassOfRackweave() throws IOException {
    Configuration stock = container(ETC.resolve("hdfs-site-stock.xml"));
    assertNull(stock.get(POLICY));
    for (Map.Entry<String, String> property : stock) {
      assertFalse(property.getValue().startsWith("org.rackweave"), property.getKey());
    }
    assertEquals("1", stock.get("dfs.heartbeat.interval"));
  }

  /** What a container reads once its policy is chosen. */
  private Configuration container(Path policy) throws IOException {
    Files.copy(ETC.resolve("hdfs-site.xml"), directory.resolve("hdfs-site.xml"));
    Files.copy(policy, directory.resolve("hdfs-site-policy.xml"));
    return configuration(directory.resolve("hdfs-site.xml"));
  }

  private static List<Path> siteFiles() throws IOException {
    List<Path> files = new ArrayList<>();
    for (Path directory : List.of(ETC, CONF)) {
      try (var found = Files.newDirectoryStream(directory, "*-site*.xml")) {
        found.forEach(files::add);
      }
    }
    assertTrue(files.size() >= 4, files.toString());
    return files;
  }

  private static List<String> texts(String element, String uri) throws Exception {
    NodeList found =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(uri)
            .getElementsByTagName(element);
    return IntStream.range(0, found.getLength())
        .mapToObj(i -> found.item(i).getTextContent().strip())
        .toList();
  }

  private static Configuration configuration(Path file) {
    Configuration configuration = new Configuration(false);
    configuration.addResource(new org.apache.hadoop.fs.Path(file.toUri()));
    return configuration;
  }
}
