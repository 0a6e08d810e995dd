package org.rackweave.sim.workload;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * An operator's own HDFS audit log as a workload: what would happen here.
 *
 * <p>{@code create} becomes a write, {@code open} a read, {@code delete} one deletion for each file
 * below the path, {@code rename} a rename; failed operations and all other commands are counted and
 * do nothing. Time 0 is that of the first line.
 *
 * <p>What an audit log does not tell:
 *
 * <ul>
 *   <li>Sizes and block sizes. They come from a listing of the namespace where it knows the file,
 *       by its path at the end of the log or, for a file older than the log, at its first read; and
 *       are drawn otherwise. So do replication factors; a {@code setReplication} gives a listed
 *       file its listed factor, and does nothing to others.
 *   <li>How much {@code append} adds and what {@code concat} joins: both are counted and do
 *       nothing.
 *   <li>Whether a path is a directory: it is one when something in the log lay below it.
 * </ul>
 *
 * <p>The log is read twice, line by line: once to check every line and to number the files, and
 * once for each use. Memory grows with the paths that exist at one time, about 200 bytes each, and
 * with the files ever seen, about 20 bytes each; both are bounded by {@link Settings#filesMax}.
 */
public final class AuditReplay implements Workload {

  private final Settings settings;
  private final AuditFiles files;
  private final long seed;
  private final List<Stamp> stamps;
  private final Report report;

  /**
   * What a log is replayed with.
   *
   * @param logs parts of one log, the oldest first, at least one
   * @param listing text of {@link NamespaceListing}, if there is one
   * @param shape of files the listing does not know
   * @param clients which addresses are nodes
   * @param speed the log is played so many times as fast, above 0
   * @param filesMax at most so many paths at one time, and so many files in all; more is an error
   */
  public record Settings(
      List<Path> logs,
      Optional<Path> listing,
      FileShape shape,
      KnownClients clients,
      double speed,
      int filesMax) {
    public Settings {
      logs = List.copyOf(logs);
    }
  }

  /**
   * What a log holds, for the operator to judge how much of it was used.
   *
   * @param lines all of them
   * @param refused operations that failed
   * @param unused successful operations that do nothing here, by command
   * @param clientsInside creates and opens by clients on known nodes
   * @param clientsOutside creates and opens by others
   * @param filesListed files whose size is known from the listing
   * @param filesDrawn files whose size is drawn
   */
  public record Report(
      long lines,
      long refused,
      Map<String, Long> unused,
      long clientsInside,
      long clientsOutside,
      long filesListed,
      long filesDrawn) {
    public Report {
      unused = Collections.unmodifiableMap(new TreeMap<>(unused));
    }
  }

  /** A log file as it was when it was checked. */
  private record Stamp(Path file, long sizeBytes, long modifiedMs) {
    static Stamp of(Path file) throws IOException {
      return new Stamp(file, Files.size(file), Files.getLastModifiedTime(file).toMillis());
    }

    void check() {
      try {
        if (!of(file).equals(this)) {
          throw new IOException(file + " has changed since it was checked");
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private AuditReplay(
      Settings settings, AuditFiles files, List<Stamp> stamps, Report report, long seed) {
    this.settings = settings;
    this.files = files;
    this.stamps = stamps;
    this.report = report;
    this.seed = seed;
  }

  /**
   * Checks a whole log, and the listing if there is one.
   *
   * @throws InputException naming the first line that is wrong
   */
  public static AuditReplay open(Settings settings, SplittableRandom random) throws InputException {
    List<Stamp> stamps = new ArrayList<>();
    for (Path log : settings.logs()) {
      stamps.add(stamp(log));
    }
    AuditFiles files = new AuditFiles();
    AuditSteps steps = AuditSteps.checking(settings, files);
    try (AuditLog log = new AuditLog(settings.logs())) {
      while (steps.next(log) != null) {
        // Checking and numbering are all there is to do.
      }
      if (log.lineCount() == 0) {
        throw new InputException(settings.logs().get(0), 0, "has no line");
      }
      files.seal(steps.tree());
      if (settings.listing().isPresent()) {
        NamespaceListing.read(settings.listing().get(), files::learn);
      }
      files.forgetPaths();
      Report report = steps.report(log.lineCount(), files);
      return new AuditReplay(settings, files, stamps, report, random.nextLong());
    }
  }

  private static Stamp stamp(Path log) throws InputException {
    try {
      return Stamp.of(log);
    } catch (IOException e) {
      throw new InputException(log, 0, "there is no such file");
    }
  }

  /** What the log holds. */
  public Report report() {
    return report;
  }

  @Override
  public Stream<StoredFile> storedFiles() {
    return LongStream.range(0, files.count())
        .filter(files::isOlder)
        .mapToObj(file -> files.stored(file, settings.shape(), seed));
  }

  /**
   * All requests, read from the log again.
   *
   * @throws UncheckedIOException when the log has changed since it was checked, at this call or in
   *     the middle
   */
  @Override
  public Stream<TimedRequest> requests() {
    for (Stamp stamp : stamps) {
      stamp.check();
    }
    AuditLog log = new AuditLog(settings.logs());
    AuditSteps steps = AuditSteps.replaying(settings, files, seed);
    return Streamed.until(() -> next(steps, log)).onClose(() -> close(log)).flatMap(List::stream);
  }

  private static List<TimedRequest> next(AuditSteps steps, AuditLog log) {
    try {
      return steps.next(log);
    } catch (InputException e) {
      throw new UncheckedIOException(new IOException(e));
    }
  }

  private static void close(AuditLog log) {
    try {
      log.close();
    } catch (InputException e) {
      throw new UncheckedIOException(new IOException(e));
    }
  }
}
