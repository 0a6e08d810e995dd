package org.rackweave.hdfs.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AdminAnswerTest {
  @Test
  void isAnObjectInTheOrderInWhichItWasSaid() throws Exception {
    AdminAnswer answer =
        new AdminAnswer()
            .with("text", "a\t\"b\"\n=/")
            .with("none", (String) null)
            .with("number", -12)
            .with("fraction", 0.5)
            .with("unknown", Double.NaN)
            .with("object", new AdminAnswer().with("key", 1))
            .with("counts", Map.of("b", 2L))
            .list("empty", List.of())
            .row("rows", Map.of("path", "/7"))
            .row("rows", new AdminAnswer().with("path", "/8"));
    JsonNode json = new ObjectMapper().readTree(answer.json());
    assertEquals("a\t\"b\"\n=/", json.get("text").asText());
    assertTrue(json.get("none").isNull());
    assertEquals(-12, json.get("number").asLong());
    assertEquals(0.5, json.get("fraction").asDouble());
    assertEquals("unknown", json.get("unknown").asText());
    assertEquals(1, json.at("/object/key").asInt());
    assertEquals(2, json.at("/counts/b").asInt());
    assertTrue(json.get("empty").isArray() && json.get("empty").isEmpty());
    assertTrue(json.at("/rows/0/path").isTextual(), "a path that is a number");
    assertEquals("/8", json.at("/rows/1/path").asText());
    assertEquals("text", json.fieldNames().next());
  }

  @Test
  void leavesRowsOutWhenThereAreTooMany() throws Exception {
    AdminAnswer answer = new AdminAnswer();
    Map<String, String> row = Map.of("text", "x".repeat(1 << 20));
    for (int i = 0; i < 10; i++) {
      answer.row("rows", row);
    }
    assertEquals(4, new ObjectMapper().readTree(answer.json()).get("rows").size());
  }
}
