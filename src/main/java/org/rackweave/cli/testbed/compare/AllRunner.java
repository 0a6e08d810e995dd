package org.rackweave.cli.testbed.compare;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.hadoop.fs.Path;
import org.rackweave.cli.admin.NameNodeAdmin;
import org.rackweave.cli.experiment.RecoveryWatch;
import org.rackweave.cli.experiment.SideCourse;
import org.rackweave.cli.experiment.SideOutcome;
import org.rackweave.cli.testbed.Host;
import org.rackweave.cli.testbed.Layout;
import org.rackweave.cli.testbed.compare.worker.Report.Done;
import org.rackweave.cli.testbed.compare.worker.Task;
import org.rackweave.hdfs.rules.RulesAdmin;
import org.rackweave.sim.statistics.Sample;

/** One side's course on a testbed. */
final class AllRunner implements SideCourse {
  private static final String ROOT = "/all";
  private static final String WAREHOUSE = ROOT + "/warehouse";
  private static final String STRIPED = ROOT + "/striped";
  private static final String READ = ROOT + "/read";
  private static final String LOST = ROOT + "/lost";
  private static final String WRITTEN = ROOT + "/written";
  private static final String PARITY = "/.rackweave/parity";
  private static final String CODE_RULE = "code=" + AllPlan.CODE.name();

  private static final String WRITE_TASK = "write-";
  private static final String READ_TASK = "read-";
  private static final String COPY_TASK = "copy-";
  private static final String VERIFY_TASK = "verify-";

  /** Of all uplinks together, so that nobody waits for another. */
  private static final double LINK_SHARE = 0.4;

  private static final long FILL_SECONDS = 240;
  private static final long ENCODE_MS = 120_000;

  /** What takes so long after the last began is stuck, and counts as failed. */
  private static final long DRAIN_MS = 120_000;

  private final Session session;
  private final Layout layout;
  private final ClusterFiles files;
  private final CompareOptions options;
  private final Method side;
  private final AllPlan plan;
  private final AllPlan.Settings settings;
  private final Host victim;
  private final Set<String> rules = new HashSet<>();

  /** Bytes of files by path, and where each was written, which says what is in it. */
  private final Map<String, Long> bytes = new LinkedHashMap<>();

  private final Map<String, String> origins = new HashMap<>();
  private boolean killed;
  private LiveRun load;
  private long encodedBefore;
  private CoreTraffic before;
  private CoreTraffic after;
  private long encodeFromUs;
  private long encodeUntilUs;

  private AllRunner(Session session, CompareOptions options, Method side, AllPlan plan) {
    this.session = session;
    this.layout = session.layout();
    this.files = session.files();
    this.options = options;
    this.side = side;
    this.plan = plan;
    this.settings = plan.settings();
    this.victim = layout.dataNodes().get(plan.lost().victim());
  }

  /** Carries out a plan, and leaves the cluster empty. */
  static Experiment.Measured<SideOutcome> run(
      Session session, CompareOptions options, Method side, AllPlan plan)
      throws IOException, InterruptedException {
    AllRunner runner = new AllRunner(session, options, side, plan);
    try {
      SideOutcome outcome = SideCourse.play(runner, session.progress()::update);
      return runner.load.measured(outcome);
    } finally {
      runner.restore();
    }
  }

  private boolean isOurs() {
    return !side.isStock();
  }

  @Override
  public void fill() throws IOException, InterruptedException {
    for (String directory : List.of(WAREHOUSE, READ, WRITTEN)) {
      files.makeDirectory(directory);
    }
    if (isOurs()) {
      encodedBefore = files.encodedBlocks();
      rule(WAREHOUSE, CODE_RULE, "age=1h");
      rule(READ, "heat=adapt", "max=" + settings.factorMax());
    } else {
      files.fileSystem().mkdirs(new Path(STRIPED));
      files.fileSystem().enableErasureCodingPolicy(AllPlan.STOCK_CODE);
      files.fileSystem().setErasureCodingPolicy(new Path(STRIPED), AllPlan.STOCK_CODE);
    }
    plan.lost().write(session, LOST);
    plan.lost().blocks().forEach(block -> note(LOST + "/" + block.number(), settings.blockBytes()));
    session.testbed().usePolicy(side.policy());
    HostTasks tasks = new HostTasks(layout);
    long atMs = 0;
    for (int i = 0; i < settings.warehouseFiles(); i++) {
      atMs = addFile(tasks, warehouse(i), settings.warehouseBytes(), atMs);
    }
    for (int i = 0; i < settings.readFiles(); i++) {
      atMs = addFile(tasks, READ + "/" + i, settings.blockBytes(), atMs);
    }
    session.perform(tasks, FILL_SECONDS);
  }

  /** A directory each, as a worker copies directories. */
  private static String warehouse(int file) {
    return WAREHOUSE + "/" + file + "/data";
  }

  private long addFile(HostTasks tasks, String path, long size, long atMs) {
    note(path, size);
    int writer = tasks.count() % layout.dataNodes().size();
    tasks.add(
        writer, new Task.Write("fill-" + path, atMs, path, size, settings.blockBytes(), List.of()));
    return atMs + size * 1000 / bytesPerSec();
  }

  private long bytesPerSec() {
    return (long) (LINK_SHARE * layout.racks().size() * layout.uplinkBytesPerSec());
  }

  private void note(String path, long size) {
    bytes.put(path, size);
    origins.put(path, path);
  }

  private void rule(String directory, String... words) throws IOException {
    List<String> all = new ArrayList<>(List.of("set", directory));
    all.addAll(List.of(words));
    ask(all.toArray(String[]::new));
    rules.add(directory);
  }

  private void ask(String... words) throws IOException {
    try (NameNodeAdmin admin =
        NameNodeAdmin.connect(session.testbed().controlConf(), RulesAdmin.IDENTIFIER)) {
      admin.ask(words);
    }
  }

  @Override
  public void write() throws IOException, InterruptedException {
    HostTasks tasks = new HostTasks(layout);
    long blockBytes = settings.writes().blockBytes();
    for (PoissonWrites.Planned write : plan.writes().writes()) {
      String path = WRITTEN + "/" + write.name();
      note(path, blockBytes);
      tasks.add(
          write.writer(),
          new Task.Write(
              WRITE_TASK + write.name(), write.atMs(), path, blockBytes, blockBytes, List.of()));
    }
    for (ReadsPlan.Planned read : plan.reads()) {
      String path = READ + "/" + read.file();
      tasks.add(read.reader(), new Task.Read(READ_TASK + read.id(), read.atMs(), path, path));
    }
    if (!isOurs()) {
      addCopies(tasks);
    }
    tasks.addLoad(plan.writes().schedule(), options, settings.writes().endMs());
    load = new LiveRun(session, tasks, this::detail);
    load.until(settings.encodeAtMs());
  }

  private String detail(long atMs) {
    return atMs < settings.writes().endMs()
        ? WritesRunner.hotRacks(plan.writes().schedule(), atMs)
        : "no rack hot";
  }

  /** Not where a file was written: who copies runs where there is room. */
  private void addCopies(HostTasks tasks) {
    int nodes = layout.dataNodes().size();
    for (int i = 0; i < settings.warehouseFiles(); i++) {
      tasks.add(
          (i + nodes / 2 - 1) % nodes,
          new Task.Copy(
              COPY_TASK + i, settings.encodeAtMs(), WAREHOUSE + "/" + i, STRIPED + "/" + i));
    }
  }

  @Override
  public void encode() throws IOException, InterruptedException {
    before = CoreTraffic.now(session);
    encodeFromUs = load.nowUs();
    int all = settings.warehouseFiles() * AllPlan.CODE.dataBlocks();
    if (isOurs()) {
      rule(WAREHOUSE, CODE_RULE, "age=0s");
      load.isSoon(
          () -> files.encodedBlocks() - encodedBefore == all, settings.encodeAtMs() + ENCODE_MS);
    } else {
      load.isSoon(
          () -> load.done(COPY_TASK).size() == settings.warehouseFiles(),
          settings.encodeAtMs() + ENCODE_MS);
      useCopies();
    }
    encodeUntilUs = load.nowUs();
    after = CoreTraffic.now(session);
  }

  /** From now on the copies are the files. */
  private void useCopies() throws IOException {
    for (Done copy : load.done(COPY_TASK)) {
      String from = warehouse(Integer.parseInt(copy.id()));
      String to = STRIPED + "/" + copy.id() + "/data";
      bytes.put(to, bytes.remove(from));
      origins.put(to, from);
      files.delete(from);
    }
  }

  @Override
  public void read() throws IOException, InterruptedException {
    load.until(settings.readsUntilMs());
    int writes = plan.writes().writes().size();
    int due = writes + plan.reads().size();
    load.isSoon(
        () -> load.done(WRITE_TASK).size() + load.done(READ_TASK).size() + load.failed() >= due,
        settings.readsUntilMs() + DRAIN_MS);
    if (load.done(WRITE_TASK).size() < writes) {
      load.requireNoFailure();
      throw new IOException(
          "only "
              + load.done(WRITE_TASK).size()
              + " of "
              + writes
              + " writes are done: the cluster has more load than it can carry");
    }
    load.close();
  }

  /** What reads and late writes sent between racks while files were encoded. */
  private double others() throws IOException {
    double others = 0;
    for (Done read : load.done(READ_TASK)) {
      int reader = plan.reads().get(Integer.parseInt(read.id())).reader();
      boolean isCrossing =
          layout.dataNodes().get(reader).rack() != layout.host(read.server()).rack();
      others += isCrossing ? CoreTraffic.part(read, encodeFromUs, encodeUntilUs) : 0;
    }
    for (Done write : load.done(WRITE_TASK)) {
      others += CoreTraffic.part(write, encodeFromUs, encodeUntilUs);
    }
    return others;
  }

  @Override
  public SideOutcome.Writes writes() throws IOException {
    WritesOutcome outcome =
        new WritesOutcome(
            layout,
            settings.writes(),
            plan.writes(),
            load.done(WRITE_TASK),
            load.watch().readings());
    return new SideOutcome.Writes(
        outcome.blocks(files.list(WRITTEN)), outcome.nodeWindowsWithArrivals());
  }

  @Override
  public SideOutcome.Reads reads() {
    double[] bySecond =
        IntStream.range(0, settings.readsUntilMs() / 1000)
            .mapToDouble(
                second ->
                    new Sample(
                            load.seconds(READ_TASK, second * 1_000_000L, (second + 1) * 1_000_000L))
                        .mean())
            .toArray();
    return new SideOutcome.Reads(
        load.seconds(READ_TASK, settings.hotFromMs() * 1000L, settings.readsUntilMs() * 1000L),
        bySecond,
        plan.reads().size() - load.done(READ_TASK).size());
  }

  @Override
  public SideOutcome.Encoded encoded() throws IOException {
    long encoded =
        isOurs()
            ? (files.encodedBlocks() - encodedBefore) * settings.blockBytes()
            : load.done(COPY_TASK).stream().mapToLong(Done::sizeBytes).sum();
    long crossRackBytes = after.since(before) - CoreTraffic.onTheWire(others());
    return new SideOutcome.Encoded(encoded, (encodeUntilUs - encodeFromUs) / 1e6, crossRackBytes);
  }

  @Override
  public SideOutcome.Recovery loseDataNode() throws IOException, InterruptedException {
    HostTasks tasks = new HostTasks(layout);
    for (ReadsPlan.Planned read : plan.degraded()) {
      String from = warehouse(read.file());
      String path = isOurs() ? from : STRIPED + "/" + read.file() + "/data";
      if (bytes.containsKey(path)) {
        tasks.add(read.reader(), new Task.Read(READ_TASK + read.id(), read.atMs(), path, from));
      }
    }
    try (LiveRun run = new LiveRun(session, tasks, atMs -> "dead for " + atMs / 1000 + " s")) {
      killed = true;
      session.testbed().killDataNode(victim.name());
      long killedUs = run.nowUs();
      RecoveryWatch recovery = new RecoveryWatch();
      boolean isOver =
          run.isSoon(() -> isWhole(recovery, (run.nowUs() - killedUs) / 1e6), AllPlan.LONGEST_MS);
      if (!isOver) {
        throw new IOException(
            lacking() + " replicas are not rebuilt after " + AllPlan.LONGEST_MS / 1000 + " s");
      }
      long wholeUs = run.nowUs();
      long due = plan.degraded().stream().filter(read -> read.atMs() * 1000L < wholeUs).count();
      run.isSoon(
          () -> run.seconds(READ_TASK, 0, wholeUs).length + run.failed() >= due,
          wholeUs / 1000 + DRAIN_MS);
      int failed = (int) due - run.seconds(READ_TASK, 0, wholeUs).length;
      return new SideOutcome.Recovery(recovery, run.seconds(READ_TASK, killedUs, wholeUs), failed);
    }
  }

  private boolean isWhole(RecoveryWatch recovery, double seconds) throws IOException {
    boolean isDead = files.state().get("NumDeadDataNodes").asInt() > 0;
    recovery.look(seconds, isDead, isDead ? lacking() : 0);
    return recovery.isOver();
  }

  private long lacking() throws IOException {
    return files.lacking(
        isOurs() ? List.of(ROOT, PARITY) : List.of(ROOT),
        plan.lost().victim(),
        AllPlan.CODE.blocks());
  }

  @Override
  public SideOutcome.Kept verify() throws IOException, InterruptedException {
    long stored = session.testbed().storedBytes() - session.testbed().storedBytes(victim.name());
    List<String> paths = List.copyOf(bytes.keySet());
    HostTasks tasks = new HostTasks(layout);
    long atMs = 0;
    for (int i = 0; i < paths.size(); i++) {
      String path = paths.get(i);
      tasks.add(
          i % layout.dataNodes().size(),
          new Task.Read(VERIFY_TASK + i, atMs, path, origins.get(path)));
      atMs += bytes.get(path) * 1000 / bytesPerSec();
    }
    long all = bytes.values().stream().mapToLong(Long::longValue).sum();
    try (LiveRun run = new LiveRun(session, tasks, at -> "verified")) {
      run.isSoon(
          () -> run.done(VERIFY_TASK).size() + run.failed() >= paths.size(), atMs + DRAIN_MS);
      long intact =
          run.done(VERIFY_TASK).stream()
              .filter(read -> read.sizeBytes() == bytes.get(paths.get(Integer.parseInt(read.id()))))
              .mapToLong(Done::sizeBytes)
              .sum();
      return new SideOutcome.Kept(stored, all, all - intact);
    }
  }

  @Override
  public int hotReplicas() throws IOException {
    return files.list(READ).stream()
        .filter(file -> file.path().equals(READ + "/0"))
        .mapToInt(file -> file.replicas().size())
        .sum();
  }

  @Override
  public long fallbacks() throws IOException {
    return isOurs() ? files.fallbacks() : 0;
  }

  /** Starts the DataNode again and empties the cluster. */
  private void restore() throws IOException, InterruptedException {
    if (load != null) {
      load.close();
    }
    for (String directory : rules) {
      ask("remove", directory);
    }
    session.restore(killed ? victim.name() : null, ROOT);
  }
}
