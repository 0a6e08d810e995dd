package org.rackweave.hdfs.eafr;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.rackweave.eafr.FileHistory;
import org.rackweave.eafr.FileRule;
import org.rackweave.hdfs.EafrConfig;
import org.rackweave.hdfs.eafr.FileLookup.FoundFile;

/**
 * Passes over all files, a little at a time: notes those that have extra replicas, and finds some
 * that nobody seems to read and that have a replica to lose or to move. It rests when there are
 * enough of these, and when all files have been passed, until the interval is over; where it rests
 * it goes on.
 *
 * <p>Single-threaded.
 */
final class ColdFiles {
  private static final long[] NO_BLOCKS = {};
  private static final long[][] NO_SERVERS = {};

  private final Supplier<EafrConfig> config;
  private final FileLookup lookup;
  private final ReadCounting counting;
  private final RaisedFiles raised;
  private final Candidates candidates;
  private final IntSupplier most;
  private final LongSupplier wallClockMs;
  private final Set<Long> found = new LinkedHashSet<>();
  private NamespacePass pass;

  /**
   * @param raised told of files with extra replicas
   * @param most files found in an interval
   */
  ColdFiles(
      Supplier<EafrConfig> config,
      FileLookup lookup,
      ReadCounting counting,
      RaisedFiles raised,
      Candidates candidates,
      IntSupplier most,
      LongSupplier wallClockMs) {
    this.config = config;
    this.lookup = lookup;
    this.counting = counting;
    this.raised = raised;
    this.candidates = candidates;
    this.most = most;
    this.wallClockMs = wallClockMs;
  }

  /** Begins anew. */
  void clear() {
    found.clear();
    pass = null;
  }

  /** Goes on for about so long. */
  void goOn(Supplier<PlacedServers> look, long nanos) {
    long beganNanos = System.nanoTime();
    if (pass == null && !raised.isKnown()) {
      pass = newPass();
    }
    PlacedServers placed =
        pass != null && !isResting() && config.get().roles().isOn() ? look.get() : null;
    boolean hasRoom =
        placed != null && placed.servers().hasStandbyWithSpace(config.get().reserveBytes());
    while (pass != null && !isResting() && System.nanoTime() - beganNanos < nanos) {
      Optional<List<FoundFile>> files = pass.next();
      if (files.isEmpty()) {
        pass = null;
        raised.known();
      } else {
        files.get().forEach(file -> seen(file, hasRoom ? placed : null));
      }
    }
  }

  private boolean isResting() {
    return raised.isKnown() && found.size() >= most.getAsInt();
  }

  private NamespacePass newPass() {
    boolean mayMove = config.get().roles().isOn() && !config.get().paths().isEmpty();
    boolean all = mayMove || config.get().paths().anyBelowOwnFactor();
    return new NamespacePass(lookup, (fileId, factor, marked) -> marked || all && factor > 1);
  }

  /**
   * @param placed {@code null} where no replica can be moved
   */
  private void seen(FoundFile file, PlacedServers placed) {
    FileHistory history = OwnFactor.history(file.mark(), file.factor());
    raised.put(file.id(), Math.max(0, file.factor() - history.ownFactor()) * file.lengthBytes());
    if (found.size() < most.getAsInt() && mayBeCold(file, history, placed)) {
      found.add(file.id());
    }
  }

  private boolean mayBeCold(FoundFile file, FileHistory history, PlacedServers placed) {
    Optional<FileRule> rule = config.get().paths().of(file.path());
    if (rule.isEmpty()
        || counting.popularity().readsOf(file.id(), NO_BLOCKS, NO_SERVERS).sureReads()
            >= counting.thresholds().tauLower() * file.factor() * file.blocks()) {
      return false;
    }
    return file.factor() > rule.get().floor(history.ownFactor())
        || placed != null
            && candidates.couldMove(file, rule.get(), placed, wallClockMs.getAsLong());
  }

  /** Those found in this interval. */
  Set<Long> found() {
    return found;
  }

  /** The interval is over. */
  void endInterval() {
    found.clear();
    if (pass == null) {
      pass = newPass();
    }
  }

  /** Part of the pass over all files that is done; 1 while none runs. */
  double progress() {
    return pass == null ? 1 : pass.progress();
  }
}
