package org.rackweave.cli.testbed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SiteFragmentTest {
  private static final Path CHECKOUT = Path.of("");

  @TempDir Path directory;

  @ParameterizedTest
  @EnumSource(value = TestbedPolicy.class, mode = EnumSource.Mode.EXCLUDE, names = "STOCK")
  void everyPolicyShipsAndDiffersFromItsFileInTheModeAlone(TestbedPolicy policy)
      throws IOException {
    Map<String, String> active = new HashMap<>(SiteFragment.active(CHECKOUT, policy));
    assertEquals("active", active.put("rackweave.mode", "shadow"));
    active.put("dfs.block.replicator.classname", policy.className());
    Map<String, String> file = new HashMap<>();
    Configuration conf = new Configuration(false);
    conf.addResource(new org.apache.hadoop.fs.Path(Path.of(SiteFragment.name(policy)).toUri()));
    conf.forEach(property -> file.put(property.getKey(), property.getValue()));
    assertEquals(file, active);
  }

  @Test
  void whatDataNodesDoForAPolicyTheirPluginIsNamedFor() throws IOException {
    for (TestbedPolicy policy :
        new TestbedPolicy[] {
          TestbedPolicy.EAR, TestbedPolicy.DAYU, TestbedPolicy.EAFR, TestbedPolicy.RACKWEAVE
        }) {
      assertEquals(
          "org.rackweave.hdfs.datanode.RackweaveDataNodePlugin",
          SiteFragment.active(CHECKOUT, policy).get("dfs.datanode.plugins"));
    }
  }

  @Test
  void aFileThatIsNotThereOrIsAnotherPolicysIsNamed() throws IOException {
    IOException missing =
        assertThrows(IOException.class, () -> SiteFragment.active(directory, TestbedPolicy.SINBAD));
    assertTrue(missing.getMessage().endsWith("conf/hdfs-site-sinbad.xml"), missing.getMessage());
    Files.createDirectory(directory.resolve("conf"));
    Path file = directory.resolve("conf/hdfs-site-sinbad.xml");
    Files.copy(Path.of("conf/hdfs-site-dayu.xml"), file);
    IOException other =
        assertThrows(IOException.class, () -> SiteFragment.active(directory, TestbedPolicy.SINBAD));
    assertTrue(other.getMessage().contains("DayuBlockPlacementPolicy"), other.getMessage());
    Files.writeString(file, "<configuration><property>");
    IOException broken =
        assertThrows(IOException.class, () -> SiteFragment.active(directory, TestbedPolicy.SINBAD));
    assertTrue(broken.getMessage().contains("cannot be read"), broken.getMessage());
  }
}
