package org.rackweave.hdfs.datanode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.InterruptedIOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class PaceTest {
  private static final int PACKET = 64 * 1024;

  @Test
  void holdsATransferToItsRate() throws Exception {
    Pace pace = new Pace(4 * PACKET, Long.MAX_VALUE, System::nanoTime, sent -> {});
    long began = System.nanoTime();
    for (int i = 0; i < 4; i++) {
      pace.pass(PACKET);
    }
    double sec = (System.nanoTime() - began) / 1e9;
    // How much later it wakes up is the machine's.
    assertTrue(sec > 0.99, () -> sec + " s");
    assertEquals(4 * PACKET, pace.sentBytes());
  }

  /** Seconds that so many packets take, at ten a second, after the transfer was held up. */
  private static double secAfterHoldUp(double heldUpSec, int packets) {
    AtomicLong clock = new AtomicLong();
    Pace pace = new Pace(10 * PACKET, Long.MAX_VALUE, clock::get, sent -> {});
    clock.addAndGet((long) (heldUpSec * 1e9));
    long began = clock.get();
    for (int i = 0; i < packets; i++) {
      pace.sent(PACKET);
      clock.addAndGet((long) Math.ceil(pace.waitSec() * 1e9));
    }
    return (clock.get() - began) / 1e9;
  }

  @Test
  void aTransferThatWasHeldUpMakesUpForItAtTwiceItsRate() {
    assertEquals(2, secAfterHoldUp(2, 40), 0.01, "2 s behind, 2 s later no more");
    assertEquals(3, secAfterHoldUp(2, 50), 0.01, "then as ever");
    assertEquals(10, secAfterHoldUp(100, 150), 0.01, "for no more than the last five seconds");
  }

  @Test
  void aSlowerRateHoldsForWhatIsMadeUpToo() {
    AtomicLong clock = new AtomicLong();
    Pace pace = new Pace(1000 * PACKET, Long.MAX_VALUE, clock::get, sent -> {});
    clock.addAndGet(10_000_000_000L);
    pace.change(PACKET);
    long began = clock.get();
    for (int i = 0; i < 10; i++) {
      pace.sent(PACKET);
      clock.addAndGet((long) Math.ceil(pace.waitSec() * 1e9));
    }
    assertEquals(5, (clock.get() - began) / 1e9, 0.2, "twice the new one");
  }

  @Test
  void neverWaitsWithoutALimit() throws Exception {
    AtomicLong clock = new AtomicLong();
    Pace pace = new Pace(Pace.UNLIMITED, Long.MAX_VALUE, clock::get, sent -> {});
    for (int i = 0; i < 1000; i++) {
      pace.pass(PACKET);
    }
    assertEquals(1000L * PACKET, pace.sentBytes());
  }

  @Test
  void aTransferThatWaitsGoesOnWhenItsLimitIsLifted() throws Exception {
    AtomicLong clock = new AtomicLong(); // stands still: it would wait for ever
    Pace pace = new Pace(PACKET, Long.MAX_VALUE, clock::get, sent -> {});
    CountDownLatch passed = new CountDownLatch(1);
    Thread transfer =
        new Thread(
            () -> {
              try {
                pace.pass(PACKET);
                passed.countDown();
              } catch (InterruptedIOException e) {
                // then the test waits in vain
              }
            });
    transfer.setDaemon(true);
    transfer.start();
    while (transfer.getState() != Thread.State.TIMED_WAITING) {
      Thread.onSpinWait();
    }
    assertEquals(1, passed.getCount());
    pace.change(Pace.UNLIMITED);
    assertTrue(passed.await(30, TimeUnit.SECONDS));
  }

  @Test
  void isNeverSoSlowThatTheReceiverGivesUp() {
    Pace pace = new Pace(1, Long.MAX_VALUE, System::nanoTime, sent -> {});
    assertEquals(Pace.LEAST_BYTES_PER_SEC, pace.bytesPerSec());
    pace.change(0);
    assertEquals(Pace.LEAST_BYTES_PER_SEC, pace.bytesPerSec());
  }

  @Test
  void aCancelledTransferSendsNoMore() throws Exception {
    AtomicLong clock = new AtomicLong(); // stands still: it would wait for ever
    Pace pace = new Pace(PACKET, 4 * PACKET, clock::get, sent -> {});
    AtomicReference<Exception> end = new AtomicReference<>();
    Thread transfer =
        new Thread(
            () -> {
              try {
                pace.pass(2 * PACKET);
              } catch (InterruptedIOException e) {
                end.set(e);
              }
            });
    transfer.setDaemon(true);
    transfer.start();
    while (transfer.getState() != Thread.State.TIMED_WAITING) {
      Thread.onSpinWait();
    }
    pace.cancel();
    transfer.join(30_000);
    assertTrue(end.get().getMessage().contains("cancelled after " + 2 * PACKET));
    assertTrue(pace.isCancelled());
    pace.change(Pace.UNLIMITED);
    assertThrows(InterruptedIOException.class, () -> pace.pass(1), "whatever its rate");
  }

  @Test
  void aTransferThatHasSentItsBlockIsLeftToSaySo() throws Exception {
    Pace pace = new Pace(Pace.UNLIMITED, PACKET, System::nanoTime, sent -> {});
    pace.pass(PACKET);
    pace.cancel();
    assertFalse(pace.isCancelled());
    pace.pass(0);
  }
}
