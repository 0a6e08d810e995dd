package org.rackweave.sim.network;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.rackweave.sim.engine.EventLoop;
import org.rackweave.sim.engine.Invariant;

/** Random small networks, every settlement compared with {@link TextbookShares}. */
class FlowNetworkOracleTest {
  private static final int NETWORKS_PER_SEED = 100;
  private static final double RELATIVE = 1e-9;

  private record Running(int[] links, Flow flow) {}

  /** One random life of one random network. */
  private static final class Life {
    private final SplittableRandom random;
    private final EventLoop loop = new EventLoop(1_000_000);
    private final double[] capacities;
    private final FlowNetwork network;
    private final Invariant conservesBytes;
    private final List<Running> flows = new ArrayList<>();
    private final List<int[]> paths = new ArrayList<>();
    private double started;

    Life(SplittableRandom random) {
      this.random = random;
      capacities = new double[random.nextInt(1, 12)];
      for (int i = 0; i < capacities.length; i++) {
        capacities[i] = capacity();
      }
      network = new FlowNetwork(loop, capacities.clone(), 0);
      conservesBytes = network.conservesBytes();
      for (int i = 0; i < 8; i++) {
        paths.add(randomPath());
      }
    }

    /** Round numbers among them, so that links tie. */
    private double capacity() {
      return random.nextBoolean() ? 10.0 * random.nextInt(1, 5) : random.nextDouble(1, 100);
    }

    private int[] randomPath() {
      int[] order = random.ints(0, capacities.length).distinct().limit(capacities.length).toArray();
      int[] path = new int[random.nextInt(1, order.length + 1)];
      System.arraycopy(order, 0, path, 0, path.length);
      return path;
    }

    void live() {
      for (int turn = 0; turn < 60; turn++) {
        for (int changes = random.nextInt(1, 4); changes > 0; changes--) {
          change();
        }
        loop.runUntil(loop.nowNanos() + (random.nextInt(3) == 0 ? 0 : random.nextLong(1L << 33)));
        flows.removeIf(running -> !running.flow().isRunning());
        compare();
      }
      for (Running running : flows) {
        started -= network.leftBytes(running.flow());
        network.cancel(running.flow());
      }
      loop.runToEnd();
      assertEquals(started, network.deliveredBytes(), RELATIVE * (started + 1));
      for (int link = 0; link < capacities.length; link++) {
        assertEquals(0, network.load(link), 1e-6, "load when all is over");
      }
    }

    private void change() {
      int what = random.nextInt(10);
      if (what < 6 || flows.isEmpty()) {
        int[] links = random.nextBoolean() ? paths.get(random.nextInt(paths.size())) : randomPath();
        double size = random.nextDouble(1, 500);
        started += size;
        flows.add(new Running(links, network.start(Path.of(links), size, () -> {})));
      } else if (what < 8) {
        Flow victim = flows.remove(random.nextInt(flows.size())).flow();
        started -= network.leftBytes(victim);
        network.cancel(victim);
      } else {
        int link = random.nextInt(capacities.length);
        capacities[link] = random.nextInt(5) == 0 ? 0 : capacity();
        network.setCapacity(link, capacities[link]);
      }
    }

    private void compare() {
      double[] expected =
          TextbookShares.of(capacities, flows.stream().map(Running::links).toList());
      double[] loads = new double[capacities.length];
      for (int i = 0; i < expected.length; i++) {
        double actual = flows.get(i).flow().bytesPerSec();
        assertEquals(expected[i], actual, RELATIVE * (expected[i] + 1));
        for (int link : flows.get(i).links()) {
          loads[link] += actual;
        }
      }
      for (int link = 0; link < loads.length; link++) {
        assertEquals(loads[link], network.load(link), RELATIVE * (loads[link] + 1));
        assertTrue(loads[link] <= capacities[link] * (1 + RELATIVE));
      }
      assertEquals(null, network.fairness().fault());
      assertEquals(null, network.withinCapacity().fault());
      for (int link = 0; link < capacities.length; link++) {
        assertEquals(null, conservesBytes.fault());
      }
    }
  }

  static LongStream seeds() {
    return LongStream.range(0, 40);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void ratesEqualTheTextbooksAndBytesAreConserved(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < NETWORKS_PER_SEED; i++) {
      new Life(random.split()).live();
    }
  }
}
