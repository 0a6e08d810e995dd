package org.rackweave.hdfs.ear;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.rackweave.ear.EarDecision;
import org.rackweave.ear.EarPlacement;
import org.rackweave.ear.ErasureCode;
import org.rackweave.ear.LeaveReason;
import org.rackweave.ear.OpenStripeStatus;
import org.rackweave.ear.OpenStripes;
import org.rackweave.ear.SealedStripe;
import org.rackweave.ear.WrittenBlock;
import org.rackweave.hdfs.ConfiguredRules;
import org.rackweave.hdfs.EarConfig;
import org.rackweave.history.EventLog;
import org.rackweave.model.ClusterTopology;
import org.rackweave.model.NodePlace;
import org.rackweave.placement.PlacementRequest;
import org.rackweave.placement.RandomPlacement;

/** What calls of clients make of stripes: rs-2-1 on four racks of two. */
class StripeRegistryTest {
  private static final ErasureCode CODE = new ErasureCode(2, 1);
  private static final int RACKS = 4;

  private final ClusterTopology topology = topology();
  private final StripeRegistry registry =
      new StripeRegistry(StripeRegistryTest::config, new EventLog(() -> 0, () -> 0));
  private final Random random = new Random(3);

  StripeRegistryTest() {
    List<String> uuids = new ArrayList<>();
    for (int node = 0; node < topology.nodeCount(); node++) {
      uuids.add("uuid-" + node);
    }
    registry.adopt(topology, uuids, 0);
  }

  private static EarConfig config() {
    Configuration conf = new Configuration(false);
    conf.set(ConfiguredRules.CODES, "/=rs-2-1");
    return EarConfig.from(conf);
  }

  private static ClusterTopology topology() {
    List<NodePlace> places = new ArrayList<>();
    for (int rack = 0; rack < RACKS; rack++) {
      places.add(new NodePlace("n" + rack + "a", "/r" + rack, null));
      places.add(new NodePlace("n" + rack + "b", "/r" + rack, null));
    }
    return ClusterTopology.of(places);
  }

  private OpenStripes open() {
    return registry.openStripes(CODE);
  }

  /** What the policy does when the first node's writer asks for a block: returns who was chosen. */
  private List<String> place(AddBlockCall call) {
    PlacementRequest request = PlacementRequest.newBlock(3, 0, 0, 2, 1 << 20);
    EarDecision decision =
        new EarPlacement(open(), topology, new RandomPlacement(topology, 8, 100))
            .place(request, () -> (node, local) -> null, random, 0, registry.events());
    int[] nodes = decision.placement().nodes();
    call.seat(open(), decision.seat(), nodes, node -> "uuid-" + node);
    return IntStream.of(nodes).mapToObj(node -> "uuid-" + node).toList();
  }

  private void write(long blockId) {
    AddBlockCall call = AddBlockCall.begin(registry);
    call.answered(blockId, place(call));
    call.end();
  }

  private int boundBlocks() {
    return registry.openStatus().stream().mapToInt(OpenStripeStatus::blocks).sum();
  }

  private int pendingSeats() {
    return registry.openStatus().stream().mapToInt(OpenStripeStatus::unbound).sum();
  }

  @Test
  void blocksOfAStripeAreKnownByTheirIds() {
    write(11);
    assertEquals(1, boundBlocks());
    write(12);
    SealedStripe sealed = registry.nextSealed();
    assertEquals(Set.of(11L, 12L), Set.of(sealed.blockIds()[0], sealed.blockIds()[1]));
    assertEquals(1, registry.sealedCount());
    assertNull(registry.nextSealed());
  }

  @Test
  void aSeatIsGivenBackWhenTheCallFails() {
    AddBlockCall call = AddBlockCall.begin(registry);
    assertSame(call, AddBlockCall.current());
    place(call);
    assertEquals(1, pendingSeats());
    call.end();
    assertEquals(0, pendingSeats() + boundBlocks());
    assertNull(AddBlockCall.current());
  }

  @Test
  void aSeatIsGivenBackWhenTheAnswerIsAnotherBlock() {
    AddBlockCall call = AddBlockCall.begin(registry);
    place(call);
    call.answered(11, List.of("uuid-0", "somebody"));
    assertEquals(0, pendingSeats() + boundBlocks());
    call.end();
  }

  @Test
  void onlyTheLastChoiceOfACallHoldsASeat() {
    AddBlockCall call = AddBlockCall.begin(registry);
    place(call);
    List<String> second = place(call);
    assertEquals(1, pendingSeats());
    call.answered(11, second);
    assertEquals(1, boundBlocks());
    call.end();
    assertEquals(1, boundBlocks());
  }

  @Test
  void anAbandonedBlockLeaves() {
    write(11);
    registry.withdraw(11, 0);
    assertEquals(0, boundBlocks());
    assertEquals(1, registry.departureCount(LeaveReason.WITHDRAWN));
    registry.withdraw(99, 0);
  }

  @Test
  void aPipelineThatFitsKeepsTheBlockAndAnUnknownOneMakesItLeave() {
    write(11);
    registry.moved(11, List.of("uuid-1", "uuid-4", "uuid-5"), 0);
    assertEquals(1, boundBlocks());
    registry.moved(11, List.of("uuid-1", "stranger"), 0);
    assertEquals(0, boundBlocks());
  }

  @Test
  void openStripesOutliveAChangeOfRacks() {
    write(11);
    List<NodePlace> more = new ArrayList<>();
    List<String> uuids = new ArrayList<>();
    for (int node = 0; node < topology.nodeCount(); node++) {
      more.add(
          new NodePlace(topology.nodeName(node), topology.rackPath(topology.rackOf(node)), null));
      uuids.add("uuid-" + node);
    }
    more.add(new NodePlace("n4a", "/r4", null));
    uuids.add("uuid-8");
    registry.adopt(ClusterTopology.of(more), uuids, 1);
    assertEquals(1, boundBlocks());
  }

  @Test
  void aBlockThatIsFoundGetsIntoAStripeOnce() {
    List<String> nodes = List.of("uuid-0", "uuid-2", "uuid-3");
    registry.found(CODE, new WrittenBlock(11, 64, 3), nodes, 0);
    registry.found(CODE, new WrittenBlock(11, 64, 3), nodes, 0);
    assertEquals(1, boundBlocks());
    registry.found(CODE, new WrittenBlock(12, 64, 3), List.of("uuid-1", "uuid-4", "uuid-5"), 0);
    assertEquals(1, registry.sealedWaiting());
    registry.found(CODE, new WrittenBlock(11, 64, 3), nodes, 0);
    assertEquals(0, boundBlocks(), "it waits in a sealed stripe");
    assertEquals(2, registry.foundCount());
  }

  @Test
  void aBlockIsLeftAsItIsWhereItCanBeInNoStripe() {
    registry.found(CODE, new WrittenBlock(11, 64, 3), List.of("uuid-0", "stranger"), 0);
    registry.found(CODE, new WrittenBlock(12, 64, 3), List.of("uuid-0", "uuid-1"), 0);
    registry.found(CODE, new WrittenBlock(13, 64, 3), List.of("uuid-0"), 0);
    assertEquals(0, boundBlocks() + pendingSeats());
    assertEquals(0, registry.foundCount());
  }

  @Test
  void everythingCanBeForgotten() {
    write(11);
    write(12);
    write(13);
    registry.forgetAll();
    assertEquals(0, boundBlocks() + registry.sealedWaiting());
    registry.found(CODE, new WrittenBlock(11, 64, 3), List.of("uuid-0", "uuid-2", "uuid-3"), 0);
    assertEquals(1, boundBlocks());
  }
}
