package org.rackweave.cli.testbed.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.rackweave.cli.testbed.TestbedPolicy;
import org.rackweave.hdfs.EafrConfig;

class ReadsPlanTest {

  private static final int RACKS = 6;
  private static final long UPLINK = 12_500_000;

  private static ReadsPlan draw(int nodesPerRack, long seed) {
    return ReadsPlan.draw(
        ReadsSettings.standard(List.of(Tuning.TUNED)), RACKS, nodesPerRack, UPLINK, seed);
  }

  @Test
  void followsFromItsSeedAlone() {
    assertEquals(draw(2, 5).files(), draw(2, 5).files());
    assertEquals(draw(2, 5).reads(), draw(2, 5).reads());
    assertNotEquals(draw(2, 5).files(), draw(2, 6).files());
    assertNotEquals(draw(2, 5).reads(), draw(2, 6).reads());
  }

  @Test
  void everyFileHasOneReplicaAtItsWriterAndTwoInOneOtherRack() {
    for (int nodesPerRack : new int[] {2, 3, 5}) {
      for (ReadsPlan.Placed file : draw(nodesPerRack, nodesPerRack).files()) {
        assertEquals(3, new HashSet<>(file.replicas()).size());
        List<Integer> racks = file.replicas().stream().map(node -> node / nodesPerRack).toList();
        assertNotEquals(racks.get(0), racks.get(1));
        assertEquals(racks.get(1), racks.get(2));
      }
    }
  }

  /**
   * Of 120 files the first is read by 1/H(120) = 18.6 % of all; of 1,560 reads give or take 1 %.
   */
  @Test
  void readsFollowZipfAndComeFromEverywhereUntilTheEnd() {
    ReadsPlan plan = draw(2, 9);
    ReadsSettings settings = ReadsSettings.standard(List.of(Tuning.TUNED));
    double due = 12.0 * settings.endMs() / 1000;
    assertEquals(due, plan.reads().size(), 0.15 * due);
    int[] byFile = new int[settings.files()];
    Set<Integer> readers = new HashSet<>();
    for (ReadsPlan.Planned read : plan.reads()) {
      byFile[read.file()]++;
      readers.add(read.reader());
      assertTrue(read.atMs() < settings.endMs());
    }
    assertEquals(0.186, (double) byFile[0] / plan.reads().size(), 0.04);
    assertEquals(0.093, (double) byFile[1] / plan.reads().size(), 0.03);
    assertEquals(RACKS * 2, readers.size());
    assertTrue(plan.dueFrom(settings.warmUpMs()).size() < plan.reads().size());
    assertTrue(plan.dueFrom(settings.warmUpMs()).get(0).atMs() >= settings.warmUpMs());
  }

  @Test
  void whatShipsIsGivenFiveMinutesAndTunedEafrEightIntervals() {
    assertEquals(300_000, ReadsSettings.standard(List.of(Tuning.SHIPPED)).warmUpMs());
    assertEquals(300_000, ReadsSettings.standard(List.of(Tuning.TUNED, Tuning.SHIPPED)).warmUpMs());
    ReadsSettings tuned = ReadsSettings.standard(List.of(Tuning.TUNED));
    assertEquals(8 * eafr(Tuning.TUNED).intervalMs(), tuned.warmUpMs());
  }

  @Test
  void readFilesAreBelowThePathThatShipsAndTunedEafrMayAddAFifth() {
    assertTrue(eafr(Tuning.SHIPPED).isOn());
    assertTrue(eafr(Tuning.SHIPPED).paths().of(ReadsSettings.ROOT + "/0").isPresent());
    EafrConfig tuned = eafr(Tuning.TUNED);
    assertTrue(tuned.paths().of(ReadsSettings.ROOT + "/0").isPresent());
    ReadsSettings settings = ReadsSettings.quick(List.of(Tuning.TUNED));
    assertEquals(settings.storedBytes() / 5, tuned.rails().budgetBytes());
  }

  private static EafrConfig eafr(Tuning tuning) {
    Configuration conf = new Configuration(false);
    try {
      tuning
          .settings(
              TestbedPolicy.EAFR,
              ReadsSettings.needed(),
              ReadsSettings.quick(List.of(tuning)).tuned(),
              CompareOptionsTest.parse("reads"))
          .forEach(conf::set);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return EafrConfig.from(conf);
  }
}
