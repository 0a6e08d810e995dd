package org.rackweave.hdfs.datanode;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Optional;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.HeartbeatRequestProto;
import org.junit.jupiter.api.Test;
import org.rackweave.hdfs.AgentConfig;
import org.rackweave.hdfs.AgentConfig.Sampler;
import org.rackweave.telemetry.LinkCounters;

class ChosenSamplerTest {

  @Test
  void countsTheInterfaceOfAnOrdinaryDataNode() throws Exception {
    assertEquals("nic", chosen(Sampler.AUTO, true, "10.0.0.1"));
    assertEquals("nic", chosen(Sampler.AUTO, false, "10.0.0.1"));
  }

  @Test
  void countsTheDataNodeItselfBehindALoopbackAddressWhenThePluginIsThere() throws Exception {
    assertEquals("datanode", chosen(Sampler.AUTO, true, "127.0.0.1"));
    assertEquals("datanode", chosen(Sampler.AUTO, true, "::1"));
    assertEquals("nic", chosen(Sampler.AUTO, false, "127.0.0.1"));
  }

  @Test
  void doesAsTold() throws Exception {
    assertEquals("nic", chosen(Sampler.NIC, true, "127.0.0.1"));
    assertEquals("datanode", chosen(Sampler.DATANODE, false, "10.0.0.1"));
  }

  @Test
  void readsTheCountersOfWhatItChose() throws Exception {
    LinkSampler nic = new Counting("nic");
    LinkSampler dataNode = new Counting("datanode");
    ChosenSampler sampler =
        new ChosenSampler(
            new AgentConfig(Sampler.AUTO, "", 0, 2, Optional.empty(), 1, 0, true), nic, dataNode);
    assertEquals(Optional.empty(), sampler.counters(Heartbeats.UUID));
    sampler.sample(Heartbeats.of("127.0.0.1"));
    assertEquals("datanode", sampler.counters(Heartbeats.UUID).orElseThrow().link());
    sampler.sample(Heartbeats.of("10.0.0.1"));
    assertEquals("nic", sampler.counters(Heartbeats.UUID).orElseThrow().link());
  }

  private record Counting(String link) implements LinkSampler {
    @Override
    public LinkSample sample(HeartbeatRequestProto heartbeat) {
      return new LinkSample(link, 0, 0, 0, 0, 0, 0, 0);
    }

    @Override
    public Optional<LinkCounters> counters(String datanodeUuid) {
      return Optional.of(new LinkCounters(link, 0, 0, 0, 0));
    }
  }

  private static String chosen(Sampler sampler, boolean pluginNamed, String address)
      throws Exception {
    return new ChosenSampler(
            new AgentConfig(sampler, "", 0, 2, Optional.empty(), 1, 0, pluginNamed),
            heartbeat -> new LinkSample("nic", 0, 0, 0, 0, 0, 0, 0),
            heartbeat -> new LinkSample("datanode", 0, 0, 0, 0, 0, 0, 0))
        .sample(Heartbeats.of(address))
        .link();
  }
}
