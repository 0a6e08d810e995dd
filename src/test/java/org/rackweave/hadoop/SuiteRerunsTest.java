package org.rackweave.hadoop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.rackweave.hadoop.SuiteOutcome.Result;

class SuiteRerunsTest {
  private static final String TEST = "testIt(int)[1]";

  /** Runs the test, which passes or fails as told. */
  private static Function<Set<String>, SuiteOutcome> runs(Boolean... passes) {
    Iterator<Boolean> next = List.of(passes).iterator();
    return methods -> {
      assertEquals(Set.of("testIt"), methods);
      Result result = next.next() ? Result.PASSED : Result.FAILED;
      return SuiteOutcome.of(List.of(SuiteOutcome.line(TEST, result, "")), 1, true);
    };
  }

  @Test
  void aTestThatFailsOnStockTooAndPassesWithOursIsExcused() {
    SuiteReruns reruns = new SuiteReruns(List.of(TEST), runs(false, true), runs(false, true));
    assertEquals(List.of(), reruns.failed());
    assertEquals(
        List.of(TEST + ", of 2 runs failed 1 with Rackweave, 1 on stock: excused"),
        reruns.describe());
  }

  @Test
  void aTestThatPassesAgainButNeverFailsOnStockHasFailed() {
    SuiteReruns reruns =
        new SuiteReruns(List.of(TEST), runs(true, true, true), runs(true, true, true));
    assertEquals(List.of(TEST), reruns.failed());
  }

  @Test
  void aTestThatNeverPassesAgainHasFailedWhateverStockDoes() {
    SuiteReruns reruns =
        new SuiteReruns(List.of(TEST), runs(false, false, false), runs(false, false, true));
    assertEquals(List.of(TEST), reruns.failed());
    assertTrue(reruns.describe().get(0).endsWith("FAILED"), reruns.describe().toString());
  }

  @Test
  void nothingIsRunAgainWhenNothingWasLost() {
    SuiteReruns reruns = new SuiteReruns(List.of(), runs(), runs());
    assertEquals(List.of(), reruns.describe());
  }
}
