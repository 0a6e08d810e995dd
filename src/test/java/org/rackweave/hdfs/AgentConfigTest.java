package org.rackweave.hdfs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetSocketAddress;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rackweave.hdfs.AgentConfig.Sampler;
import org.rackweave.hdfs.datanode.RackweaveDataNodePlugin;

class AgentConfigTest {
  private final Configuration conf = new Configuration(false);

  @Test
  void measuresTheRegisteredInterfaceByDefault() {
    assertEquals(
        new AgentConfig(
            Sampler.AUTO,
            "",
            0,
            2,
            Optional.of(new InetSocketAddress("0.0.0.0", 9863)),
            8,
            100L << 20,
            false),
        AgentConfig.from(conf));
  }

  @Test
  void hasTheDefaultsThatAreDocumented() {
    Configuration documented = new Configuration(false);
    documented.addResource("rackweave-default.xml");
    assertEquals("auto", documented.get(AgentKeys.SAMPLER));
    assertEquals(AgentConfig.from(conf), AgentConfig.from(documented));
  }

  @Test
  void mapsEveryKey() {
    conf.set("rackweave.agent.sampler", "datanode");
    conf.set("rackweave.agent.interface", " bond0.100 ");
    conf.set("rackweave.agent.link.bytes-per-sec", "1000000000000");
    conf.set("rackweave.agent.work.threads", "3");
    conf.set("rackweave.agent.decode.address", "127.0.0.1:65535");
    conf.set("rackweave.agent.decode.threads", "4");
    conf.set("rackweave.agent.decode.bytes-per-sec", "5000000");
    conf.set("dfs.datanode.plugins", "a.B, " + RackweaveDataNodePlugin.class.getName());
    assertEquals(
        new AgentConfig(
            Sampler.DATANODE,
            "bond0.100",
            1_000_000_000_000L,
            3,
            Optional.of(new InetSocketAddress("127.0.0.1", 65535)),
            4,
            5_000_000,
            true),
        AgentConfig.from(conf));
    conf.set("rackweave.agent.sampler", "nic");
    assertEquals(Sampler.NIC, AgentConfig.from(conf).sampler());
  }

  @Test
  void namesThePluginByItsRealName() {
    assertEquals(RackweaveDataNodePlugin.class.getName(), AgentConfig.PLUGIN);
  }

  @Test
  void refusesAnUnknownSampler() {
    assertRefused("rackweave.agent.sampler", "netlink", "auto, nic, datanode");
  }

  @ParameterizedTest
  @ValueSource(strings = {"eth0/../x", "..", ".", "eth 0", "a-name-of-16-char"})
  void refusesWhatCannotNameAnInterface(String name) {
    assertRefused("rackweave.agent.interface", name, "network interface");
  }

  @ParameterizedTest
  @ValueSource(strings = {"-1", "1000000000001", "1e9", "fast", "NaN"})
  void refusesLinkSpeedsOutOfRange(String speed) {
    assertRefused("rackweave.agent.link.bytes-per-sec", speed, "from 0 to 1000000000000");
  }

  @Test
  void decodesForNobodyWhereItIsToldSo() {
    conf.set("rackweave.agent.decode.address", "none");
    assertEquals(Optional.empty(), AgentConfig.from(conf).decodeAddress());
  }

  @ParameterizedTest
  @ValueSource(strings = {"9863", "host:", "host:65536", ":1", "a/b:1"})
  void refusesWhatIsNoAddress(String address) {
    assertRefused("rackweave.agent.decode.address", address, "host:port");
  }

  private void assertRefused(String key, String value, String allowed) {
    conf.set(key, value);
    String message =
        assertThrows(IllegalArgumentException.class, () -> AgentConfig.from(conf)).getMessage();
    assertTrue(message.contains(key), message);
    assertTrue(message.contains("'" + value + "'"), message);
    assertTrue(message.contains(allowed), message);
  }
}
