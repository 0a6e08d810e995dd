package org.rackweave.cli.testbed.compare;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.rackweave.cli.admin.NameNodeAdmin;
import org.rackweave.cli.testbed.Layout;
import org.rackweave.cli.testbed.TestbedPolicy;
import org.rackweave.cli.testbed.compare.worker.Report.Done;
import org.rackweave.cli.testbed.compare.worker.Task;

/** Writes files, has them encoded by one method while others write, and reads them back. */
final class EncodeRunner implements Experiment.Stage<EncodeRun> {
  static final String ROOT = "/encode";

  private static final String ENCODE_TASK = "encode";
  private static final String WRITE_TASK = "write-";
  private static final long FILL_SECONDS = 240;
  private static final long VERIFY_SECONDS = 240;
  private static final long DELETE_SECONDS = 240;
  private static final long LEFTOVER_MS = 20_000;

  private final Session session;
  private final Layout layout;
  private final EncodeSettings settings;
  private final CompareOptions options;
  private final NameNodeAdmin nameNode;

  EncodeRunner(Session session, EncodeSettings settings, CompareOptions options)
      throws IOException {
    this.session = session;
    this.layout = session.layout();
    this.settings = settings;
    this.options = options;
    if (layout.racks().size() * EncodeSettings.RACK_LIMIT < EncodeSettings.CODE.blocks()) {
      throw new IOException(
          EncodeSettings.CODE.name()
              + " with "
              + EncodeSettings.RACK_LIMIT
              + " blocks a rack needs more than "
              + layout.racks().size()
              + " racks");
    }
    nameNode = NameNodeAdmin.connect(session.testbed().controlConf());
    nameNode.ask("stripes"); // not only after a quarter of an hour
  }

  @Override
  public Experiment.Measured<EncodeRun> run(Method method, long seed)
      throws IOException, InterruptedException {
    int nodes = layout.dataNodes().size();
    EncodePlan plan = EncodePlan.draw(settings, layout.racks().size(), nodes, seed);
    String root = ROOT + "/" + method.label();
    String data = root + "/data";
    String writes = root + "/writes";
    session.testbed().usePolicy(method.policy());
    session.files().makeDirectory(writes);
    fill(plan.files(method), data);
    Encoding encoding = encoding(method, plan, data, root);
    HostTasks tasks = new HostTasks(layout);
    for (PoissonWrites.Planned write : plan.writes()) {
      tasks.add(
          write.writer(),
          Task.Write.block(
              WRITE_TASK + write.name(),
              write.atMs(),
              writes + "/" + write.name(),
              settings.blockBytes()));
    }
    encoding.addTo(tasks, settings.settleMs());
    tasks.addLoad(plan.schedule(), options, Task.Load.UNTIL_TOLD);
    try (LiveRun run =
        new LiveRun(session, tasks, atMs -> WritesRunner.hotRacks(plan.schedule(), atMs))) {
      run.until(settings.settleMs());
      CoreTraffic before = CoreTraffic.now(session);
      long beganUs = run.nowUs();
      encoding.begin();
      follow(encoding, run);
      long endUs = run.nowUs();
      CoreTraffic after = CoreTraffic.now(session);
      awaitWritesDueBefore(endUs, plan, run);
      run.close();
      Encoding.Outcome outcome = encoding.outcome(run.done(ENCODE_TASK));
      long crossRackBytes =
          after.since(before) - crossing(run.done(WRITE_TASK), writes, beganUs, endUs);
      Experiment.Measured<EncodeRun> measured =
          run.measured(
              new EncodeRun(
                  outcome.dataBytes(),
                  (endUs - beganUs) / 1e6,
                  crossRackBytes,
                  outcome.relocations(),
                  run.seconds(WRITE_TASK, 0, beganUs),
                  run.seconds(WRITE_TASK, beganUs, endUs)));
      verify(plan, encoding, data);
      return measured;
    } finally {
      session.workers().stop();
      session.testbed().usePolicy(TestbedPolicy.STOCK);
      session.files().deleteAll(ROOT, DELETE_SECONDS);
    }
  }

  private Encoding encoding(Method method, EncodePlan plan, String data, String root)
      throws IOException {
    if (method.equals(EncodeExperiment.EAR)) {
      return new InPlaceEncoding(nameNode, data);
    }
    return method.equals(EncodeExperiment.CP)
        ? new CopyEncoding(session, plan.encoders().get(0), data, root + "/striped")
        : new AnyNodeEncoding(session, plan, data, root + "/parity");
  }

  /** Has every DataNode's machine write its files, before there is any load. */
  private void fill(List<EncodePlan.Source> files, String data)
      throws IOException, InterruptedException {
    session.progress().update("writing " + files.size() + " files");
    HostTasks tasks = new HostTasks(layout);
    for (EncodePlan.Source file : files) {
      tasks.add(
          file.writer(),
          Task.Write.block(
              file.name(), file.atMs(), data + "/" + file.name(), settings.blockBytes()));
    }
    session.perform(tasks, FILL_SECONDS);
  }

  private static void follow(Encoding encoding, LiveRun run)
      throws IOException, InterruptedException {
    boolean isOver =
        run.isSoon(
            () -> {
              run.requireNoFailure();
              return encoding.isOver(run.done(ENCODE_TASK));
            },
            EncodeSettings.LONGEST_MS);
    if (!isOver) {
      throw new IOException("not encoded after " + EncodeSettings.LONGEST_MS / 1000 + " s");
    }
  }

  /** The slow ones count most, so they are waited for. */
  private static void awaitWritesDueBefore(long dueUs, EncodePlan plan, LiveRun run)
      throws IOException, InterruptedException {
    long due = plan.writes().stream().filter(write -> write.atMs() * 1000L < dueUs).count();
    run.isSoon(
        () -> run.seconds(WRITE_TASK, 0, dueUs).length >= due, run.nowUs() / 1000 + LEFTOVER_MS);
  }

  /** What other writes sent between racks in that time. */
  private long crossing(List<Done> written, String writes, long fromUs, long toUs)
      throws IOException {
    Map<String, Integer> crossings = new HashMap<>();
    for (ClusterFiles.Stored file : session.files().list(writes)) {
      long racks =
          file.replicas().stream()
              .map(node -> layout.dataNodes().get(node).rack())
              .distinct()
              .count();
      crossings.put(file.path().substring(writes.length() + 1), (int) racks - 1);
    }
    double bytes = 0;
    for (Done write : written) {
      bytes += CoreTraffic.part(write, fromUs, toUs) * crossings.getOrDefault(write.id(), 1);
    }
    return CoreTraffic.onTheWire(bytes);
  }

  /** Has some files of every writer read back and compared with what was written at first. */
  private void verify(EncodePlan plan, Encoding encoding, String data)
      throws IOException, InterruptedException {
    session.progress().update("reading back");
    HostTasks tasks = new HostTasks(layout);
    for (EncodePlan.Source file : plan.files()) {
      if (file.atMs() == 0) {
        String name = file.name();
        tasks.add(
            (file.writer() + 1) % layout.dataNodes().size(),
            new Task.Read(name, 0, encoding.readable(name), data + "/" + name));
      }
    }
    session.perform(tasks, VERIFY_SECONDS);
  }

  @Override
  public void close() throws IOException {
    nameNode.close();
  }
}
