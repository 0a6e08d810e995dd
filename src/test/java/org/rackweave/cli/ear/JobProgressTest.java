package org.rackweave.cli.ear;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class JobProgressTest {
  private final ByteArrayOutputStream said = new ByteArrayOutputStream();
  private final PrintStream err = new PrintStream(said, true, StandardCharsets.UTF_8);
  private long nowNanos = 17;

  private JobProgress progress(boolean terminal) {
    return new JobProgress(err, terminal, () -> nowNanos);
  }

  private static JobView at(String phase, long done, long total) {
    return new JobView(3, "running", phase, "", done, total, Map.of(), List.of());
  }

  private void pass(long seconds) {
    nowNanos += TimeUnit.SECONDS.toNanos(seconds);
  }

  /** What has been said since this was last asked. */
  private String said() {
    String text = said.toString(StandardCharsets.UTF_8);
    said.reset();
    return text;
  }

  @Test
  void tellsTheTimeLeftFromHowFastThePhaseHasGone() {
    JobProgress progress = progress(true);
    progress.show(at("encoding", 0, 120));
    assertEquals("\rencoding, 0 of 120 ...", said());
    pass(50);
    progress.show(at("encoding", 30, 120));
    assertEquals("\r[######------------------]  25 %  2:30 left  encoding, 30 of 120", said());
    pass(10);
    progress.show(at("encoding", 90, 120));
    assertEquals("\r[##################------]  75 %  0:20 left  encoding, 90 of 120", said());
    pass(20);
    progress.show(at("encoding", 120, 120));
    assertEquals("\r[########################] 100 %  0:00 left  encoding, 120 of 120", said());
    progress.end();
    assertEquals(System.lineSeparator(), said());
  }

  @Test
  void aPhaseIsTimedFromItsOwnBeginning() {
    JobProgress progress = progress(true);
    progress.show(at("looking through the files", 0, 0));
    assertEquals("\rlooking through the files ...", said());
    pass(3600);
    progress.show(at("encoding", 0, 10));
    // What a longer line has left is wiped away.
    assertEquals("\rencoding, 0 of 10 ..." + " ".repeat(8), said());
    pass(4);
    progress.show(at("encoding", 4, 10));
    assertEquals("\r[##########--------------]  40 %  0:06 left  encoding, 4 of 10", said());
  }

  @Test
  void moreThanAllIsAll() {
    JobProgress progress = progress(true);
    progress.show(at("encoding", 5, 10));
    said();
    pass(10);
    progress.show(at("encoding", 11, 10));
    assertEquals("\r[########################] 100 %  0:00 left  encoding, 11 of 10", said());
  }

  @Test
  void logsGetALineForEachPhase() {
    JobProgress progress = progress(false);
    progress.show(at("looking through the files", 0, 0));
    progress.show(at("encoding", 0, 10));
    pass(4);
    progress.show(at("encoding", 4, 10));
    progress.end();
    assertEquals(List.of("looking through the files", "encoding"), said().lines().toList());
  }
}
