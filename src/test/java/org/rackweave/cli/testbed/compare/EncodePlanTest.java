package org.rackweave.cli.testbed.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class EncodePlanTest {
  private static final int RACKS = 6;
  private static final int NODES = 12;
  private static final EncodeSettings SETTINGS = EncodeSettings.standard();

  private static EncodePlan draw(long seed) {
    return EncodePlan.draw(SETTINGS, RACKS, NODES, seed);
  }

  @Test
  void followsFromItsSeed() {
    EncodePlan plan = draw(3);
    EncodePlan again = draw(3);
    assertEquals(plan.groups(), again.groups());
    assertEquals(plan.encoders(), again.encoders());
    assertEquals(plan.writes(), again.writes());
    assertEquals(plan.schedule().periods(), again.schedule().periods());
    assertNotEquals(plan.groups(), draw(4).groups());
  }

  @Test
  void hasEveryFileInOneStripe() {
    EncodePlan plan = draw(1);
    assertEquals(NODES * SETTINGS.filesPerNode(), plan.files().size());
    assertEquals(
        IntStream.range(0, plan.files().size()).boxed().toList(),
        plan.groups().stream().flatMap(List::stream).sorted().toList());
    assertTrue(
        plan.groups().stream().allMatch(group -> group.size() == EncodeSettings.CODE.dataBlocks()));
  }

  @Test
  void hasEveryNodeEncodeAsOften() {
    EncodePlan plan = draw(1);
    assertEquals(
        IntStream.range(0, NODES).boxed().toList(), plan.encoders().stream().sorted().toList());
    assertEquals(0, plan.groups().size() % NODES);
  }

  @Test
  void hasOneOtherWriterInEveryRack() {
    assertEquals(
        List.of(0, 2, 4, 6, 8, 10),
        draw(1).writes().stream().map(PoissonWrites.Planned::writer).distinct().sorted().toList());
  }
}
