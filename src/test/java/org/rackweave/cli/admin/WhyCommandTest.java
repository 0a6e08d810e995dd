package org.rackweave.cli.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.junit.jupiter.api.Test;

class WhyCommandTest {
  private static ObjectNode json(String text) throws Exception {
    return (ObjectNode) new ObjectMapper().readTree(text.replace('\'', '"'));
  }

  @Test
  void aFileIsKnownWithoutDecisions() throws Exception {
    ObjectNode answer =
        json(
            "{'kept_at_most': 0, 'decisions': [], 'events': [], 'file': {'factor': 2,"
                + " 'own_factor': 3, 'blocks': 4, 'blocks_encoded': 1, 'encoding': 'waits'}}");
    assertTrue(WhyCommand.isKnown(answer));
    assertEquals(
        "Factor 2, of its user 3; 1 of 4 blocks encoded: waits.\n"
            + "No decisions are kept: rackweave.decisions.kept is 0.\n",
        WhyCommand.text(answer));
  }

  @Test
  void saysTheFactorOfAFileOfManyBlocks() throws Exception {
    ObjectNode answer =
        json(
            "{'kept': 0, 'kept_at_most': 10, 'not_kept': 0, 'file': {'factor': 3,"
                + " 'own_factor': 3, 'blocks': 1001, 'encoding': 'too many'}}");
    assertTrue(WhyCommand.isKnown(answer));
    assertEquals(
        "Factor 3; 1001 blocks: too many.\n0 decisions shown of 0 kept; 0 were not kept.\n",
        WhyCommand.text(answer));
  }

  @Test
  void nothingIsKnown() throws Exception {
    assertFalse(WhyCommand.isKnown(json("{'kept': 9, 'decisions': [], 'events': []}")));
  }
}
