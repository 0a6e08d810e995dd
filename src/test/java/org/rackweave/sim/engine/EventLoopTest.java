package org.rackweave.sim.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class EventLoopTest {
  private final EventLoop loop = new EventLoop(1_000);
  private final List<String> log = new ArrayList<>();

  private Runnable say(String word) {
    return () -> log.add(loop.nowNanos() + word);
  }

  @Test
  void eventsHappenInOrderOfTimeThenOfScheduling() {
    loop.at(5, say("c"));
    loop.at(3, say("a"));
    loop.at(5, say("d"));
    loop.at(3, say("b"));
    loop.runToEnd();
    assertEquals(List.of("3a", "3b", "5c", "5d"), log);
    assertEquals(5, loop.nowNanos());
  }

  @Test
  void theEndOfAnInstantComesAfterWhatItSchedulesForNow() {
    loop.at(3, () -> loop.atEndOfInstant(say("end")));
    loop.at(3, () -> loop.after(0, say("late")));
    loop.at(4, say("next"));
    loop.runToEnd();
    assertEquals(List.of("3late", "3end", "4next"), log);
  }

  @Test
  void anEndOfInstantMayLetMoreHappenNow() {
    loop.at(3, () -> loop.atEndOfInstant(() -> loop.after(0, say("again"))));
    loop.at(4, say("next"));
    loop.runToEnd();
    assertEquals(List.of("3again", "4next"), log);
  }

  @Test
  void aCancelledEventDoesNotHappen() {
    Event event = loop.at(3, say("never"));
    loop.at(2, event::cancel);
    assertTrue(event.isPending());
    loop.runToEnd();
    assertFalse(event.isPending());
    assertEquals(List.of(), log);
    assertEquals(2, loop.nowNanos());
  }

  @Test
  void stopsAtTheTimeAskedForAndGoesOnFromThere() {
    loop.at(3, say("a"));
    loop.at(7, say("b"));
    loop.runUntil(5);
    assertEquals(List.of("3a"), log);
    assertEquals(5, loop.nowNanos());
    loop.runUntil(7);
    assertEquals(List.of("3a", "7b"), log);
  }

  @Test
  void thePastIsOver() {
    loop.runUntil(5);
    assertThrows(IllegalArgumentException.class, () -> loop.at(4, say("a")));
  }

  @Test
  void anEndlessLoopStopsAtTheLimit() {
    Runnable[] forever = new Runnable[1];
    forever[0] = () -> loop.after(1, forever[0]);
    loop.at(0, forever[0]);
    EventLoop.EventLimitException stopped =
        assertThrows(EventLoop.EventLimitException.class, loop::runToEnd);
    assertTrue(stopped.getMessage().contains("1000 events"), stopped.getMessage());
  }

  @Test
  void aBrokenRuleStopsTheRunAndSaysWhichAndWhen() {
    int[] balance = {0};
    loop.require("balance is even", () -> balance[0] % 2 == 0 ? null : "it is " + balance[0]);
    loop.at(SimTime.ofSeconds(1), () -> balance[0] += 2);
    loop.at(SimTime.ofSeconds(2), () -> balance[0] += 1);
    BrokenInvariantException broken = assertThrows(BrokenInvariantException.class, loop::runToEnd);
    assertEquals(
        "rule 'balance is even' broken at 2.000000000 s, event 2: it is 3", broken.getMessage());
  }

  @Test
  void aStreamDependsOnSeedAndPurposeOnly() {
    long first = new Streams(7).of("writes").nextLong();
    assertEquals(first, new Streams(7).of("writes").nextLong());
    assertTrue(first != new Streams(7).of("reads").nextLong());
    assertTrue(first != new Streams(8).of("writes").nextLong());
  }
}
