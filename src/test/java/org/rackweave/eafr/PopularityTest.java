package org.rackweave.eafr;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.rackweave.eafr.Popularity.FileCount;

class PopularityTest {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final long FILE = 16_400;
  private static final long BLOCK = 1_073_741_825L;

  private static void read(Popularity popularity, long block, long server, int times) {
    for (int i = 0; i < times; i++) {
      popularity.record(FILE, block, server);
    }
  }

  /** Eq. 1: v_i is the sum of v_ij over the replicas. */
  @Test
  void readsOfAFileAreThoseOfItsReplicas() {
    Popularity popularity = new Popularity(100, 0);
    read(popularity, BLOCK, 7, 5);
    read(popularity, BLOCK, -8, 2);
    FileReads reads =
        popularity.readsOf(FILE, new long[] {BLOCK}, new long[][] {new long[] {7, -8, 9}});
    assertEquals(7, reads.sureReads());
    assertEquals(7, reads.mostReads());
    assertArrayEquals(new double[] {5, 2, 0}, reads.sureReplicaReads());
    assertArrayEquals(new double[] {5, 2, 0}, reads.mostReplicaReads());
  }

  @Test
  void aFileReadFromEndToEndCountsAsOneReadHoweverManyBlocksItHas() {
    Popularity popularity = new Popularity(100, 0);
    read(popularity, BLOCK, 7, 1);
    read(popularity, BLOCK + 1, 7, 1);
    FileReads reads =
        popularity.readsOf(
            FILE,
            new long[] {BLOCK, BLOCK + 1},
            new long[][] {new long[] {7, 8}, new long[] {7, 9}});
    assertEquals(1, reads.sureReads());
    assertArrayEquals(new double[] {1, 0, 1, 0}, reads.sureReplicaReads());
  }

  @Test
  void aFileReadAlikeIsReportedAlikeThoughTheDecayChanges() {
    Popularity popularity = new Popularity(100, 0.5);
    for (int interval = 0; interval < 6; interval++) {
      read(popularity, BLOCK, 7, 40);
      FileReads reads = popularity.readsOf(FILE, new long[] {BLOCK}, new long[][] {{7}});
      assertEquals(40, reads.sureReads(), 1e-3, "interval " + interval);
      popularity.decayBy(interval % 2 == 0 ? 0.9 : 0);
      popularity.endInterval();
    }
  }

  @Test
  void beforeAnIntervalIsOverAtMostWhatGoesOnAsUntilThen() {
    Popularity popularity = new Popularity(100, 0.5);
    read(popularity, BLOCK, 7, 10);
    long[] blocks = {BLOCK};
    long[][] servers = {{7}};
    FileReads half = popularity.readsOf(FILE, blocks, servers, 0.5);
    assertEquals(10, half.sureReads());
    assertEquals(20, half.mostReads(), 1e-9);
    assertArrayEquals(new double[] {20}, half.mostReplicaReads(), 1e-9);
    assertEquals(
        Double.POSITIVE_INFINITY, popularity.readsOf(FILE, blocks, servers, 0).mostReads());
    assertEquals(10, popularity.readsOf(FILE, blocks, servers, 1).mostReads());
    popularity.endInterval();
    popularity.endInterval();
    // Of 10, 0 and now 0 the weights are 1/7, 2/7 and 4/7; a quarter of the last has passed.
    FileReads later = popularity.readsOf(FILE, blocks, servers, 0.25);
    assertEquals(10 / 7.0, later.sureReads(), 1e-6);
    assertEquals(10 / 7.0 / (4 / 7.0), later.mostReads(), 1e-6);
  }

  @Test
  void averagesIntervalsSoThatTheLastOneCountsMost() {
    Popularity popularity = new Popularity(100, 0.5);
    for (int quiet = 0; quiet < 60; quiet++) {
      popularity.endInterval();
    }
    assertReads(popularity, new int[] {40, 40, 40, 0}, new double[] {20, 30, 35, 17.5});
  }

  /** Or a NameNode that has just become active would take files that are read as cold. */
  @Test
  void theFirstIntervalCountsAsItIs() {
    Popularity popularity = new Popularity(100, 0.5);
    assertReads(popularity, new int[] {40, 40, 40, 10}, new double[] {40, 40, 40, 24});
  }

  private static void assertReads(Popularity popularity, int[] reads, double[] expected) {
    for (int interval = 0; interval < reads.length; interval++) {
      read(popularity, BLOCK, 7, reads[interval]);
      FileReads v = popularity.readsOf(FILE, new long[] {BLOCK}, new long[][] {new long[] {7}});
      assertEquals(expected[interval], v.sureReads(), 1e-5, "interval " + interval);
      assertEquals(expected[interval], v.sureReplicaReads()[0], 1e-5, "interval " + interval);
      popularity.endInterval();
    }
  }

  @Test
  void countsWhatADataNodeReportsAtOnce() {
    Popularity popularity = new Popularity(100, 0);
    popularity.record(FILE, BLOCK, 7, 1234);
    FileCount most = popularity.mostRead(5).get(0);
    assertEquals(FILE, most.fileId());
    assertTrue(most.replicaReads() > 0.99 * 1234 && most.replicaReads() <= 1234, most::toString);
    FileReads v = popularity.readsOf(FILE, new long[] {BLOCK}, new long[][] {new long[] {7}});
    assertEquals(1234, v.sureReads());
  }

  @Test
  void namesTheFilesReadMostInOrder() {
    Popularity popularity = new Popularity(1000, 0);
    for (int file = 0; file < 50; file++) {
      popularity.record(file, BLOCK + file, 1, 1 + file / 2);
    }
    assertEquals(
        List.of(new FileCount(48, 25), new FileCount(49, 25), new FileCount(46, 24)),
        popularity.mostRead(3));
    assertEquals(0, popularity.fileErrorBound());
  }

  /** All of them have more reads in sum than a file of one hot block. */
  @Test
  void manyLongScannedFilesHideNoShortHotOne() {
    Popularity popularity = new Popularity(100_000, 0.5);
    int longFiles = 1000;
    for (int file = 0; file < longFiles; file++) {
      for (int block = 0; block < 60; block++) {
        popularity.record(file, 1000L * file + block, block % 3, 2);
      }
    }
    for (int file = longFiles; file < longFiles + 10; file++) {
      for (int server = 0; server < 3; server++) {
        popularity.record(file, 1000L * file, server, 25);
      }
    }
    assertEquals(
        LongStream.range(longFiles, longFiles + 10).boxed().toList(),
        popularity.mostRead(10).stream().map(FileCount::fileId).sorted().toList());
  }

  /** Whatever Eq. 2 or 3 can find hot comes before what they cannot; the oracle counts all. */
  @Test
  void ranksFilesByTheReplicaReadMostAsAnExactCountDoes() {
    for (long seed = 1; seed <= 40; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      Popularity popularity = new Popularity(40_000, 0.5);
      Map<List<Long>, Double> oracle = new HashMap<>();
      for (int interval = 0; interval < 3; interval++) {
        if (interval > 0) {
          popularity.endInterval();
          oracle.replaceAll((replica, reads) -> reads / 2);
        }
        for (int i = 0; i < 600; i++) {
          long file = random.nextInt(40);
          long block = 100 * file + random.nextInt(1 + (int) file % 9);
          long server = random.nextInt(3);
          long reads = 8L * (1 + random.nextInt(4));
          popularity.record(file, block, server, reads);
          oracle.merge(List.of(file, block, server), (double) reads, Double::sum);
        }
      }
      assertEquals(0, popularity.fileErrorBound() + popularity.replicaErrorBound());
      Map<Long, Double> peaks = new HashMap<>();
      oracle.forEach((replica, reads) -> peaks.merge(replica.get(0), reads, Math::max));
      List<Long> expected =
          peaks.keySet().stream()
              .sorted(
                  Comparator.<Long>comparingDouble(file -> -peaks.get(file)).thenComparing(f -> f))
              .limit(15)
              .toList();
      assertEquals(
          expected,
          popularity.mostRead(15).stream().map(FileCount::fileId).toList(),
          "seed " + seed);
    }
  }

  /** A file with more reads than the bound is never missing, however many others there are. */
  @Test
  void neverLosesAFileReadMoreOftenThanTheErrorBound() {
    long seed = System.nanoTime();
    System.out.println("heavy files among many, seed " + seed);
    SplittableRandom random = new SplittableRandom(seed);
    Popularity popularity = new Popularity(256, 0);
    int heavy = 20;
    for (int i = 0; i < 200_000; i++) {
      long file = i % 10 == 0 ? random.nextInt(heavy) : 1000 + random.nextInt(5000);
      popularity.record(file, file, 1);
    }
    List<FileCount> top = popularity.mostRead(heavy);
    for (long file = 0; file < heavy; file++) {
      long wanted = file;
      assertTrue(top.stream().anyMatch(count -> count.fileId() == wanted), "seed " + seed);
    }
  }

  @Test
  void takesNoMoreThan29BytesForEachOfAMillionFiles() {
    int files = 1_000_000;
    Popularity warmUp = new Popularity(files, 0.5);
    assertTrue(warmUp.counters() >= 1.95 * files);
    long before = THREADS.getCurrentThreadAllocatedBytes();
    Popularity popularity = new Popularity(files, 0.5);
    long allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
    double arithmetic = (double) popularity.counterBytes() / files;
    assertEquals(28.85, arithmetic, 0.1);
    assertTrue(allocated < 29 * files, "allocated " + allocated);
    assertEquals(arithmetic, (double) allocated / files, 0.1, "arrays are all there is");
  }

  @Test
  void recordingAReadAllocatesNothing() {
    Popularity popularity = new Popularity(10_000, 0.5);
    recordMany(popularity); // classes are loaded
    long before = THREADS.getCurrentThreadAllocatedBytes();
    recordMany(popularity);
    long allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
    assertTrue(allocated < 1000, "allocated " + allocated + " bytes for 100000 reads");
  }

  private static void recordMany(Popularity popularity) {
    for (int i = 0; i < 100_000; i++) {
      popularity.record(i % 30_000, i % 30_000, i % 3);
    }
  }

  @Test
  void refusesSizesAndDecaysOutOfRange() {
    String few =
        assertThrows(IllegalArgumentException.class, () -> new Popularity(15, 0)).getMessage();
    assertEquals("tracked files is 15, allowed is 16 to 100000000", few);
    assertThrows(IllegalArgumentException.class, () -> new Popularity(16, 1));
    assertThrows(IllegalArgumentException.class, () -> new Popularity(16, Double.NaN));
  }
}
