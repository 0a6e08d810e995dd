package org.rackweave.hdfs.eafr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class ChangedFactorsTest {
  private final FakeFiles files = new FakeFiles();

  @Test
  void countsFilesWhoseFactorIsNotTheirUsers() {
    files.add(1, 3, null);
    files.add(2, 5, "3 4 5 1000 1000");
    files.add(3, 1, "2 2 1 1000 0");
    files.add(4, 7, "3 4 5 1000 1000"); // its user has set it since
    files.add(5, 3, "3 4 3 1000 1000"); // given back, and not forgotten yet
    ChangedFactors counted = new ChangedFactors(files);
    assertTrue(counted.goOn(Long.MAX_VALUE));
    assertEquals(2, counted.count());
  }

  @Test
  void countsFilesOfOneReplicaInSnapshotsToTheLastInode() {
    files.add(1, 3, null);
    files.add(2500, 3, null);
    files.inSnapshots.addAll(List.of(1L, 1000L, 1001L, 2500L));
    ChangedFactors counted = new ChangedFactors(files);
    assertTrue(counted.goOn(Long.MAX_VALUE));
    assertEquals(4, counted.inSnapshots());
    assertEquals(0, counted.count());
  }
}
