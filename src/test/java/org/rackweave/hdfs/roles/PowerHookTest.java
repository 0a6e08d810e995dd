package org.rackweave.hdfs.roles;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PowerHookTest {
  private static final ColdServer SERVER = new ColdServer("uuid-1", "dn1", "10.0.0.1", 9866, 5, 7);
  private static final long LONG_MS = 60_000;

  @TempDir Path directory;

  private String script(String text) throws Exception {
    Path script = directory.resolve("power");
    Files.writeString(script, "#!/bin/sh\n" + text + "\n");
    assertTrue(script.toFile().setExecutable(true));
    return script.toString();
  }

  private static PowerHook.Outcome run(PowerHook hook, PowerHook.Order order) throws Exception {
    return hook.begin(order, SERVER).get(LONG_MS, TimeUnit.MILLISECONDS);
  }

  @Test
  void tellsTheCommandWhichMachineIsToDoWhat() throws Exception {
    Path told = directory.resolve("told");
    try (PowerHook hook = new PowerHook(script("echo \"$@\" >> " + told), () -> LONG_MS)) {
      assertTrue(run(hook, PowerHook.Order.SLEEP).isDone());
      assertTrue(run(hook, PowerHook.Order.WAKE).isDone());
    }
    assertEquals("sleep dn1 10.0.0.1 uuid-1\nwake dn1 10.0.0.1 uuid-1\n", Files.readString(told));
  }

  @Test
  void saysWhatACommandSaidThatFailed() throws Exception {
    try (PowerHook hook =
        new PowerHook(script("echo no such machine >&2; exit 3"), () -> LONG_MS)) {
      PowerHook.Outcome outcome = run(hook, PowerHook.Order.SLEEP);
      assertFalse(outcome.isDone());
      assertTrue(outcome.failure().endsWith("ended with 3: no such machine"), outcome.failure());
    }
  }

  @Test
  void aCommandThatIsNotThereFails() throws Exception {
    try (PowerHook hook = new PowerHook(directory.resolve("none").toString(), () -> LONG_MS)) {
      assertFalse(run(hook, PowerHook.Order.WAKE).isDone());
    }
  }

  @Test
  void killsACommandThatHangsAndWhatItHasStarted() throws Exception {
    Path child = directory.resolve("child");
    try (PowerHook hook =
        new PowerHook(script("sleep 1000 &\necho $! > " + child + "\nwait"), () -> 2000)) {
      PowerHook.Outcome outcome = run(hook, PowerHook.Order.SLEEP);
      assertFalse(outcome.isDone());
      assertTrue(outcome.failure().contains("killed after 2000 ms"), outcome.failure());
    }
    long pid = Long.parseLong(Files.readString(child).strip());
    Optional<ProcessHandle> left = ProcessHandle.of(pid);
    if (left.isPresent()) {
      left.get().onExit().get(LONG_MS, TimeUnit.MILLISECONDS);
    }
  }

  @Test
  void manyWordsDoNotStopACommand() throws Exception {
    String words = "i=0; while [ $i -lt 20000 ]; do echo 0123456789; i=$((i+1)); done";
    try (PowerHook hook = new PowerHook(script(words), () -> LONG_MS)) {
      assertTrue(run(hook, PowerHook.Order.WAKE).isDone());
    }
  }

  @Test
  void withoutACommandEverythingIsDone() throws Exception {
    try (PowerHook hook = new PowerHook(null, () -> LONG_MS)) {
      assertTrue(run(hook, PowerHook.Order.SLEEP).isDone());
    }
  }
}
