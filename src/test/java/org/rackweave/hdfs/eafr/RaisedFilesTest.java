package org.rackweave.hdfs.eafr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.rackweave.hdfs.eafr.FileLookup.FoundFile;

class RaisedFilesTest {
  @Test
  void nothingIsLeftOfTheBudgetUntilAllFilesHaveBeenPassed() {
    RaisedFiles raised = new RaisedFiles();
    raised.put(1, 100);
    assertTrue(raised.budgetBytes() > 1L << 60);
    raised.known();
    assertEquals(100, raised.budgetBytes());
    raised.put(1, 300);
    raised.put(2, 50);
    assertEquals(350, raised.budgetBytes());
    raised.put(1, 0);
    raised.put(3, 0);
    assertEquals(50, raised.budgetBytes());
    assertEquals(1, raised.size());
    raised.clear();
    assertFalse(raised.isKnown());
  }

  @Test
  void allHaveTheirTurn() {
    RaisedFiles raised = new RaisedFiles();
    for (long id = 1; id <= 5; id++) {
      raised.put(id, 1);
    }
    assertEquals(List.of(1L, 2L), raised.next(2));
    assertEquals(List.of(3L, 4L), raised.next(2));
    assertEquals(List.of(5L, 1L), raised.next(2));
    assertEquals(5, raised.next(10).size());
  }

  @Test
  void raisesNothingMoreWhenThereAreTooManyToRemember() {
    RaisedFiles raised = new RaisedFiles();
    raised.known();
    for (long id = 1; id <= RaisedFiles.MAX + 5; id++) {
      raised.put(id, 1);
    }
    assertEquals(RaisedFiles.MAX, raised.size());
    assertTrue(raised.budgetBytes() > 1L << 60);
    raised.put(1, 0);
    assertEquals(RaisedFiles.MAX - 1, raised.budgetBytes());
  }

  @Test
  void aPassSeesEveryWantedFileOnceInShortHoldsOfTheLock() {
    FakeFiles files = new FakeFiles();
    for (long id = 1; id < 10_000; id += 7) {
      files.add(id, 3, id % 2 == 0 ? "3 3 4 1 1" : null);
    }
    files.add(123_456, 3, "3 3 4 1 1");
    NamespacePass pass = new NamespacePass(files, (id, factor, marked) -> marked);
    List<Long> seen = new ArrayList<>();
    for (Optional<List<FoundFile>> some = pass.next(); some.isPresent(); some = pass.next()) {
      some.get().forEach(file -> seen.add(file.id()));
    }
    assertEquals(1, pass.progress());
    assertEquals(10_000 / 14 + 1, seen.size());
    assertEquals(123_456, seen.get(seen.size() - 1));
    assertEquals(seen.stream().distinct().toList(), seen);
    assertTrue(files.longestScan <= 1000);
  }

  @Test
  void quotaOfADirectoryIsGivenOnce() {
    QuotaLedger ledger = new QuotaLedger(new FakeFiles());
    assertTrue(ledger.admits(1, 100));
    assertFalse(ledger.admits(2, 100));
    assertTrue(ledger.admits(2, 50));
    assertFalse(ledger.admits(2, 1));
  }
}
