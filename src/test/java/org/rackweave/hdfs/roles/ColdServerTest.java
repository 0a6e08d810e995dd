package org.rackweave.hdfs.roles;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ColdServerTest {
  @Test
  void aRecordSaysAllThatWakingTakes() {
    ColdServer server = new ColdServer("a-b", "dn,1/x", "fe80::1", 9866, 1_700_000_000_000L, 12);
    String name = server.recordName();
    assertFalse(name.contains("/") || name.contains(":"), name); // HDFS allows neither in a name
    assertEquals(Optional.of(server), ColdServer.parse(name));
  }

  @Test
  void aRecordFromBeforeBlocksWereKeptIsReadAndFoundAgain() {
    ColdServer server = ColdServer.parse("a-b,dn1,10.0.0.1,9866,5").orElseThrow();
    assertEquals(ColdServer.UNKNOWN, server.blocks());
    assertEquals("a-b,dn1,10.0.0.1,9866,5", server.recordName());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "a",
        "a,b,c,d,e",
        "a,b,c,1",
        "a,b,c,123456,1",
        "%zz,b,c,1,1",
        "a,b,c,1,1,",
        "a,b,c,1,1,-1",
        "a,b,c,1,1,1234567890",
        "a,b,c,1,1,1,1"
      })
  void whatSomebodyElseHasPutThereIsNoRecord(String name) {
    assertEquals(Optional.empty(), ColdServer.parse(name));
  }
}
