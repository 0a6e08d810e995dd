package org.rackweave.cli.testbed.compare.worker;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/**
 * A worker process. It reads lines: tasks ({@link Task}), {@value #GO} with the number of the run
 * and its start as a wall clock time in milliseconds, {@value #STOP} to end the run, {@value
 * #RECEIVED} to ask for the background bytes received so far. It answers in lines ({@link Report}).
 * It ends with its input, so that it never outlives the process that compares.
 */
public final class WorkerMain {

  public static final String GO = "go";
  public static final String STOP = "stop";
  public static final String RECEIVED = "received";

  /** Argument of a worker that is an HDFS client. */
  public static final String CLIENT = "client";

  /** Argument of the worker at the core that background load goes to and comes from. */
  public static final String SINK = "sink";

  /** Argument of a worker that only sends and receives background load. */
  public static final String LOADER = "loader";

  private final HdfsClient client;
  private final PrintStream out;
  private final LongAdder receivedBytes = new LongAdder();
  private final List<Task> tasks = new ArrayList<>();
  private Worker worker;

  private WorkerMain(HdfsClient client, PrintStream out) {
    this.client = client;
    this.out = out;
  }

  /**
   * Runs until standard input ends.
   *
   * @param args one word, what kind of worker this is
   */
  public static void main(String[] args) throws IOException {
    PrintStream out = System.out;
    // Libraries that print must not be mistaken for reports.
    System.setOut(System.err);
    HdfsClient client = args[0].equals(CLIENT) ? new HdfsClient() : null;
    WorkerMain process = new WorkerMain(client, out);
    BulkServer server =
        args[0].equals(SINK) ? new BulkServer(BulkServer.PORT, process.receivedBytes) : null;
    process.say(new Report.Ready());
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      process.obey(line);
    }
    if (server != null) {
      server.close();
    }
    System.exit(0);
  }

  private void obey(String line) {
    if (line.startsWith(GO + " ")) {
      String[] words = line.split(" ");
      RunClock runClock = new RunClock(Long.parseLong(words[2]));
      worker = new Worker(words[1], client, receivedBytes, this::say);
      worker.begin(List.copyOf(tasks), runClock);
      tasks.clear();
    } else if (line.equals(STOP)) {
      if (worker != null) {
        worker.close();
        worker = null;
      }
    } else if (line.equals(RECEIVED)) {
      say(new Report.Received(receivedBytes.sum()));
    } else {
      tasks.add(Task.parse(line));
    }
  }

  private synchronized void say(Report report) {
    out.println(report.line());
    out.flush();
  }
}
