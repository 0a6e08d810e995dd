package org.rackweave.hdfs.eafr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.BlockReceivedAndDeletedRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.ReceivedDeletedBlockInfoProto.BlockStatus;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.net.Node;
import org.junit.jupiter.api.Test;
import org.rackweave.eafr.ServerRole;
import org.rackweave.eafr.Servers;
import org.rackweave.hdfs.ClusterView;
import org.rackweave.hdfs.ClusterViews;
import org.rackweave.hdfs.ConfigKeys;
import org.rackweave.hdfs.ConfiguredRules;
import org.rackweave.hdfs.EafrConfig;
import org.rackweave.hdfs.RatesConfig;
import org.rackweave.hdfs.copies.CopyState;
import org.rackweave.hdfs.eafr.MovesUnderWay.MoveGivenUp;
import org.rackweave.hdfs.eafr.ReplicaMoves.Move;
import org.rackweave.hdfs.eafr.ReplicaMoves.Order;
import org.rackweave.model.ClusterTopology;
import org.rackweave.model.NodePlace;

class MoverTest {
  /** Three racks of two; the second server of each is standby. */
  private static final int NODES = 6;

  private static final long TERM = 7;
  private static final int IN_FLIGHT_MAX = 12;
  private static final long COOL_DOWN_MS = 1000;

  private final DatanodeDescriptor[] nodes = new DatanodeDescriptor[NODES];
  private final FakeFiles files = new FakeFiles();
  private final FakeMoves moves = new FakeMoves();
  private final MovedFiles moved = new MovedFiles(() -> COOL_DOWN_MS);
  private final List<String> encoded = new ArrayList<>();
  private final TransferRates rates =
      new TransferRates(
          () -> new RatesConfig(false, 0.2, 0.5, 0.1), /* isLeftToDayu= */ () -> false, 1000);
  private final Mover mover =
      new Mover(moves, files, MoverTest::config, encoded::contains, moved, rates);
  private final Servers.Builder servers;
  private final ClusterView cluster;
  private long nowMs;

  MoverTest() {
    List<NodePlace> places = new ArrayList<>();
    Map<Node, Integer> numbers = new IdentityHashMap<>();
    for (int i = 0; i < NODES; i++) {
      places.add(new NodePlace("n" + i, "/r" + i / 2, null));
      nodes[i] = DFSTestUtil.getDatanodeDescriptor("10.0.0." + i, "/r" + i / 2);
      numbers.put(nodes[i], i);
    }
    ClusterTopology topology = ClusterTopology.of(places);
    cluster = ClusterViews.of(topology, nodes, numbers);
    servers = Servers.of(topology, 10);
    for (int i = 1; i < NODES; i += 2) {
      servers.role(i, ServerRole.STANDBY).freeBytes(i, 1000 + i);
    }
    look();
  }

  private static EafrConfig config() {
    Configuration conf = new Configuration(false);
    conf.set(ConfiguredRules.HEAT, "/data=adapt, /data/none=none");
    conf.set(ConfigKeys.EAFR_RESERVE_BYTES, "0");
    conf.setInt(ConfigKeys.EAFR_IN_FLIGHT_MAX, IN_FLIGHT_MAX);
    return EafrConfig.from(conf);
  }

  private void look() {
    mover.look(new PlacedServers(cluster, servers.build()));
  }

  /** A file whose block is on three hot servers, or on those that are said. */
  private FileLookup.FoundFile file(long id, int... on) {
    files.add(id, 3, null);
    DatanodeDescriptor[] holders = new DatanodeDescriptor[on.length == 0 ? 3 : on.length];
    for (int i = 0; i < holders.length; i++) {
      holders[i] = nodes[on.length == 0 ? 2 * i : on[i]];
    }
    files.place(id, holders);
    moves.place(FakeFiles.FIRST_BLOCK + id, holders);
    return files.files(List.of(id)).get(0);
  }

  private void accept(FileLookup.FoundFile file) {
    assertNull(mover.accept(file, nowMs));
  }

  private void round() {
    nowMs += 1000;
    mover.goOn(true, TERM, nowMs);
  }

  @Test
  void aReplicaGoesFromTheBusiestHotServerToTheStandbyOneOfItsRack() {
    servers.reads(2, 5);
    look();
    accept(file(1));
    assertEquals(1, mover.waiting());
    round();
    Move move = moves.ordered.get(0);
    assertSame(nodes[2], move.source());
    assertSame(nodes[3], move.target(), "another rack would leave the block two");
    assertEquals(0, mover.waiting());
    assertEquals(1, mover.underWay().size());
    moves.complete(move);
    round();
    assertEquals(1, mover.underWay().done());
    assertTrue(mover.isIdle());
    assertEquals(Map.of(), mover.underWay().givenUp());
  }

  @Test
  void standbyServersFillOneAfterAnotherWhereRacksLeaveTheChoice() {
    servers.freeBytes(1, 500).freeBytes(3, 400).freeBytes(5, 300);
    look();
    accept(file(1, 0, 2, 4));
    accept(file(2, 0, 2, 4));
    round();
    assertEquals(2, moves.ordered.size());
    moves.ordered.forEach(move -> assertSame(nodes[1], move.target(), "it is node 0 that leaves"));
    accept(file(3, 0, 2, 3));
    round();
    assertSame(nodes[2], moves.ordered.get(2).source(), "node 0 copies as many as HDFS lets it");
    assertSame(nodes[5], moves.ordered.get(2).target(), "the fullest of those in other racks");
  }

  @Test
  void theNewReplicasReportIsHintedAndNobodyElses() {
    accept(file(1));
    round();
    Move move = moves.ordered.get(0);
    BlockReceivedAndDeletedRequestProto hinted =
        mover.underWay().hint(report(move.target(), move.blockId(), BlockStatus.RECEIVED));
    assertEquals(move.source().getDatanodeUuid(), hinted.getBlocks(0).getBlocks(1).getDeleteHint());
    assertEquals("", hinted.getBlocks(0).getBlocks(0).getDeleteHint(), "another block");
    for (BlockReceivedAndDeletedRequestProto other :
        List.of(
            report(move.source(), move.blockId(), BlockStatus.RECEIVED),
            report(move.target(), move.blockId(), BlockStatus.RECEIVING),
            report(move.target(), move.blockId(), BlockStatus.DELETED),
            report(move.target(), move.blockId() + 1, BlockStatus.RECEIVED))) {
      assertSame(other, mover.underWay().hint(other));
    }
    moves.complete(move);
    round();
    BlockReceivedAndDeletedRequestProto late =
        report(move.target(), move.blockId(), BlockStatus.RECEIVED);
    assertSame(late, mover.underWay().hint(late));
  }

  private static BlockReceivedAndDeletedRequestProto report(
      DatanodeDescriptor by, long blockId, BlockStatus status) {
    return Reports.of(by, status, 5, blockId);
  }

  @Test
  void noServerGivesOrTakesMoreThanHdfsWouldHaveItAndTheRestWaits() {
    for (int i = 1; i <= 10; i++) {
      accept(file(i));
    }
    round();
    assertEquals(6, moves.ordered.size(), "two from each hot server");
    for (int node = 0; node < NODES; node++) {
      DatanodeDescriptor at = nodes[node];
      assertTrue(moves.ordered.stream().filter(move -> move.source() == at).count() <= 2);
      assertTrue(moves.ordered.stream().filter(move -> move.target() == at).count() <= 3);
    }
    assertEquals(4, mover.waiting());
    round();
    assertEquals(6, moves.ordered.size(), "nobody is free yet");
    List.copyOf(moves.ordered).forEach(moves::complete);
    round();
    assertEquals(10, moves.ordered.size());
    assertEquals(6, mover.underWay().done());
  }

  @Test
  void othersCopiesComeFirst() {
    accept(file(1));
    files.pending = IN_FLIGHT_MAX;
    round();
    assertEquals(List.of(), moves.ordered);
    assertEquals(1, mover.waiting());
    assertEquals(Skipped.TOO_MANY_IN_FLIGHT, mover.accept(file(2), nowMs));
    files.pending = 0;
    round();
    assertEquals(1, moves.ordered.size());
  }

  @Test
  void noMoreBlocksWaitThanMayBeInFlight() {
    for (int i = 1; i <= IN_FLIGHT_MAX; i++) {
      accept(file(i));
    }
    assertEquals(Skipped.TOO_MANY_IN_FLIGHT, mover.accept(file(20), nowMs));
  }

  @Test
  void saysWhyAFileIsNotTaken() {
    FileLookup.FoundFile gone = file(1);
    files.remove(1);
    assertEquals(Skipped.GONE, mover.accept(gone, nowMs));
    FileLookup.FoundFile set = file(2);
    files.add(2, 4, null);
    assertEquals(Skipped.CHANGED_MEANWHILE, mover.accept(set, nowMs));
    FileLookup.FoundFile coded = file(3);
    encoded.add(coded.path());
    assertEquals(Skipped.CHANGED_MEANWHILE, mover.accept(coded, nowMs));
    assertEquals(Skipped.NO_PLACE, mover.accept(file(4, 0, 1, 3), nowMs), "one is on a hot server");
    FileLookup.FoundFile twice = file(5);
    accept(twice);
    assertEquals(Skipped.MOVING, mover.accept(twice, nowMs));
    round();
    assertEquals(Skipped.MOVING, mover.accept(twice, nowMs));
    servers.freeBytes(1, 0).freeBytes(3, 0).freeBytes(5, 99);
    look();
    assertEquals(Skipped.NO_PLACE, mover.accept(file(6), nowMs), "a block is 100 bytes");
  }

  @Test
  void blocksThatCannotBeMovedAfterAllAreGivenUpByNameAndOnlyBusyServersAreWaitedFor() {
    Map<Long, Order> answers =
        Map.of(
            1L, Order.GONE,
            2L, Order.CHANGED,
            3L, Order.UNSETTLED,
            4L, Order.TARGET_REFUSED,
            5L, Order.SOURCE_BUSY);
    answers.forEach(
        (id, answer) -> {
          accept(file(id));
          moves.answers.put(FakeFiles.FIRST_BLOCK + id, answer);
        });
    accept(file(6));
    moves.unsettle(FakeFiles.FIRST_BLOCK + 6);
    round();
    assertEquals(
        Map.of(
            MoveGivenUp.GONE, 1L,
            MoveGivenUp.CHANGED_MEANWHILE, 1L,
            MoveGivenUp.UNSETTLED, 2L,
            MoveGivenUp.TARGET_REFUSED, 1L),
        mover.underWay().givenUp());
    assertEquals(1, mover.waiting());
    assertEquals(0, mover.underWay().size());
    moves.answers.clear();
    round();
    assertEquals(1, moves.ordered.size());
    servers.role(1, ServerRole.HOT).role(3, ServerRole.HOT).role(5, ServerRole.HOT);
    accept(file(7));
    look();
    round();
    assertEquals(1L, mover.underWay().givenUp().get(MoveGivenUp.NO_PLACE));
    assertEquals(0, mover.waiting());
  }

  @Test
  void movesThatComeToNothingAreCounted() {
    accept(file(1));
    accept(file(2));
    accept(file(3));
    round();
    moves.end(moves.ordered.get(0), CopyState.BROKEN);
    moves.end(moves.ordered.get(1), CopyState.ARRIVED);
    moves.end(moves.ordered.get(2), CopyState.GIVEN_UP);
    round();
    assertEquals(List.of(moves.ordered.get(0)), moves.released);
    assertEquals(
        Map.of(MoveGivenUp.SERVER_LOST, 1L, MoveGivenUp.KEPT, 1L, MoveGivenUp.NOT_ARRIVED, 1L),
        mover.underWay().givenUp());
    assertTrue(mover.isIdle());
    assertEquals(0, mover.underWay().done());
  }

  @Test
  void theKillSwitchDropsWhatWaitsAndAHoldDelaysIt() {
    accept(file(1));
    mover.goOn(false, TERM, 1000);
    assertEquals(List.of(), moves.ordered);
    assertEquals(1, mover.waiting());
    mover.drop();
    assertEquals(Map.of(MoveGivenUp.SWITCHED_OFF, 1L), mover.underWay().givenUp());
    assertTrue(mover.isIdle());
  }

  @Test
  void nothingIsOrderedOrHintedWhenItIsAnothersTurn() {
    accept(file(1));
    moves.isTermOver = true;
    round();
    assertEquals(0, mover.underWay().size());
    mover.end();
    assertTrue(mover.isIdle());
    assertEquals(Map.of(), mover.underWay().givenUp());
  }

  @Test
  void aFileCoolsDownAfterAMove() {
    FileLookup.FoundFile file = file(1);
    accept(file);
    assertTrue(moved.isRecent(file.id(), nowMs + COOL_DOWN_MS - 1));
    assertTrue(!moved.isRecent(file.id(), nowMs + COOL_DOWN_MS));
    assertTrue(!moved.isRecent(2, nowMs));
  }
}
