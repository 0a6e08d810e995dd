package org.rackweave.cli.testbed.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.rackweave.cli.experiment.BlockWrite;
import org.rackweave.cli.experiment.BlockWrite.Situation;
import org.rackweave.cli.testbed.compare.PoissonWrites.Planned;

class ClassesTest {

  private final WritesPlan plan = WritesPlan.draw(WritesSettings.quick(20_000), 6, 12, 4);
  private final Set<Integer> hot = plan.schedule().hotAt(25_000);

  private int nodeIn(boolean hotRack, int which) {
    return 2
        * IntStream.range(0, 6)
            .filter(rack -> hot.contains(rack) == hotRack)
            .skip(which)
            .findFirst()
            .orElseThrow();
  }

  private BlockWrite of(int writer, Integer... replicas) {
    return WritesOutcome.classed(2, new Planned(writer, 0, 25_000), List.of(replicas), 1.5, hot);
  }

  @Test
  void looksAtTheRacksThatAreHotWhenTheWriteIsDue() {
    int cold = nodeIn(false, 0);
    int otherCold = nodeIn(false, 1);
    int warm = nodeIn(true, 0);
    assertEquals(
        Situation.WRITER_AND_TARGET_FREE, of(cold, cold, otherCold, otherCold + 1).situation());
    assertEquals(Situation.WRITER_FREE_TARGET_HOT, of(cold, cold, otherCold, warm).situation());
    assertEquals(Situation.WRITER_HOT, of(warm, warm, cold, cold + 1).situation());
  }

  @Test
  void theWritersOwnCopyIsNoTarget() {
    int warm = nodeIn(true, 0);
    int cold = nodeIn(false, 0);
    assertEquals(false, of(warm, warm, cold, cold + 1).targetHot());
    assertEquals(true, of(warm, warm, warm + 1, cold).targetHot());
  }

  @Test
  void keepsTimesAndOrder() {
    BlockWrite block = of(nodeIn(false, 0), nodeIn(false, 1));
    assertEquals(1.5, block.seconds());
    assertEquals(25_000_000_000L, block.startNs());
  }
}
