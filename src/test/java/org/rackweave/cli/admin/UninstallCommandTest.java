package org.rackweave.cli.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Each thing that may be left, there and not there. */
class UninstallCommandTest {
  private final UninstallCommand check = new UninstallCommand(System.out, System.err);
  private final JsonNode answer = check.begin();

  private static JsonNode json(String text) throws Exception {
    return new ObjectMapper().readTree(text.replace('\'', '"'));
  }

  private List<String> states() {
    return answer.path("items").findValuesAsText("state");
  }

  private String toDo(int item) {
    return answer.path("items").path(item).path("what_to_do").asText();
  }

  @Test
  void nothingIsLeftWhereNothingIs() throws Exception {
    check.stripes(
        json(
            "{'stripes': 0, 'unreadable_records': 0, 'files_restored_or_waiting': 0,"
                + " 'stripes_being_given_up': 0, 'replicas_of_deleted_blocks_kept': 0}"));
    check.factors(json("{'files': 0, 'files_of_one_in_snapshots': 0}"), json("[]"));
    check.servers(json("{'servers_cold': 0, 'servers_standby': 0}"));
    check.marks(List.of(), json("[]"));
    check.configuration("nn1:8020", json("{'configuration': {}}"));
    assertEquals(0, answer.path("left").asInt());
    assertEquals(List.of("done"), states().stream().distinct().toList());
  }

  /** A NameNode of another version, or one without a snapshot of the links. */
  @Test
  void whatIsNotSaidIsNotDone() throws Exception {
    check.features(json("{}"));
    check.stripes(json("{}"));
    check.factors(json("{}"), json("[]"));
    check.servers(json("{}"));
    assertEquals(List.of("unseen"), states().stream().distinct().toList());
  }

  /** Agents may be silent. */
  @Test
  void agentsAreNeverDone() throws Exception {
    check.features(json("{'modes': {'placement': 'off'}, 'datanodes_measured': 0}"));
    assertEquals(List.of("done", "unseen"), states());
  }

  @Test
  void whatCannotBeCheckedIsLeft() {
    check.part(
        "attributes of /",
        () -> {
          throw new IOException("xattrs are disabled\n\tat somewhere");
        });
    assertEquals(List.of("left"), states());
    assertEquals("could not be checked: xattrs are disabled", toDo(0));
  }

  @Test
  void snapshotsOfEncodedFilesAreToBeDeleted() throws Exception {
    check.factors(json("{'files': 0, 'files_of_one_in_snapshots': 4}"), json("[]"));
    assertEquals(List.of("done", "left"), states());
  }

  @Test
  void countsTheFeaturesThatAreOn() throws Exception {
    check.features(
        json(
            "{'modes': {'placement': 'shadow', 'heat': 'off', 'sleep': 'active'},"
                + " 'datanodes_measured': 7}"));
    assertEquals(2, answer.path("items").path(0).path("count").asInt());
    assertEquals("bin/rackweave mode off", toDo(0));
    assertEquals(List.of("left", "last"), states());
  }

  @Test
  void encodedFilesAreToBeDecoded() throws Exception {
    check.stripes(json("{'stripes': 3, 'unreadable_records': 1, 'files_restored_or_waiting': 2}"));
    assertEquals(List.of("left", "left", "left", "unseen", "unseen"), states());
    assertEquals(3, answer.path("left").asInt());
    assertEquals("bin/rackweave decode --path /", toDo(0));
  }

  /** Without a rule of heat EAFR does not look for files. */
  @Test
  void factorsAreGivenBackByACommandThatWorks() throws Exception {
    JsonNode counted = json("{'files': 5, 'files_of_one_in_snapshots': 0}");
    check.factors(counted, json("[{'path': '/a', 'heat': 'adapt'}]"));
    check.factors(counted, json("[{'path': '/a', 'code': 'rs-6-3'}]"));
    assertEquals("bin/rackweave eafr restore", toDo(0));
    assertEquals("bin/rackweave rules set / heat=none && bin/rackweave eafr restore", toDo(2));
  }

  @Test
  void whoSleepsIsToBeWoken() throws Exception {
    check.servers(json("{'servers_cold': 1, 'servers_standby': 2}"));
    assertEquals(List.of("left", "last"), states());
  }

  /** Those of the configuration go with it. */
  @Test
  void rulesOfTheNamespaceAreToBeRemoved() throws Exception {
    JsonNode rules = json("[{'path': '/a', 'place': 'stock'}]");
    check.marks(List.of("trusted.rackweave.rules", "trusted.rackweave.mode"), rules);
    assertEquals(List.of("left", "last"), states());
    assertEquals("bin/rackweave rules remove /a", toDo(0));
    assertEquals("without the jar: hdfs dfs -setfattr -x trusted.rackweave.mode /", toDo(1));
    check.marks(List.of(), rules);
    assertEquals("last", states().get(2));
  }

  @Test
  void settingsGoWithTheLastRestart() throws Exception {
    check.configuration(
        "nn1:8020", json("{'configuration': {'dfs.namenode.plugins': 'a.B,org.rackweave.C'}}"));
    assertEquals(List.of("last"), states());
    assertEquals(0, answer.path("left").asInt());
  }
}
