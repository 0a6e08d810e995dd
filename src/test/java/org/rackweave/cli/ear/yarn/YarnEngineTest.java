package org.rackweave.cli.ear.yarn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.Mockito.mock;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.junit.jupiter.api.Test;

/** What the engine says to a NameNode that does not answer, or does again. */
class YarnEngineTest {
  private static final long JOB = 7;

  private final List<String> complaints = new CopyOnWriteArrayList<>();
  private final List<String> left = new CopyOnWriteArrayList<>();
  private final AtomicInteger offers = new AtomicInteger();
  private final CountDownLatch isTold = new CountDownLatch(1);

  private YarnEngine engine(NameNodeQuery nameNode) {
    YarnClient yarn = mock(YarnClient.class);
    DistributedFileSystem fs = mock(DistributedFileSystem.class);
    return new YarnEngine(
        RackHosts.of(Map.of("host", "/r0"), Map.of("host", "/r0")),
        new RackQueue.Means(nameNode, null, yarn, null, fs, 1, new YarnFigures(complaints::add)),
        1);
  }

  @Test
  void tellsTheNameNodeThatItHasGivenUp() throws Exception {
    NameNodeQuery nameNode =
        what -> {
          if (what[0].equals("offers")) {
            offers.incrementAndGet();
            throw new IOException("too busy");
          }
          left.add(String.join(" ", what));
          isTold.countDown();
          return JsonNodeFactory.instance.objectNode();
        };
    try (YarnEngine engine = engine(nameNode)) {
      engine.start(JOB);
      assertTrue(isTold.await(30, TimeUnit.SECONDS));
    }
    assertEquals(List.of("leave id=" + JOB), left);
    assertEquals(YarnEngine.FAILURES_MAX, offers.get());
    assertEquals(
        List.of(
            "not now: too busy", "no more stripes are encoded by YARN; DataNodes encode the rest"),
        complaints);
  }

  @Test
  void goesOnWhenTheNameNodeAnswersAgain() throws Exception {
    CountDownLatch goesOn = new CountDownLatch(1);
    NameNodeQuery nameNode =
        what -> {
          if (!what[0].equals("offers")) {
            left.add(what[0]);
            return JsonNodeFactory.instance.objectNode();
          }
          int look = offers.incrementAndGet();
          if (look % YarnEngine.FAILURES_MAX != 0) {
            throw new IOException("too busy");
          }
          if (look == 3 * YarnEngine.FAILURES_MAX) {
            goesOn.countDown();
          }
          return JsonNodeFactory.instance.objectNode();
        };
    try (YarnEngine engine = engine(nameNode)) {
      engine.start(JOB);
      assertTrue(goesOn.await(30, TimeUnit.SECONDS), () -> "after " + offers + " looks");
    }
    assertTrue(left.isEmpty(), left::toString);
    assertFalse(complaints.isEmpty());
    assertEquals(List.of("not now: too busy"), complaints.stream().distinct().toList());
  }
}
