package org.rackweave.hdfs.datanode;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Where the kernel shows its counters.
 *
 * @param proc mount point of procfs
 * @param sys mount point of sysfs
 */
record HostFiles(Path proc, Path sys) {

  /** Most bytes read of one file: far more than a host with thousands of interfaces has. */
  private static final int MAX_FILE_BYTES = 4 << 20;

  static HostFiles ofThisHost() {
    return new HostFiles(Path.of("/proc"), Path.of("/sys"));
  }

  Path netDev() {
    return proc.resolve("net/dev");
  }

  Path snmp() {
    return proc.resolve("net/snmp");
  }

  Path netStat() {
    return proc.resolve("net/netstat");
  }

  Path diskStats() {
    return proc.resolve("diskstats");
  }

  Path mountInfo() {
    return proc.resolve("self/mountinfo");
  }

  Path networkInterface(String name) {
    return sys.resolve("class/net").resolve(name);
  }

  static String read(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return new String(in.readNBytes(MAX_FILE_BYTES), StandardCharsets.ISO_8859_1);
    }
  }
}
