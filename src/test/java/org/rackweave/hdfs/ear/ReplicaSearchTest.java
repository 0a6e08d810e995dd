package org.rackweave.hdfs.ear;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyString;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.junit.jupiter.api.Test;
import org.rackweave.ear.ErasureCode;
import org.rackweave.ear.StripeRecord;
import org.rackweave.hdfs.ClusterView;
import org.rackweave.hdfs.work.SearchTask;
import org.rackweave.hdfs.work.WorkCodec;
import org.rackweave.hdfs.work.WorkOrder;
import org.rackweave.hdfs.work.WorkQueue;
import org.rackweave.hdfs.work.WorkReport;

/** Who is asked for replicas of deleted blocks, when, and what becomes of the answers. */
class ReplicaSearchTest {
  private static final ErasureCode CODE = new ErasureCode(4, 3);
  private static final long BYTES = 1 << 20;
  private static final Block BLOCK = new Block(99, BYTES, 1);
  private static final long SILENCE_MS = 60_000;

  private final ClusterView nodes = StripeRepairTest.nodes();
  private final WorkQueue commands = new WorkQueue("DataNode", SILENCE_MS, 1);
  private final WithheldReplicas withheld = mock(WithheldReplicas.class);
  private final ReplicaSearch search =
      new ReplicaSearch(new StripeCommands(commands, "pool"), withheld);

  private static List<StripeRecord.Member> members(long... ids) {
    return LongStream.of(ids)
        .mapToObj(id -> new StripeRecord.Member(id, 1, BYTES, 100, 3))
        .toList();
  }

  /** What each DataNode that is told of an order is asked for. */
  private TreeMap<String, List<Long>> asked() throws IOException {
    TreeMap<String, List<Long>> asked = new TreeMap<>();
    for (DatanodeDescriptor node : nodes.datanodes()) {
      byte[] reply = commands.heard(node.getDatanodeUuid(), null, 0);
      if (reply != null) {
        for (WorkOrder order : WorkCodec.reply(reply).orders()) {
          asked.put(node.getDatanodeUuid(), ids(order));
        }
      }
    }
    return asked;
  }

  private static List<Long> ids(WorkOrder order) {
    List<Long> ids = new ArrayList<>();
    ((SearchTask) order.task()).blocks().forEach(block -> ids.add(block.getBlock().getBlockId()));
    return ids;
  }

  /** All who are asked answer that they have so many bytes of every block, but some. */
  private void answer(long bytes, String... but) throws IOException {
    for (DatanodeDescriptor node : nodes.datanodes()) {
      String uuid = node.getDatanodeUuid();
      byte[] reply = commands.heard(uuid, null, 0);
      if (reply == null || List.of(but).contains(uuid)) {
        continue;
      }
      List<WorkReport> reports = new ArrayList<>();
      for (WorkOrder order : WorkCodec.reply(reply).orders()) {
        List<Long> stored = ids(order).stream().map(id -> bytes).toList();
        reports.add(new WorkReport(order.id(), WorkReport.State.DONE, 0, "", stored));
      }
      commands.heard(uuid, WorkCodec.encode(reports), 0);
    }
  }

  private void want(long nowMs, long... ids) {
    search.want(CODE, members(ids), nowMs);
    search.look(nodes, nowMs);
  }

  /** A DataNode has as many orders as it may. */
  private void occupy(String uuid) {
    SearchTask other =
        new SearchTask(CODE, List.of(new StripeCommands(commands, "pool").toFind(BLOCK)));
    for (int order = 0; order < WorkCodec.ENTRIES_MAX; order++) {
      commands.give(uuid, other, SILENCE_MS, 0);
    }
  }

  @Test
  void allThatLiveAreAsked() throws IOException {
    nodes.datanodes()[4].setAlive(false);
    want(0, 7, 8);
    TreeMap<String, List<Long>> asked = asked();
    assertEquals(nodes.datanodes().length - 1, asked.size());
    assertFalse(asked.containsKey(nodes.datanodes()[4].getDatanodeUuid()));
    asked.values().forEach(ids -> assertEquals(List.of(7L, 8L), ids));
  }

  @Test
  void whoHasAWholeReplicaIsAHolder() throws IOException {
    want(0, 7);
    answer(BYTES);
    for (DatanodeDescriptor node : nodes.datanodes()) {
      verify(withheld).found(node.getDatanodeUuid(), new Block(7, BYTES, 1));
    }
  }

  @Test
  void whoHasAnotherLengthIsNone() throws IOException {
    want(0, 7);
    answer(BYTES - 1);
    verify(withheld, never()).found(anyString(), any());
  }

  @Test
  void aBlockMayTurnUpUntilAllHaveAnswered() throws IOException {
    assertTrue(search.mayTurnUp(7));
    want(0, 7);
    String last = nodes.datanodes()[3].getDatanodeUuid();
    answer(0, last);
    assertTrue(search.mayTurnUp(7));
    answer(0);
    assertFalse(search.mayTurnUp(7));
    want(ReplicaSearch.AGAIN_AFTER_MS, 7);
    assertFalse(search.mayTurnUp(7), "nobody waits a second time");
  }

  @Test
  void nobodyIsAskedAgainBeforeTheTime() throws IOException {
    want(0, 7);
    answer(0);
    want(ReplicaSearch.AGAIN_AFTER_MS - 1, 7);
    assertEquals(0, asked().size());
    want(ReplicaSearch.AGAIN_AFTER_MS, 7);
    assertEquals(nodes.datanodes().length, asked().size());
  }

  @Test
  void whoComesLaterIsAskedWhenItIsThere() throws IOException {
    DatanodeDescriptor late = nodes.datanodes()[4];
    late.setAlive(false);
    want(0, 7, 8);
    answer(0);
    assertFalse(search.mayTurnUp(7));
    late.setAlive(true);
    want(1, 7, 8);
    assertEquals(Map.of(late.getDatanodeUuid(), List.of(7L, 8L)), asked());
    assertTrue(search.mayTurnUp(7), "it may have it");
    answer(BYTES);
    verify(withheld).found(late.getDatanodeUuid(), new Block(7, BYTES, 1));
    assertFalse(search.mayTurnUp(7));
    want(2, 7, 8);
    assertEquals(0, asked().size());
  }

  @Test
  void whoWasGoneAndComesAgainIsAskedAgain() throws IOException {
    DatanodeDescriptor gone = nodes.datanodes()[4];
    want(0, 7);
    answer(0);
    gone.setAlive(false);
    want(1, 7);
    gone.setAlive(true);
    want(2, 7);
    assertEquals(Map.of(gone.getDatanodeUuid(), List.of(7L)), asked());
  }

  @Test
  void thoseWhoComeOneByOneDoNotPutOffThatAllAreAskedAgain() throws IOException {
    DatanodeDescriptor coming = nodes.datanodes()[4];
    coming.setAlive(false);
    want(0, 7);
    answer(0);
    long late = ReplicaSearch.AGAIN_AFTER_MS - 1;
    coming.setAlive(true);
    want(late, 7);
    answer(0);
    want(late + 1, 7);
    assertEquals(nodes.datanodes().length, asked().size());
  }

  @Test
  void aBlockMayTurnUpWhereAComerHadTooMuchToDo() throws IOException {
    DatanodeDescriptor busy = nodes.datanodes()[2];
    busy.setAlive(false);
    want(0, 7);
    answer(0);
    occupy(busy.getDatanodeUuid());
    busy.setAlive(true);
    want(1, 7);
    assertTrue(search.mayTurnUp(7));
    commands.expire(SILENCE_MS + 1);
    want(ReplicaSearch.AGAIN_AFTER_MS, 7);
    answer(0);
    assertFalse(search.mayTurnUp(7));
  }

  @Test
  void thoseThatNobodyWasAskedForComeBeforeThoseWhoComeLater() throws IOException {
    DatanodeDescriptor late = nodes.datanodes()[4];
    late.setAlive(false);
    want(0, 7);
    answer(0);
    late.setAlive(true);
    want(1, 7, 8);
    assertEquals(List.of(8L), asked().get(late.getDatanodeUuid()));
    answer(0);
    search.look(nodes, 1);
    assertEquals(Map.of(late.getDatanodeUuid(), List.of(7L)), asked());
  }

  @Test
  void whoDoesNotAnswerIsLeftAloneForLonger() throws IOException {
    String mute = nodes.datanodes()[3].getDatanodeUuid();
    want(0, 7);
    answer(0, mute);
    assertTrue(search.mayTurnUp(7));
    commands.expire(SILENCE_MS + 1);
    assertFalse(search.mayTurnUp(7));
    want(ReplicaSearch.AGAIN_AFTER_MS, 7);
    assertFalse(asked().containsKey(mute));
    answer(0);
    want(ReplicaSearch.MUTE_MS, 7);
    assertTrue(asked().containsKey(mute));
  }

  @Test
  void thoseThatNobodyWasAskedForComeFirst() throws IOException {
    long[] many = LongStream.range(0, SearchTask.BLOCKS_MAX + 1).toArray();
    want(0, many);
    answer(0);
    want(ReplicaSearch.AGAIN_AFTER_MS, many);
    List<Long> next = asked().firstEntry().getValue();
    assertEquals(SearchTask.BLOCKS_MAX, next.get(0));
    assertEquals(SearchTask.BLOCKS_MAX, next.size());
  }

  @Test
  void stripesOfAnotherCodeHaveAnOrderOfTheirOwn() throws IOException {
    search.want(CODE, members(7), 0);
    search.want(new ErasureCode(6, 3), members(8), 0);
    search.look(nodes, 0);
    assertEquals(List.of(7L), asked().firstEntry().getValue());
    answer(0);
    search.look(nodes, 0);
    assertEquals(List.of(8L), asked().firstEntry().getValue());
  }

  @Test
  void thoseThatAreDueAgainGiveWayWhenThereIsNoRoom() throws IOException {
    long[] all = LongStream.range(0, ReplicaSearch.BLOCKS_MAX).toArray();
    want(0, all);
    answer(0);
    search.want(CODE, members(ReplicaSearch.BLOCKS_MAX), 0);
    assertFalse(search.mayTurnUp(0));
    assertTrue(search.mayTurnUp(ReplicaSearch.BLOCKS_MAX));
    long later = ReplicaSearch.AGAIN_AFTER_MS;
    search.want(CODE, members(all), later);
    search.want(CODE, members(ReplicaSearch.BLOCKS_MAX), later);
    assertTrue(search.mayTurnUp(0), "forgotten");
    for (int first = 0; first < ReplicaSearch.BLOCKS_MAX; first += SearchTask.BLOCKS_MAX) {
      search.look(nodes, later);
      answer(0);
    }
    assertFalse(search.mayTurnUp(ReplicaSearch.BLOCKS_MAX), "its turn has come");
  }

  @Test
  void nobodyIsNoAnswer() throws IOException {
    for (DatanodeDescriptor node : nodes.datanodes()) {
      node.setAlive(false);
    }
    want(0, 7);
    assertTrue(search.mayTurnUp(7), "nobody was asked");
    for (DatanodeDescriptor node : nodes.datanodes()) {
      node.setAlive(true);
    }
    want(1, 7);
    answer(0);
    assertFalse(search.mayTurnUp(7));
  }

  @Test
  void whoHasTooMuchToDoIsAskedAnotherTime() throws IOException {
    String busy = nodes.datanodes()[2].getDatanodeUuid();
    occupy(busy);
    want(0, 7);
    answer(0, busy);
    assertTrue(search.mayTurnUp(7));
    commands.expire(SILENCE_MS + 1);
    want(ReplicaSearch.AGAIN_AFTER_MS, 7);
    answer(0);
    assertFalse(search.mayTurnUp(7));
  }

  @Test
  void othersAreAskedForAfterAnAnswerThatFailed() throws IOException {
    doThrow(new IllegalStateException("failed on purpose")).when(withheld).found(any(), any());
    want(0, 7);
    answer(BYTES);
    want(0, 8);
    assertEquals(List.of(8L), asked().firstEntry().getValue());
  }

  @Test
  void anAnswerOfBeforeAFailoverSaysNothing() throws IOException {
    want(0, 7);
    search.clear();
    answer(BYTES);
    verify(withheld, never()).found(anyString(), any());
    assertTrue(search.mayTurnUp(7));
  }
}
