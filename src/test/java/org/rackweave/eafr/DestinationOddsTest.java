package org.rackweave.eafr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Eq. 10 to 12. */
class DestinationOddsTest {

  /** Worked by hand: Eq. 10 gives 6/11, 3/11 and 2/11 for three candidates. */
  @Test
  void chancesAreTheMeanOfBothRanks() {
    Servers servers = Clusters.of(1, 3).reads(0, 9).reads(1, 5).build();
    DestinationOdds odds = DestinationOdds.of(servers, new double[] {90, 50, 70}, 0.5, 0);
    assertEquals((6 + 2) / 22.0, odds.chance(0), 1e-12, "fastest, least capacity");
    assertEquals((2 + 3) / 22.0, odds.chance(1), 1e-12);
    assertEquals((3 + 6) / 22.0, odds.chance(2), 1e-12);
  }

  @Test
  void betaWeighsSpeedAgainstCapacity() {
    Servers servers = Clusters.of(1, 2).reads(0, 9).build();
    double[] speeds = {90, 50};
    assertEquals(2 / 3.0, DestinationOdds.of(servers, speeds, 1, 0).chance(0), 1e-12);
    assertEquals(1 / 3.0, DestinationOdds.of(servers, speeds, 0, 0).chance(0), 1e-12);
  }

  @Test
  void onlyLiveHotServersWithSpaceAreCandidates() {
    Servers servers =
        Clusters.of(1, 5)
            .role(0, ServerRole.STANDBY)
            .role(1, ServerRole.COLD)
            .failed(2)
            .freeBytes(3, 9)
            .freeBytes(4, 10)
            .build();
    DestinationOdds odds = DestinationOdds.of(servers, new double[5], 0.5, 10);
    for (int node = 0; node < 4; node++) {
      assertEquals(0, odds.chance(node));
    }
    assertEquals(1, odds.chance(4));
  }

  @Test
  void equalsHaveTheSameChance() {
    Servers servers = Clusters.of(2, 3).build();
    DestinationOdds odds = DestinationOdds.of(servers, new double[6], 0.3, 0);
    for (int node = 0; node < 6; node++) {
      assertEquals(1 / 6.0, odds.chance(node), 1e-12);
    }
  }

  /** The equations word by word, where no two servers are equal. */
  @Test
  void agreesWithTheEquationsOnRandomServers() {
    long first = System.nanoTime();
    System.out.println("Eq. 10 and 11, first seed " + first);
    for (long seed = first; seed < first + 2000; seed++) {
      SplittableRandom dice = new SplittableRandom(seed);
      int nodes = 1 + dice.nextInt(30);
      int[] shuffled = dice.ints(0, 2000).distinct().limit(nodes).toArray();
      Servers.Builder built = Servers.of(Clusters.topology(1, nodes), 1000);
      double[] speeds = new double[nodes];
      for (int node = 0; node < nodes; node++) {
        built.reads(node, shuffled[node]);
        speeds[node] = 1e4 * shuffled[nodes - 1 - node];
      }
      shuffle(speeds, dice);
      Servers servers = built.build();
      double beta = dice.nextDouble();
      DestinationOdds odds = DestinationOdds.of(servers, speeds, beta, 0);
      double harmonic = IntStream.rangeClosed(1, nodes).mapToDouble(k -> 1.0 / k).sum();
      for (int node = 0; node < nodes; node++) {
        int server = node;
        long faster = Arrays.stream(speeds).filter(speed -> speed > speeds[server]).count();
        long freer =
            IntStream.range(0, nodes)
                .filter(n -> servers.remainingCapacity(n) > servers.remainingCapacity(server))
                .count();
        double expected = beta / (faster + 1) / harmonic + (1 - beta) / (freer + 1) / harmonic;
        assertEquals(expected, odds.chance(node), 1e-9, "seed " + seed);
      }
      assertEquals(1, odds.sum(0, nodes), 1e-9, "seed " + seed);
    }
  }

  private static void shuffle(double[] values, SplittableRandom dice) {
    for (int i = values.length - 1; i > 0; i--) {
      int other = dice.nextInt(i + 1);
      double value = values[i];
      values[i] = values[other];
      values[other] = value;
    }
  }

  /** Eq. 12 with the running sum: frequencies within five standard deviations. */
  @Test
  void drawsByTheChances() {
    Servers servers = Clusters.of(1, 6).reads(0, 9).reads(1, 5).failed(3).build();
    double[] speeds = {90, 50, 70, 99, 10, 20};
    DestinationOdds odds = DestinationOdds.of(servers, speeds, 0.5, 0);
    SplittableRandom random = new SplittableRandom(42);
    int draws = 200_000;
    int[] drawn = new int[6];
    int[] outside = new int[6];
    int[] within = new int[6];
    for (int i = 0; i < draws; i++) {
      drawn[odds.drawOutside(6, 6, random)]++;
      outside[odds.drawOutside(1, 3, random)]++;
      within[odds.drawIn(2, 5, random)]++;
    }
    double leftOut = odds.chance(1) + odds.chance(2);
    double inside = odds.sum(2, 5);
    for (int node = 0; node < 6; node++) {
      double chance = odds.chance(node);
      assertFrequency(chance, drawn[node], draws);
      assertFrequency(node == 1 || node == 2 ? 0 : chance / (1 - leftOut), outside[node], draws);
      assertFrequency(node < 2 || node == 5 ? 0 : chance / inside, within[node], draws);
    }
  }

  private static void assertFrequency(double chance, int drawn, int draws) {
    double deviation = Math.sqrt(draws * chance * (1 - chance));
    assertEquals(draws * chance, drawn, 5 * deviation + 1e-9);
  }

  @Test
  void aBetterServerNeverHasLessChance() {
    SplittableRandom dice = new SplittableRandom(3);
    for (int round = 0; round < 500; round++) {
      int nodes = 2 + dice.nextInt(20);
      Servers.Builder built = Clusters.of(1, nodes);
      double[] speeds = new double[nodes];
      for (int node = 0; node < nodes; node++) {
        built.reads(node, dice.nextInt(20)); // remaining capacity falls below 0, too
        speeds[node] = dice.nextInt(5);
      }
      Servers servers = built.build();
      DestinationOdds odds = DestinationOdds.of(servers, speeds, 0.5, 0);
      for (int a = 0; a < nodes; a++) {
        for (int b = 0; b < nodes; b++) {
          if (speeds[a] >= speeds[b]
              && servers.remainingCapacity(a) >= servers.remainingCapacity(b)) {
            assertTrue(odds.chance(a) >= odds.chance(b) - 1e-12);
          }
        }
      }
    }
  }

  @Test
  void refusesAMixOutOfRange() {
    assertEquals(
        "beta is 1.1, allowed is [0, 1]",
        assertThrows(
                IllegalArgumentException.class,
                () -> DestinationOdds.of(Clusters.of(1, 1).build(), new double[1], 1.1, 0))
            .getMessage());
  }
}
