package org.rackweave.telemetry;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class LinkClassTest {

  @Test
  void followsTheLoadUpAtItsThresholdsAndDownWellBelowThem() {
    double[] loads = {0, 0.49, 0.51, 0.84, 0.86, 1.2, 0.76, 0.74, 0.41, 0.39, 0.9, 0.1};
    LinkClass[] classes = {
      LinkClass.FREE,
      LinkClass.FREE,
      LinkClass.BUSY,
      LinkClass.BUSY,
      LinkClass.FULL,
      LinkClass.FULL,
      LinkClass.FULL,
      LinkClass.BUSY,
      LinkClass.BUSY,
      LinkClass.FREE,
      LinkClass.FULL,
      LinkClass.FREE
    };
    LinkClass now = LinkClass.UNKNOWN;
    for (int i = 0; i < loads.length; i++) {
      now = LinkClass.of(now, loads[i] * 1e9, 1e9);
      assertEquals(classes[i], now, "load " + loads[i]);
    }
  }

  @Test
  void isUnknownWithoutALoadOrASpeed() {
    assertEquals(LinkClass.UNKNOWN, LinkClass.of(LinkClass.FULL, 1e9, 0));
    assertEquals(LinkClass.UNKNOWN, LinkClass.of(LinkClass.FULL, LinkRates.UNKNOWN, 1e9));
    assertEquals(LinkClass.FREE, LinkClass.of(LinkClass.UNKNOWN, 0.45e9, 1e9));
  }
}
