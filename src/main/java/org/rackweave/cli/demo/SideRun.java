package org.rackweave.cli.demo;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.rackweave.cli.Progress;
import org.rackweave.cli.admin.NameNodeAdmin;
import org.rackweave.cli.demo.cluster.BlockTraffic;
import org.rackweave.cli.demo.cluster.LoopbackAddresses;
import org.rackweave.cli.experiment.OpenLoad;
import org.rackweave.cli.experiment.RecoveryWatch;
import org.rackweave.cli.experiment.Side;
import org.rackweave.cli.experiment.SideCourse;
import org.rackweave.cli.experiment.SideOutcome;
import org.rackweave.hdfs.rules.RulesAdmin;
import org.rackweave.sim.statistics.Sample;

/**
 * One side's run through the demo of all features: files are written and read while background load
 * moves and a file gets hot; a directory becomes stripes; a DataNode dies; what is read and rebuilt
 * then; and whether every byte is still there.
 */
final class SideRun implements SideCourse, Closeable {
  private static final String WAREHOUSE = "/warehouse";
  private static final String READ = "/read";
  private static final String LOST = "/lost";
  private static final String WRITTEN = "/written";
  private static final String BACKGROUND = "/background";

  /** Where stock HDFS has its striped copies. */
  private static final String STRIPED = "/striped";

  private static final int READERS = 4;
  private static final int COPIER_FROM_WRITER = 5;
  private static final int AT_A_TIME = 4;
  private static final int POLL_MS = 50;
  private static final long DEADLINE_MS = 60_000;
  private static final long ENCODE_MS = 30_000;

  private final AllFeaturesSettings settings;
  private final Side side;
  private final long seed;
  private final Round round;
  private final BlockTraffic traffic;
  private final Lab lab;
  private final DistributedFileSystem fs;
  private final List<FileSystem> readers = new ArrayList<>();
  private final GeneratedFiles generated;
  private final AtomicInteger failedReads = new AtomicInteger();
  private final ExecutorService threads = Executors.newFixedThreadPool(AT_A_TIME);
  private final OpenLoad load = new OpenLoad();
  private final List<WrittenFile> files = new ArrayList<>();
  private List<WrittenFile> warehouse;
  private List<WrittenFile> read;
  private OpenLoad.Stream reads;
  private long loadFromMs;
  private Round.Trace written;
  private double encodeSeconds;
  private long encodeCrossRackBytes;

  private SideRun(
      AllFeaturesSettings settings,
      Side side,
      long seed,
      Lab lab,
      Round round,
      BlockTraffic traffic)
      throws IOException {
    this.settings = settings;
    this.side = side;
    this.seed = seed;
    this.lab = lab;
    this.round = round;
    this.traffic = traffic;
    this.generated = new GeneratedFiles(seed, settings.cluster().blockBytes());
    int outsider = settings.cluster().outsiders() + 1;
    this.fs =
        (DistributedFileSystem)
            FileSystem.newInstance(
                lab.cluster().uri(),
                lab.cluster().clientConf(LoopbackAddresses.ofOutsider(outsider)));
    for (int i = 1; i <= READERS; i++) {
      Configuration conf = lab.cluster().clientConf(LoopbackAddresses.ofOutsider(outsider + i));
      SideProperties.configureReader(side, conf);
      readers.add(FileSystem.newInstance(lab.cluster().uri(), conf));
    }
  }

  /** What a side's run consists of. */
  static List<Progress.Step> steps(AllFeaturesSettings settings, Side side) {
    String with = " with " + side.label();
    int[] expectedMs = {
      8_000,
      settings.writesUntilMs() + 2_000,
      settings.readsUntilMs() - settings.writesUntilMs(),
      25_000,
      6_000
    };
    List<Progress.Step> steps = new ArrayList<>();
    steps.add(new Progress.Step("starting HDFS" + with, 12_000));
    for (int i = 0; i < expectedMs.length; i++) {
      steps.add(new Progress.Step(SideCourse.PHASES.get(i) + with, expectedMs[i]));
    }
    return steps;
  }

  /** Runs it on a cluster of its own. */
  static SideOutcome run(
      AllFeaturesSettings settings,
      Side side,
      Round writes,
      long seed,
      java.nio.file.Path storage,
      Progress progress)
      throws IOException, InterruptedException {
    progress.next();
    try (BlockTraffic traffic = BlockTraffic.count();
        Lab lab = Lab.start(settings.cluster(), storage, SideProperties.of(side, settings));
        SideRun run = new SideRun(settings, side, seed, lab, writes, traffic)) {
      lab.cluster().limitSending();
      return SideCourse.play(run, phase -> progress.next());
    }
  }

  @Override
  public void write() throws IOException, InterruptedException {
    loadFromMs = load.nowMs();
    reads = beginReads((int) loadFromMs);
    fs.mkdirs(new Path(WRITTEN));
    written = round.run(lab, WRITTEN);
    files.addAll(written.files());
    lab.background().close();
    fs.delete(new Path(BACKGROUND), true);
  }

  @Override
  public SideOutcome.Writes writes() {
    return new SideOutcome.Writes(written.blocks(), written.windows());
  }

  @Override
  public void encode() throws IOException, InterruptedException {
    long crossRackBefore = traffic.crossRackBytes();
    long fromNs = System.nanoTime();
    if (side == Side.STOCK) {
      copyIntoStripes();
    } else {
      encodeInPlace();
    }
    encodeSeconds = (System.nanoTime() - fromNs) / 1e9;
    encodeCrossRackBytes = traffic.crossRackBytes() - crossRackBefore;
  }

  @Override
  public SideOutcome.Encoded encoded() {
    long bytes =
        side == Side.STOCK
            ? warehouse.stream().mapToLong(WrittenFile::bytes).sum()
            : (long) lab.cluster().encodedBlocks() * settings.cluster().blockBytes();
    return new SideOutcome.Encoded(bytes, encodeSeconds, encodeCrossRackBytes);
  }

  @Override
  public void read() throws IOException, InterruptedException {
    await("reads to end", () -> load.nowMs() >= loadFromMs + settings.readsUntilMs());
    load.end(reads);
  }

  @Override
  public SideOutcome.Reads reads() {
    return new SideOutcome.Reads(
        reads.seconds(loadFromMs + settings.hotFromMs(), loadFromMs + settings.readsUntilMs()),
        bySecond(),
        failedReads.getAndSet(0));
  }

  @Override
  public SideOutcome.Recovery loseDataNode() throws IOException, InterruptedException {
    long diedAtMs = load.nowMs();
    OpenLoad.Stream degraded = beginDegradedReads((int) diedAtMs);
    RecoveryWatch watch = watchRecovery(diedAtMs);
    long wholeAtMs = load.nowMs();
    load.end(degraded);
    return new SideOutcome.Recovery(
        watch, degraded.seconds(diedAtMs, wholeAtMs), failedReads.get());
  }

  @Override
  public SideOutcome.Kept verify() throws IOException, InterruptedException {
    long lost = lostBytes();
    return new SideOutcome.Kept(
        lab.cluster().storedBytes(), files.stream().mapToLong(WrittenFile::bytes).sum(), lost);
  }

  @Override
  public int hotReplicas() throws IOException {
    return lab.writers()
        .connection(0)
        .getLocatedBlocks(read.get(0).path(), 0)
        .get(0)
        .getLocations()
        .length;
  }

  @Override
  public long fallbacks() {
    return side == Side.STOCK ? 0 : lab.cluster().fallbacks();
  }

  @Override
  public void fill() throws IOException, InterruptedException {
    List<Callable<WrittenFile>> all = new ArrayList<>();
    for (int i = 0; i < settings.lostFiles(); i++) {
      InetSocketAddress[] targets = aroundVictim(i);
      String path = LOST + "/" + i;
      DFSClient client = lab.writers().connection(i % settings.cluster().nodes());
      all.add(() -> generated.write(client, path, 1, targets));
    }
    files.addAll(together(all));
    fs.mkdirs(new Path(WAREHOUSE));
    fs.mkdirs(new Path(READ));
    if (side == Side.RACKWEAVE) {
      rule(WAREHOUSE, codeWord(), "age=1h");
      rule(READ, "heat=adapt", "max=" + settings.factorMax());
    }
    warehouse = write(WAREHOUSE, settings.warehouseFiles(), settings.dataUnits());
    read = write(READ, settings.readFiles(), 1);
    files.addAll(warehouse);
    files.addAll(read);
  }

  private List<WrittenFile> write(String directory, int count, int blocks)
      throws IOException, InterruptedException {
    List<Callable<WrittenFile>> all = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      DFSClient client = lab.writers().connection(i % settings.cluster().nodes());
      String path = directory + "/" + i;
      all.add(() -> generated.write(client, path, blocks, null));
    }
    return together(all);
  }

  /** The DataNode that will die, and two of another rack, other ones for each file. */
  private InetSocketAddress[] aroundVictim(int file) {
    DemoSettings cluster = settings.cluster();
    int first = file % (cluster.nodes() - cluster.nodesPerRack());
    int rack = cluster.rackOf(first);
    int second = rack * cluster.nodesPerRack() + (first + 1) % cluster.nodesPerRack();
    return IntStream.of(settings.victim(), first, second)
        .mapToObj(node -> lab.cluster().dataNodes().get(node).getXferAddress())
        .toArray(InetSocketAddress[]::new);
  }

  private String codeWord() {
    return "code=" + settings.code().toLowerCase(Locale.ROOT);
  }

  private void rule(String directory, String... words) throws IOException {
    List<String> all = new ArrayList<>(List.of("set", directory));
    all.addAll(List.of(words));
    try (NameNodeAdmin admin = NameNodeAdmin.connect(fs.getConf(), RulesAdmin.IDENTIFIER)) {
      admin.ask(all.toArray(String[]::new));
    }
  }

  private OpenLoad.Stream beginReads(int fromMs) {
    SplittableRandom random = new SplittableRandom(seed);
    int settledMs = fromMs + settings.cluster().settleMs();
    List<Integer> atMs =
        OpenLoad.poisson(
            random, settings.readsPerSec(), settledMs, fromMs + settings.readsUntilMs());
    String[] paths = new String[atMs.size()];
    for (int i = 0; i < paths.length; i++) {
      boolean isHot =
          atMs.get(i) >= fromMs + settings.hotFromMs() && random.nextDouble() < settings.hotShare();
      paths[i] = read.get(isHot ? 0 : random.nextInt(read.size())).path();
    }
    return load.begin(atMs, number -> read(number, paths[number]));
  }

  private OpenLoad.Stream beginDegradedReads(int fromMs) {
    SplittableRandom random = new SplittableRandom(~seed);
    List<Integer> atMs =
        OpenLoad.poisson(
            random, settings.degradedReadsPerSec(), fromMs, fromMs + (int) DEADLINE_MS);
    int[] which = random.ints(atMs.size(), 0, warehouse.size()).toArray();
    return load.begin(atMs, number -> read(number, warehouse.get(which[number]).path()));
  }

  private void read(int number, String path) {
    try (InputStream in = readers.get(number % READERS).open(new Path(path))) {
      in.transferTo(OutputStream.nullOutputStream());
    } catch (IOException e) {
      failedReads.incrementAndGet();
    }
  }

  /** From now on files of the warehouse are old enough, and Rackweave encodes where they lie. */
  private void encodeInPlace() throws IOException, InterruptedException {
    rule(WAREHOUSE, codeWord(), "age=0s");
    int all = settings.warehouseFiles() * settings.dataUnits();
    isSoon(ENCODE_MS, () -> lab.cluster().encodedBlocks() == all);
  }

  /** Copies the warehouse into a directory that HDFS stripes, as its users do, and deletes it. */
  private void copyIntoStripes() throws IOException, InterruptedException {
    String policy = settings.code() + "-1024k";
    Path directory = new Path(STRIPED);
    fs.mkdirs(directory);
    fs.enableErasureCodingPolicy(policy);
    fs.setErasureCodingPolicy(directory, policy);
    int nodes = settings.cluster().nodes();
    List<Callable<WrittenFile>> all = new ArrayList<>();
    for (int i = 0; i < warehouse.size(); i++) {
      WrittenFile file = warehouse.get(i);
      // Not where it was written: who copies runs where there is room.
      DFSClient client = lab.writers().connection((i + COPIER_FROM_WRITER) % nodes);
      String copy = STRIPED + "/" + i;
      all.add(() -> generated.move(client, file, copy));
    }
    files.removeAll(warehouse);
    warehouse = together(all);
    files.addAll(warehouse);
  }

  private RecoveryWatch watchRecovery(long diedAtMs) throws IOException, InterruptedException {
    lab.cluster().stop(settings.victim());
    RecoveryWatch watch = new RecoveryWatch();
    await(
        "every block to be whole",
        () -> {
          double seconds = (load.nowMs() - diedAtMs) / 1e3;
          boolean isDead = lab.cluster().isDead(settings.victim());
          watch.look(seconds, isDead, isDead ? lab.cluster().blocksIncomplete() : 0);
          return watch.isOver();
        });
    return watch;
  }

  private long lostBytes() throws IOException, InterruptedException {
    List<Callable<Long>> all = new ArrayList<>();
    for (int i = 0; i < files.size(); i++) {
      WrittenFile file = files.get(i);
      FileSystem reader = readers.get(i % READERS);
      all.add(() -> isIntact(reader, file) ? 0L : file.bytes());
    }
    return together(all).stream().mapToLong(Long::longValue).sum();
  }

  private static boolean isIntact(FileSystem reader, WrittenFile file) {
    try (InputStream in = reader.open(new Path(file.path()))) {
      return Inspection.verify(in, file) == file.bytes();
    } catch (IOException e) {
      return false;
    }
  }

  private double[] bySecond() {
    return IntStream.range(0, settings.readsUntilMs() / 1000)
        .mapToDouble(
            second ->
                new Sample(
                        reads.seconds(
                            loadFromMs + second * 1000L, loadFromMs + (second + 1) * 1000L))
                    .mean())
        .toArray();
  }

  private <T> List<T> together(List<Callable<T>> all) throws IOException, InterruptedException {
    List<T> results = new ArrayList<>();
    for (Future<T> each : threads.invokeAll(all)) {
      try {
        results.add(each.get());
      } catch (ExecutionException e) {
        throw new IOException(e.getCause().getMessage(), e.getCause());
      }
    }
    return results;
  }

  private static void await(String what, BooleanSupplier condition)
      throws IOException, InterruptedException {
    if (!isSoon(DEADLINE_MS, condition)) {
      throw new IOException("Waited " + DEADLINE_MS / 1000 + " s in vain for " + what);
    }
  }

  private static boolean isSoon(long withinMs, BooleanSupplier condition)
      throws InterruptedException {
    long untilNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(withinMs);
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > untilNs) {
        return false;
      }
      TimeUnit.MILLISECONDS.sleep(POLL_MS);
    }
    return true;
  }

  @Override
  public void close() throws IOException {
    load.close();
    threads.shutdownNow();
    for (FileSystem reader : readers) {
      reader.close();
    }
    fs.close();
  }
}
