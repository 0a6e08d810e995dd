package org.rackweave.hdfs.datanode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashMap;
import java.util.Map;

/** A host made of files: network interfaces in sysfs and counters in procfs. */
final class FixtureHost {
  private final HostFiles files;
  private final Map<String, long[]> counters = new LinkedHashMap<>();

  FixtureHost(Path root) throws IOException {
    files = new HostFiles(root.resolve("proc"), root.resolve("sys"));
    Files.createDirectories(files.netDev().getParent());
    Files.createDirectories(files.mountInfo().getParent());
    device("lo", "772");
    writeCounters();
  }

  HostFiles files() {
    return files;
  }

  /** A network card. */
  FixtureHost card(String name) throws IOException {
    device(name, "1");
    Files.createDirectories(dir(name).resolve("device"));
    return this;
  }

  /** The host's end of a container's or virtual machine's cable. */
  FixtureHost veth(String name) throws IOException {
    device(name, "1");
    return this;
  }

  FixtureHost bond(String name, String... slaves) throws IOException {
    device(name, "1");
    Files.createDirectories(dir(name).resolve("bonding"));
    for (String slave : slaves) {
      Files.createDirectory(dir(name).resolve("lower_" + slave));
    }
    return this;
  }

  FixtureHost vlan(String name, String lower) throws IOException {
    device(name, "1");
    Files.writeString(dir(name).resolve("uevent"), "DEVTYPE=vlan\nINTERFACE=" + name + "\n");
    Files.createSymbolicLink(dir(name).resolve("lower_" + lower), dir(lower));
    return this;
  }

  FixtureHost bridge(String name, String... ports) throws IOException {
    device(name, "1");
    Files.createDirectories(dir(name).resolve("bridge"));
    for (String port : ports) {
      Files.createDirectories(dir(name).resolve("brif").resolve(port));
      Files.createSymbolicLink(dir(name).resolve("lower_" + port), dir(port));
    }
    return this;
  }

  FixtureHost speed(String name, String megabits) throws IOException {
    Files.writeString(dir(name).resolve("speed"), megabits + "\n");
    return this;
  }

  FixtureHost traffic(String name, long rxBytes, long txBytes) throws IOException {
    counters.put(name, new long[] {rxBytes, txBytes});
    writeCounters();
    return this;
  }

  FixtureHost unplug(String name) throws IOException {
    counters.remove(name);
    writeCounters();
    return this;
  }

  FixtureHost mounts(String... lines) throws IOException {
    Files.writeString(files.mountInfo(), String.join("\n", lines) + "\n");
    return this;
  }

  FixtureHost disks(String... lines) throws IOException {
    Files.writeString(files.diskStats(), String.join("\n", lines) + "\n");
    return this;
  }

  /** Segments of TCP since boot. */
  FixtureHost segments(long received, long outOfOrder, long sent, long sentAgain)
      throws IOException {
    Files.writeString(
        files.snmp(),
        String.format(
            """
            Ip: Forwarding DefaultTTL
            Ip: 1 64
            Tcp: RtoAlgorithm InSegs OutSegs RetransSegs InErrs
            Tcp: 1 %d %d %d 0
            """,
            received, sent, sentAgain));
    Files.writeString(
        files.netStat(),
        String.format(
            """
            TcpExt: SyncookiesSent TCPOFOQueue TCPOFODrop
            TcpExt: 7 %d 8
            IpExt: InNoRoutes
            IpExt: 9
            """,
            outOfOrder));
    return this;
  }

  private Path dir(String name) {
    return files.networkInterface(name);
  }

  private void device(String name, String type) throws IOException {
    Files.createDirectories(dir(name));
    Files.writeString(dir(name).resolve("type"), type + "\n");
    Files.writeString(dir(name).resolve("uevent"), "INTERFACE=" + name + "\nIFINDEX=2\n");
    counters.put(name, new long[2]);
    writeCounters();
  }

  private void writeCounters() throws IOException {
    StringBuilder text =
        new StringBuilder(
            """
            Inter-|   Receive                                                |  Transmit
             face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets
            """);
    counters.forEach(
        (name, bytes) ->
            text.append(
                String.format(
                    "%6s: %s 11 0 0 0 0 0 0 %s 12 0 0 0 0 0 0%n",
                    name, Long.toUnsignedString(bytes[0]), Long.toUnsignedString(bytes[1]))));
    // At once, as the kernel shows it: somebody may be reading.
    Path next = files.netDev().resolveSibling("dev.next");
    Files.writeString(next, text);
    Files.move(next, files.netDev(), StandardCopyOption.ATOMIC_MOVE);
  }
}
