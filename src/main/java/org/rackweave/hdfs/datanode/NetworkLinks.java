package org.rackweave.hdfs.datanode;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds the one link behind a network interface and its speed, in sysfs.
 *
 * <p>The same bytes show on every layer of a stack of interfaces. What is counted is the layer that
 * other traffic shares and that has the capacity: the bond rather than its slaves, the device under
 * a VLAN rather than the VLAN, the only real port of a bridge rather than the bridge. A bridge with
 * no real port, or with several, is counted itself. The ports containers and virtual machines hang
 * on (veth, tap) are no real ports.
 */
final class NetworkLinks {

  /** Interfaces on top of each other; deeper stacks are a loop of links or a mistake. */
  private static final int MAX_LAYERS = 8;

  private static final String ARPHRD_LOOPBACK = "772";
  private static final long BYTES_PER_MEGABIT = 125_000;

  private final HostFiles files;

  NetworkLinks(HostFiles files) {
    this.files = files;
  }

  /** Name of the interface to count for traffic of the given one. */
  String under(String interfaceName) throws IOException {
    String name = interfaceName;
    for (int layer = 0; layer < MAX_LAYERS; layer++) {
      String below = below(name);
      if (below == null) {
        return name;
      }
      name = below;
    }
    return name;
  }

  private String below(String name) throws IOException {
    if (isVlan(name)) {
      List<String> lower = entries(files.networkInterface(name), "lower_*");
      return lower.size() == 1 ? lower.get(0).substring("lower_".length()) : null;
    }
    if (!isBridge(name)) {
      return null;
    }
    List<String> ports = entries(files.networkInterface(name).resolve("brif"), "*");
    ports.removeIf(port -> !isRealPort(port));
    return ports.size() == 1 ? ports.get(0) : null;
  }

  boolean isLoopback(String name) {
    return ARPHRD_LOOPBACK.equals(value(name, "type"));
  }

  private boolean isBridge(String name) {
    return Files.isDirectory(files.networkInterface(name).resolve("bridge"));
  }

  private boolean isBond(String name) {
    return Files.isDirectory(files.networkInterface(name).resolve("bonding"));
  }

  private boolean isVlan(String name) {
    return value(name, "uevent").lines().anyMatch("DEVTYPE=vlan"::equals);
  }

  private boolean isRealPort(String name) {
    return Files.exists(files.networkInterface(name).resolve("device"))
        || isBond(name)
        || isVlan(name);
  }

  /**
   * Speed the driver reports, in bytes per second; 0 when it reports none, as for an interface that
   * is down and for many virtual ones. The kernel sums up or chooses for bonds by their mode.
   */
  long bytesPerSec(String name) {
    try {
      return Math.max(0, Long.parseLong(value(name, "speed"))) * BYTES_PER_MEGABIT;
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  /** Contents of an attribute, or nothing when there is none or the driver refuses to tell. */
  private String value(String name, String attribute) {
    try {
      return HostFiles.read(files.networkInterface(name).resolve(attribute)).trim();
    } catch (IOException e) {
      return "";
    }
  }

  private static List<String> entries(Path directory, String glob) throws IOException {
    List<String> names = new ArrayList<>();
    if (Files.isDirectory(directory)) {
      try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory, glob)) {
        entries.forEach(entry -> names.add(entry.getFileName().toString()));
      }
    }
    return names;
  }
}
