package org.rackweave.hdfs.namenode;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.util.Time;
import org.rackweave.hdfs.ClusterView;
import org.rackweave.hdfs.hook.Hook;
import org.rackweave.hdfs.hook.HookGuard;
import org.rackweave.hdfs.hook.HookTimer;
import org.rackweave.history.Event;
import org.rackweave.history.EventLog;
import org.rackweave.history.History;
import org.rackweave.history.LinkHistory;
import org.rackweave.history.LinkHistory.Frame;
import org.rackweave.history.PlacementRecord;
import org.rackweave.history.RecordedFrame;
import org.rackweave.history.RecordedWrite;
import org.rackweave.model.ClusterTopology;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What has happened in the last day, on the NameNode's own disk: events, frames of the load of
 * links, and a sample of the decisions for new blocks, at most {@value #WRITES_AN_HOUR} an hour.
 * Bounded by {@value #BYTES_MAX} bytes. Events and frames are read back after a restart.
 *
 * <p>One thread of its own reads and writes. When the disk fails it, nothing is written until a
 * retry works; health tells so.
 */
final class BlackBox implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(BlackBox.class);

  private static final long KEPT_MS = TimeUnit.DAYS.toMillis(1);
  private static final long BYTES_MAX = 256 << 20;
  private static final int WRITES_AN_HOUR = 5_000;
  private static final int WRITES_AT_ONCE = 1000;

  /** A day of steps of five minutes. */
  private static final int FRAMES_READ = 288;

  private static final int FRAMES_WAITING = 16;
  private static final long TICK_MS = 5_000;
  private static final long RETRY_MS = 60_000;
  private static final long END_MS = 2_000;

  private final PlacementContext context;
  private final EventLog events;
  private final LinkHistory links;
  private final Path directory;
  private final BoxDirectory box;
  private final Queue<Frame> frames = new ArrayBlockingQueue<>(FRAMES_WAITING);
  private final HookTimer timer = new HookTimer("rackweave-black-box");

  private volatile String fault = "";
  private boolean isRead;
  private long retryAtMs = Long.MIN_VALUE;
  private long eventsWritten;

  private History<PlacementRecord> decisions;
  private long decisionsSeen;
  private long decisionsLeft;
  private long allowedAtMs = Time.monotonicNow();
  private double writesAllowed = WRITES_AT_ONCE;

  BlackBox(Path directory, PlacementContext context, EventLog events, LinkHistory links) {
    this.directory = directory;
    this.context = context;
    this.events = events;
    this.links = links;
    box = new BoxDirectory(directory, KEPT_MS, BYTES_MAX);
  }

  /** The directory of one NameNode: no other one, and no other namespace, shares it. */
  static Path directory(Path base, NameNode nameNode) {
    String name =
        nameNode.getNameNodeAddressHostPortString()
            + '-'
            + nameNode.getNamesystem().getBlockPoolId();
    return base.resolve(name.replaceAll("[^A-Za-z0-9._-]", "-"));
  }

  void start() {
    timer.every(Hook.BLACK_BOX, TICK_MS, this::tick);
  }

  /** Takes a frame that is over; one of many that wait for the disk is dropped. */
  void offer(Frame frame) {
    frames.offer(frame);
  }

  /** Why nothing is written now; empty when all is well. */
  String fault() {
    return fault;
  }

  void tick() {
    if (Time.monotonicNow() < retryAtMs) {
      return;
    }
    try {
      if (!isRead) {
        isRead = true; // what cannot be read is not tried again
        readBack();
      }
      box.open(Time.now());
      long events = appendEvents();
      int written = appendFrames();
      appendDecisions();
      box.flush();
      eventsWritten = events; // not before: what a full disk has not taken is written again
      for (int i = 0; i < written; i++) {
        frames.poll();
      }
      if (!fault.isEmpty()) {
        LOG.info("The black box in {} is written again", directory);
        fault = "";
      }
    } catch (IOException | RuntimeException e) {
      failed(e);
    }
  }

  private void failed(Exception cause) {
    if (fault.isEmpty()) {
      LOG.warn(
          "The black box in {} cannot be written; trying again every {} s: {}",
          directory,
          RETRY_MS / 1000,
          cause.toString());
    }
    fault = directory + ": " + cause;
    retryAtMs = Time.monotonicNow() + RETRY_MS;
    try {
      box.close();
    } catch (IOException e) {
      LOG.debug("A segment that could not be written was not closed either", e);
    }
  }

  /** What is read back of the time before a restart; what was written twice is there once. */
  private final class Before implements Consumer<Object> {
    final long sinceMs = Time.now() - KEPT_MS;
    final Set<Event> oldestFirst = new LinkedHashSet<>();
    final NavigableMap<Long, Frame> byTime = new TreeMap<>();
    ClusterTopology topology = ClusterTopology.of(List.of());

    @Override
    public void accept(Object record) {
      if (record instanceof Event event && event.atMs() >= sinceMs) {
        oldestFirst.add(event);
        if (oldestFirst.size() > events.capacity()) {
          oldestFirst.remove(oldestFirst.iterator().next());
        }
      } else if (record instanceof RecordedFrame frame && frame.atMs() >= sinceMs) {
        ClusterTopology its = frame.topology();
        topology = its.hasNamesOf(topology) ? topology : its; // mostly it has, and it is large
        byTime.put(frame.fromMs(), frame.frame(topology));
        if (byTime.size() > FRAMES_READ) {
          byTime.pollFirstEntry();
        }
      }
    }
  }

  private void readBack() throws IOException {
    Before before = new Before();
    box.read(before);
    List<Event> newestFirst = new ArrayList<>(before.oldestFirst);
    Collections.reverse(newestFirst);
    events.resume(newestFirst);
    links.resume(List.copyOf(before.byTime.values()));
  }

  /** How many events there are when these are written. */
  private long appendEvents() throws IOException {
    long added = events.added();
    List<Event> latest =
        events.latest(
            (int) Math.min(added - eventsWritten, events.capacity()),
            events.capacity(),
            one -> true);
    for (int i = latest.size() - 1; i >= 0; i--) {
      box.append(latest.get(i));
    }
    return added;
  }

  /** How many of the frames that wait are written then. */
  private int appendFrames() throws IOException {
    ClusterView state = context.state();
    List<Frame> waiting = state == null ? List.of() : List.copyOf(frames);
    for (Frame frame : waiting) {
      box.append(RecordedFrame.of(frame, state.links()));
    }
    return waiting.size();
  }

  /** Every n-th of those that the NameNode keeps; weights tell how many there were. */
  private void appendDecisions() throws IOException {
    History<PlacementRecord> all = context.decisions();
    if (all != decisions) {
      decisions = all;
      decisionsSeen = 0;
      decisionsLeft = 0;
    }
    long nowMs = Time.monotonicNow();
    double grown = (nowMs - allowedAtMs) * WRITES_AN_HOUR / (double) TimeUnit.HOURS.toMillis(1);
    writesAllowed = Math.min(WRITES_AT_ONCE, writesAllowed + grown);
    allowedAtMs = nowMs;
    long added = all.added();
    long left = all.left();
    List<PlacementRecord> latest =
        all.latest((int) Math.min(added - decisionsSeen, all.capacity()), one -> true);
    List<PlacementRecord> writes = latest.stream().filter(PlacementRecord::isNew).toList();
    int taken = Math.min(writes.size(), (int) writesAllowed);
    if (latest.isEmpty() || taken == 0 && !writes.isEmpty()) {
      return; // those left out since count with the next
    }
    double made = (double) (added - decisionsSeen + left - decisionsLeft) / latest.size();
    for (int i = 0; i < taken; i++) {
      PlacementRecord write = writes.get((int) ((long) i * writes.size() / taken));
      box.append(new RecordedWrite(made * writes.size() / taken, write));
    }
    writesAllowed -= taken;
    decisionsSeen = added;
    decisionsLeft = left;
  }

  /** Writes what there is, the frame that is not over, too. */
  @Override
  public void close() {
    timer.execute(
        () ->
            HookGuard.run(
                Hook.BLACK_BOX,
                () -> {
                  links.since(Long.MAX_VALUE).forEach(this::offer);
                  retryAtMs = Long.MIN_VALUE;
                  tick();
                  box.close();
                }));
    timer.close();
    try {
      timer.awaitEnd(END_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
