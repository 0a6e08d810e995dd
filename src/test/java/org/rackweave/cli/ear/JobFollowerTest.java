package org.rackweave.cli.ear;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.rackweave.cli.ear.yarn.NameNodeQuery;

class JobFollowerTest {
  private static final String RUNNING = "{'job': 7, 'state': 'running', 'phase': 'encoding'}";
  private static final JobView BEGUN = JobView.of(json(RUNNING));

  private static JsonNode json(String text) {
    try {
      return new ObjectMapper().readTree(text.replace('\'', '"'));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private final ByteArrayOutputStream said = new ByteArrayOutputStream();
  private final PrintStream err = new PrintStream(said, true, StandardCharsets.UTF_8);
  private final List<String> asked = new ArrayList<>();

  private JobFollower follower(NameNodeQuery nameNode) {
    NameNodeQuery noted =
        what -> {
          asked.add(String.join(" ", what));
          return nameNode.ask(what);
        };
    return new JobFollower(noted, new JobProgress(err, false, System::nanoTime), err);
  }

  @Test
  void asksForTheJobThatItBeganUntilThatIsOver() throws Exception {
    Iterator<String> answers =
        List.of(
                RUNNING,
                "{'job': 7, 'state': 'failed', 'reason': 'no room', 'figures': {'files': 3}}")
            .iterator();
    JobView end = follower(what -> json(answers.next())).follow(BEGUN);
    assertEquals("no room", end.reason());
    assertEquals(3, end.figures().get("files"));
    assertEquals(List.of("job id=7", "job id=7"), asked);
  }

  @Test
  void aJobThatTheNameNodeDoesNotKnowIsNoOther() {
    JobFollower follower =
        follower(
            what -> {
              throw new IOException("job 7 is not known");
            });
    IOException unknown = assertThrows(IOException.class, () -> follower.follow(BEGUN));
    assertEquals("job 7 is not known", unknown.getMessage());
  }

  @Test
  void cancelsTheJobThatItBeganAndSaysWhatCameOfThat() {
    follower(what -> json(RUNNING)).cancel(BEGUN);
    assertTrue(said.toString(StandardCharsets.UTF_8).endsWith("cancelled" + "\n"));
    follower(what -> json("{'job': 7, 'state': 'done'}")).cancel(BEGUN);
    assertTrue(said.toString(StandardCharsets.UTF_8).contains("it was over already: done"));
    follower(
            what -> {
              throw new IOException("job 7 is not known");
            })
        .cancel(BEGUN);
    assertTrue(said.toString(StandardCharsets.UTF_8).contains("not cancelled: job 7 is not known"));
    assertEquals(List.of("cancel id=7", "cancel id=7", "cancel id=7"), asked);
  }
}
