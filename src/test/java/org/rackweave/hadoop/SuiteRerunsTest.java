package org.rackweave.hadoop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.rackweave.hadoop.SuiteOutcome.Result;

class SuiteRerunsTest {
  private static final String TEST = "testIt(int)[1]";

  /** Runs the test, which passes or fails as told, and then as the last time. */
  private static Function<Set<String>, SuiteOutcome> runs(Boolean... passes) {
    int[] run = {0};
    return methods -> {
      assertEquals(Set.of("testIt"), methods);
      boolean isPassed = passes[Math.min(run[0]++, passes.length - 1)];
      Result result = isPassed ? Result.PASSED : Result.FAILED;
      return SuiteOutcome.of(List.of(SuiteOutcome.line(TEST, result, "")), 1, true);
    };
  }

  @Test
  void aTestThatFailsOnStockTooAndPassesWithOursIsExcused() {
    SuiteReruns reruns =
        new SuiteReruns(List.of(TEST), Set.of(), runs(false, true), runs(false, true));
    assertEquals(List.of(), reruns.failed());
    assertEquals(
        List.of(TEST + ", of 2 runs failed 1 with Rackweave, 1 on stock: excused"),
        reruns.describe());
  }

  @Test
  void aTestThatNeverFailsAgainHasPassed() {
    SuiteReruns reruns = new SuiteReruns(List.of(TEST), Set.of(), runs(true), runs(true));
    assertEquals(List.of(), reruns.failed());
    assertEquals(
        List.of(TEST + ", of 6 runs failed 0 with Rackweave, 0 on stock: passed"),
        reruns.describe());
  }

  @Test
  void aTestThatFailsOnceMoreAndNeverOnStockHasFailed() {
    SuiteReruns reruns =
        new SuiteReruns(
            List.of(TEST), Set.of(), runs(true, true, true, true, true, false), runs(true));
    assertEquals(List.of(TEST), reruns.failed());
    assertEquals(
        List.of(TEST + ", of 6 runs failed 1 with Rackweave, 0 on stock: FAILED"),
        reruns.describe());
  }

  @Test
  void aTestThatNeverPassesAgainHasFailedWhateverStockDoes() {
    SuiteReruns reruns = new SuiteReruns(List.of(TEST), Set.of(), runs(false), runs(false, true));
    assertEquals(List.of(TEST), reruns.failed());
    assertTrue(reruns.describe().get(0).endsWith("FAILED"), reruns.describe().toString());
  }

  @Test
  void nothingIsRunAgainWhenNothingWasLost() {
    SuiteReruns reruns = new SuiteReruns(List.of(), Set.of(), runs(), runs());
    assertEquals(List.of(), reruns.describe());
  }

  @Test
  void aTestThatNeitherWayCameToHasPassedWhenItPassesRunAgain() {
    SuiteReruns reruns = new SuiteReruns(List.of(TEST), Set.of(TEST), runs(true), runs(true));
    assertEquals(List.of(), reruns.failed());
    assertEquals(
        List.of(TEST + ", of 1 runs failed 0 with Rackweave, 0 on stock: passed"),
        reruns.describe());
  }

  @Test
  void aTestThatNeitherWayCameToHasFailedWhenItFailsOnceRunAgain() {
    SuiteReruns reruns =
        new SuiteReruns(List.of(TEST), Set.of(TEST), runs(false, true), runs(true));
    assertEquals(List.of(TEST), reruns.failed());
  }

  @Test
  void whatAClassDidNotComeToIsNotBegunOrNotEnded() {
    List<String> lines =
        List.of(
            SuiteOutcome.line("testPassed()", Result.PASSED, ""),
            SuiteOutcome.line("testFailed()", Result.FAILED, "x"),
            SuiteOutcome.line("testEndless()", Result.HUNG, ""));
    SuiteOutcome stopped = SuiteOutcome.of(lines, 480, false);
    assertEquals(
        List.of("testEndless()", "testLater()"),
        List.of("testPassed()", "testFailed()", "testEndless()", "testLater()").stream()
            .filter(stopped::hasNotCome)
            .toList());
    SuiteOutcome ended = SuiteOutcome.of(lines, 480, true);
    assertEquals(false, ended.hasNotCome("testLater()"), "it is not there at all");
  }
}
