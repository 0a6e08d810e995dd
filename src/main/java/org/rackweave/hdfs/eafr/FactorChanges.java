package org.rackweave.hdfs.eafr;

import java.io.IOException;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntSupplier;
import java.util.stream.LongStream;
import org.apache.hadoop.util.Time;
import org.rackweave.eafr.Action;
import org.rackweave.eafr.FileChange;
import org.rackweave.eafr.FileHistory;
import org.rackweave.hdfs.LogThrottle;
import org.rackweave.hdfs.eafr.FactorChange.Result;
import org.rackweave.hdfs.eafr.FileLookup.FoundFile;
import org.rackweave.history.Event.Kind;
import org.rackweave.history.EventLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries plans out, one file at a time, and counts what came of them. The file's own factor is
 * kept durably before another one is set, and forgotten when it has it again. Before each change
 * that copies blocks HDFS is asked how much it has to copy, for any reason.
 *
 * <p>Single-threaded but for the counts.
 */
final class FactorChanges {
  private static final Logger LOG = LoggerFactory.getLogger(FactorChanges.class);
  private static final LogThrottle ERROR_LOG = LogThrottle.oncePerMinute();

  private final FactorChange factors;
  private final FileLookup lookup;
  private final EventLog events;
  private final RaisedFiles raised;
  private final IntSupplier inFlightMax;
  private final ChangeValidator recheck;
  private final Mover mover;
  private final TransferRates rates;
  private final Map<Action, Long> done = new EnumMap<>(Action.class);
  private final Map<Skipped, Long> skipped = new EnumMap<>(Skipped.class);

  FactorChanges(
      Controller.NameNodeCalls calls,
      RaisedFiles raised,
      IntSupplier inFlightMax,
      ChangeValidator recheck,
      Mover mover,
      TransferRates rates) {
    factors = calls.factors();
    lookup = calls.files();
    events = calls.events();
    this.raised = raised;
    this.inFlightMax = inFlightMax;
    this.recheck = recheck;
    this.mover = mover;
    this.rates = rates;
  }

  /**
   * What came of one plan.
   *
   * @param done changes made
   * @param left why changes were not made, by file
   */
  record Outcome(int done, Map<Long, Skipped> left) {
    /** Nothing of a plan is carried out. */
    static Outcome none(Planned plan, Skipped why) {
      Map<Long, Skipped> left = new HashMap<>();
      plan.steps().forEach(step -> left.put(step.file().id(), why));
      return new Outcome(0, left);
    }

    /** Changes not made, by reason. */
    Map<Skipped, Integer> skipped() {
      Map<Skipped, Integer> reasons = new EnumMap<>(Skipped.class);
      left.values().forEach(reason -> reasons.merge(reason, 1, Integer::sum));
      return reasons;
    }
  }

  /**
   * Carries a plan out.
   *
   * @param nowMs wall clock
   */
  Outcome carryOut(List<Planned.Step> steps, long nowMs) {
    int made = 0;
    Map<Long, Skipped> left = new HashMap<>();
    for (Planned.Step step : steps) {
      Planned.Step tried = step;
      Skipped reason = carryOut(tried, nowMs);
      while (reason != null && reason.isForWantOfRoom() && tried.isMoreThanOne()) {
        tried = tried.less();
        reason = carryOut(tried, nowMs);
      }
      if (reason == null) {
        made++;
        count(done, tried.change().action());
        FileChange change = tried.change();
        LOG.info("{} ({})", change.describe(), tried.file().path());
        events.add(Kind.FACTOR, tried.file().path(), change::describe);
      } else {
        left.put(step.file().id(), reason);
        count(skipped, reason);
      }
    }
    return new Outcome(made, left);
  }

  private static <K> void count(Map<K, Long> counts, K what) {
    synchronized (counts) {
      counts.merge(what, 1L, Long::sum);
    }
  }

  /**
   * Looks at a file again and makes one change; {@code null} when it is made, otherwise why not.
   */
  private Skipped carryOut(Planned.Step step, long nowMs) {
    if (step.change().action() == Action.RESTORE) {
      return make(step, nowMs); // whatever has become of its rule
    }
    FoundFile now = lookup.files(List.of(step.file().id())).get(0);
    if (now == null) {
      raised.put(step.file().id(), 0);
      return Skipped.GONE;
    }
    Skipped reason = recheck.obstacle(step, now, nowMs);
    return reason != null
        ? reason
        : make(new Planned.Step(step.change(), now, step.history()), nowMs);
  }

  private Skipped make(Planned.Step step, long nowMs) {
    if (step.change().action() == Action.MIGRATE) {
      return mover.accept(step.file(), nowMs);
    }
    if (step.copies() > 0 && !hasRoomFor(step)) {
      return Skipped.TOO_MANY_IN_FLIGHT;
    }
    int from = step.change().fromFactor();
    int to = step.change().toFactor();
    FileHistory history = step.history();
    byte[] markAfter =
        to == history.ownFactor() ? null : OwnFactor.before(history, from, to, nowMs).value();
    expectCopies(step);
    try {
      Result result = factors.change(step.file().id(), from, to, step.file().mark(), markAfter);
      switch (result) {
        case DONE -> {
          raised.put(
              step.file().id(), Math.max(0, to - history.ownFactor()) * step.file().lengthBytes());
          return null;
        }
        case GONE -> {
          raised.put(step.file().id(), 0);
          return Skipped.GONE;
        }
        case CHANGED_MEANWHILE -> {
          return Skipped.CHANGED_MEANWHILE;
        }
        default -> {
          return Skipped.OVER_QUOTA;
        }
      }
    } catch (IOException | RuntimeException e) {
      if (ERROR_LOG.shouldLog()) {
        LOG.warn("The factor of {} was not changed", step.file().path(), e);
      }
      return Skipped.FAILED;
    }
  }

  /** Before they are ordered, which may be at once. */
  private void expectCopies(Planned.Step step) {
    FileLookup.Replicas replicas =
        step.copies() > 0 && rates.isWanted()
            ? lookup.replicas(step.file().id(), Candidates.BLOCKS_MAX)
            : null;
    if (replicas != null) {
      rates.expect(LongStream.of(replicas.blockIds()).boxed().toList(), Time.monotonicNow());
    }
  }

  /** A restored file with more blocks than may be in flight goes when there is room for any. */
  private boolean hasRoomFor(Planned.Step step) {
    int most = inFlightMax.getAsInt();
    long room = (long) most - lookup.pendingBlocks();
    boolean goesAlone =
        step.change().action() == Action.RESTORE && step.copies() > most && room > 0;
    return step.copies() <= room || goesAlone;
  }

  /** Says that a file's factor is its own, whatever was kept of it. */
  boolean forget(FoundFile file) throws IOException {
    raised.put(file.id(), 0);
    return factors.change(file.id(), file.factor(), file.factor(), file.mark(), null)
        == Result.DONE;
  }

  /** Changes made since the NameNode started, by action. */
  Map<Action, Long> done() {
    synchronized (done) {
      return new EnumMap<>(done);
    }
  }

  /** Changes not made, by reason. */
  Map<Skipped, Long> skipped() {
    synchronized (skipped) {
      return new EnumMap<>(skipped);
    }
  }
}
