package org.rackweave.hdfs.datanode;

import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.StringTokenizer;
import java.util.function.LongSupplier;
import org.rackweave.telemetry.RecentMaximum;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Bytes written to the block devices under the DataNode's directories, from {@code
 * /proc/diskstats}. A directory is matched to its device by the longest mount point above it. File
 * systems without a block device of their own (overlay, tmpfs, btrfs, network) count as 0. All
 * writers to a device are counted, which is what its write bandwidth is shared by.
 *
 * <p>Devices are looked up once: a volume added to a running DataNode counts after a restart. A
 * host that does not show these files counts as 0 for good; the network's counters matter more.
 */
final class DiskWrites {
  private static final Logger LOG = LoggerFactory.getLogger(DiskWrites.class);

  private static final int SECTOR_BYTES = 512;
  private static final long LEAST_MS = 1000;

  /** Of the time, when a device counts as busy. */
  private static final double BUSY = 0.9;

  /** A device that reads more than a tenth of what it writes is busy with that. */
  private static final long WRITES_TO_READS = 10;

  /** Smaller writes keep a device busy with other things than writing. */
  private static final long LARGE_WRITE_BYTES = 128 << 10;

  /** Counters of a device, cumulative. */
  private record Device(long readBytes, long writes, long writtenBytes, long busyMs) {
    static final int FIELDS = 13;

    /**
     * @param fields of its line, the two numbers of the device taken off
     */
    static Device of(StringTokenizer fields) {
      skip(fields, 3);
      long readSectors = Long.parseLong(fields.nextToken());
      skip(fields, 1);
      long writes = Long.parseLong(fields.nextToken());
      skip(fields, 1);
      long writtenSectors = Long.parseLong(fields.nextToken());
      skip(fields, 2);
      return new Device(
          readSectors * SECTOR_BYTES,
          writes,
          writtenSectors * SECTOR_BYTES,
          Long.parseLong(fields.nextToken()));
    }

    private static void skip(StringTokenizer fields, int count) {
      for (int skipped = 0; skipped < count; skipped++) {
        fields.nextToken();
      }
    }

    /** Whether it had nothing but large writes to do, by and large, since so many milliseconds. */
    boolean wasBusy(Device before, long elapsedMs) {
      long written = writtenBytes - before.writtenBytes;
      return busyMs - before.busyMs >= BUSY * elapsedMs
          && written > WRITES_TO_READS * (readBytes - before.readBytes)
          && written >= LARGE_WRITE_BYTES * (writes - before.writes);
    }
  }

  private final HostFiles files;
  private final List<Path> directories;
  private final LongSupplier monotonicMs;
  private final RecentMaximum mostWhileBusy = new RecentMaximum();

  private Set<String> devices;
  private Map<String, Device> last = Map.of();
  private long lastMs;

  /**
   * @param directories absolute paths of the DataNode's directories
   */
  DiskWrites(HostFiles files, List<Path> directories, LongSupplier monotonicMs) {
    this.files = files;
    this.directories = List.copyOf(directories);
    this.monotonicMs = monotonicMs;
  }

  /** Bytes written since boot; 0 when no device is known. */
  long writtenBytes() {
    try {
      if (devices == null) {
        devices = findDevices();
      }
      return devices.isEmpty() ? 0 : look();
    } catch (IOException | NumberFormatException | InvalidPathException e) {
      LOG.info("Disk writes cannot be measured: {}", e.toString());
      devices = Set.of();
      return 0;
    }
  }

  /**
   * The most that one device wrote, bytes per second, while it was busy and that with large writes,
   * as of {@link #writtenBytes}; 0 = unknown.
   */
  double mostWhileBusy() {
    return mostWhileBusy.get(monotonicMs.getAsLong());
  }

  private long look() throws IOException {
    Map<String, Device> now = new HashMap<>();
    for (String line : (Iterable<String>) HostFiles.read(files.diskStats()).lines()::iterator) {
      StringTokenizer fields = new StringTokenizer(line);
      if (fields.countTokens() >= Device.FIELDS) {
        String numbers = fields.nextToken() + ':' + fields.nextToken();
        if (devices.contains(numbers)) {
          now.put(numbers, Device.of(fields));
        }
      }
    }
    long nowMs = monotonicMs.getAsLong();
    long elapsedMs = nowMs - lastMs;
    if (elapsedMs >= LEAST_MS || last.isEmpty()) {
      last.forEach(
          (device, before) -> {
            if (now.containsKey(device) && now.get(device).wasBusy(before, elapsedMs)) {
              double written = now.get(device).writtenBytes() - before.writtenBytes();
              mostWhileBusy.add(1000 * written / elapsedMs, nowMs);
            }
          });
      last = now;
      lastMs = nowMs;
    }
    return now.values().stream().mapToLong(Device::writtenBytes).sum() & Long.MAX_VALUE;
  }

  private Set<String> findDevices() throws IOException {
    List<String> mounts = HostFiles.read(files.mountInfo()).lines().toList();
    Set<String> found = new HashSet<>();
    for (Path directory : directories) {
      String device = deviceOf(directory, mounts);
      if (device != null) {
        found.add(device);
      }
    }
    return found;
  }

  /** "major:minor" of the last mount with the longest mount point above a directory. */
  private static String deviceOf(Path directory, List<String> mounts) {
    String device = null;
    int longest = -1;
    for (String mount : mounts) {
      String[] fields = mount.split(" ", 6);
      if (fields.length == 6) {
        Path point = Path.of(unescape(fields[4]));
        if (directory.startsWith(point) && point.getNameCount() >= longest) {
          longest = point.getNameCount();
          device = fields[2];
        }
      }
    }
    return device;
  }

  /** The kernel writes blanks and backslashes in paths as three octal digits. */
  private static String unescape(String path) {
    return path.replace("\\040", " ")
        .replace("\\011", "\t")
        .replace("\\012", "\n")
        .replace("\\134", "\\");
  }
}
