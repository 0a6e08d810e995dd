package org.rackweave.hdfs.dayu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.junit.jupiter.api.Test;
import org.rackweave.hdfs.dayu.CopyRates.ClaimFault;
import org.rackweave.hdfs.dayu.OwnLoad.CopyLoad;
import org.rackweave.hdfs.dayu.RunningCopies.ArrivedCopy;
import org.rackweave.telemetry.BlockFigures;

class CopyRatesTest {
  private final DatanodeDescriptor source = DFSTestUtil.getDatanodeDescriptor("10.0.0.1", "/r1");
  private final DatanodeDescriptor target = DFSTestUtil.getDatanodeDescriptor("10.0.0.2", "/r2");
  private final CopyRates rates = new CopyRates();

  private RunningCopy copy(long block, double bytesPerSec) {
    return RunningCopy.begun(new PlannedCopy(block, 1000, 2, 1, source, target, bytesPerSec), 0);
  }

  private Map<Long, Long> named() {
    return BlockFigures.decode(rates.of(source.getDatanodeUuid()));
  }

  @Test
  void tellsASourceTheRatesOfItsCopies() {
    rates.publish(List.of(copy(1, 100), copy(2, 50)), 0);
    assertEquals(Map.of(1L, 100L, 2L, 50L), named());
    assertNull(rates.of(target.getDatanodeUuid()));
    rates.withdraw();
    assertNull(rates.of(source.getDatanodeUuid()));
  }

  @Test
  void believesTheAgentOfTheSource() {
    RunningCopy first = copy(1, 100);
    RunningCopy second = copy(2, 100);
    rates.publish(List.of(first, second), 0);
    assertFalse(rates.isEnforcedBy(source.getDatanodeUuid(), 4000));
    assertEquals(400, rates.measured(first).doneBytes(4000), "by its rate");

    rates.heard(source.getDatanodeUuid(), BlockFigures.encode(Map.of(1L, 250L)), 4000);
    assertTrue(rates.isEnforcedBy(source.getDatanodeUuid(), 4000));
    assertEquals(250, rates.measured(first).doneBytes(4000));
    assertEquals(350, rates.measured(first).doneBytes(5000));
    assertEquals(0, rates.measured(second).doneBytes(4000), "it has not begun");
    assertFalse(rates.isEnforcedBy(source.getDatanodeUuid(), 64_001));
  }

  @Test
  void knowsWhoEnforcesRatesBeforeThereAreAny() {
    hear(Map.of(), 1);
    assertTrue(rates.isEnforcedBy(source.getDatanodeUuid(), 2), "HDFS may order many at once");
    assertEquals(0, rates.enforcing(), "it makes no copies");
    rates.publish(List.of(copy(1, 100)), 2);
    assertEquals(1, rates.enforcing());
    rates.publish(List.of(), 3);
    assertEquals(0, rates.enforcing());
    assertTrue(rates.isEnforcedBy(source.getDatanodeUuid(), 3));
  }

  @Test
  void aSourceThatSaysTooMuchDoesNotMakeItsTargetLookIdle() {
    RunningCopy first = copy(1, 100);
    RunningCopy second = copy(2, 50);
    rates.publish(List.of(first, second), 0);
    hear(Map.of(1L, 0L, 2L, 0L), 1000);
    hear(Map.of(1L, 300L, 2L, 300L), 2000);
    RunningCopy measured = rates.measured(first);
    assertEquals(300, rates.load(measured, 2000).received(), 1e-9, "no more than four times");
    hear(Map.of(1L, 900_000_300L, 2L, 100_000_300L), 3000);
    double both =
        rates.load(rates.measured(first), 3000).received()
            + rates.load(rates.measured(second), 3000).received();
    assertEquals(600, both, 1e-6);
    assertTrue(rates.refused(ClaimFault.FASTER_THAN_TOLD) > 0);
    assertTrue(rates.refused(ClaimFault.MORE_THAN_THE_BLOCK) > 0);
    assertEquals(0, rates.refused(ClaimFault.MALFORMED));
    rates.heard(source.getDatanodeUuid(), new byte[] {(byte) 0x80}, 4000);
    assertEquals(1, rates.refused(ClaimFault.MALFORMED));
  }

  @Test
  void whateverASourceSaysItTakesNoMoreOfItsTargetThanItWasToldTo() {
    long seed = 20;
    SplittableRandom random = new SplittableRandom(seed);
    for (int round = 0; round < 2000; round++) {
      List<RunningCopy> all = List.of(copy(1, random.nextDouble(1e6)), copy(2, 1), copy(3, 7));
      double most = 4 * all.stream().mapToDouble(RunningCopy::bytesPerSec).sum();
      CopyRates fresh = new CopyRates();
      fresh.publish(all, 0);
      long atMs = 1000;
      for (int i = 0; i < 3; i++) {
        Map<Long, Long> done = new HashMap<>();
        for (long block = 1; block <= 3; block++) {
          done.put(block, random.nextLong() >>> random.nextInt(1, 64));
        }
        fresh.heard(source.getDatanodeUuid(), BlockFigures.encode(done), atMs);
        atMs += random.nextLong(1, 5000);
      }
      double received = 0;
      for (RunningCopy copy : all) {
        received += fresh.load(fresh.measured(copy), atMs).received();
      }
      assertTrue(
          received >= 0 && received <= most * (1 + 1e-9),
          received + " of " + most + ", seed " + seed + ", round " + round);
    }
  }

  @Test
  void forgetsWhoHasFallenSilent() {
    hear(Map.of(), 1);
    rates.publish(List.of(copy(1, 100)), 60_001);
    assertEquals(1, rates.enforcing());
    rates.publish(List.of(copy(1, 100)), 60_002);
    assertEquals(0, rates.enforcing());
    hear(Map.of(), 60_003);
    rates.withdraw();
    assertFalse(rates.isEnforcedBy(source.getDatanodeUuid(), 60_003), "it is another's turn");
  }

  @Test
  void aCopyTakesOfLinksWhatItsSourceSentOfLate() {
    assertEquals(100, load(copy(1, 100)), "by its rate, where nothing was heard");
    hear(Map.of(), 1000);
    assertEquals(100, load(copy(1, 100)), "nor twice");
    hear(Map.of(1L, 250L), 2000);
    assertEquals(250, load(copy(1, 100)), "faster than its rate");
    assertEquals(0, load(copy(2, 100)), "it waits");
    hear(Map.of(1L, 300L, 2L, 20L), 4000);
    assertEquals(25, load(copy(1, 100)));
    assertEquals(10, load(copy(2, 100)));
  }

  @Test
  void aTargetMayReceiveWhatItsSourceHasNotToldOf() {
    assertEquals(100, rates.load(copy(1, 100), 0).received(), "by its rate");
    hear(Map.of(), 1000);
    hear(Map.of(), 2000);
    RunningCopy unheard = rates.measured(copy(1, 100));
    assertEquals(0, rates.load(unheard, 2000).sent());
    assertEquals(100, rates.load(unheard, 2000).received(), "it may have begun since");
    assertEquals(0, rates.load(copy(1, 0), 2000).received(), "unless it is to wait");
    hear(Map.of(1L, 30L), 3000);
    CopyLoad heard = rates.load(rates.measured(unheard), 3000);
    assertEquals(30, heard.sent());
    assertEquals(30, heard.received());
  }

  private double load(RunningCopy copy) {
    return rates.load(copy, 0).sent();
  }

  @Test
  void theLastBytesOfACopyAreOnLinksUntilItsSourceHasSpokenTwice() {
    hear(Map.of(1L, 400L), 1000);
    RunningCopy going = rates.measured(copy(1, 100));
    hear(Map.of(1L, 700L), 2000);
    ArrivedCopy arrived = new ArrivedCopy(going, 2500);
    assertEquals(300, rates.load(arrived).sent(), "before it arrived");
    hear(Map.of(), 3500);
    assertEquals(200, rates.load(arrived).sent(), "what was left of it");
    assertFalse(rates.isPast(arrived, 3500));
    hear(Map.of(), 4500);
    assertTrue(rates.isPast(arrived, 4500));
    assertEquals(0, rates.load(arrived).sent());
  }

  @Test
  void aCopyMayBeginAndArriveBeforeItsSourceSpeaksOfIt() {
    hear(Map.of(), 1000);
    hear(Map.of(), 3000);
    ArrivedCopy arrived = new ArrivedCopy(copy(1, 1000), 2000);
    assertEquals(500, rates.load(arrived).sent());
    hear(Map.of(), 4000);
    assertTrue(rates.isPast(arrived, 4000));
  }

  @Test
  void anEarlierCopyThatWasEndedIsNotTakenForTheBytesOfALaterOne() {
    hear(Map.of(1L, BlockFigures.CANCELLED), 1000);
    hear(Map.of(1L, BlockFigures.CANCELLED), 2000);
    ArrivedCopy arrived = new ArrivedCopy(copy(1, 100), 2500);
    assertEquals(0, rates.load(arrived).sent(), "the later one had not begun");
    hear(Map.of(), 4000);
    assertEquals(500, rates.load(arrived).sent());
  }

  @Test
  void aCopyIsNotKnownForEverWhenItsSourceFallsSilent() {
    hear(Map.of(1L, 400L), 1000);
    hear(Map.of(1L, 500L), 2000);
    ArrivedCopy arrived = new ArrivedCopy(rates.measured(copy(1, 100)), 2500);
    assertFalse(rates.isPast(arrived, 62_500));
    assertTrue(rates.isPast(arrived, 62_501));
  }

  @Test
  void aNewRateKeepsWhatIsDone() {
    RunningCopy running = copy(1, 100).at(10, 5000);
    assertEquals(500, running.doneBytes(5000));
    assertEquals(510, running.doneBytes(6000));
    assertEquals(1000, running.doneBytes(600_000));
    assertEquals(0, running.loadBytesPerSec(600_000));
    assertEquals(10, running.loadBytesPerSec(6000));
  }

  @Test
  void howFastACopyIsOutlastsItsRate() {
    RunningCopy heard = copy(1, 100).with(100, 3000).with(200, 5000);
    assertEquals(50, heard.speed(), "since it was first heard of");
    assertEquals(250, heard.doneBytes(6000));
    assertEquals(50, heard.loadBytesPerSec(6000));
    RunningCopy faster = heard.at(200, 5000);
    assertEquals(50, faster.speed(), "it was not its rate that held it up");
    assertEquals(30, faster.with(210, 6000).speed(), "of late");
    assertEquals(20, heard.at(20, 5000).speed());
    assertEquals(250, faster.doneBytes(6000));
  }

  @Test
  void aCopyThatWentByItsRateGoesByTheNextOne() {
    RunningCopy heard = copy(1, 100).with(100, 3000).with(280, 5000);
    assertEquals(90, heard.speed());
    assertEquals(200, heard.at(200, 5000).speed());
    assertEquals(20, heard.at(20, 5000).speed());
  }

  @Test
  void aCopyIsOverdueWhenItsRatesWouldHaveDoneIt() {
    RunningCopy heard = copy(1, 100).with(0, 3000).with(100, 12_000);
    assertFalse(heard.isOverdue(12_999));
    assertTrue(heard.isOverdue(13_000));
    assertFalse(heard.with(1000, 12_500).isOverdue(13_000), "it is done");
    assertFalse(copy(1, 100).isOverdue(60_000), "nobody has seen how far it is");
    RunningCopy again = copy(1, 100).with(0, 3000).at(50, 9000);
    assertFalse(again.isOverdue(16_999), "600 bytes by the first rate, 400 by the second");
    assertTrue(again.isOverdue(17_000));
  }

  @Test
  void aCopyThatItsSourceDoesNotBeginIsOverdue() {
    assertFalse(copy(1, 100).isOverdue(60_000), "without an agent nobody knows");
    RunningCopy waits = copy(1, 100).notBegun(3000).notBegun(12_000);
    assertFalse(waits.isOverdue(15_000), "by its rate it would be done, but it may yet begin");
    assertFalse(waits.canBeCancelled(15_000));
    assertTrue(waits.isOverdue(15_001));
    assertTrue(waits.canBeCancelled(15_001));
    assertFalse(waits.isHeldUp(), "by what, if it does not go?");
    RunningCopy slower = copy(1, 10).notBegun(3000).at(100, 10_000).notBegun(12_000);
    assertFalse(slower.isOverdue(18_999), "100 bytes by the first rate, 900 by the second");
    assertTrue(slower.isOverdue(19_000));
    assertFalse(waits.with(10, 16_000).isOverdue(17_000), "it has begun");
  }

  @Test
  void aCopyThatIsToGiveWayIsEndedByItsSource() {
    RunningCopy going = copy(1, 100).with(250, 4000);
    RunningCopy asked = going.toBeReplaced(copy(1, 300).copy(), 5000);
    assertTrue(going.canBeCancelled(2000));
    assertFalse(asked.canBeCancelled(2000));
    rates.publish(List.of(asked, copy(2, 50), copy(3, 50)), 0);
    assertEquals(Map.of(1L, BlockFigures.CANCEL, 2L, 50L, 3L, 50L), named(), "two are left to go");

    hear(Map.of(1L, 300L), 6000);
    assertFalse(rates.measured(asked).isEnded(), "it was told too late for that heartbeat");
    hear(Map.of(1L, BlockFigures.CANCELLED), 7000);
    assertTrue(rates.measured(asked).isEnded());
    assertFalse(rates.measured(asked).bound().canBeCancelled(2000));
  }

  @Test
  void anEarlierCopyThatWasEndedSaysNothingOfALaterOne() {
    RunningCopy later = copy(1, 100);
    rates.publish(List.of(later), 0);
    hear(Map.of(1L, BlockFigures.CANCELLED), 4000);
    RunningCopy now = rates.measured(later);
    assertFalse(now.isEnded());
    assertFalse(now.isMeasured());
    assertEquals(0, now.doneBytes(4000));
  }

  private void hear(Map<Long, Long> done, long atMs) {
    rates.heard(source.getDatanodeUuid(), BlockFigures.encode(done), atMs);
  }
}
