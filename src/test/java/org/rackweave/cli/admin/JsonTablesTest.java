package org.rackweave.cli.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Test;

class JsonTablesTest {
  private static String text(String json) throws Exception {
    return JsonTables.text(new ObjectMapper().readTree(json.replace('\'', '"')))
        .replaceAll(" +", " ");
  }

  @Test
  void whatThereIsOneOfIsAListOfNamesAndValues() throws Exception {
    assertEquals(
        "state idle\neta_sec 12.346\nbytes 1250000\n",
        text("{'state': 'idle', 'brake': '', 'eta_sec': 12.3456, 'bytes': 1250000.4}"));
    assertEquals("modes\n heat off\n", text("{'modes': {'heat': 'off'}, 'failed': {}}"));
  }

  @Test
  void whatThereAreSeveralOfIsATable() throws Exception {
    assertEquals(
        "state idle\n\nnode\nname copies rack\na 3 -\nb - /r1\n",
        text("{'node': [{'name': 'a', 'copies': 3}, {'name': 'b', 'rack': '/r1'}], 'state':"
                + " 'idle', 'straggler': []}")
            .replaceAll("(?m)[ ]+$|^[ -]+\n", ""));
  }
}
