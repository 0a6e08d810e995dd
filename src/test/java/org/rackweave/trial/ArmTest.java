package org.rackweave.trial;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ArmTest {
  private static final int FILES = 100_000;

  /** Inodes follow each other; so do those of the files that one job writes. */
  @ParameterizedTest
  @ValueSource(doubles = {0.01, 0.05, 0.5})
  void asManyFilesGoToEither(double share) {
    Map<Arm, Integer> files = new EnumMap<>(Arm.class);
    for (long file = 16_386; file < 16_386 + FILES; file++) {
      Arm arm = Arm.of(file, 7, share);
      if (arm != null) {
        files.merge(arm, 1, Integer::sum);
      }
    }
    double deviation = Math.sqrt(FILES * share * (1 - share));
    for (Arm arm : Arm.values()) {
      assertEquals(share * FILES, files.get(arm), 4 * deviation, arm.name());
    }
    assertEquals(share == 0.5, files.values().stream().mapToInt(i -> i).sum() == FILES);
  }

  @Test
  void anotherSaltDrawsOtherFiles() {
    int both = 0;
    int first = 0;
    for (long file = 0; file < FILES; file++) {
      first += Arm.of(file, 1, 0.1) == Arm.RACKWEAVE ? 1 : 0;
      both +=
          Arm.of(file, 1, 0.1) == Arm.RACKWEAVE && Arm.of(file, 2, 0.1) == Arm.RACKWEAVE ? 1 : 0;
    }
    assertEquals(0.1, (double) both / first, 0.02);
  }
}
