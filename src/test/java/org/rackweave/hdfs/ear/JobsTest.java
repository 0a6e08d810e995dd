package org.rackweave.hdfs.ear;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.rackweave.hdfs.ear.JobStatus.State;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
class JobsTest {
  private static final long FIRST = 1000;
  private static final long LONG_MS = 3_600_000;

  private final Jobs jobs = new Jobs(FIRST);

  private static Jobs.Job job(String name, CountDownLatch end) {
    return new Jobs.Job() {
      @Override
      public String name() {
        return name;
      }

      @Override
      public void run(JobStatus status) throws InterruptedException {
        while (end.getCount() > 0) {
          status.pause(1);
        }
      }
    };
  }

  /** Runs a job to its end. */
  private JobStatus run(String name) {
    JobStatus status = jobs.start(job(name, new CountDownLatch(0)));
    while (status.state() == State.RUNNING) {
      Thread.onSpinWait();
    }
    return status;
  }

  @Test
  void aJobIsKnownByItsNumberWhenOthersHaveBegun() {
    long first = run("encode").id();
    assertEquals(FIRST, first);
    run("audit");
    assertEquals("encode", jobs.job(first).name());
    assertEquals(State.DONE, jobs.job(first).state());
    assertEquals("audit", jobs.current().name());
    for (int more = 0; more < Jobs.KEPT; more++) {
      run("audit");
    }
    IllegalStateException unknown =
        assertThrows(IllegalStateException.class, () -> jobs.job(first));
    assertTrue(unknown.getMessage().contains("job 1000 is not known"), unknown.getMessage());
  }

  @Test
  void oneJobAtATime() {
    CountDownLatch end = new CountDownLatch(1);
    JobStatus running = jobs.start(job("encode", end));
    IllegalStateException refusal =
        assertThrows(
            IllegalStateException.class, () -> jobs.start(job("decode", new CountDownLatch(0))));
    assertTrue(refusal.getMessage().contains("job 1000 (encode) is not over"));
    assertEquals(running, jobs.current());
    end.countDown();
  }

  @Test
  void aJobThatIsOverTakesNoOtherWithIt() throws Exception {
    JobStatus over = run("audit");
    CountDownLatch end = new CountDownLatch(1);
    JobStatus running = jobs.start(job("encode", end));
    jobs.job(over.id()).cancel();
    running.goOn();
    assertEquals(State.RUNNING, running.state());
    jobs.cancel();
    assertThrows(InterruptedException.class, () -> running.awaitNone(LONG_MS, () -> 1, now -> {}));
  }
}
