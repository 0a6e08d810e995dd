package org.rackweave.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import org.junit.jupiter.api.Test;

class VersionCommandTest {
  private static ObjectNode nameNode(String rackweave, String hadoop, String datanodes)
      throws Exception {
    return (ObjectNode)
        new ObjectMapper()
            .readTree(
                String.format(
                    "{\"version\": \"%s\", \"hadoop\": \"%s\", \"role\": \"active\","
                        + " \"hadoop_of_datanodes\": %s}",
                    rackweave, hadoop, datanodes));
  }

  @Test
  void oneVersionEverywhereIsNotMixed() throws Exception {
    ObjectNode versions =
        VersionCommand.versions(
            Map.of(
                "nn1", nameNode("0.2.0", "3.5.0", "{\"3.5.0\": 1500}"),
                "nn2", nameNode("0.2.0", "3.5.0", "{\"3.5.0\": 1499}")));
    assertFalse(versions.path("mixed").asBoolean(), versions::toString);
    assertEquals(4, versions.path("versions").size());
    assertTrue(versions.toString().contains("\"count\":1500"), versions::toString);
  }

  @Test
  void versionsOfRackweaveAndOfHadoopMayBeMixed() throws Exception {
    assertTrue(
        VersionCommand.versions(
                Map.of(
                    "nn1", nameNode("0.2.0", "3.5.0", "{}"),
                    "nn2", nameNode("0.1.0", "3.5.0", "{}")))
            .path("mixed")
            .asBoolean());
    assertTrue(
        VersionCommand.versions(
                Map.of("nn1", nameNode("0.2.0", "3.5.0", "{\"3.4.3\": 1, \"3.5.0\": 2}")))
            .path("mixed")
            .asBoolean());
  }
}
