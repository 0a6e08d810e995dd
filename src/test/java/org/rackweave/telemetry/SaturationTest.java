package org.rackweave.telemetry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SaturationTest {

  @Test
  void nothingIsZero() {
    assertEquals(0, Saturation.NONE.code());
    assertEquals(Saturation.NONE, Saturation.of((byte) 0));
  }

  @Test
  void everyByteIsACodeAndItsHighestBitMeansNothing() {
    for (int code = 0; code < 256; code++) {
      assertEquals(code & 0x7f, Saturation.of((byte) code).code(), "code " + code);
    }
  }

  @ParameterizedTest
  @ValueSource(doubles = {1e6, 5e6, 80e6, 150e6, 550e6, 1e9})
  void aDisksSpeedIsWithinAnEighth(double speed) {
    double read = Saturation.of(new Saturation(true, false, speed).code()).diskWriteBytesPerSec();
    assertEquals(speed, read, speed * 0.125);
  }

  @Test
  void speedsBeyondTheRangeAreItsEnds() {
    assertEquals(1e6, Saturation.of(new Saturation(false, false, 5).code()).diskWriteBytesPerSec());
    assertEquals(
        1024e6, Saturation.of(new Saturation(false, false, 7e9).code()).diskWriteBytesPerSec(), 1);
  }

  @Test
  void refusesWhatIsNoSpeed() {
    assertThrows(IllegalArgumentException.class, () -> new Saturation(false, false, -1));
    assertThrows(IllegalArgumentException.class, () -> new Saturation(false, false, Double.NaN));
  }
}
