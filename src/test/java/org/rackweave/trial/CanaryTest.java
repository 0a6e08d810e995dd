package org.rackweave.trial;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rackweave.trial.Canary.State;

class CanaryTest {
  private static Canary canary(String path, String abortIf) {
    return new Canary(State.RUNNING, path, 5, -3, 1000, 0, abortIf, "");
  }

  private static Comparison found(Figure figure, double least, double most) {
    return new Comparison(figure, 1, 1, (least + most) / 2, least, most);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "write_p95>+10%",
        "write_mean>5%, write_p99 > +12.5%",
        "write_p50>-99%",
        "write_mean>1000%"
      })
  void takesConditions(String abortIf) {
    assertEquals(abortIf, canary("/tmp", abortIf).abortIf());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "write_p95",
        "write_p95<+10%",
        "write_p95>10",
        "write_p90>+10%",
        "read_mean>+10%",
        "write_p95>+10%,",
        "write_p95>-100%",
        "write_p95>1001%"
      })
  void namesWhatIsAllowedInstead(String abortIf) {
    Exception refused = assertThrows(IllegalArgumentException.class, () -> canary("/tmp", abortIf));
    assertTrue(
        refused.getMessage().startsWith("abort-if '")
            && refused.getMessage().contains("write_mean, write_p50, write_p95, write_p99"),
        refused::getMessage);
  }

  @Test
  void coversFilesBelowItsDirectory() {
    Canary below = canary("/tmp", "write_p95>+10%");
    assertTrue(below.covers("/tmp/a") && below.covers("/tmp/a/b"));
    assertFalse(below.covers("/tmp") || below.covers("/tmpa") || below.covers("/a/tmp/b"));
    assertTrue(canary("/", "write_p95>+10%").covers("/a"));
  }

  @Test
  void readsWhatItHasWritten() {
    Canary started = canary("/a b=c", "write_p95>+10%,write_mean>+5%");
    assertEquals(started, Canary.parse(started.text()));
    Canary over = started.over(State.ABORTED, "worse, write_p95 +30 %");
    assertEquals(over, Canary.parse(over.text()));
    assertEquals("canary below /a b=c aborted: worse, write_p95 +30 %", over.sentence());
    assertThrows(IllegalArgumentException.class, () -> Canary.parse("RUNNING"));
    assertThrows(IllegalArgumentException.class, () -> Canary.parse("a\tb\tc\td\te\tf\tg\th"));
  }

  @Test
  void aConditionHoldsWhenTheWholeIntervalIsBeyondIt() {
    Canary canary = canary("/tmp", "write_p95>+10%,write_mean>+20%");
    assertFalse(canary.isBroken(List.of()));
    assertFalse(
        canary.isBroken(List.of(found(Figure.WRITE_P95, 9, 40), found(Figure.WRITE_MEAN, 15, 30))));
    assertTrue(canary.isBroken(List.of(found(Figure.WRITE_P95, 11, 40))));
    assertTrue(canary.isBroken(List.of(found(Figure.WRITE_MEAN, 21, 22))));
    assertFalse(canary.isBroken(List.of(found(Figure.WRITE_P50, 50, 60))), "nobody asked for it");
    assertFalse(canary.isBroken(List.of(found(Figure.WRITE_P95, Double.NaN, Double.NaN))));
  }

  @Test
  void itsVerdictIsThatOfTheFiguresItWatches() {
    Canary canary = canary("/tmp", "write_p95>+10%,write_mean>+20%");
    Comparison better = found(Figure.WRITE_P95, -20, -10);
    Comparison alike = found(Figure.WRITE_MEAN, -5, 5);
    Comparison worse = found(Figure.WRITE_MEAN, 5, 6);
    Comparison unknown = found(Figure.WRITE_MEAN, Double.NaN, Double.NaN);
    assertEquals("running", canary.verdict(List.of()));
    assertEquals("better", canary.verdict(List.of(better, alike)));
    assertEquals("no difference", canary.verdict(List.of(alike)));
    assertEquals("worse", canary.verdict(List.of(better, worse)));
    assertEquals("running", canary.verdict(List.of(better, unknown)));
    assertEquals(List.of(better), canary.watched(List.of(better, found(Figure.WRITE_P99, 1, 2))));
  }
}
