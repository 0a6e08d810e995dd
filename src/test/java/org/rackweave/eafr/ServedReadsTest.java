package org.rackweave.eafr;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class ServedReadsTest {
  private static final double WINDOW = 1 / 8.0;

  private final ServedReads served = new ServedReads(0.9);

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
