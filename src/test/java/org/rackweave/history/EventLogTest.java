package org.rackweave.history;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.rackweave.history.Event.Kind;

class EventLogTest {
  private long nowMs;
  private final EventLog log = new EventLog(() -> nowMs, () -> nowMs * 1_000_000);

  private List<String> latest(int most) {
    return log.latest(most, most, event -> true).stream().map(Event::text).toList();
  }

  @Test
  void tellsTheLatestOfAllKindsInOneOrder() {
    for (Kind kind : List.of(Kind.MODE, Kind.SLEEP, Kind.MODE, Kind.START)) {
      nowMs++;
      log.add(kind, kind + "@" + nowMs);
    }
    assertEquals(List.of("START@4", "MODE@3", "SLEEP@2", "MODE@1"), latest(10));
    assertEquals(List.of("START@4", "MODE@3"), latest(2));
  }

  @Test
  void copiesByTheThousandPushOutNothingElse() {
    log.add(Kind.MODE, "all off");
    log.add(Kind.FACTOR, "/hot", () -> "3->4");
    for (int i = 0; i < 100_000; i++) {
      nowMs++;
      log.add(Kind.COPY, "/r1/10.0.0.1:9866", () -> "sends a block");
    }
    assertTrue(latest(5000).containsAll(List.of("all off", "3->4")));
    List<Event> told = log.latest(50, 5, event -> true);
    assertEquals(7, told.size(), told::toString);
    int kept = latest(5000).size();
    assertTrue(kept < 400, "a burst of a hundred, and 1.7 a second: " + kept);
    assertEquals(100_000 + 2, log.left() + kept);
  }

  /** What operators do is kept, however fast they are. */
  @Test
  void keepsAllOfWhatIsRare() {
    for (int i = 0; i < 500; i++) {
      log.add(Kind.DATANODE, "/r1/10.0.0.1:9866", () -> "lost");
    }
    assertEquals(500, latest(1000).size());
    assertEquals(0, log.left());
  }

  @Test
  void aTextThatIsNotKeptIsNotMade() {
    int[] made = {0};
    for (int i = 0; i < 1000; i++) {
      log.add(Kind.COPY, "", () -> "copy " + ++made[0]);
    }
    assertEquals(latest(5000).size(), made[0]);
  }

  @Test
  void knowsItsDataNodeByAddressAndPort() {
    log.add(Kind.SLEEP, "/r1/10.0.0.1:9866", () -> "is asleep");
    Event event = log.latest(1, 1, any -> true).get(0);
    assertTrue(event.isAt("10.0.0.1"));
    assertTrue(event.isAt("10.0.0.1:9866"));
    assertFalse(event.isAt("10.0.0.11"));
  }
}
