package org.rackweave.hdfs.datanode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rackweave.telemetry.Saturation;

/** What a host's kernel tells of links and disks at their limits. */
class SaturationSamplerTest {
  @TempDir Path root;
  private FixtureHost host;
  private DiskWrites disks;
  private SaturationSampler saturation;
  private long nowMs = 5_000;

  @BeforeEach
  void start() throws Exception {
    host = new FixtureHost(root);
    host.segments(1_000_000, 50_000, 1_000_000, 50_000);
    host.mounts("22 1 8:1 / / rw - ext4 /dev/sda rw", "23 1 8:16 / /data rw - ext4 /dev/sdb rw");
    writes(0, 0, 0, 0);
    disks = new DiskWrites(host.files(), List.of(Path.of("/data")), () -> nowMs);
    saturation = new SaturationSampler(host.files(), disks, () -> nowMs);
  }

  /** Of the DataNode's disk; another one is always busy. */
  private void writes(long readMb, long count, long mb, long busyMs) throws Exception {
    host.disks(
        "   8       0 sda 5 0 10 0 9 0 " + nowMs * 5_000 + " 0 0 " + nowMs + " 0",
        String.format(
            "   8      16 sdb 5 0 %d 0 %d 0 %d 0 0 %d 0", 2048 * readMb, count, 2048 * mb, busyMs));
  }

  private Saturation look() {
    disks.writtenBytes();
    return saturation.look();
  }

  @Test
  void theFirstLookSaysNothing() {
    assertEquals(Saturation.NONE, look());
  }

  @Test
  void tellsWhatIsLostOnTheWayHere() throws Exception {
    look();
    nowMs += 3_000;
    host.segments(1_010_000, 50_100, 1_010_000, 50_019);
    assertEquals(new Saturation(true, false, 0), look());
  }

  @Test
  void tellsWhatIsLostOnTheWayToOthers() throws Exception {
    look();
    nowMs += 3_000;
    host.segments(1_010_000, 50_099, 1_010_000, 50_020);
    assertEquals(new Saturation(false, true, 0), look());
  }

  @Test
  void fewSegmentsSayNothing() throws Exception {
    look();
    nowMs += 3_000;
    host.segments(1_001_999, 51_000, 1_001_999, 51_000);
    assertEquals(Saturation.NONE, look());
  }

  @Test
  void aFewLostSegmentsSayNothing() throws Exception {
    look();
    nowMs += 3_000;
    host.segments(1_002_000, 50_019, 1_002_000, 50_019);
    assertEquals(Saturation.NONE, look());
    nowMs += 3_000;
    host.segments(1_004_000, 50_039, 1_004_000, 50_039);
    assertEquals(new Saturation(true, true, 0), look());
  }

  @Test
  void looksOnceASecond() throws Exception {
    look();
    nowMs += 999;
    host.segments(1_010_000, 59_000, 1_010_000, 59_000);
    assertFalse(look().tx());
    nowMs += 1;
    assertTrue(look().tx());
    host.segments(1_020_000, 59_000, 1_020_000, 59_000);
    assertTrue(look().tx(), "the last answer");
    nowMs += 1_000;
    assertFalse(look().tx());
  }

  @Test
  void aHostThatDoesNotShowItSaturatesNothing() throws Exception {
    look();
    Files.delete(host.files().netStat());
    nowMs += 3_000;
    assertEquals(Saturation.NONE, look());
    host.segments(2_000_000, 60_000, 2_000_000, 60_000);
    nowMs += 59_999;
    look();
    host.segments(3_000_000, 90_000, 3_000_000, 90_000);
    nowMs += 1_000;
    assertEquals(Saturation.NONE, look(), "looked again a minute later, for the first time");
    host.segments(4_000_000, 120_000, 4_000_000, 120_000);
    nowMs += 1_000;
    assertEquals(new Saturation(true, true, 0), look());
  }

  @Test
  void aDiskIsAsFastAsItWritesWhileItIsBusy() throws Exception {
    look();
    nowMs += 2_000;
    writes(0, 100, 320, 1_900);
    assertEquals(160 << 20, look().diskWriteBytesPerSec());
    nowMs += 2_000;
    writes(0, 200, 400, 3_800);
    assertEquals(160 << 20, look().diskWriteBytesPerSec(), "the most");
  }

  @Test
  void aDiskThatRestsOrReadsOrWritesLittleAtATimeSaysNothing() throws Exception {
    look();
    nowMs += 2_000;
    writes(0, 100, 320, 1_700);
    assertEquals(0, look().diskWriteBytesPerSec(), "rests");
    nowMs += 2_000;
    writes(40, 200, 640, 3_700);
    assertEquals(0, look().diskWriteBytesPerSec(), "reads an eighth of it");
    nowMs += 2_000;
    writes(40, 3_000, 960, 5_700);
    assertEquals(0, look().diskWriteBytesPerSec(), "writes of some 100 KB");
  }
}
