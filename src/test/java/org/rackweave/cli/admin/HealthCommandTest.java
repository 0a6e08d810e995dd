package org.rackweave.cli.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HealthCommandTest {
  private static ObjectNode says(String summary, String detail) throws Exception {
    String finding =
        "{'code': 'TIMER_LATE', 'severity': 'WARN', 'muted': 'no', 'summary': '%s',"
            + " 'what_to_do': 'look', 'details': ['%s']}";
    String answer = "{'version': '1', 'modes': {}, 'muted': [], 'findings': [" + finding + "]}";
    return (ObjectNode)
        new ObjectMapper().readTree(String.format(answer, summary, detail).replace('\'', '"'));
  }

  @Test
  void mergesOnlyWhatNameNodesSayAlike() throws Exception {
    Map<String, ObjectNode> answers = new LinkedHashMap<>();
    answers.put("nn1", says("one timer is late", "a"));
    answers.put("nn2", says("one timer is late", "b"));
    answers.put("nn3", says("two timers are late", "a"));
    answers.put("nn4", says("one timer is late", "a"));
    ObjectNode health = HealthCommand.merge(answers, Map.of());
    assertEquals(
        List.of("nn1, nn4", "nn2", "nn3"), health.path("findings").findValuesAsText("namenodes"));
    assertEquals("WARN", health.path("status").asText());
  }
}
