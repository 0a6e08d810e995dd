package org.rackweave.eafr;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Decides which files get a replica more and which one less (Algorithm 1).
 *
 * <p><b>Goals.</b> Hot files whose servers are overloaded get replicas; cold files lose those they
 * do not need, or hand one to a standby server.
 *
 * <p><b>Constraints.</b> {@link GuardRails}, {@link FileRule} and quotas. One change a file and
 * plan. Encoded files, files in snapshots, open files and files that lack replicas are left alone.
 * Nothing is taken from a file that might be hot without it.
 *
 * <p><b>Algorithm.</b> Hot files first, most reads per replica first; then cold ones, fewest first;
 * ties by file id. Each goes through Algorithm 1, then through the guard-rails in a fixed order.
 * Example with the paper's thresholds: a file of factor 3 with 25 reads per replica (Eq. 2), two of
 * its three servers above 80 % (Eq. 6), becomes 4. With 200 reads in all it needs ten replicas by
 * Eq. 2; it gets as many of them at once as the guard-rails let it. An hour later 2 reads per
 * replica and three of four replicas unread (Eq. 4, 5) make it 3 again, its own factor. Still cold,
 * it hands replicas to standby servers until epsilon are left on hot ones.
 *
 * <p>The same input gives the same plan as long as {@link SpaceQuota} answers the same. Immutable.
 */
public final class ReplicationPlanner {
  private static final Comparator<Judged> MOST_READ_FIRST =
      Comparator.comparingDouble((Judged judged) -> -judged.readsPerReplica())
          .thenComparingLong(Judged::fileId);

  private static final Comparator<Judged> FEWEST_READ_FIRST =
      Comparator.comparingDouble(Judged::readsPerReplica).thenComparingLong(Judged::fileId);

  private final Thresholds thresholds;
  private final GuardRails rails;
  private final long reserveBytes;

  /**
   * @param reserveBytes the paper's tau_s
   */
  public ReplicationPlanner(Thresholds thresholds, GuardRails rails, long reserveBytes) {
    this.thresholds = thresholds;
    this.rails = rails;
    this.reserveBytes = reserveBytes;
  }

  /** A hot or cold file and why it is. */
  private record Judged(Candidate candidate, Finding finding) {
    FileState file() {
      return candidate.file();
    }

    long fileId() {
      return file().fileId();
    }

    double readsPerReplica() {
      return candidate.reads().sureReads() / file().factor();
    }
  }

  /** Decides about files; those that are neither hot nor cold leave no trace in the plan. */
  public ReplicationPlan plan(
      List<Candidate> candidates, Servers servers, WorkInHand work, long nowMs) {
    PlanDraft draft = new PlanDraft(rails, work);
    List<Candidate> others = raiseHot(candidates, servers, nowMs, draft);
    List<Judged> cold = new ArrayList<>();
    for (Candidate candidate : others) {
      Finding isCold = thresholds.cold(candidate.reads(), candidate.file().factor());
      if (isCold != null) {
        cold.add(new Judged(candidate, isCold));
      }
    }
    cold.sort(FEWEST_READ_FIRST);
    cold.forEach(judged -> lower(judged, servers, nowMs, draft));
    return draft.plan();
  }

  /**
   * Decides about files that are hot already, before an interval is over. Which are cold is known
   * only then.
   */
  public ReplicationPlan planHot(
      List<Candidate> candidates, Servers servers, WorkInHand work, long nowMs) {
    PlanDraft draft = new PlanDraft(rails, work);
    raiseHot(candidates, servers, nowMs, draft);
    return draft.plan();
  }

  /** Returns those that are not hot. */
  private List<Candidate> raiseHot(
      List<Candidate> candidates, Servers servers, long nowMs, PlanDraft draft) {
    List<Judged> hot = new ArrayList<>();
    List<Candidate> others = new ArrayList<>();
    for (Candidate candidate : candidates) {
      Finding isHot = thresholds.hot(candidate.reads(), candidate.file().factor());
      if (isHot != null) {
        hot.add(new Judged(candidate, isHot));
      } else {
        others.add(candidate);
      }
    }
    hot.sort(MOST_READ_FIRST);
    hot.forEach(judged -> raise(judged, servers, nowMs, draft));
    return others;
  }

  /** Algorithm 1, lines 2 to 4, under Eq. 6. */
  private void raise(Judged judged, Servers servers, long nowMs, PlanDraft draft) {
    FileState file = judged.file();
    HeldBack reason = untouchable(file, raisedAgainAfterMs(file.history()), nowMs);
    Finding overloaded = thresholds.overloaded(file.holders(), servers);
    if (reason == null && overloaded == null) {
      reason = HeldBack.SERVERS_SUFFICE;
    }
    if (reason == null && file.factor() >= file.rule().maxReplicas()) {
      reason = HeldBack.AT_MAXIMUM;
    }
    int spare = file.hotServersToSpare(servers);
    if (reason == null && spare < 1) {
      reason = HeldBack.NO_SERVER;
    }
    if (reason != null) {
      draft.holdBack(reason);
      return;
    }
    int wanted = thresholds.factorToCool(judged.candidate().reads(), file.factor());
    int most = Math.min(wanted, file.rule().maxReplicas()) - file.factor();
    List<Finding> because = List.of(judged.finding(), overloaded);
    draft.offerMost(
        Math.min(Math.min(most, spare), rails.replicasAtOnce()),
        more -> raise(file, more, because));
  }

  private static PlanDraft.Offer raise(FileState file, int more, List<Finding> because) {
    int to = file.factor() + more;
    long bytes = file.shape().sizeBytes();
    int beyondOwn = to - Math.max(file.factor(), file.history().ownFactor());
    return new PlanDraft.Offer(
        change(file, Action.ADD, to, because),
        (long) more * file.shape().blocks(),
        more * bytes,
        Math.max(0, beyondOwn) * bytes);
  }

  /** Algorithm 1, lines 5 to 16. */
  private void lower(Judged judged, Servers servers, long nowMs, PlanDraft draft) {
    FileState file = judged.file();
    HeldBack reason = untouchable(file, rails.coolDownMs(), nowMs);
    if (reason == null && nowMs - file.shape().writtenMs() < rails.minAgeMs()) {
      reason = HeldBack.TOO_YOUNG;
    }
    if (reason == null && !file.hasHotReplicasToSpare(servers)) {
      reason = HeldBack.FEW_ON_HOT_SERVERS;
    }
    boolean isAboveFloor = file.factor() > file.floor();
    if (reason == null) {
      reason = isAboveFloor ? keepsReplica(judged, nowMs) : keepsOnHotServer(file, servers);
    }
    if (reason != null) {
      draft.holdBack(reason);
      return;
    }
    List<Finding> because = List.of(judged.finding());
    if (isAboveFloor) {
      draft.offer(
          new PlanDraft.Offer(change(file, Action.DELETE, file.factor() - 1, because), 0, 0, 0));
    } else {
      draft.offer(
          new PlanDraft.Offer(
              change(file, Action.MIGRATE, file.factor(), because), file.shape().blocks(), 0, 0));
    }
  }

  private HeldBack keepsReplica(Judged judged, long nowMs) {
    FileState file = judged.file();
    if (!FileHistory.isPast(file.history().raisedMs(), rails.dwellMs(), nowMs)) {
      return HeldBack.DWELLING;
    }
    if (file.factor() <= file.history().ownFactor()
        && file.shape().blocks() > rails.inFlightMax()) {
      return HeldBack.TOO_MANY_IN_FLIGHT; // it could not be given back within the rails
    }
    FileReads reads = judged.candidate().reads();
    return thresholds.mayBeHotWith(reads, file.factor(), file.factor() - 1)
        ? HeldBack.WOULD_BE_HOT
        : null;
  }

  private HeldBack keepsOnHotServer(FileState file, Servers servers) {
    if (!file.isAwake()) {
      return HeldBack.ASLEEP;
    }
    return servers.hasStandbyWithSpace(reserveBytes) ? null : HeldBack.NO_STANDBY;
  }

  /** A file whose last change gave it a replica may soon need another. */
  private long raisedAgainAfterMs(FileHistory history) {
    boolean wasRaisedLast = history.raisedMs() == history.changedMs();
    return wasRaisedLast ? Math.min(rails.raiseAgainMs(), rails.coolDownMs()) : rails.coolDownMs();
  }

  private HeldBack untouchable(FileState file, long coolDownMs, long nowMs) {
    if (!rails.isOn()) {
      return HeldBack.SWITCHED_OFF;
    }
    HeldBack kind = untouchable(file.shape().kind());
    if (kind != null) {
      return kind;
    }
    if (!FileHistory.isPast(file.history().changedMs(), coolDownMs, nowMs)) {
      return HeldBack.COOLING_DOWN;
    }
    return file.missing() > 0 ? HeldBack.UNDER_REPLICATED : null;
  }

  private static HeldBack untouchable(FileKind kind) {
    return switch (kind) {
      case REPLICATED -> null;
      case ERASURE_CODED -> HeldBack.ERASURE_CODED;
      case IN_SNAPSHOT -> HeldBack.IN_SNAPSHOT;
      case BEING_WRITTEN -> HeldBack.BEING_WRITTEN;
    };
  }

  /**
   * Gives files back the factors their users gave them, in the order of their ids, whether or not
   * EAFR is switched on. Only the bounds on blocks in flight and on changes hold, and quotas. A
   * file with more blocks than may be in flight goes alone, when there is room for any.
   */
  public ReplicationPlan restore(List<FileState> files, WorkInHand work) {
    PlanDraft draft = new PlanDraft(rails, work);
    files.stream()
        .filter(file -> file.factor() != file.history().ownFactor())
        .sorted(Comparator.comparingLong(FileState::fileId))
        .forEach(file -> restore(file, draft));
    return draft.plan();
  }

  private static void restore(FileState file, PlanDraft draft) {
    HeldBack reason = untouchable(file.shape().kind());
    if (reason != null) {
      draft.holdBack(reason);
      return;
    }
    int own = file.history().ownFactor();
    int added = Math.max(0, own - file.factor());
    Finding because = new Finding(Equation.OWN_FACTOR, file.factor(), own);
    draft.offer(
        new PlanDraft.Offer(
            change(file, Action.RESTORE, own, List.of(because)),
            (long) added * file.shape().blocks(),
            added * file.shape().sizeBytes(),
            0));
  }

  private static FileChange change(FileState file, Action action, int to, List<Finding> because) {
    return new FileChange(file.fileId(), action, file.factor(), to, because);
  }
}
