package org.rackweave.ear;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.rackweave.ear.EncodingTerms.Verdict;

class EncodingTermsTest {
  private static final long NOW = 1_000_000;
  private static final long PATIENCE = 1000;
  private static final EncodingTerms TERMS = new EncodingTerms(500, 200, 64);

  private static Verdict judge(EncodingTerms terms, long modifiedMs, long accessedMs) {
    return terms.judge(NOW, modifiedMs, accessedMs, 64, PATIENCE);
  }

  @Test
  void waitsUntilAFileIsOldAndNobodyReadsIt() {
    assertEquals(Verdict.NOW, judge(TERMS, NOW - 500, NOW - 200));
    assertEquals(Verdict.SOON, judge(TERMS, NOW - 499, NOW - 200));
    assertEquals(Verdict.SOON, judge(TERMS, NOW - 500, NOW - 199));
  }

  @Test
  void nobodyWaitsForWhatIsYoungForLong() {
    EncodingTerms old = new EncodingTerms(5000, 0, 0);
    assertEquals(Verdict.LATER, judge(old, NOW - 3999, 0));
    assertEquals(Verdict.SOON, judge(old, NOW - 4000, 0));
  }

  @Test
  void nobodyWaitsForWhatIsReadAllTheTime() {
    assertEquals(Verdict.SOON, judge(TERMS, NOW - 500 - PATIENCE, NOW - 1));
    assertEquals(Verdict.LATER, judge(TERMS, NOW - 501 - PATIENCE, NOW - 1));
  }

  @Test
  void aFileOfWhichNoReadsAreKnownIsAsQuietAsItsWrites() {
    EncodingTerms quiet = new EncodingTerms(0, 200, 0);
    assertEquals(Verdict.NOW, judge(quiet, NOW - 200, 0));
    assertEquals(Verdict.SOON, judge(quiet, NOW - 199, 0));
  }

  @Test
  void smallFilesAreLeftHoweverOldTheyAre() {
    assertEquals(Verdict.TOO_SMALL, TERMS.judge(NOW, 0, 0, 63, PATIENCE));
  }

  @Test
  void withoutTermsAnythingGoesAtOnce() {
    assertEquals(Verdict.NOW, judge(EncodingTerms.ANY, NOW, NOW));
  }
}
