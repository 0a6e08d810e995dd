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
 * A worker process. It reads an {@link Order} a line and answers with a {@link Report} a line. It
 * ends with its input, so that it never outlives the process that compares.
 */
public final class WorkerMain {

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
      process.obey(Lines.parse(line, Order.class));
    }
    if (server != null) {
      server.close();
    }
    System.exit(0);
  }

  private void obey(Order order) {
    if (order instanceof Task task) {
      tasks.add(task);
    } else if (order instanceof Order.Go go) {
      worker = new Worker(go.run(), client, receivedBytes, this::say);
      worker.begin(List.copyOf(tasks), new RunClock(go.startMs()));
      tasks.clear();
    } else if (order instanceof Order.TellReceived) {
      say(new Report.Received(receivedBytes.sum()));
    } else if (worker != null) {
      worker.close();
      worker = null;
    }
  }

  private synchronized void say(Report report) {
    out.println(Lines.of(report));
    out.flush();
  }
}
