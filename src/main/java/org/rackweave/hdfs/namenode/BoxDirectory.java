package org.rackweave.hdfs.namenode;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The segments of a black box: one an hour, or more where much happens. No segment is opened again
 * for writing, so that only its end can be torn. Names are the times of their making. The oldest
 * go, by age and by the size of all together. Paths are sensitive: only the owner may read them.
 * Not thread-safe.
 */
final class BoxDirectory {
  private static final Logger LOG = LoggerFactory.getLogger(BoxDirectory.class);
  private static final String NAME = "\\d{16}\\.box";
  private static final long SEGMENT_MS = TimeUnit.HOURS.toMillis(1);

  /** So many segments make up the whole at least. */
  private static final int SEGMENTS_LEAST = 16;

  private static final FileAttribute<Set<PosixFilePermission>> OWNERS_DIRECTORY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
  private static final FileAttribute<Set<PosixFilePermission>> OWNERS_FILE =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

  private final Path directory;
  private final long keptMs;
  private final long bytesMax;

  /** {@code null} when none is open, as after every failure. */
  private OutputStream open;

  private long openHour;
  private long openBytes;

  /**
   * @param directory is made when something is written
   * @param keptMs segments go after which so much was recorded
   * @param bytesMax of all segments together
   */
  BoxDirectory(Path directory, long keptMs, long bytesMax) {
    this.directory = directory;
    this.keptMs = keptMs;
    this.bytesMax = bytesMax;
  }

  /**
   * Makes sure that there is a segment to append to.
   *
   * @param nowMs wall clock
   */
  void open(long nowMs) throws IOException {
    long hour = Math.floorDiv(nowMs, SEGMENT_MS);
    if (open != null && hour == openHour && openBytes < bytesMax / SEGMENTS_LEAST) {
      return;
    }
    close();
    make(directory);
    List<Path> segments = segments();
    long after = segments.isEmpty() ? 0 : time(segments.get(segments.size() - 1)) + 1;
    long name = Math.max(nowMs, after); // the newest is the last, even if the clock was set back
    prune(segments, name);
    Path file = directory.resolve(String.format(Locale.ROOT, "%016d.box", name));
    Files.createFile(file, OWNERS_FILE);
    open = new BufferedOutputStream(Files.newOutputStream(file, StandardOpenOption.WRITE));
    openHour = hour;
    openBytes = 0;
    write(BoxSegment.MAGIC);
  }

  /** Appends a record to the segment that is open. */
  void append(Object record) throws IOException {
    write(BoxSegment.record(record));
  }

  private void write(byte[] bytes) throws IOException {
    open.write(bytes);
    openBytes += bytes.length;
  }

  /** Hands what was appended to the disk's cache, where it outlives this process. */
  void flush() throws IOException {
    if (open != null) {
      open.flush();
    }
  }

  /** Ends the segment that is open. */
  void close() throws IOException {
    OutputStream ended = open;
    open = null;
    if (ended != null) {
      ended.close();
    }
  }

  /** Makes one, if it is not there. */
  static void make(Path directory) throws IOException {
    Files.createDirectories(directory, OWNERS_DIRECTORY);
  }

  /** Ages are of what was recorded since, so that no wrong clock makes all of it old at once. */
  private void prune(List<Path> segments, long next) throws IOException {
    long room = bytesMax - 2 * (bytesMax / SEGMENTS_LEAST); // for the next one and its last record
    long ageMs = 0;
    long newer = next;
    for (int i = segments.size() - 1; i >= 0; i--) { // from the newest on
      Path segment = segments.get(i);
      long bytes = Files.size(segment);
      room -= bytes;
      ageMs += Math.min(newer - time(segment), SEGMENT_MS);
      newer = time(segment);
      boolean isEmpty = bytes <= BoxSegment.MAGIC.length; // of a disk that was full
      if (isEmpty || room < 0 || ageMs > keptMs + SEGMENT_MS) {
        Files.delete(segment);
      }
    }
  }

  private static long time(Path segment) {
    return Long.parseLong(segment.getFileName().toString().split("\\.")[0]);
  }

  /** The oldest first. */
  private List<Path> segments() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .filter(file -> file.getFileName().toString().matches(NAME))
          .filter(file -> Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS))
          .sorted()
          .toList();
    }
  }

  /** Reads all segments, the oldest first; what cannot be read is left out. */
  void read(Consumer<Object> taker) throws IOException {
    if (Files.isDirectory(directory)) {
      for (Path segment : segments()) {
        try (InputStream in = new BufferedInputStream(Files.newInputStream(segment))) {
          BoxSegment.read(in, taker);
        } catch (IOException | RuntimeException e) {
          LOG.warn("{} is not read to its end: {}", segment, e.toString());
        }
      }
    }
  }
}
