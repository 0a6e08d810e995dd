package org.rackweave.hdfs.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.rackweave.hdfs.ConfigKeys;
import org.rackweave.hdfs.admin.AdminAnswer;
import org.rackweave.history.LinkHistory;
import org.rackweave.history.LinkHistory.Frame;
import org.rackweave.model.ClusterTopology;
import org.rackweave.model.NodePlace;

class PageAnswersTest {
  private final List<Frame> frames = new ArrayList<>();

  private static JsonNode json(AdminAnswer answer) throws IOException {
    return new ObjectMapper().readTree(answer.json());
  }

  private JsonNode links(Map<String, String> options) throws IOException {
    LinkHistory history = new LinkHistory(300_000, 3);
    history.resume(frames);
    return json(PageAnswers.links(history, options::get));
  }

  private void keep(long atMs, int share) {
    ClusterTopology topology =
        ClusterTopology.of(
            List.of(new NodePlace("dn1:9866", "/a", null), new NodePlace("dn2:9866", "/b", null)));
    byte[] shares = {(byte) share, LinkHistory.UNKNOWN};
    frames.add(new Frame(atMs, atMs, atMs + 1, topology, shares, shares, shares, shares));
  }

  @Test
  void sharesAreOneByteEach() throws Exception {
    keep(300_000, 7);
    keep(600_000, 100);
    JsonNode racks = links(Map.of());
    assertEquals("[\"/a\",\"/b\"]", racks.path("names").toString());
    assertEquals("[300000,600000]", racks.path("at_ms").toString());
    assertEquals(300_000, racks.path("step_ms").asLong());
    byte[] all = racks.path("rx").binaryValue();
    assertEquals(4, all.length);
    assertEquals(7, all[0]);
    assertEquals(255, all[1] & 0xff);
    assertEquals(100, all[2]);
  }

  @Test
  void sinceAndRackNarrowIt() throws Exception {
    keep(300_000, 7);
    keep(600_000, 8);
    assertEquals("[600000]", links(Map.of("since", "600000")).path("at_ms").toString());
    JsonNode rack = links(Map.of("rack", "/a"));
    assertEquals("[\"dn1:9866\"]", rack.path("names").toString());
    assertEquals(2, rack.path("at_ms").size());
    assertThrows(IllegalArgumentException.class, () -> links(Map.of("since", "now")));
  }

  @Test
  void settingsSayWhereTheyComeFromAndHideSecrets() throws Exception {
    Configuration conf = new Configuration(false);
    conf.set(ConfigKeys.MODE, "shadow", "hdfs-site.xml");
    conf.set("rackweave.some.password", "hush");
    conf.set("dfs.replication", "3");
    JsonNode settings = json(PageAnswers.settings(conf)).path("settings");
    boolean isModeThere = false;
    for (JsonNode setting : settings) {
      String key = setting.path("key").asText();
      assertTrue(key.startsWith("rackweave."), key);
      assertFalse(setting.toString().contains("hush"), key);
      if (key.equals(ConfigKeys.MODE)) {
        isModeThere = true;
        assertEquals("shadow", setting.path("value").asText());
        assertEquals("hdfs-site.xml", setting.path("source").asText());
      } else if (key.equals(ConfigKeys.COVERAGE_MIN)) {
        assertTrue(setting.path("source").isNull(), "as by default");
        assertEquals(setting.path("default"), setting.path("value"));
      }
    }
    assertTrue(isModeThere);
    assertTrue(settings.size() > 50, () -> "" + settings.size());
  }
}
