package org.rackweave.sim.run;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.rackweave.history.LinkHistory;
import org.rackweave.history.RecordedFrame;

class RecordedHoursTest {
  private static final long STEP_MS = 300_000;

  private static RecordedFrame frame(long fromMs, long toMs, String[] nodes, int... hostRx) {
    byte[] shares = new byte[nodes.length];
    for (int i = 0; i < shares.length; i++) {
      shares[i] = (byte) hostRx[i];
    }
    byte[] rack = {shares[0]};
    return new RecordedFrame(
        fromMs / STEP_MS * STEP_MS,
        fromMs,
        toMs,
        List.of(new RecordedFrame.Rack("/r", List.of(nodes))),
        shares,
        shares,
        rack,
        rack,
        1e9,
        1,
        1e9);
  }

  /** A NameNode that starts again, and the other one, to which the DataNodes are in other order. */
  @Test
  void framesOfOneStepAreOneByTheirLength() {
    String[] ab = {"a", "b"};
    String[] ba = {"b", "a"};
    List<RecordedFrame> frames =
        new ArrayList<>(
            List.of(
                frame(0, 100_000, ab, 10, 80),
                frame(200_000, 300_000, ab, 40, LinkHistory.UNKNOWN),
                frame(0, 300_000, ba, 40, 35),
                frame(300_000, 600_000, ab, 0, 100)));
    List<RecordedHours.Background> loads = new RecordedHours(frames, List.of(), 1).backgrounds();
    assertEquals(2, loads.size());
    assertArrayEquals(new double[] {0.31, 0.5}, loads.get(0).hostIn(), 1e-9);
    assertArrayEquals(new double[] {0, 1}, loads.get(1).hostIn(), 1e-9);
    Collections.reverse(frames);
    List<RecordedHours.Background> reversed = new RecordedHours(frames, List.of(), 1).backgrounds();
    assertArrayEquals(loads.get(0).hostIn(), reversed.get(0).hostIn(), 0);
    assertArrayEquals(loads.get(0).rackOut(), reversed.get(0).rackOut(), 0);
  }
}
