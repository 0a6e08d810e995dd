package org.rackweave.hdfs.dayu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** All that plans leave to stock gets there, however often they leave it. */
class StocksShareTest {
  private static final int BATCH = 16;
  private static final long INTERVAL_MS = 3000;

  private final List<Long> given = new ArrayList<>();
  private final StocksShare share =
      new StocksShare(
          new RefusingQueue() {
            @Override
            public int batchSize() {
              return BATCH;
            }

            @Override
            public int leaveToStock(List<WaitingBlock> blocks) {
              blocks.forEach(block -> given.add(block.id()));
              return 0;
            }
          },
          new RecoveryCounts(),
          INTERVAL_MS);

  private long nowMs = INTERVAL_MS;

  private static WaitingBlock block(long id) {
    return new WaitingBlock(id, 1000, 2, 3, 1, List.of(), List.of(), List.of());
  }

  private static List<WaitingBlock> blocks(long from, long to) {
    return LongStream.range(from, to).mapToObj(StocksShareTest::block).toList();
  }

  private void serve() {
    share.serve(nowMs);
    nowMs += INTERVAL_MS;
  }

  @Test
  void whatStockCannotRepairKeepsNothingElseFromIt() {
    int rounds = (200 + BATCH - 1) / BATCH;
    for (int round = 0; round < rounds; round++) {
      share.leave(blocks(0, 200)); // a plan a second: before each turn of stock's
      serve();
    }
    assertEquals(200, given.size(), "none a second time");
    assertEquals(200, new HashSet<>(given).size());
    share.leave(blocks(0, 200));
    serve();
    assertEquals(0L, given.get(200), "and then the most urgent again");
  }

  @Test
  void newBlocksComeBeforeThoseThatHadTheirTurn() {
    share.leave(blocks(0, 2 * BATCH));
    serve();
    share.leave(blocks(0, 2 * BATCH + 1));
    serve();
    serve();
    assertEquals(2 * BATCH, given.get(given.size() - 1));
    assertEquals(2 * BATCH + 1, given.size());
  }

  @Test
  void whatHdfsRefusedTwiceIsNotForgottenAtTheNextPlan() {
    share.refused(Set.of(7L), blocks(7, 8));
    share.leave(blocks(100, 100 + BATCH));
    share.refused(Set.of(7L), blocks(7, 8));
    share.leave(blocks(100, 100 + BATCH));
    serve();
    serve();
    assertTrue(given.contains(7L), given::toString);
  }

  @Test
  void aBlockWhoseCopyStoodStillIsStocksForAWhile() {
    assertFalse(share.isStocks(block(5), 0));
    share.stoodStill(5, 0);
    assertTrue(share.isStocks(block(5), StocksShare.STOOD_STILL_MS - 1));
    assertFalse(share.isStocks(block(6), 0));
    assertFalse(share.isStocks(block(5), StocksShare.STOOD_STILL_MS));
  }
}
