package org.rackweave.hdfs.datanode;

import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.StringTokenizer;
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
  private static final int WRITTEN_SECTORS_FIELD = 9;

  private final HostFiles files;
  private final List<Path> directories;
  private Set<String> devices;

  /**
   * @param directories absolute paths of the DataNode's directories
   */
  DiskWrites(HostFiles files, List<Path> directories) {
    this.files = files;
    this.directories = List.copyOf(directories);
  }

  /** Bytes written since boot; 0 when no device is known. */
  long writtenBytes() {
    try {
      if (devices == null) {
        devices = findDevices();
      }
      return devices.isEmpty() ? 0 : sumOfDevices();
    } catch (IOException | NumberFormatException | InvalidPathException e) {
      LOG.info("Bytes written to disks are not known: {}", e.toString());
      devices = Set.of();
      return 0;
    }
  }

  private long sumOfDevices() throws IOException {
    long sectors = 0;
    for (String line : (Iterable<String>) HostFiles.read(files.diskStats()).lines()::iterator) {
      sectors += writtenSectors(line);
    }
    return (sectors * SECTOR_BYTES) & Long.MAX_VALUE;
  }

  private long writtenSectors(String line) {
    StringTokenizer fields = new StringTokenizer(line);
    if (fields.countTokens() <= WRITTEN_SECTORS_FIELD) {
      return 0;
    }
    String device = fields.nextToken() + ':' + fields.nextToken();
    if (!devices.contains(device)) {
      return 0;
    }
    for (int skipped = 2; skipped < WRITTEN_SECTORS_FIELD; skipped++) {
      fields.nextToken();
    }
    return Long.parseLong(fields.nextToken());
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
