package org.rackweave.cli.eafr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.junit.jupiter.api.Test;

class EafrViewTest {
  private static final String PLAN =
      String.join(
          "\n",
          "figure.plan=7",
          "row.change=path=%2Fa%3Db&from=3&to=4&equation=EQ2&because=EQ2%3A+v%2Fr+%3E+tau_u",
          "falling_asleep=not while paused",
          "row.server=datanode=h1%3A9866&from=standby&to=cold&equation=EQ8&because=EQ8%3A+full",
          "row.change=path=%2F7&from=4&to=3&equation=OWN_FACTOR&because=x",
          "");

  @Test
  void rowsOfEachKindGoIntoAListOfTheirOwn() {
    ObjectNode plan = EafrView.of(PLAN, "changes", "servers");
    assertEquals(7, plan.path("plan").asInt());
    assertEquals("not while paused", plan.path("falling_asleep").asText());
    assertEquals(2, plan.path("changes").size());
    assertEquals("/a=b", plan.at("/changes/0/path").asText());
    assertEquals("EQ2: v/r > tau_u", plan.at("/changes/0/because").asText());
    assertTrue(plan.at("/changes/1/path").isTextual(), "a path that is a number");
    assertEquals(1, plan.path("servers").size());
    assertEquals("h1:9866", plan.at("/servers/0/datanode").asText());
    assertEquals("EQ8", plan.at("/servers/0/equation").asText());
  }

  @Test
  void listsAreThereWhenTheyAreEmptyAndOthersAreNot() {
    ObjectNode plan = EafrView.of("figure.plan=1\n", "changes");
    assertTrue(plan.path("changes").isArray());
    assertFalse(plan.has("servers"));
    assertFalse(EafrView.of(PLAN, "changes").has("servers"));
    assertFalse(EafrView.of(PLAN).has("changes"));
  }
}
