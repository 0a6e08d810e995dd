package org.rackweave.hdfs.eafr;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rackweave.eafr.FileHistory;

class OwnFactorTest {
  private static final long NOW = 1_700_000_000_000L;

  private static byte[] mark(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  @Test
  void readsBackWhatItWrites() {
    OwnFactor raised = OwnFactor.before(FileHistory.untouched(3), 3, 4, NOW);
    assertArrayEquals(mark("3 3 4 1700000000000 1700000000000"), raised.value());
    assertEquals(raised, OwnFactor.parse(raised.value()));
    OwnFactor shrunk = OwnFactor.before(FileHistory.untouched(3), 3, 2, NOW);
    assertArrayEquals(mark("3 3 2 1700000000000 0"), shrunk.value());
    assertEquals(shrunk, OwnFactor.parse(shrunk.value()));
  }

  @Test
  void isTheSameBeforeAndAfterTheFactorItselfIsSet() {
    byte[] raised = OwnFactor.before(FileHistory.untouched(3), 3, 4, NOW).value();
    assertEquals(3, OwnFactor.history(raised, 3).ownFactor());
    assertEquals(3, OwnFactor.history(raised, 4).ownFactor());
    assertEquals(NOW, OwnFactor.history(raised, 4).raisedMs());
  }

  @Test
  void aFactorThatSomebodyElseHasSetIsTheFilesOwn() {
    byte[] raised = OwnFactor.before(FileHistory.untouched(3), 3, 4, NOW).value();
    assertEquals(FileHistory.untouched(6), OwnFactor.history(raised, 6));
  }

  @Test
  void filesWithoutAMarkHaveTheirOwnFactor() {
    assertEquals(FileHistory.untouched(3), OwnFactor.history(null, 3));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "3", "3 3 4 x 0", "0 3 4 1 0", "3 3 4 1 0 ", "3 3 4 1 9999999999999999999"})
  void takesNoticeOfNoOtherText(String text) {
    assertNull(OwnFactor.parse(mark(text)));
    assertEquals(FileHistory.untouched(4), OwnFactor.history(mark(text), 4));
  }
}
