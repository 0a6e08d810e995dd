package org.rackweave.cli.testbed.compare;

import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.rackweave.cli.testbed.Host;
import org.rackweave.cli.testbed.Testbed;
import org.rackweave.cli.testbed.compare.worker.Lines;
import org.rackweave.cli.testbed.compare.worker.Order;
import org.rackweave.cli.testbed.compare.worker.Report;
import org.rackweave.cli.testbed.compare.worker.WorkerMain;
import org.rackweave.hdfs.DaemonThreads;

/** A worker seen from outside: lines in, reports out. */
final class WorkerProcess implements Closeable {

  /** A writer holds a few blocks in its queues when the network is slow, and nothing else. */
  private static final List<String> FLAGS =
      List.of("-Xmx160m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xss512k");

  private static final int EXIT_SECONDS = 5;

  private final Host host;
  private final Process process;
  private final PrintWriter in;
  private final Path log;
  private final BiConsumer<Host, Report> reports;

  /**
   * Starts a worker.
   *
   * @param kind one of the words {@link WorkerMain} knows
   * @param reports takes what it says, in a thread of its own
   */
  WorkerProcess(Testbed testbed, Host host, String kind, BiConsumer<Host, Report> reports)
      throws IOException {
    this.host = host;
    this.reports = reports;
    this.log = testbed.runDirectory().resolve("worker-" + host.name() + ".log");
    this.process =
        testbed.run(
            host.name(), testbed.java(WorkerMain.class.getName(), FLAGS, List.of(kind)), null);
    this.in = new PrintWriter(process.getOutputStream(), false, StandardCharsets.UTF_8);
    DaemonThreads.of("reports-" + host.name(), this::listen).start();
    DaemonThreads.of("errors-" + host.name(), this::keepErrors).start();
  }

  private void listen() {
    try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = out.readLine(); line != null; line = out.readLine()) {
        reports.accept(host, Lines.parse(line, Report.class));
      }
    } catch (IOException | IllegalArgumentException e) {
      reports.accept(host, new Report.Failed(0, "worker", e.toString()));
    }
  }

  private void keepErrors() {
    try (BufferedReader err =
            new BufferedReader(
                new InputStreamReader(process.getErrorStream(), StandardCharsets.UTF_8));
        Writer kept = Files.newBufferedWriter(log)) {
      for (String line = err.readLine(); line != null; line = err.readLine()) {
        kept.write(line + "\n");
        kept.flush();
      }
    } catch (IOException e) {
      reports.accept(host, new Report.Failed(0, "log", e.toString()));
    }
  }

  Host host() {
    return host;
  }

  /** Whether it still runs. */
  boolean isAlive() {
    return process.isAlive();
  }

  /** Where its errors are. */
  Path log() {
    return log;
  }

  /** Tells it what to do. */
  void tell(List<? extends Order> orders) {
    orders.forEach(order -> in.print(Lines.of(order) + "\n"));
    in.flush();
  }

  /** Lets it end, which it does when its input does. */
  void hangUp() {
    in.close();
  }

  /** Waits for it to end, and kills it when it does not. */
  @Override
  public void close() {
    hangUp();
    try {
      if (!process.waitFor(EXIT_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
