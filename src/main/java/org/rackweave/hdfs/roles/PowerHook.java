package org.rackweave.hdfs.roles;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.rackweave.hdfs.DaemonThreads;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has machines switched off and on by the operator's command: {@code COMMAND sleep|wake HOST
 * ADDRESS UUID}, exit code 0 when it is done or under way. One that takes too long is killed, its
 * children too. Without a command it is only logged. Some run at a time, so that thousands of
 * machines are woken in minutes; the rest waits in a queue no longer than there are DataNodes.
 * Thread-safe.
 */
final class PowerHook implements AutoCloseable {
  /** What a machine is to do. */
  enum Order {
    SLEEP,
    WAKE
  }

  /**
   * What came of it.
   *
   * @param failure for people, {@code null} when it was done
   */
  record Outcome(String failure) {
    static final Outcome DONE = new Outcome(null);

    boolean isDone() {
      return failure == null;
    }
  }

  private static final Logger LOG = LoggerFactory.getLogger(PowerHook.class);
  private static final int THREADS = 64;
  private static final int IDLE_SEC = 60;

  /** Of what a command says, what goes into the log. */
  private static final int SAID_BYTES_MAX = 1000;

  private static final long KILLED_MS = 5000;

  private final String command;
  private final LongSupplier timeoutMs;
  private final ThreadPoolExecutor threads;

  /**
   * @param command path of a program, {@code null} for none
   */
  PowerHook(String command, LongSupplier timeoutMs) {
    this.command = command;
    this.timeoutMs = timeoutMs;
    threads =
        new ThreadPoolExecutor(
            THREADS,
            THREADS,
            IDLE_SEC,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            DaemonThreads.numbered("rackweave-power"));
    threads.allowCoreThreadTimeOut(true);
  }

  /** Whether machines are really switched off. */
  boolean isThere() {
    return command != null;
  }

  /** Begins; returns at once. What it returns never fails, and ends in a bounded time. */
  Future<Outcome> begin(Order order, ColdServer server) {
    Callable<Outcome> run = () -> run(order, server);
    return threads.submit(run);
  }

  private Outcome run(Order order, ColdServer server) {
    String word = order == Order.SLEEP ? "sleep" : "wake";
    if (command == null) {
      LOG.info("{} {}: no power command is configured; the machine is unchanged", word, server);
      return Outcome.DONE;
    }
    Outcome outcome;
    try {
      outcome = execute(List.of(command, word, server.host(), server.address(), server.uuid()));
    } catch (IOException | RuntimeException | Error e) {
      outcome = new Outcome(command + " cannot be run: " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      outcome = new Outcome("the NameNode is closing");
    }
    if (outcome.isDone()) {
      LOG.info("{} {}: done", word, server);
    } else {
      LOG.warn("{} {}: {}", word, server, outcome.failure());
    }
    return outcome;
  }

  private Outcome execute(List<String> line) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(line).redirectErrorStream(true).start();
    try {
      process.getOutputStream().close();
      StringBuilder said = new StringBuilder();
      Thread listener = DaemonThreads.of("rackweave-power-said", () -> listen(process, said));
      listener.start(); // or a full pipe would stop the command
      if (!process.waitFor(timeoutMs.getAsLong(), TimeUnit.MILLISECONDS)) {
        return new Outcome(command + " was killed after " + timeoutMs.getAsLong() + " ms");
      }
      int exit = process.exitValue();
      if (exit == 0) {
        return Outcome.DONE;
      }
      listener.join(KILLED_MS);
      synchronized (said) {
        return new Outcome(command + " ended with " + exit + ": " + said.toString().strip());
      }
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
  }

  private static void listen(Process process, StringBuilder said) {
    byte[] some = new byte[SAID_BYTES_MAX];
    try (InputStream from = process.getInputStream()) {
      for (int count = from.read(some); count >= 0; count = from.read(some)) {
        synchronized (said) {
          if (said.length() < SAID_BYTES_MAX) {
            said.append(new String(some, 0, count, StandardCharsets.UTF_8));
          }
        }
      }
    } catch (IOException e) {
      LOG.debug("The output of a power command was not read completely", e);
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
