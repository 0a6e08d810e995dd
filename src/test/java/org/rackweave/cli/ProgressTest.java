package org.rackweave.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ProgressTest {

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final AtomicLong nowMs = new AtomicLong();

  private Progress progress(boolean terminal) {
    return new Progress(
        new PrintStream(bytes, true, StandardCharsets.UTF_8),
        terminal,
        nowMs::get,
        List.of(new Progress.Step("first", 30_000), new Progress.Step("second", 90_000)));
  }

  private String printed() {
    return bytes.toString(StandardCharsets.UTF_8);
  }

  @Test
  void printsOneLineAStepWhenNobodyWatches() {
    Progress progress = progress(false);
    progress.next();
    progress.update("detail");
    progress.next();
    progress.end();
    List<String> lines = printed().lines().toList();
    assertEquals(2, lines.size());
    assertEquals("[----------------]   0 %  2:00 left  first", lines.get(0));
    assertEquals("[####------------]  25 %  1:30 left  second", lines.get(1));
  }

  @Test
  void drawsOneLineAgainAndAgainOnATerminal() {
    Progress progress = progress(true);
    progress.next();
    nowMs.set(12_000);
    progress.update("somewhere");
    progress.next();
    progress.end();
    String[] drawn = printed().split("\r", -1);
    assertEquals("[##--------------]  10 %  1:48 left  first, somewhere", drawn[2]);
    assertTrue(
        drawn[3].endsWith("second" + " ".repeat(10)), "the rest of the longer line is wiped out");
    assertTrue(drawn[4].startsWith("[################] 100 %  0:00 left  done"));
  }

  @Test
  void standsStillBeforeTheEndOfAStepThatTakesLonger() {
    Progress progress = progress(true);
    progress.next();
    nowMs.set(1_000_000);
    progress.update("");
    assertTrue(printed().endsWith(" 25 %  1:31 left  first"), printed());
  }
}
