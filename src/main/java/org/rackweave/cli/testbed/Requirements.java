package org.rackweave.cli.testbed;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.rackweave.cli.UsageException;

/** What a testbed needs of the machine. */
final class Requirements {

  /** Programs, with the Debian package each is in. */
  private static final Map<String, String> PACKAGES = new LinkedHashMap<>();

  static {
    PACKAGES.put("ip", "iproute2");
    PACKAGES.put("tc", "iproute2");
    PACKAGES.put("iperf3", "iperf3");
    PACKAGES.put("mount", "mount");
    PACKAGES.put("umount", "mount");
    PACKAGES.put("setsid", "util-linux");
  }

  private static final Path STATUS = Path.of("/proc/self/status");
  private static final Path ALLOWED = Path.of("/proc/sys/net/ipv4/tcp_allowed_congestion_control");

  private Requirements() {}

  /**
   * Finds out whether a testbed can be built here at all.
   *
   * @throws IOException saying what is missing and how to get it
   */
  static void check() throws IOException {
    checkRoot();
    String path = System.getenv().getOrDefault("PATH", "");
    checkPrograms(name -> isOn(path, name));
  }

  /**
   * Finds out whether this process may change the network.
   *
   * @throws IOException if it may not
   */
  static void checkRoot() throws IOException {
    if (!Files.exists(STATUS)) {
      throw new IOException("a testbed needs the network namespaces of Linux");
    }
    if (!isRoot(Files.readAllLines(STATUS))) {
      throw new IOException("a testbed needs root, for network namespaces: try it with sudo");
    }
  }

  /** Whether the lines of {@code /proc/self/status} are those of root, by the effective user. */
  static boolean isRoot(List<String> status) {
    return status.stream()
        .filter(line -> line.startsWith("Uid:"))
        .anyMatch(line -> line.split("\\s+", 4)[2].equals("0"));
  }

  /** Says which programs are missing, and the Debian packages that have them. */
  static void checkPrograms(Predicate<String> installed) throws IOException {
    List<String> missing = PACKAGES.keySet().stream().filter(installed.negate()).toList();
    if (!missing.isEmpty()) {
      Set<String> packages = new TreeSet<>();
      missing.forEach(program -> packages.add(PACKAGES.get(program)));
      throw new IOException(
          "not on the PATH: "
              + String.join(", ", missing)
              + " (Debian: apt-get install "
              + String.join(" ", packages)
              + ")");
    }
  }

  private static boolean isOn(String path, String program) {
    return Arrays.stream(path.split(File.pathSeparator))
        .anyMatch(directory -> Files.isExecutable(Path.of(directory, program)));
  }

  /**
   * The TCP congestion control to use.
   *
   * @param wanted empty for the machine's own
   * @throws UsageException if namespaces may not use it, naming those they may
   */
  static String congestionControl(String wanted) throws IOException {
    if (wanted.isEmpty()) {
      return Files.readString(Path.of(NetworkPlan.CONGESTION_CONTROL)).strip();
    }
    List<String> allowed = List.of(Files.readString(ALLOWED).strip().split("\\s+"));
    if (!allowed.contains(wanted)) {
      throw new UsageException(
          "congestion control is '"
              + wanted
              + "', allowed in namespaces of this machine are "
              + String.join(", ", allowed)
              + " (sysctl net.ipv4.tcp_allowed_congestion_control)");
    }
    return wanted;
  }
}
