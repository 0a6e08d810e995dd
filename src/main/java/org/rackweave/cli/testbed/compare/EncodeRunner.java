package org.rackweave.cli.testbed.compare;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.rackweave.cli.admin.NameNodeAdmin;
import org.rackweave.cli.testbed.Counters;
import org.rackweave.cli.testbed.LinkBytes;
import org.rackweave.cli.testbed.TestbedPolicy;
import org.rackweave.cli.testbed.compare.worker.Report.Done;
import org.rackweave.cli.testbed.compare.worker.RunClock;
import org.rackweave.cli.testbed.compare.worker.Task;

/** Writes files, has them encoded by one method while others write, and reads them back. */
final class EncodeRunner {

  static final String ROOT = "/encode";

  private static final long FILL_SECONDS = 240;
  private static final long VERIFY_SECONDS = 240;
  private static final long DELETE_SECONDS = 240;
  private static final long LEFTOVER_MS = 20_000;
  private static final long LOOK_MS = 100;

  /** Shapers count frames, of which 1,448 of 1,514 bytes are what is sent. */
  private static final double FRAME_OVER_PAYLOAD = 1514.0 / 1448;

  private final Session session;
  private final EncodeSettings settings;
  private final CompareOptions options;
  private final NameNodeAdmin nameNode;

  /**
   * @param nameNode to be closed by the caller
   */
  EncodeRunner(
      Session session, EncodeSettings settings, CompareOptions options, NameNodeAdmin nameNode) {
    this.session = session;
    this.settings = settings;
    this.options = options;
    this.nameNode = nameNode;
  }

  /** Results so far: of encoding, and of other writes. */
  private static final class Seen implements Crew.Results {
    private final List<Done> encoded = new ArrayList<>();
    private final List<Done> written = new ArrayList<>();
    private String failure;

    @Override
    public void done(Done result) {
      (result.id().startsWith("encode") ? encoded : written).add(result);
    }

    @Override
    public void failed(String id, String reason) {
      failure = id + " failed: " + reason;
    }

    double[] seconds(long fromUs, long toUs) {
      return written.stream()
          .filter(write -> write.scheduledUs() >= fromUs && write.scheduledUs() < toUs)
          .mapToDouble(Done::seconds)
          .toArray();
    }
  }

  /** What all links and the background load had carried at a moment. */
  private record Reading(Counters counters, long backgroundUpBytes) {}

  /** Carries out a plan. */
  EncodeRun run(Entry<EncodeMethod> entry, EncodePlan plan, int attempt)
      throws IOException, InterruptedException {
    EncodeMethod method = entry.method();
    String root = ROOT + "/" + method.label();
    String data = root + "/data";
    String writes = root + "/writes";
    session.testbed().usePolicy(method.policy());
    session.files().makeDirectory(writes);
    fill(plan.files(method), data);
    Encoding encoding = encoding(method, plan, data, root);
    Map<String, List<Task>> tasks = tasks(plan, writes);
    encoding
        .tasks(settings.settleMs())
        .forEach((host, its) -> tasks.computeIfAbsent(host, any -> new ArrayList<>()).addAll(its));
    Seen seen = new Seen();
    RunClock clock = session.crew().begin(tasks);
    try (RunWatch watch =
        new RunWatch(
            session.testbed(),
            clock,
            atMs -> session.progress().update(WritesProcedure.detail(plan.schedule(), atMs)))) {
      while (clock.nowUs() < settings.settleMs() * 1000L) {
        session
            .crew()
            .drain(seen, Math.min(LOOK_MS, 1 + clock.untilUs(settings.settleMs()) / 1000));
      }
      Reading before = reading();
      long beganUs = clock.nowUs();
      encoding.begin();
      follow(encoding, seen, clock);
      long endUs = clock.nowUs();
      Reading after = reading();
      awaitWritesDueBefore(endUs, plan, clock, seen);
      double busyCpuShare = watch.busyCpuShare();
      double foreignCpuShare = watch.foreignCpuShare();
      session.crew().stop();
      Encoding.Outcome outcome = encoding.outcome(seen.encoded);
      verify(plan, encoding, data);
      return new EncodeRun(
          entry.contender(),
          plan.seed(),
          attempt,
          outcome.dataBytes(),
          (endUs - beganUs) / 1e6,
          between(before, after) - crossing(seen.written, writes, beganUs, endUs),
          outcome.relocations(),
          seen.seconds(0, beganUs),
          seen.seconds(beganUs, endUs),
          busyCpuShare,
          foreignCpuShare);
    } finally {
      session.crew().stop();
      session.testbed().usePolicy(TestbedPolicy.STOCK);
      session.files().deleteAll(ROOT, DELETE_SECONDS);
    }
  }

  private Encoding encoding(EncodeMethod method, EncodePlan plan, String data, String root)
      throws IOException {
    return switch (method) {
      case RR -> new AnyNodeEncoding(session, plan, data, root + "/parity");
      case CP -> new CopyEncoding(session, plan.encoders().get(0), data, root + "/striped");
      case EAR -> new InPlaceEncoding(nameNode, data);
    };
  }

  /** Has every DataNode's machine write its files, before there is any load. */
  private void fill(List<EncodePlan.Source> files, String data)
      throws IOException, InterruptedException {
    session.progress().update("writing " + files.size() + " files");
    Map<String, List<Task>> tasks = new HashMap<>();
    for (EncodePlan.Source file : files) {
      add(tasks, file.writer(), write(file.name(), file.atMs(), data + "/" + file.name()));
    }
    session.crew().begin(tasks);
    session.crew().await(files.size(), FILL_SECONDS);
    session.crew().stop();
  }

  private Task write(String id, long atMs, String path) {
    return new Task.Write(id, atMs, path, settings.blockBytes(), settings.blockBytes(), List.of());
  }

  private void add(Map<String, List<Task>> tasks, int node, Task task) {
    String host = session.layout().dataNodes().get(node).name();
    tasks.computeIfAbsent(host, name -> new ArrayList<>()).add(task);
  }

  private Map<String, List<Task>> tasks(EncodePlan plan, String writes) {
    Map<String, List<Task>> tasks = new HashMap<>();
    for (PoissonWrites.Planned write : plan.writes()) {
      String path = writes + "/" + write.name();
      add(tasks, write.writer(), write(write.name(), write.atMs(), path));
    }
    BackgroundPlan.addTo(
        tasks, session.layout(), plan.schedule(), options.origin(), options.flowsPerRack());
    return tasks;
  }

  private void follow(Encoding encoding, Seen seen, RunClock clock)
      throws IOException, InterruptedException {
    while (true) {
      session.crew().drain(seen, LOOK_MS);
      if (seen.failure != null) {
        throw new IOException(seen.failure);
      }
      if (encoding.isOver(seen.encoded)) {
        return;
      }
      if (clock.nowUs() > EncodeSettings.LONGEST_MS * 1000L) {
        throw new IOException("not encoded after " + EncodeSettings.LONGEST_MS / 1000 + " s");
      }
    }
  }

  /** The slow ones count most, so they are waited for. */
  private void awaitWritesDueBefore(long dueUs, EncodePlan plan, RunClock clock, Seen seen)
      throws IOException, InterruptedException {
    long due = plan.writes().stream().filter(write -> write.atMs() * 1000L < dueUs).count();
    long deadlineUs = clock.nowUs() + LEFTOVER_MS * 1000;
    while (seen.seconds(0, dueUs).length < due && clock.nowUs() < deadlineUs) {
      session.crew().drain(seen, LOOK_MS);
    }
  }

  private Reading reading() throws IOException, InterruptedException {
    long upBytes = session.crew().receivedBytes().get(session.layout().sink().name());
    return new Reading(session.testbed().counters(), upBytes);
  }

  /** Bytes that left racks between two moments, background load not counted. */
  private static long between(Reading before, Reading after) {
    long bytes = 0;
    for (Map.Entry<Integer, LinkBytes> uplink : after.counters().uplinks().entrySet()) {
      bytes += uplink.getValue().since(before.counters().uplinks().get(uplink.getKey())).txBytes();
    }
    long background = after.backgroundUpBytes() - before.backgroundUpBytes();
    return bytes - (long) (background * FRAME_OVER_PAYLOAD);
  }

  /** What other writes sent between racks in that time, as if each had sent evenly. */
  private long crossing(List<Done> written, String writes, long fromUs, long toUs)
      throws IOException {
    Map<String, Integer> crossings = new HashMap<>();
    List<Integer> rackOf = new ArrayList<>();
    session
        .layout()
        .racks()
        .forEach(rack -> rack.dataNodes().forEach(node -> rackOf.add(rack.number())));
    for (ClusterFiles.Stored file : session.files().list(writes)) {
      Set<Integer> racks = new HashSet<>();
      file.replicas().forEach(node -> racks.add(rackOf.get(node)));
      crossings.put(file.path().substring(writes.length() + 1), racks.size() - 1);
    }
    double bytes = 0;
    for (Done write : written) {
      double inside = Math.min(write.endUs(), toUs) - (double) Math.max(write.startUs(), fromUs);
      double share = Math.max(0, inside / Math.max(1, write.endUs() - write.startUs()));
      bytes += share * write.sizeBytes() * crossings.getOrDefault(write.id(), 1);
    }
    return (long) (bytes * FRAME_OVER_PAYLOAD);
  }

  /** Has some files of every writer read back and compared with what was written at first. */
  private void verify(EncodePlan plan, Encoding encoding, String data)
      throws IOException, InterruptedException {
    session.progress().update("reading back");
    Map<String, List<Task>> tasks = new HashMap<>();
    int count = 0;
    int nodes = session.layout().dataNodes().size();
    for (EncodePlan.Source file : plan.files()) {
      if (file.atMs() == 0) {
        String name = file.name();
        add(
            tasks,
            (file.writer() + 1) % nodes,
            new Task.Read(name, 0, encoding.readable(name), data + "/" + name));
        count++;
      }
    }
    session.crew().begin(tasks);
    session.crew().await(count, VERIFY_SECONDS);
    session.crew().stop();
  }
}
