package org.rackweave.hdfs.eafr;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.util.Time;
import org.rackweave.eafr.Candidate;
import org.rackweave.eafr.GuardRails;
import org.rackweave.eafr.Popularity;
import org.rackweave.eafr.ReplicationPlan;
import org.rackweave.eafr.ReplicationPlanner;
import org.rackweave.eafr.Servers;
import org.rackweave.eafr.WorkInHand;
import org.rackweave.hdfs.ClusterView;
import org.rackweave.hdfs.EafrConfig;
import org.rackweave.hdfs.Feature;
import org.rackweave.hdfs.FeatureModes;
import org.rackweave.hdfs.InodePath;
import org.rackweave.hdfs.LogThrottle;
import org.rackweave.hdfs.eafr.Candidates.Subject;
import org.rackweave.hdfs.eafr.FileLookup.FoundFile;
import org.rackweave.hdfs.roles.PlannedRoles;
import org.rackweave.history.EventLog;
import org.rackweave.model.Parts;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Chooses which files the planner is asked about, and when: at the end of each interval the files
 * read most, those that have extra replicas, and some of those that nobody seems to read, which a
 * pass over all files finds. Each of these three is a bounded number. The files read most it is
 * asked about several times an interval: which are cold is known when it is over, which are hot
 * much earlier.
 *
 * <p>The thread of {@link EafrService} only, but for what is said to be for any.
 */
final class Controller {
  private static final Logger LOG = LoggerFactory.getLogger(Controller.class);
  private static final LogThrottle ERROR_LOG = LogThrottle.oncePerMinute();

  /** Files looked at for each change that may be made, of each kind. */
  private static final int LOOKED_AT_PER_CHANGE = 10;

  private static final int LOOKED_AT_MAX = 10_000;

  /** How long a plan that an operator has seen can be carried out. */
  private static final long PLAN_VALID_MS = 600_000;

  /** Plans kept for operators. */
  private static final int PLANS_MAX = 8;

  private static final Pattern BY_INODE =
      Pattern.compile(Pattern.quote(InodePath.PREFIX) + "([0-9]{1,18})");

  private final Supplier<EafrConfig> settings;
  private final FileLookup lookup;
  private final ReadCounting counting;
  private final ServerLoads loads;
  private final Candidates candidates;
  private final Supplier<FeatureModes> modes;
  private final RaisedFiles raised = new RaisedFiles();
  private final FactorChanges changes;
  private final MovedFiles moved;
  private final Mover mover;
  private final ColdFiles coldFiles;
  private final LongSupplier wallClockMs;
  private final List<Planned> plans = new ArrayList<>();

  private RestoreJob restoring;
  private long intervalBeganMs;
  private long lookedMs;

  /** Files changed in this interval without an operator. */
  private int changed;

  private long planNumber;
  private volatile boolean isBegun;
  private volatile Decided last;

  /** The same before its interval was over. */
  private volatile Decided lastEarly;

  /**
   * What was decided, and what came of it.
   *
   * @param outcome {@code null} in shadow mode
   */
  record Decided(Planned plan, FactorChanges.Outcome outcome) {}

  /**
   * What a controller asks of its NameNode, and does to it.
   *
   * @param wallClockMs as files' times are kept
   * @param events told which factors have changed
   */
  record NameNodeCalls(
      FileLookup files,
      ReplicaMoves moves,
      FactorChange factors,
      LongSupplier wallClockMs,
      EventLog events) {
    static NameNodeCalls of(EafrService.NameNodeAccess access, EventLog events) {
      return new NameNodeCalls(access.files(), access.moves(), access.factors(), Time::now, events);
    }
  }

  Controller(
      NameNodeCalls calls,
      Supplier<EafrConfig> settings,
      ReadCounting counting,
      ServerLoads loads,
      EncodedPaths encoded,
      TransferRates rates,
      Supplier<FeatureModes> modes) {
    this.settings = settings;
    lookup = calls.files();
    this.counting = counting;
    this.loads = loads;
    this.modes = modes;
    wallClockMs = calls.wallClockMs();
    moved = new MovedFiles(() -> settings.get().rails().coolDownMs());
    candidates = new Candidates(lookup, () -> settings.get().paths(), encoded, moved);
    mover = new Mover(calls.moves(), lookup, settings, encoded, moved, rates);
    changes =
        new FactorChanges(
            calls,
            raised,
            () -> settings.get().rails().inFlightMax(),
            new ChangeValidator(lookup, settings, encoded, moved, raised),
            mover,
            rates);
    coldFiles =
        new ColdFiles(settings, lookup, counting, raised, candidates, this::lookedAt, wallClockMs);
  }

  private int lookedAt() {
    return Math.min(LOOKED_AT_MAX, settings.get().rails().changesMax() * LOOKED_AT_PER_CHANGE);
  }

  void begin(long nowMs) {
    intervalBeganMs = nowMs;
    lookedMs = nowMs;
    changed = 0;
    coldFiles.clear();
    isBegun = true;
  }

  /** Forgets everything. */
  void end() {
    isBegun = false;
    raised.clear();
    coldFiles.clear();
    plans.clear();
    mover.end();
    last = null;
    lastEarly = null;
    if (restoring != null) {
      restoring.end("the NameNode is no longer active");
    }
  }

  /** Works for about so long, and decides when it is time for a look. */
  void goOn(ClusterView state, long nowMs, long passNanos) {
    if (restoring != null && !restoring.isOver()) {
      if (isSwitchedOff()) {
        restoring.goOn(passNanos);
      } else {
        restoring.end("heat was switched on");
      }
    } else {
      coldFiles.goOn(() -> placed(state), passNanos);
    }
    boolean isOver = nowMs - intervalBeganMs >= settings.get().intervalMs();
    if (!isOver && nowMs - lookedMs < settings.get().lookMs()) {
      return;
    }
    counting.look(nowMs - lookedMs);
    decide(state, isOver, nowMs);
    loads.endWindow();
    lookedMs = nowMs;
    if (isOver) {
      counting.endInterval();
      loads.endInterval();
      coldFiles.endInterval();
      intervalBeganMs = nowMs;
      changed = 0;
    }
  }

  /**
   * Goes on moving replicas.
   *
   * @param mayCopy false while nobody is to copy anything
   * @param term the change of state since which this NameNode is active
   */
  void move(ClusterView state, boolean mayCopy, long term, long nowMs) {
    if (isSwitchedOff()) {
      mover.drop(); // in shadow mode an operator may have had a plan carried out
    }
    if (mover.isDue(nowMs)) {
      mover.look(placed(state));
      mover.goOn(mayCopy, term, nowMs);
    }
  }

  private PlacedServers placed(ClusterView state) {
    return new PlacedServers(state, loads.servers(state));
  }

  /**
   * @param isOver whether the interval is, or only hot files are decided about
   */
  private void decide(ClusterView state, boolean isOver, long nowMs) {
    if (isSwitchedOff()) {
      last = null;
      lastEarly = null;
      return;
    }
    int mayChange = settings.get().rails().changesMax() - changed;
    boolean mayGainNothing =
        !isOver && !loads.servers(state).isAnyOverloaded(counting.thresholds().tauLoad()); // Eq. 6
    if (mayChange <= 0 || mayGainNothing) {
      return;
    }
    Planned plan = plan(state, PlannedRoles.NONE, !isOver, mayChange, nowMs);
    mover.look(placed(state));
    FactorChanges.Outcome outcome =
        isActing() ? changes.carryOut(plan.steps(), wallClockMs.getAsLong()) : null;
    changed += outcome == null ? 0 : outcome.done();
    if (isOver) {
      last = new Decided(plan, outcome);
      lastEarly = null;
    } else {
      lastEarly = new Decided(plan, outcome);
    }
  }

  /**
   * What would be changed if the interval were over now.
   *
   * @param roles what would become of servers' roles, to be kept with it
   */
  Planned planNow(ClusterView state, PlannedRoles roles, long nowMs) {
    Planned plan = plan(state, roles, false, settings.get().rails().changesMax(), nowMs);
    plans.add(plan);
    if (plans.size() > PLANS_MAX) {
      plans.remove(0);
    }
    return plan;
  }

  private Planned plan(
      ClusterView state, PlannedRoles roles, boolean isOfHot, int changesMax, long nowMs) {
    Popularity popularity = counting.popularity();
    Set<Long> ids = new LinkedHashSet<>();
    popularity.mostRead(lookedAt()).forEach(file -> ids.add(file.fileId()));
    List<Long> extra = isOfHot ? List.of() : raised.next(lookedAt());
    ids.addAll(extra);
    if (!isOfHot) {
      ids.addAll(coldFiles.found());
    }
    List<Subject> subjects =
        candidates.of(List.copyOf(ids), popularity, state.numbers(), elapsed(nowMs));
    Map<Long, Subject> byId = new HashMap<>();
    List<Candidate> asked = new ArrayList<>();
    for (Subject subject : subjects) {
      FoundFile file = subject.file();
      byId.put(file.id(), subject);
      asked.add(subject.candidate());
      raised.put(
          file.id(),
          Math.max(0, file.factor() - subject.history().ownFactor()) * file.lengthBytes());
    }
    forgetGone(extra, byId.keySet());
    WorkInHand work =
        new WorkInHand(raised.budgetBytes(), lookup.pendingBlocks(), new QuotaLedger(lookup));
    ReplicationPlanner planner =
        new ReplicationPlanner(
            counting.thresholds(), rails(changesMax), settings.get().reserveBytes());
    Servers servers = loads.servers(state);
    ReplicationPlan plan =
        isOfHot
            ? planner.planHot(asked, servers, work, wallClockMs.getAsLong())
            : planner.plan(asked, servers, work, wallClockMs.getAsLong());
    List<Planned.Step> steps =
        plan.changes().stream()
            .map(
                change -> {
                  Subject subject = byId.get(change.fileId());
                  return new Planned.Step(change, subject.file(), subject.history());
                })
            .toList();
    return new Planned(
        ++planNumber,
        nowMs,
        steps,
        plan.heldBack(),
        plan.copies(),
        plan.extraBytes(),
        subjects.size(),
        roles);
  }

  private void forgetGone(List<Long> asked, Set<Long> found) {
    Set<Long> missing = new HashSet<>(asked);
    missing.removeAll(found);
    List<Long> unclear = List.copyOf(missing);
    for (List<Long> some : Parts.of(unclear, Candidates.LOOKED_UP)) {
      List<FoundFile> files = lookup.files(some);
      for (int i = 0; i < some.size(); i++) {
        if (files.get(i) == null) {
          raised.put(some.get(i), 0);
        }
      }
    }
  }

  private GuardRails rails(int changesMax) {
    return settings.get().rails().of(!isSwitchedOff(), changesMax);
  }

  /**
   * Carries out what a plan that an operator has seen says of files.
   *
   * @throws IllegalStateException when there is none of that number, or it is too old
   */
  Decided apply(ClusterView state, long number, long nowMs) {
    Planned plan =
        plans.stream()
            .filter(one -> one.number() == number && nowMs - one.madeMs() < PLAN_VALID_MS)
            .findFirst()
            .orElseThrow(
                () ->
                    new IllegalStateException(
                        "there is no plan "
                            + number
                            + ": it is older than ten minutes, was carried out, or was made by"
                            + " another NameNode"));
    plans.remove(plan);
    if (isSwitchedOff()) {
      return new Decided(plan, FactorChanges.Outcome.none(plan, Skipped.SWITCHED_OFF));
    }
    mover.look(placed(state));
    return new Decided(plan, changes.carryOut(plan.steps(), wallClockMs.getAsLong()));
  }

  /** A user has set a factor: it is the file's own from now on. */
  void factorSet(String path) {
    Matcher byInode = BY_INODE.matcher(path);
    long fileId = byInode.matches() ? Long.parseLong(byInode.group(1)) : lookup.fileAt(path);
    FoundFile file = fileId == FileLookup.NO_FILE ? null : lookup.files(List.of(fileId)).get(0);
    if (file != null && file.mark() != null) {
      try {
        changes.forget(file);
      } catch (IOException e) {
        if (ERROR_LOG.shouldLog()) {
          LOG.warn("The factor of {} is treated as set by EAFR, not by its user", path, e);
        }
      }
    }
  }

  /**
   * Begins to give files back the factors their users gave them.
   *
   * @throws IllegalStateException while heat is not off
   */
  RestoreJob restore(String path) {
    if (restoring != null && !restoring.isOver()) {
      throw new IllegalStateException("files are being restored already");
    }
    if (!isSwitchedOff()) {
      throw new IllegalStateException("heat was switched on meanwhile");
    }
    restoring =
        new RestoreJob(
            path,
            lookup,
            candidates,
            changes,
            new ReplicationPlanner(
                counting.thresholds(), settings.get().rails(), settings.get().reserveBytes()));
    LOG.info("EAFR is off and restores replication factors below {}", path);
    return restoring;
  }

  /** The restoring that runs or ran last, {@code null} for none. */
  RestoreJob restoring() {
    return restoring;
  }

  /** Whether nothing is carried out, not even what an operator asks for; for any thread. */
  boolean isSwitchedOff() {
    return modes.get().isOff(Feature.HEAT);
  }

  /** Whether files' factors are changed; for any thread. */
  boolean isActing() {
    return isBegun && modes.get().isActive(Feature.HEAT);
  }

  /** Whether no server falls asleep, not even one that an operator names; for any thread. */
  boolean isSleepOff() {
    return modes.get().isOff(Feature.SLEEP);
  }

  /** Whether servers fall asleep by themselves; for any thread. */
  boolean maySleep() {
    return isBegun && modes.get().isActive(Feature.SLEEP);
  }

  /** What was decided when an interval was over, {@code null} for nothing; for any thread. */
  Decided last() {
    return last;
  }

  /** What was decided of hot files before an interval was over, as {@link #last}. */
  Decided lastEarly() {
    return lastEarly;
  }

  /** For any thread its sizes. */
  RaisedFiles raised() {
    return raised;
  }

  /** For any thread its counts. */
  FactorChanges changes() {
    return changes;
  }

  /** For any thread its counts and hints. */
  Mover mover() {
    return mover;
  }

  Candidates candidates() {
    return candidates;
  }

  /** Part of the pass over all files that is done; 1 while none runs. */
  double passed() {
    return coldFiles.progress();
  }

  /** Part of the interval that has passed. */
  double elapsed(long nowMs) {
    return Math.min(1, (double) (nowMs - intervalBeganMs) / settings.get().intervalMs());
  }

  int pendingBlocks() {
    return lookup.pendingBlocks();
  }
}
