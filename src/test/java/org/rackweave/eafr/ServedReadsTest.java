package org.rackweave.eafr;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class ServedReadsTest {
  private static final double WINDOW = 1 / 8.0;

  private final ServedReads served = new ServedReads(0.9);

  /** It lies, or has told late of what it served in several windows. */
  @Test
  void noServerAloneSetsTheMeasureWhereThereAreOthers() {
    served.add(1, 1_000_000);
    served.add(2, 50);
    served.endWindow(WINDOW);
    assertEquals(8e6, served.most(), "of two it may well be the only busy one");
    ServedReads ofMany = new ServedReads(0.9);
    ofMany.add(3, 10);
    ofMany.add(1, 1_000_000);
    ofMany.add(2, 50);
    ofMany.endWindow(WINDOW);
    assertEquals(400, ofMany.most());
  }

  @Test
  void whatTheBusiestServerServedInAPartOfAnIntervalItCanServeInAllOfIt() {
    served.add(1, 30);
    served.add(2, 40);
    served.add(1, 20);
    served.endWindow(WINDOW);
    assertEquals(400, served.most());
  }

  @Test
  void readsOfSeveralWindowsAreNotAdded() {
    for (int window = 0; window < 8; window++) {
      served.add(1, 50);
      served.endWindow(WINDOW);
    }
    assertEquals(400, served.most());
  }

  @Test
  void whatWasSeenFadesByTheInterval() {
    served.add(1, 100);
    served.endWindow(WINDOW);
    for (int window = 0; window < 8; window++) {
      served.endWindow(WINDOW);
    }
    assertEquals(0.9 * 800, served.most(), 1e-6);
  }
}
