package org.rackweave.cli.testbed.compare;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.util.VersionInfo;
import org.rackweave.cli.testbed.Layout;
import org.rackweave.cli.testbed.Testbed;

/**
 * What figures were measured on, as names and values: the machine, the testbed and its settings.
 */
final class Facts {

  private static final double MEGABIT = 125_000;

  private Facts() {}

  /**
   * Asks the machine and the testbed.
   *
   * @param flowsPerRack background connections of a hot rack in each direction
   */
  static Map<String, String> of(Testbed testbed, BackgroundOrigin origin, int flowsPerRack)
      throws IOException {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("hadoop", VersionInfo.getVersion());
    facts.put("java", Runtime.version().toString());
    facts.put("machine", processors() + ", " + memory());
    facts.put("kernel", System.getProperty("os.version"));
    Layout layout = testbed.layout();
    facts.put(
        "testbed", layout.racks().size() + " racks x " + layout.racks().get(0).dataNodes().size());
    facts.put("uplink of a rack", megabits(layout.uplinkBytesPerSec()));
    facts.put("network card of a DataNode", megabits(layout.nicBytesPerSec()));
    facts.put("congestion control", testbed.congestionControl());
    String where = origin.name().toLowerCase(Locale.ROOT);
    facts.put(
        "background load",
        origin == BackgroundOrigin.NONE
            ? where
            : flowsPerRack + " connections each way in every hot rack, at " + where);
    new TreeMap<>(testbed.spec().properties()).forEach(facts::put);
    return facts;
  }

  private static String megabits(long bytesPerSec) {
    return String.format(Locale.ROOT, "%.0f Mbit/s", bytesPerSec / MEGABIT);
  }

  private static String processors() throws IOException {
    String model =
        Files.readString(Path.of("/proc/cpuinfo"))
            .lines()
            .filter(line -> line.startsWith("model name"))
            .map(line -> line.substring(line.indexOf(':') + 1).strip())
            .findFirst()
            .orElse(System.getProperty("os.arch"));
    return Runtime.getRuntime().availableProcessors() + " x " + model;
  }

  private static String memory() throws IOException {
    String line =
        Files.readString(Path.of("/proc/meminfo"))
            .lines()
            .filter(one -> one.startsWith("MemTotal:"))
            .findFirst()
            .orElse("MemTotal: 0 kB");
    long kibibytes = Long.parseLong(line.replaceAll("\\D", ""));
    return String.format(Locale.ROOT, "%.0f GiB of memory", kibibytes / 1048576.0);
  }
}
