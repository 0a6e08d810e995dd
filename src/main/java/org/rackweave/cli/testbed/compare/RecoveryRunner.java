package org.rackweave.cli.testbed.compare;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.rackweave.cli.admin.NameNodeAdmin;
import org.rackweave.cli.experiment.RecoveryWatch;
import org.rackweave.cli.testbed.Layout;
import org.rackweave.cli.testbed.compare.worker.Task;
import org.rackweave.hdfs.namenode.RuntimeSwitch;

/** Fills a DataNode, kills it, and watches. */
final class RecoveryRunner implements Experiment.Stage<RecoveryRun> {
  private static final String ROOT = "/recovery";
  private static final String FILLED = ROOT + "/filled";
  private static final String FOREGROUND = ROOT + "/foreground";
  private static final long LEFTOVER_MS = 20_000;

  private final Session session;
  private final Layout layout;
  private final ClusterFiles files;
  private final RecoverySettings settings;
  private final CompareOptions options;

  /** Where Dayu is switched on and off; null where it is not enabled. */
  private final NameNodeAdmin dayu;

  RecoveryRunner(Session session, RecoverySettings settings, CompareOptions options)
      throws IOException {
    this.session = session;
    this.layout = session.layout();
    this.files = session.files();
    this.settings = settings;
    this.options = options;
    Configuration conf = session.testbed().controlConf();
    if (!conf.getTrimmed(DFSConfigKeys.DFS_NAMENODE_PLUGINS_KEY, "").isEmpty()) {
      dayu = NameNodeAdmin.connect(conf, RuntimeSwitch.IDENTIFIER);
      dayu.ask("status"); // not only after minutes
    } else {
      dayu = null;
    }
  }

  @Override
  public Experiment.Measured<RecoveryRun> run(Method method, long seed)
      throws IOException, InterruptedException {
    if (dayu != null) {
      dayu.ask("recovery=" + (method.equals(RecoveryExperiment.DAYU) ? "active" : "off"));
    }
    int racks = layout.racks().size();
    int nodesPerRack = layout.racks().get(0).dataNodes().size();
    RecoveryPlan plan =
        RecoveryPlan.draw(settings, racks, nodesPerRack, layout.uplinkBytesPerSec(), seed);
    plan.filling().write(session, FILLED);
    files.makeDirectory(FOREGROUND);
    session.testbed().usePolicy(method.policy(), method.settings());
    String victim = layout.dataNodes().get(plan.victim()).name();
    boolean killed = false;
    try (LiveRun run =
        new LiveRun(session, tasks(plan), atMs -> WritesRunner.hotRacks(plan.schedule(), atMs))) {
      run.until(settings.killAtMs());
      IdleLinks links = idleLinks(plan, run.watch().readings());
      killed = true;
      session.testbed().killDataNode(victim);
      long killedUs = run.nowUs();
      RecoveryWatch watch = new RecoveryWatch();
      follow(watch, plan, run, killedUs);
      long overUs = killedUs + (long) (1e6 * (watch.detectionSeconds() + watch.rebuildSeconds()));
      awaitWritesDueBefore(overUs, plan, run);
      run.close();
      return run.measured(
          new RecoveryRun(
              victim,
              plan.filled().size(),
              watch.detectionSeconds(),
              watch.rebuildSeconds(),
              IdealRebuild.seconds(
                  plan,
                  settings,
                  links,
                  racks,
                  nodesPerRack,
                  killedUs / 1000 + (long) (1e3 * watch.detectionSeconds())),
              watch.missing(),
              run.seconds("", settings.settleMs() * 1000L, killedUs),
              run.seconds("", killedUs, overUs),
              (int) (due(plan, overUs) - run.seconds("", 0, overUs).length)));
    } finally {
      session.workers().stop();
      session.restore(killed ? victim : null, ROOT);
    }
  }

  private IdleLinks idleLinks(RecoveryPlan plan, List<RunWatch.LinkReading> readings) {
    return IdleLinks.of(
        layout,
        plan.schedule(),
        readings.stream().filter(reading -> reading.atMs() >= settings.settleMs()).toList(),
        RecoverySettings.BANDWIDTH);
  }

  private HostTasks tasks(RecoveryPlan plan) {
    HostTasks tasks = new HostTasks(layout);
    for (PoissonWrites.Planned write : plan.writes()) {
      tasks.add(
          write.writer(),
          Task.Write.block(
              write.name(), write.atMs(), FOREGROUND + "/" + write.name(), settings.writeBytes()));
    }
    return tasks.addLoad(plan.schedule(), options, Task.Load.UNTIL_TOLD);
  }

  private void follow(RecoveryWatch watch, RecoveryPlan plan, LiveRun run, long killedUs)
      throws IOException, InterruptedException {
    boolean isOver =
        run.isSoon(
            () -> {
              boolean dead = files.state().get("NumDeadDataNodes").asInt() > 0;
              watch.look((run.nowUs() - killedUs) / 1e6, dead, missing(plan));
              return watch.isOver();
            },
            killedUs / 1000 + RecoverySettings.LONGEST_MS);
    if (!isOver) {
      throw new IOException(
          String.format(
              Locale.ROOT,
              "%d replicas are not rebuilt %d s after the kill; the cluster has %s blocks short"
                  + " of replicas and %s transfers: it has more load than it can carry",
              missing(plan),
              RecoverySettings.LONGEST_MS / 1000,
              files.state().get("LowRedundancyBlocks"),
              files.state().get("TotalLoad")));
    }
  }

  private static long due(RecoveryPlan plan, long byUs) {
    return plan.writes().stream().filter(write -> write.atMs() * 1000L < byUs).count();
  }

  /** The slow ones count most, so they are waited for. */
  private static void awaitWritesDueBefore(long dueUs, RecoveryPlan plan, LiveRun run)
      throws IOException, InterruptedException {
    long due = due(plan, dueUs);
    run.isSoon(
        () -> run.seconds("", 0, dueUs).length + run.failed() >= due,
        run.nowUs() / 1000 + LEFTOVER_MS);
  }

  /** Replicas that blocks of the killed DataNode lack, its own not counted. */
  private long missing(RecoveryPlan plan) throws IOException {
    return files.lacking(List.of(FILLED), plan.victim(), 0);
  }

  @Override
  public void close() throws IOException {
    if (dayu != null) {
      dayu.close();
    }
  }
}
