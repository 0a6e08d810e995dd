package org.rackweave.sim.reading;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.rackweave.sim.engine.SimTime;
import org.rackweave.sim.reading.CopyRun.Destination;
import org.rackweave.sim.reading.CopyRun.Way;
import org.rackweave.sim.statistics.Sample;

/** Sections 3.3, 3.4 and 4.1.2. */
class CopyRunTest {
  private static final ServerPark PARK = ServerPark.drawn(4, 10, new SplittableRandom(9));

  private static List<Sample> run(Destination destination, boolean hasRates) {
    CopyRun.Plan plan = new CopyRun.Plan(0.01, SimTime.ofMs(36_000_000), SimTime.ofMs(150_000_000));
    return new CopyRun(PARK, new Way(destination, hasRates), plan, 5).run();
  }

  @Test
  void allWaysCopyTheSameFilesAndLargerOnesTakeLonger() {
    List<Sample> random = run(Destination.RANDOM, false);
    for (Way way :
        List.of(
            new Way(Destination.LEAST_READ, false),
            new Way(Destination.LOTTERY, false),
            new Way(Destination.LOTTERY, true))) {
      List<Sample> seen = run(way.destination(), way.hasRates());
      for (int kind = 0; kind < seen.size(); kind++) {
        assertEquals(random.get(kind).size(), seen.get(kind).size(), way + " " + kind);
        assertTrue(kind == 0 || seen.get(kind).mean() > seen.get(kind - 1).mean(), way.toString());
      }
    }
  }

  @Test
  void nothingArrivesFasterThanALinkAllows() {
    for (Sample sample : run(Destination.LOTTERY, true)) {
      assertTrue(sample.size() > 0);
    }
    double least = run(Destination.RANDOM, false).get(4).quantile(0);
    assertTrue(least >= 10e9 / ServerPark.LINK_BYTES_PER_SEC, "10 GB in " + least + " s");
  }

  @Test
  void theLotteryFindsFasterServersWhenCopiesDoNotMeet() {
    double chance = run(Destination.RANDOM, false).get(4).mean();
    double lottery = run(Destination.LOTTERY, false).get(4).mean();
    assertTrue(lottery < chance, lottery + " s against " + chance);
  }
}
