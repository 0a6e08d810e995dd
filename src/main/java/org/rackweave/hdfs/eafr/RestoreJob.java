package org.rackweave.hdfs.eafr;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.hadoop.util.Time;
import org.rackweave.eafr.FileHistory;
import org.rackweave.eafr.FileKind;
import org.rackweave.eafr.FileState;
import org.rackweave.eafr.HeldBack;
import org.rackweave.eafr.ReplicationPlan;
import org.rackweave.eafr.ReplicationPlanner;
import org.rackweave.eafr.WorkInHand;
import org.rackweave.hdfs.LogThrottle;
import org.rackweave.hdfs.eafr.FileLookup.FoundFile;
import org.rackweave.model.Parts;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives files back the factors their users gave them: one pass over all files that bear a mark, a
 * bounded number of blocks in flight at a time. What HDFS has no room for yet waits; what it
 * refuses is left and counted.
 *
 * <p>One thread, but for {@link #isOver} and {@link #figures}.
 */
final class RestoreJob {
  private static final Logger LOG = LoggerFactory.getLogger(RestoreJob.class);
  private static final LogThrottle ERROR_LOG = LogThrottle.oncePerMinute();

  /** Files that wait for their turn; while there are more the pass stands still. */
  private static final int WAITING_MAX = 1000;

  private final String path;
  private final FileLookup lookup;
  private final Candidates candidates;
  private final FactorChanges changes;
  private final ReplicationPlanner planner;
  private final NamespacePass pass;
  private final Map<Long, Boolean> waiting = new LinkedHashMap<>();
  private final Map<String, Long> figures = new TreeMap<>();
  private boolean isPassed;
  private String reason = "";
  private volatile boolean isOver;

  RestoreJob(
      String path,
      FileLookup lookup,
      Candidates candidates,
      FactorChanges changes,
      ReplicationPlanner planner) {
    this.path = path;
    this.lookup = lookup;
    this.candidates = candidates;
    this.changes = changes;
    this.planner = planner;
    pass = new NamespacePass(lookup, (fileId, factor, marked) -> marked);
    figures.put("files_restored", 0L);
  }

  boolean isOver() {
    return isOver;
  }

  /** Whether it came to its end. */
  synchronized boolean isDone() {
    return isOver && reason.isEmpty();
  }

  /** Why it did not come to its end, empty when it did or goes on. */
  synchronized String reason() {
    return reason;
  }

  /** What has been done, by name. */
  synchronized Map<String, Long> figures() {
    Map<String, Long> all = new TreeMap<>(figures);
    all.put("files_waiting", (long) waiting.size());
    return all;
  }

  /** Breaks off. */
  synchronized void end(String why) {
    if (!isOver) {
      reason = why;
      isOver = true;
    }
  }

  /** Goes on for about so long. */
  synchronized void goOn(long nanos) {
    long beganNanos = System.nanoTime();
    while (!isPassed && waiting.size() < WAITING_MAX && System.nanoTime() - beganNanos < nanos) {
      Optional<List<FoundFile>> found = pass.next();
      isPassed = found.isEmpty();
      found.ifPresent(files -> files.forEach(this::seen));
    }
    if (!waiting.isEmpty()) {
      restore();
    }
    if (isPassed && waiting.isEmpty() && !isOver) {
      isOver = true;
      LOG.info("EAFR has restored files below {}: {}", path, figures);
    }
  }

  private void seen(FoundFile file) {
    if (!covers(file.path())) {
      return;
    }
    if (history(file).ownFactor() == file.factor()) {
      forget(file);
    } else {
      waiting.put(file.id(), true);
    }
  }

  private boolean covers(String filePath) {
    return path.equals("/") || filePath.equals(path) || filePath.startsWith(path + "/");
  }

  private static FileHistory history(FoundFile file) {
    return OwnFactor.history(file.mark(), file.factor());
  }

  private void forget(FoundFile file) {
    try {
      changes.forget(file);
    } catch (IOException e) {
      if (ERROR_LOG.shouldLog()) {
        LOG.warn("The mark of {} was not removed", file.path(), e);
      }
    }
  }

  private void restore() {
    Map<Long, FoundFile> files = new LinkedHashMap<>();
    List<FileState> states = new ArrayList<>();
    for (FoundFile file : stillMarked()) {
      FileHistory history = history(file);
      files.put(file.id(), file);
      FileState state = candidates.forRestore(file, history);
      if (state.shape().kind() == FileKind.REPLICATED) {
        states.add(state);
      } else {
        waiting.remove(file.id());
        count("files_left_" + label(state.shape().kind().name()), 1);
      }
    }
    WorkInHand work = new WorkInHand(0, lookup.pendingBlocks(), new QuotaLedger(lookup));
    ReplicationPlan plan = planner.restore(states, work);
    List<Planned.Step> steps =
        plan.changes().stream()
            .map(
                change -> {
                  FoundFile file = files.get(change.fileId());
                  return new Planned.Step(change, file, history(file));
                })
            .toList();
    for (Planned.Step step : steps) {
      FactorChanges.Outcome outcome = changes.carryOut(List.of(step), Time.now());
      if (!outcome.skipped().containsKey(Skipped.TOO_MANY_IN_FLIGHT)
          && !outcome.skipped().containsKey(Skipped.CHANGED_MEANWHILE)) {
        waiting.remove(step.file().id());
        count("files_restored", outcome.done());
        outcome.skipped().forEach((why, count) -> count("files_left_" + label(why.name()), count));
      }
    }
    if (steps.isEmpty()
        && !plan.heldBack().containsKey(HeldBack.TOO_MANY_IN_FLIGHT)
        && !plan.heldBack().containsKey(HeldBack.PLAN_FULL)) {
      plan.heldBack().forEach((why, count) -> count("files_left_" + label(why.name()), count));
      waiting.clear(); // nothing that time will change
    }
  }

  /** Those that wait and still have something to be given back. */
  private List<FoundFile> stillMarked() {
    List<Long> ids = List.copyOf(waiting.keySet());
    List<FoundFile> marked = new ArrayList<>();
    for (List<Long> some : Parts.of(ids, Candidates.LOOKED_UP)) {
      List<FoundFile> files = lookup.files(some);
      for (int i = 0; i < some.size(); i++) {
        FoundFile file = files.get(i);
        if (file == null || history(file).ownFactor() == file.factor()) {
          waiting.remove(some.get(i));
        } else {
          marked.add(file);
        }
      }
    }
    return marked;
  }

  private void count(String figure, long more) {
    if (more > 0) {
      figures.merge(figure, more, Long::sum);
    }
  }

  private static String label(String constant) {
    return constant.toLowerCase(Locale.ROOT);
  }
}
