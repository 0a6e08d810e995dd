package org.rackweave.telemetry;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.rackweave.MixedRandom;

class OwnTransfersTest {

  private final OwnTransfers own = new OwnTransfers();

  @Test
  void countsWhatComesOverTheLinkAndOverTheRacksLink() {
    own.order(true);
    own.order(false);
    own.orderLocally();
    assertEquals(2, own.overLink());
    assertEquals(1, own.acrossRacks());
  }

  @Test
  void takesTheOldestForArrived() {
    own.order(true);
    own.order(false);
    own.settle(2);
    own.settle(1);
    assertEquals(1, own.overLink());
    assertEquals(0, own.acrossRacks());
  }

  @Test
  void keepsWhatHdfsMayNotHaveCountedYet() {
    own.order(true);
    own.settle(0);
    assertEquals(1, own.overLink(), "ordered since the last call");
    own.settle(0);
    assertEquals(0, own.overLink());
  }

  @Test
  void blocksOfOthersUnderWayAreNotCounted() {
    own.order(true);
    own.settle(7);
    assertEquals(1, own.overLink());
  }

  @Test
  void holdsNoMoreThanItsBoundWhateverIsOrdered() {
    for (int i = 0; i < 10 * OwnTransfers.MOST; i++) {
      own.order(true);
    }
    assertEquals(OwnTransfers.MOST, own.overLink());
  }

  /** The same with a queue of objects, which is what the ring of bytes stands for. */
  private static final class Plain {
    private final Deque<String> blocks = new ArrayDeque<>();
    private int sinceSettled;

    void order(String way) {
      blocks.add(way);
      sinceSettled++;
    }

    void settle(int underWay) {
      while (blocks.size() > Math.max(underWay, sinceSettled)) {
        blocks.remove();
      }
      sinceSettled = 0;
    }

    long count(String... ways) {
      return blocks.stream().filter(List.of(ways)::contains).count();
    }
  }

  @Test
  void behavesAsAPlainQueueDoes() {
    long seed = System.nanoTime();
    System.out.println("own transfers against a queue, seed " + seed);
    Random random = MixedRandom.of(seed);
    Plain plain = new Plain();
    for (int step = 0; step < 20_000; step++) {
      boolean isFull = plain.blocks.size() == OwnTransfers.MOST;
      switch (isFull ? 4 : random.nextInt(5)) {
        case 0, 1 -> {
          boolean across = random.nextBoolean();
          plain.order(across ? "across" : "link");
          own.order(across);
        }
        case 2, 3 -> {
          plain.order("local");
          own.orderLocally();
        }
        default -> {
          int underWay = random.nextInt(40);
          plain.settle(underWay);
          own.settle(underWay);
        }
      }
      assertEquals(plain.count("across", "link"), own.overLink());
      assertEquals(plain.count("across"), own.acrossRacks());
      assertEquals(plain.blocks.size(), own.size());
    }
  }
}
