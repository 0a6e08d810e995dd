package org.rackweave.cli.testbed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TrafficCountersTest {

  private final Layout layout = PlanFixture.plan(1, 2, 0).layout();

  private static String shaper(String device, long bytes) {
    return "{\"kind\":\"tbf\",\"handle\":\"8001:\",\"dev\":\""
        + device
        + "\",\"root\":true,\"options\":{\"rate\":12500000},\"bytes\":"
        + bytes
        + ",\"drops\":7}";
  }

  private static final String UNSHAPED = "{\"kind\":\"noqueue\",\"dev\":\"lo\",\"bytes\":99}";

  @Test
  void whatEntersALinkIsCountedAtEitherEndOfIt() throws IOException {
    String fabric =
        "["
            + UNSHAPED
            + ","
            + shaper("r1-up", 10)
            + ","
            + shaper("r1-core", 20)
            + ","
            + shaper("r1h1", 30)
            + ","
            + shaper("r1h2", 40)
            + "]";
    String first = "[" + UNSHAPED + "," + shaper("eth0", 50) + "]";
    String second = "[" + shaper("eth0", 5_000_000_000L) + "]";
    Counters counters = TrafficCounters.parse(layout, fabric + "\n" + first + second + "\n", 77);
    assertEquals(
        new Counters(
            77,
            Map.of("r1h1", new LinkBytes(30, 50), "r1h2", new LinkBytes(40, 5_000_000_000L)),
            Map.of(1, new LinkBytes(20, 10))),
        counters);
  }

  @Test
  void aShaperThatIsGoneIsNotTakenForAnIdleLink() {
    String fabric = "[" + shaper("r1-up", 1) + "," + shaper("r1h1", 1) + "," + shaper("r1h2", 1);
    String hosts = "[" + shaper("eth0", 1) + "][" + shaper("eth0", 1) + "]";
    IOException refused =
        assertThrows(
            IOException.class, () -> TrafficCounters.parse(layout, fabric + "]" + hosts, 0));
    assertTrue(refused.getMessage().contains("r1-core"), refused.getMessage());
  }
}
