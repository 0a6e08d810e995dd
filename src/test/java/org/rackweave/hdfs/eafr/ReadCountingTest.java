package org.rackweave.hdfs.eafr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.rackweave.eafr.FileReads;
import org.rackweave.eafr.ThresholdRule;
import org.rackweave.telemetry.BlockReads;

class ReadCountingTest {
  private static final long INTERVAL_MS = 1000;
  private static final long WINDOW_MIN_MS = 100;
  private static final long FILE = 5;
  private static final long BLOCK = FakeFiles.FIRST_BLOCK + FILE;
  private static final int SERVER = ServerKey.of("uuid-a");
  private static final int OTHER = ServerKey.of("uuid-b");

  private final FakeFiles files = new FakeFiles();
  private final ReadCounting counting =
      new ReadCounting(
          files,
          100,
          () -> new ReadCounting.Terms(ThresholdRule.RELATIVE, 0, INTERVAL_MS, WINDOW_MIN_MS));

  @BeforeEach
  void begin() {
    files.add(FILE, 3, null);
    counting.begin();
  }

  private double[] reads() {
    FileReads reads =
        counting
            .popularity()
            .readsOf(FILE, new long[] {BLOCK}, new long[][] {new long[] {SERVER, OTHER}});
    return new double[] {
      reads.sureReads(), reads.sureReplicaReads()[0], reads.sureReplicaReads()[1]
    };
  }

  private void assertReads(double file, double server, double other) {
    assertEquals(List.of(file, server, other), List.of(reads()[0], reads()[1], reads()[2]));
  }

  private void located(long blockId, int server) {
    counting.located(new long[] {blockId, server}, 1);
  }

  @Test
  void thresholdsFollowWhatServersWereSeenToServe() {
    files.add(1, 3, null);
    counting.begin();
    counting.told("a", List.of(new BlockReads(FakeFiles.FIRST_BLOCK + 1, 50)), 0, 0);
    counting.count(0);
    counting.look(WINDOW_MIN_MS - 1);
    assertEquals(0, counting.served(), "in so little time a heartbeat makes too much of it");
    counting.look(26);
    assertEquals(400, counting.served());
    assertEquals(ThresholdRule.RELATIVE.at(400), counting.thresholds());
  }

  @Test
  void countsReadersByTheServerTheyWereSentTo() {
    located(BLOCK, SERVER);
    located(BLOCK, SERVER);
    located(BLOCK, OTHER);
    located(BLOCK + 1, OTHER); // of no file
    assertReads(0, 0, 0);
    counting.count(0);
    assertReads(3, 2, 1);
    assertEquals(3, counting.counted());
  }

  @Test
  void believesAServerThatTellsWhatItServes() {
    counting.told("uuid-a", List.of(new BlockReads(BLOCK, 7)), 0, 0);
    located(BLOCK, SERVER);
    located(BLOCK, OTHER);
    counting.count(INTERVAL_MS - 1);
    assertReads(8, 7, 1);
    assertEquals(1, counting.tellingServers(INTERVAL_MS - 1));
  }

  @Test
  void countsWhatReadersWereToldOfAServerThatHasFallenSilent() {
    counting.told("uuid-a", List.of(new BlockReads(BLOCK, 7)), 0, 0);
    located(BLOCK, SERVER);
    counting.count(INTERVAL_MS);
    assertReads(8, 8, 0);
    counting.retainOnly(Set.of("uuid-b"));
    assertEquals(0, counting.tellingServers(0));
  }

  private double mostReads() {
    return counting
        .popularity()
        .readsOf(FILE, new long[] {BLOCK}, new long[][] {new long[] {SERVER}})
        .mostReads();
  }

  /** Nothing there is cold for certain. */
  @Test
  void addsWhatAServerMayHaveMissedToWhatItsReplicasHaveAtMost() {
    counting.told("uuid-a", List.of(new BlockReads(BLOCK, 7)), 3, 0);
    counting.told("uuid-a", List.of(), 2, 0);
    counting.count(0);
    assertReads(7, 7, 0);
    assertEquals(12, mostReads());
  }

  /** Short-circuit readers, whom the DataNode does not see, and those it has not told of yet. */
  @Test
  void readersSentToAServerThatTellsCountAmongItsReadsAtMost() {
    counting.told("uuid-a", List.of(), 0, 0);
    for (int reader = 0; reader < 5; reader++) {
      located(BLOCK, SERVER);
    }
    counting.count(0);
    assertReads(0, 0, 0);
    assertEquals(5, mostReads());
    counting.told("uuid-a", List.of(new BlockReads(BLOCK, 4)), 0, 0);
    counting.count(0);
    assertReads(4, 4, 0);
    assertEquals(5, mostReads(), "the greater of both, not their sum");
    counting.told("uuid-a", List.of(new BlockReads(BLOCK, 4)), 3, 0);
    counting.count(0);
    assertEquals(11, mostReads());
  }

  @Test
  void takesNoFileForColdOfAServerWhoseAgentDoesNotTellWhatItMisses() {
    counting.told("uuid-a", List.of(new BlockReads(BLOCK, 7)), -1, 0);
    counting.count(0);
    assertReads(7, 7, 0);
    assertEquals(Double.POSITIVE_INFINITY, mostReads());
    counting.popularity().endInterval();
    assertTrue(mostReads() > 1e30);
    counting.told("uuid-a", List.of(), 0, 0);
    counting.count(0);
    counting.popularity().endInterval();
    assertTrue(mostReads() < 7, "the agent was replaced an interval ago");
  }

  @Test
  void beginsEachTermAnew() {
    located(BLOCK, SERVER);
    counting.told("uuid-b", List.of(new BlockReads(BLOCK, 7)), 0, 0);
    counting.end();
    counting.told("uuid-b", List.of(new BlockReads(BLOCK, 7)), 0, 0);
    counting.begin();
    counting.count(0);
    assertReads(0, 0, 0);
  }

  @Test
  void dropsAndCountsWhatIsTooMuch() {
    int tooMany = 3;
    located(BLOCK, SERVER);
    int rest = ReadLog.CAPACITY - 1 + tooMany;
    long[] reads = new long[ReadLog.WIDTH * rest];
    for (int i = 0; i < rest; i++) {
      reads[ReadLog.WIDTH * i] = BLOCK;
      reads[ReadLog.WIDTH * i + 1] = SERVER;
    }
    counting.located(reads, rest);
    counting.count(0);
    assertEquals(tooMany, counting.dropped());
    assertEquals(ReadLog.CAPACITY, counting.counted());
    located(BLOCK, SERVER);
    counting.count(0);
    assertEquals(ReadLog.CAPACITY + 1, counting.counted());
  }

  @Test
  void losesNoReadThatManyThreadsBringWhileItCounts() throws InterruptedException {
    int threads = 8;
    int each = 20_000;
    List<Thread> readers = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      Thread reader =
          new Thread(
              () -> {
                for (int read = 0; read < each; read++) {
                  located(BLOCK, SERVER);
                }
              });
      readers.add(reader);
      reader.start();
    }
    while (readers.stream().anyMatch(Thread::isAlive)) {
      counting.count(0);
    }
    for (Thread reader : readers) {
      reader.join();
    }
    counting.count(0);
    assertEquals((long) threads * each, counting.counted() + counting.dropped());
    assertTrue(counting.counted() > 0);
  }
}
