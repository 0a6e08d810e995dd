package org.rackweave.hdfs.eafr;

import java.util.List;
import java.util.Map;
import org.rackweave.eafr.Action;
import org.rackweave.eafr.FileChange;
import org.rackweave.eafr.FileHistory;
import org.rackweave.eafr.HeldBack;
import org.rackweave.hdfs.eafr.FileLookup.FoundFile;
import org.rackweave.hdfs.roles.PlannedRoles;

/**
 * A plan with what has to be the same when it is carried out.
 *
 * @param number counts plans since the NameNode became active
 * @param madeMs when, monotonic
 * @param steps in the order in which they are carried out
 * @param heldBack of other hot and cold files how many are left for which reason
 * @param copies blocks that all steps together copy
 * @param extraBytes bytes beyond files' own factors that they add
 * @param lookedAt files looked at
 * @param roles what would become of servers' roles, for operators only
 */
record Planned(
    long number,
    long madeMs,
    List<Step> steps,
    Map<HeldBack, Integer> heldBack,
    long copies,
    long extraBytes,
    int lookedAt,
    PlannedRoles roles) {

  /** One file's change. */
  record Step(FileChange change, FoundFile file, FileHistory history) {
    /** Whether it gives a file more than one replica. */
    boolean isMoreThanOne() {
      return change.action() == Action.ADD && change.toFactor() - change.fromFactor() > 1;
    }

    /** It with one replica less. */
    Step less() {
      return new Step(
          new FileChange(
              change.fileId(),
              change.action(),
              change.fromFactor(),
              change.toFactor() - 1,
              change.because()),
          file,
          history);
    }

    /** Blocks that it copies. */
    long copies() {
      return change.action() == Action.MIGRATE
          ? file.blocks()
          : Math.max(0L, change.toFactor() - change.fromFactor()) * file.blocks();
    }
  }
}
