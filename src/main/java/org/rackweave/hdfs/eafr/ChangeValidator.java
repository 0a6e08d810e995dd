package org.rackweave.hdfs.eafr;

import java.util.Arrays;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.rackweave.eafr.Action;
import org.rackweave.eafr.FileChange;
import org.rackweave.eafr.FileKind;
import org.rackweave.eafr.FileRule;
import org.rackweave.eafr.GuardRails;
import org.rackweave.eafr.PathRules;
import org.rackweave.hdfs.EafrConfig;
import org.rackweave.hdfs.eafr.FileLookup.FoundFile;
import org.rackweave.hdfs.eafr.FileLookup.Replicas;

/**
 * Looks at a file of a plan once more before it is changed. A plan that an operator has seen is up
 * to ten minutes old, and others may have been carried out since: whatever of the guard-rails can
 * be otherwise by now is asked again. Quotas and blocks in flight are asked about when the change
 * is made, and so are factor and mark, in one hold of the lock with it.
 *
 * <p>Two short holds of the namesystem's read lock a file. Single-threaded.
 */
final class ChangeValidator {
  private final FileLookup lookup;
  private final Supplier<PathRules> rules;
  private final EncodedPaths encoded;
  private final MovedFiles moved;
  private final RaisedFiles raised;
  private final Supplier<GuardRails> rails;

  /**
   * @param encoded files that are left alone
   * @param moved which files' replicas were moved lately
   * @param raised what is taken of the storage budget by now
   */
  ChangeValidator(
      FileLookup lookup,
      Supplier<EafrConfig> config,
      EncodedPaths encoded,
      MovedFiles moved,
      RaisedFiles raised) {
    this.lookup = lookup;
    this.encoded = encoded;
    this.moved = moved;
    this.raised = raised;
    rules = () -> config.get().paths();
    rails = () -> config.get().rails();
  }

  /**
   * Why a change is not to be made any more, {@code null} when it may be.
   *
   * @param now the file as it is now
   * @param nowMs wall clock
   */
  Skipped obstacle(Planned.Step step, FoundFile now, long nowMs) {
    Skipped reason = ofKind(step.file(), now);
    reason = reason != null ? reason : ofRule(step, now);
    if (reason != null) {
      return reason;
    }
    boolean isRaise = step.change().action() == Action.ADD;
    if (!isRaise && nowMs - now.modifiedMs() < rails.get().minAgeMs()) {
      return Skipped.TOO_YOUNG;
    }
    if (moved.isRecent(now.id(), nowMs)) {
      return Skipped.COOLING_DOWN;
    }
    if (isUnderReplicated(now, step.change().action())) {
      return Skipped.UNDER_REPLICATED;
    }
    return isOverBudget(step, now) ? Skipped.OVER_BUDGET : null;
  }

  private Skipped ofKind(FoundFile planned, FoundFile now) {
    if (now.factor() != planned.factor()
        || !Arrays.equals(now.mark(), planned.mark())
        || now.kind() == FileKind.BEING_WRITTEN) {
      return Skipped.CHANGED_MEANWHILE;
    }
    if (now.kind() == FileKind.IN_SNAPSHOT) {
      return Skipped.IN_SNAPSHOT;
    }
    return now.kind() == FileKind.ERASURE_CODED || encoded.isEncoded(now.path())
        ? Skipped.ERASURE_CODED
        : null;
  }

  /** Whether the rule of where the file is now, which may be elsewhere, wants the change, too. */
  private Skipped ofRule(Planned.Step step, FoundFile now) {
    Optional<FileRule> rule = rules.get().of(now.path());
    if (rule.isEmpty()) {
      return Skipped.NO_RULE;
    }
    FileChange change = step.change();
    int floor = rule.get().floor(step.history().ownFactor());
    boolean isWanted =
        switch (change.action()) {
          case ADD -> change.toFactor() <= rule.get().maxReplicas();
          case DELETE -> change.toFactor() >= floor;
          // What is above its floor would lose a replica first (Algorithm 1, line 7).
          case MIGRATE -> now.factor() <= floor;
          case RESTORE -> true;
        };
    return isWanted ? null : Skipped.OUT_OF_RULE;
  }

  private boolean isUnderReplicated(FoundFile now, Action action) {
    Replicas replicas = lookup.replicas(now.id(), Candidates.BLOCKS_MAX);
    if (replicas == null) {
      return false; // deleted just now, which the change itself finds
    }
    boolean isAwake = IntStream.of(replicas.asleep()).allMatch(asleep -> asleep == 0);
    return replicas.missing(now.factor()) > 0 || action == Action.MIGRATE && !isAwake;
  }

  private boolean isOverBudget(Planned.Step step, FoundFile now) {
    int extra = step.change().toFactor() - Math.max(now.factor(), step.history().ownFactor());
    return step.change().action() == Action.ADD
        && extra > 0
        && extra * now.lengthBytes() > rails.get().budgetBytes() - raised.budgetBytes();
  }
}
