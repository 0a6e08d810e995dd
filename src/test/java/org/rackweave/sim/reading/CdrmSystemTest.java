package org.rackweave.sim.reading;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.rackweave.sim.reading.CdrmSystem.Target;

class CdrmSystemTest {
  @ParameterizedTest
  @CsvSource({
    // 0.99 and 0.99^2 are at least 0.98; 0.99^3 is not, 0.999^20 is, 0.999^21 is not.
    "1, 2",
    "2, 2",
    "3, 3",
    "20, 3",
    "21, 4",
  })
  void keepsAsManyReplicasAsReliabilityAsksFor(int blocks, int replicas) {
    assertEquals(replicas, Target.AT_ONE_IN_TEN.replicas(blocks * CdrmSystem.BLOCK_BYTES));
  }

  @ParameterizedTest
  @CsvSource({"1, 2", "5, 2", "6, 3", "27, 3", "28, 4"})
  void asksForLessWhereServersFailMore(int blocks, int replicas) {
    assertEquals(replicas, Target.AT_TWO_IN_TEN.replicas(blocks * CdrmSystem.BLOCK_BYTES));
  }
}
