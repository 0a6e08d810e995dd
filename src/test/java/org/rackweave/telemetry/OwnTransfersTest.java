package org.rackweave.telemetry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.rackweave.MixedRandom;

class OwnTransfersTest {

  private final OwnTransfers own = new OwnTransfers();

  @Test
  void countsWhatComesOverTheLinkAndOverTheRacksLink() {
    own.order(100, true);
    own.order(100, false);
    own.orderLocally();
    assertEquals(2, own.overLink());
    assertEquals(1, own.acrossRacks());
  }

  @Test
  void takesTheOldestForArrived() {
    own.order(100, true);
    own.order(100, false);
    own.settle(2);
    own.settle(1);
    assertEquals(1, own.overLink());
    assertEquals(0, own.acrossRacks());
  }

  @Test
  void keepsWhatHdfsMayNotHaveCountedYet() {
    own.order(100, true);
    own.settle(0);
    assertEquals(1, own.overLink(), "ordered since the last call");
    own.settle(0);
    assertEquals(0, own.overLink());
  }

  @Test
  void blocksOfOthersUnderWayAreNotCounted() {
    own.order(100, true);
    own.settle(7);
    assertEquals(1, own.overLink());
  }

  @Test
  void putsReceivedBytesDownToItsBlocksUntilTheyAreComplete() {
    own.order(100, true);
    own.order(50, false);
    assertEquals(80, own.attribute(80));
    assertEquals(70, own.attribute(200), "what was left of both");
    assertEquals(0, own.attribute(200));
  }

  @Test
  void aBlockThatHasArrivedIsCountedOnceMore() {
    own.order(100, true);
    own.settle(0);
    own.settle(0);
    assertEquals(60, own.attribute(60), "arrived since the last measurement");
    assertEquals(0, own.attribute(60), "what it has not brought by now it did not have");
  }

  @Test
  void aLocalBlockExplainsNoTraffic() {
    own.orderLocally();
    assertEquals(0, own.attribute(1000));
  }

  @Test
  void holdsNoMoreThanItsBoundWhateverIsOrdered() {
    for (int i = 0; i < 10 * OwnTransfers.MOST; i++) {
      own.order(1, true);
    }
    assertEquals(OwnTransfers.MOST, own.overLink());
  }

  /** The same with a queue of objects, which is what the two arrays stand for. */
  private static final class Plain {
    private final Deque<long[]> blocks = new ArrayDeque<>();
    private int sinceSettled;
    private long arrived;

    void order(long bytes, boolean link, boolean across) {
      blocks.add(new long[] {bytes, link ? 1 : 0, across ? 1 : 0});
      sinceSettled++;
    }

    void settle(int underWay) {
      while (blocks.size() > Math.max(underWay, sinceSettled)) {
        arrived += blocks.remove()[0];
      }
      sinceSettled = 0;
    }

    long attribute(long received) {
      long own = Math.min(arrived, received);
      arrived = 0;
      for (long[] block : blocks) {
        long bytes = Math.min(block[0], received - own);
        block[0] -= bytes;
        own += bytes;
      }
      return own;
    }
  }

  @Test
  void behavesAsAPlainQueueDoes() {
    long seed = System.nanoTime();
    System.out.println("own transfers against a queue, seed " + seed);
    Random random = MixedRandom.of(seed);
    Plain plain = new Plain();
    for (int step = 0; step < 20_000; step++) {
      int bytes = random.nextInt(1000);
      boolean across = random.nextBoolean();
      switch (random.nextInt(5)) {
        case 0, 1 -> {
          if (plain.blocks.size() < OwnTransfers.MOST) {
            plain.order(bytes, true, across);
            own.order(bytes, across);
          }
        }
        case 2 -> {
          if (plain.blocks.size() < OwnTransfers.MOST) {
            plain.order(0, false, false);
            own.orderLocally();
          }
        }
        case 3 -> {
          int underWay = random.nextInt(40);
          plain.settle(underWay);
          own.settle(underWay);
        }
        default -> assertEquals(plain.attribute(bytes), own.attribute(bytes));
      }
      assertEquals(plain.blocks.stream().mapToLong(b -> b[1]).sum(), own.overLink());
      assertEquals(plain.blocks.stream().mapToLong(b -> b[2]).sum(), own.acrossRacks());
    }
    assertTrue(own.overLink() <= OwnTransfers.MOST);
  }
}
