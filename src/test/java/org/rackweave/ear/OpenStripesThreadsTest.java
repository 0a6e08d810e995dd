package org.rackweave.ear;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.rackweave.MixedRandom;
import org.rackweave.model.ClusterTopology;
import org.rackweave.placement.PlacementRequest;
import org.rackweave.placement.RandomPlacement;

/**
 * Writers in several threads while racks come and go: no block is lost, and none is in two places.
 */
class OpenStripesThreadsTest {
  private static final int WRITERS = 3;
  private static final int BLOCKS = 4000;

  private final ClusterTopology whole = Racks.even(9, 4);
  private final ClusterTopology without = Racks.changed(whole, Racks.nodesOf(4, whole), List.of());
  private final OpenStripes stripes =
      new OpenStripes(StripeRules.of(ErasureCode.named("rs-4-2")), whole);
  private final Queue<StripeEvent> events = new ConcurrentLinkedQueue<>();
  private final Set<Long> bound = ConcurrentHashMap.newKeySet();
  private final AtomicInteger writing = new AtomicInteger(WRITERS);

  @Test
  void accountsForEveryBlock() throws Exception {
    long seed = System.nanoTime();
    System.out.println("writers in threads, seed " + seed);
    ExecutorService threads = Executors.newFixedThreadPool(WRITERS + 1);
    try {
      List<Future<?>> work = new ArrayList<>();
      for (int writer = 0; writer < WRITERS; writer++) {
        long firstBlock = (long) writer * BLOCKS;
        work.add(threads.submit(write(firstBlock, MixedRandom.of(seed + writer))));
      }
      work.add(threads.submit(changeRacks(MixedRandom.of(seed - 1))));
      for (Future<?> one : work) {
        one.get(60, TimeUnit.SECONDS);
      }
    } finally {
      threads.shutdownNow();
    }
    check();
  }

  private Callable<Void> write(long firstBlock, Random dice) {
    return () -> {
      try {
        for (long block = firstBlock; block < firstBlock + BLOCKS; block++) {
          ClusterTopology topology = stripes.topology();
          int writer = dice.nextInt(topology.nodeCount());
          PlacementRequest request =
              PlacementRequest.newBlock(3, writer, topology.rackOf(writer), 2, 1);
          EarDecision decision =
              new EarPlacement(stripes, topology, new RandomPlacement(topology, 8, 32))
                  .place(request, () -> (node, local) -> null, dice, 0, events::add);
          if (decision.seat() != null && stripes.bind(decision.seat(), block, 0, events::add)) {
            bound.add(block);
          }
        }
      } finally {
        writing.decrementAndGet();
      }
      return null;
    };
  }

  private Callable<Void> changeRacks(Random dice) {
    return () -> {
      while (writing.get() > 0) {
        stripes.adopt(stripes.topology() == whole ? without : whole, dice, 0, events::add);
        stripes.expire(1, events::add);
      }
      return null;
    };
  }

  private void check() {
    Set<Long> sealed = new HashSet<>();
    Set<Long> left = new HashSet<>();
    for (StripeEvent event : events) {
      if (event instanceof StripeEvent.Sealed one) {
        for (long block : one.stripe().blockIds()) {
          assertTrue(sealed.add(block), () -> block + " was sealed twice");
        }
      } else if (event instanceof StripeEvent.Left one) {
        assertTrue(left.add(one.blockId()), () -> one + " twice");
      }
    }
    Set<Long> open = new HashSet<>();
    bound.stream().filter(block -> stripes.seatOf(block) != null).forEach(open::add);
    Set<Long> all = new HashSet<>(sealed);
    all.addAll(left);
    all.addAll(open);
    assertEquals(bound, all);
    assertEquals(bound.size(), sealed.size() + left.size() + open.size(), "each is in one place");
    int blocks = stripes.status().stream().mapToInt(OpenStripeStatus::blocks).sum();
    assertEquals(open.size(), blocks);
    assertTrue(sealed.size() > BLOCKS / 10, () -> sealed.size() + " were sealed");
  }
}
