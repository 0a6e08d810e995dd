package org.rackweave.hdfs.dayu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.junit.jupiter.api.Test;
import org.rackweave.dayu.Timeslot;
import org.rackweave.hdfs.copies.CopyState;
import org.rackweave.hdfs.dayu.ReconstructionQueue.Replacement;
import org.rackweave.hdfs.dayu.RunningCopies.CopiesUnderWay;
import org.rackweave.telemetry.BlockFigures;

class RunningCopiesTest {
  private static final long ANSWER_MS = 10_000;
  private static final long TIMEOUT_MS = 300_000;
  private static final Timeslot SLOT = new Timeslot(15, 0.5);

  private final DatanodeDescriptor slow = DFSTestUtil.getDatanodeDescriptor("10.0.0.1", "/r1");
  private final DatanodeDescriptor other = DFSTestUtil.getDatanodeDescriptor("10.0.0.2", "/r2");
  private final DatanodeDescriptor target = DFSTestUtil.getDatanodeDescriptor("10.0.0.3", "/r3");
  private final FakeQueue queue = new FakeQueue();
  private final RecoveryCounts counts = new RecoveryCounts();
  private final CopyLimits limits = new CopyLimits(() -> 2, 3, () -> 64);
  private final StocksShare share = new StocksShare(queue, counts, 3000);
  private final RunningCopies running = new RunningCopies(queue, counts, limits, share, ANSWER_MS);

  private PlannedCopy copy(long block, DatanodeDescriptor source) {
    return new PlannedCopy(block, 1000, 2, 1, source, target, 100);
  }

  private void hear(DatanodeDescriptor source, Map<Long, Long> done, long atMs) {
    limits.rates().heard(source.getDatanodeUuid(), BlockFigures.encode(done), atMs);
  }

  /** A copy of block 1 that its source's agent has told of, and is asked to end at 2000. */
  private void asked() {
    RunningCopy begun = RunningCopy.begun(copy(1, slow), 0);
    running.replace(List.of(begun));
    limits.apply(running.all(), 0);
    hear(slow, Map.of(1L, 10L), 1000);
    running.settle(7, 1500);
    assertTrue(running.all().get(0).canBeCancelled(2000));
    running.replace(List.of(running.all().get(0).toBeReplaced(copy(1, other), 2000)));
    limits.apply(running.all(), 2000);
  }

  @Test
  void aCopyGivesWayOnceItsSourceSaysThatItHasEnded() {
    asked();
    hear(slow, Map.of(1L, 12L), 3000);
    running.settle(7, 3100);
    assertTrue(queue.replaced.isEmpty(), "it may yet be complete");
    assertEquals(slow, running.all().get(0).copy().source());

    hear(slow, Map.of(1L, BlockFigures.CANCELLED), 4000);
    running.settle(7, 4100);
    assertEquals(List.of(new Replacement(copy(1, slow), copy(1, other))), queue.replaced);
    RunningCopy now = running.all().get(0);
    assertEquals(copy(1, other), now.copy());
    assertFalse(now.isMeasured());
    assertEquals(1, running.all().size());
    assertEquals(Map.of(1L, 100L), queue.namedToOther, "before HDFS told it of the copy");
    assertEquals(Map.of(1L, BlockFigures.CANCEL), queue.namedToSlow, "until HDFS took it back");
    assertNull(limits.rates().of(slow.getDatanodeUuid()));
    assertEquals(1, counts.straggled(StragglerOutcome.REPLACED));
    assertEquals(1, counts.ended(CopyState.CANCELLED));
    assertEquals(1, counts.outcome(CopyOutcome.SCHEDULED));
  }

  @Test
  void aBlockIsNotMovedForEver() {
    RunningCopy copy = RunningCopy.begun(copy(1, slow), 0);
    int moves = 0;
    while (copy.with(1, 1).canBeCancelled(2000)) {
      copy = copy.with(1, 1).toBeReplaced(copy(1, other), 2).replacement(3);
      moves++;
    }
    assertEquals(3, moves);
  }

  @Test
  void whatHdfsRefusesWaitsInItsQueue() {
    asked();
    queue.outcome = CopyOutcome.TARGET_REFUSED;
    hear(slow, Map.of(1L, BlockFigures.CANCELLED), 4000);
    running.settle(7, 4100);
    assertTrue(running.all().isEmpty());
    assertEquals(1, counts.straggled(StragglerOutcome.REQUEUED));
  }

  @Test
  void anotherNameNodesTurnEndsItAll() {
    asked();
    queue.outcome = null;
    hear(slow, Map.of(1L, BlockFigures.CANCELLED), 4000);
    running.settle(7, 4100);
    assertTrue(running.all().isEmpty());
    assertEquals(0, counts.straggled(StragglerOutcome.REPLACED));
  }

  @Test
  void aCopyThatArrivesBeforeItIsEndedIsNotMadeAgain() {
    asked();
    queue.states.put(1L, CopyState.ARRIVED);
    hear(slow, Map.of(1L, BlockFigures.CANCELLED), 4000);
    running.settle(7, 4100);
    assertTrue(running.all().isEmpty());
    assertTrue(queue.replaced.isEmpty());
    assertEquals(1, counts.straggled(StragglerOutcome.ARRIVED));
    assertEquals(1, counts.ended(CopyState.ARRIVED));
  }

  @Test
  void copiesThatAreHdfssAreLookedAtOnly() {
    asked();
    RunningCopy stays = RunningCopy.begun(copy(2, slow), 0);
    running.replace(List.of(running.all().get(0), stays, RunningCopy.begun(copy(3, slow), 0)));
    queue.states.put(1L, CopyState.ARRIVED);
    queue.states.put(2L, CopyState.BROKEN);
    queue.states.put(3L, CopyState.GIVEN_UP);
    hear(slow, Map.of(1L, BlockFigures.CANCELLED), 4000);
    running.look();
    assertEquals(List.of(stays.bound()), running.all());
    assertTrue(queue.replaced.isEmpty());
    assertEquals(1, counts.ended(CopyState.ARRIVED));
    assertEquals(1, counts.ended(CopyState.GIVEN_UP));
    assertEquals(0, counts.ended(CopyState.BROKEN));
  }

  @Test
  void aCopyWhoseSourceDoesNotAnswerGoesOn() {
    asked();
    hear(slow, Map.of(1L, 12L), 3000);
    running.settle(7, 2000 + ANSWER_MS);
    assertEquals(0, counts.straggled(StragglerOutcome.NO_ANSWER));
    running.settle(7, 2001 + ANSWER_MS);
    assertEquals(1, counts.straggled(StragglerOutcome.NO_ANSWER));
    RunningCopy now = running.all().get(0);
    assertNull(now.restart());
    assertFalse(now.canBeCancelled(2000), "it is not asked again");
    assertTrue(queue.replaced.isEmpty());
  }

  @Test
  void aPlanMayMoveWhatAnAgentWatchesOnly() {
    running.replace(
        List.of(
            RunningCopy.begun(copy(1, slow), 0),
            RunningCopy.begun(copy(2, slow), 0),
            RunningCopy.begun(copy(3, slow), 5000),
            RunningCopy.begun(copy(4, other), 0)));
    limits.apply(running.all(), 0);
    hear(slow, Map.of(1L, 10L, 2L, 990L), 15_000);
    running.settle(7, 15_000);
    CopiesUnderWay underWay = running.forPlan(SLOT, 15_001, true);
    assertEquals(4, underWay.copies().size());
    assertEquals(
        List.of(1L),
        List.copyOf(underWay.movable().keySet()),
        "2 is about to end, 3 has not begun, 4 has no agent");
    assertEquals(1, counts.straggled(StragglerOutcome.NO_AGENT));
  }

  @Test
  void aPlanMayMoveWhatItsSourceDoesNotBegin() {
    running.replace(List.of(RunningCopy.begun(copy(1, slow), 0)));
    limits.apply(running.all(), 0);
    hear(slow, Map.of(), 15_000);
    running.settle(7, 15_000);
    assertTrue(running.forPlan(SLOT, 15_000, true).movable().isEmpty());
    assertEquals(Set.of(1L), running.forPlan(SLOT, 15_001, true).movable().keySet());
  }

  @Test
  void aPlanKnowsWhatCopiesTookOfLinksThatHaveJustArrived() {
    running.replace(List.of(RunningCopy.begun(copy(1, slow), 0)));
    limits.apply(running.all(), 0);
    hear(slow, Map.of(1L, 10L), 1000);
    running.settle(7, 1100);
    queue.states.put(1L, CopyState.ARRIVED);
    hear(slow, Map.of(1L, 400L), 2000);
    running.settle(7, 2100);
    CopiesUnderWay none = running.forPlan(SLOT, 2101, false);
    assertTrue(none.copies().isEmpty());
    assertEquals(fromSlow(390), none.loads());
    hear(slow, Map.of(), 3000);
    running.settle(7, 3100);
    assertEquals(fromSlow(600), running.forPlan(SLOT, 3101, false).loads());
    hear(slow, Map.of(), 4000);
    running.settle(7, 4100);
    assertEquals(Map.of(), running.forPlan(SLOT, 4101, false).loads());
  }

  private Map<DatanodeDescriptor, OwnLoad> fromSlow(double bytesPerSec) {
    double onTheWire = bytesPerSec * OwnLoad.ON_THE_WIRE;
    return Map.of(slow, new OwnLoad(0, onTheWire), target, new OwnLoad(onTheWire, 0));
  }

  /** Hears that so much of block 1 is done, and looks. */
  private void settleWith(long done, long nowMs) {
    hear(slow, Map.of(1L, done), nowMs);
    running.settle(7, nowMs);
  }

  @Test
  void hdfsExpectsACopyForAsLongAsItGoesOn() {
    running.replace(List.of(RunningCopy.begun(copy(1, slow), 0)));
    limits.apply(running.all(), 0);
    settleWith(62, TIMEOUT_MS / 4 - 1);
    assertEquals(List.of(), queue.expectedOn, "HDFS waits long enough");
    settleWith(62, TIMEOUT_MS / 4);
    assertEquals(List.of(copy(1, slow)), queue.expectedOn);
    settleWith(123, TIMEOUT_MS / 2);
    settleWith(124, TIMEOUT_MS / 2 + 1);
    assertEquals(2, queue.expectedOn.size(), "a sixteenth more each time");
  }

  @Test
  void aCopyThatStandsStillEndsAndItsBlockWaitsAgain() {
    running.replace(List.of(RunningCopy.begun(copy(1, slow), 0)));
    limits.apply(running.all(), 0);
    settleWith(10, 30_000);
    settleWith(20, TIMEOUT_MS * 3 / 4 - 1);
    assertNull(running.all().get(0).restart());
    settleWith(30, TIMEOUT_MS * 3 / 4);
    assertTrue(running.all().get(0).isWithdrawn(), "before HDFS gives it up");
    limits.apply(running.all(), TIMEOUT_MS * 3 / 4);
    assertEquals(
        Map.of(1L, BlockFigures.CANCEL),
        BlockFigures.decode(limits.rates().of(slow.getDatanodeUuid())));

    queue.outcome = CopyOutcome.WITHDRAWN;
    settleWith(BlockFigures.CANCELLED, TIMEOUT_MS * 3 / 4 + 3000);
    assertTrue(queue.replaced.get(0).isWithdrawal());
    assertTrue(running.all().isEmpty());
    assertEquals(List.of(), queue.expectedOn);
    assertEquals(1, counts.straggled(StragglerOutcome.REQUEUED));
    WaitingBlock block = new WaitingBlock(1, 1000, 2, 3, 1, List.of(), List.of(), List.of());
    assertTrue(share.isStocks(block, TIMEOUT_MS), "no rate of ours for it again");
  }

  @Test
  void aCopyThatWasHdfsToSeeToIsNotEndedAnyMore() {
    running.replace(List.of(RunningCopy.begun(copy(1, slow), 0)));
    limits.apply(running.all(), 0);
    settleWith(10, 30_000);
    running.look();
    settleWith(20, TIMEOUT_MS * 3 / 4);
    settleWith(30, TIMEOUT_MS * 3 / 4 + 3000);
    assertNull(running.all().get(0).restart(), "its agent would say that it ended");
  }

  @Test
  void hdfsExpectsACopyThatIsToEndUntilItsSourceHasHadTimeToAnswer() {
    running.replace(List.of(RunningCopy.begun(copy(1, slow), 0)));
    limits.apply(running.all(), 0);
    settleWith(10, 30_000);
    long askedMs = TIMEOUT_MS * 3 / 4;
    settleWith(30, askedMs);
    assertTrue(running.all().get(0).isWithdrawn());
    settleWith(31, askedMs + 3000);
    assertEquals(List.of(copy(1, slow)), queue.expectedOn, "it may yet arrive");

    settleWith(32, askedMs + ANSWER_MS + 1);
    assertEquals(1, counts.straggled(StragglerOutcome.NO_ANSWER));
    settleWith(33, askedMs + 3000 + TIMEOUT_MS - 1);
    assertEquals(1, queue.expectedOn.size(), "and is not waited for for ever");
    assertNull(running.all().get(0).restart(), "nor asked again");

    queue.states.put(1L, CopyState.GIVEN_UP);
    settleWith(34, askedMs + 3000 + TIMEOUT_MS);
    assertTrue(running.all().isEmpty());
    assertEquals(1, counts.straggled(StragglerOutcome.OUTLIVED));
    assertEquals(1, counts.ended(CopyState.GIVEN_UP));
  }

  @Test
  void aCopyWithoutAnAgentIsHdfssToJudge() {
    running.replace(List.of(RunningCopy.begun(copy(1, slow), 0)));
    running.settle(7, TIMEOUT_MS - 1);
    assertEquals(List.of(), queue.expectedOn);
    assertNull(running.all().get(0).restart());
  }

  @Test
  void betweenSlotsAPlanMayMoveTheSlowestFirst() {
    List<RunningCopy> begun = new ArrayList<>();
    for (long block = 1; block <= 4; block++) {
      begun.add(RunningCopy.begun(copy(block, slow), 0));
    }
    running.replace(begun);
    limits.apply(running.all(), 0);
    hear(slow, Map.of(1L, 0L, 2L, 0L, 3L, 0L, 4L, 0L), 1000);
    running.settle(7, 1000);
    hear(slow, Map.of(1L, 50L, 2L, 10L, 3L, 30L, 4L, 20L), 2000);
    running.settle(7, 2000);
    assertEquals(Set.of(2L, 4L), running.forPlan(SLOT, 2001, false).movable().keySet());
    assertEquals(4, running.forPlan(SLOT, 2001, false).copies().size());
    assertEquals(4, running.forPlan(SLOT, 2001, true).movable().size());
    running.replace(List.of(running.all().get(0)));
    running.forPlan(SLOT, 90_000, false);
    assertEquals(0, counts.straggled(StragglerOutcome.NO_AGENT), "counted once a slot");
  }

  /** Knows how copies stand and does as it is told. */
  private final class FakeQueue extends RefusingQueue {
    private final Map<Long, CopyState> states = new HashMap<>();
    private final List<Replacement> replaced = new ArrayList<>();
    private final List<PlannedCopy> expectedOn = new ArrayList<>();
    private CopyOutcome outcome = CopyOutcome.SCHEDULED;
    private Map<Long, Long> namedToOther;
    private Map<Long, Long> namedToSlow;

    private Map<Long, Long> named(DatanodeDescriptor source) {
      byte[] rates = limits.rates().of(source.getDatanodeUuid());
      return rates == null ? Map.of() : BlockFigures.decode(rates);
    }

    @Override
    public int batchSize() {
      return 2;
    }

    @Override
    public long pendingTimeoutMs() {
      return TIMEOUT_MS;
    }

    @Override
    public void expectOn(List<PlannedCopy> copies) {
      expectedOn.addAll(copies);
    }

    @Override
    public List<CopyState> states(List<? extends Copy> copies) {
      return copies.stream()
          .map(copy -> states.getOrDefault(copy.blockId(), CopyState.UNDER_WAY))
          .toList();
    }

    @Override
    public List<WaitingBlock> blocksOf(List<PlannedCopy> copies) {
      return copies.stream()
          .map(
              copy ->
                  new WaitingBlock(
                      copy.blockId(), 1000, 2, 3, 1, List.of(slow), List.of(), List.of()))
          .toList();
    }

    @Override
    public List<CopyOutcome> replace(List<Replacement> replacements, long term) {
      namedToOther = named(other);
      namedToSlow = named(slow);
      replaced.addAll(replacements);
      return outcome == null ? List.of() : replacements.stream().map(each -> outcome).toList();
    }
  }
}
