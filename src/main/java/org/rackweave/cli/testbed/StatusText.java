package org.rackweave.cli.testbed;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Locale;
import org.rackweave.cli.testbed.TestbedStatus.Daemon;
import org.rackweave.cli.testbed.TestbedStatus.Rate;
import org.rackweave.cli.testbed.TestbedStatus.Report;
import org.rackweave.cli.testbed.TestbedStatus.Uplink;

/** The status of a testbed as people and as programs read it. */
final class StatusText {

  private static final ObjectMapper MAPPER =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
  private static final double MIB = 1 << 20;
  private static final double BYTES_PER_MBIT = 1e6 / 8;
  private static final String ROW = "%-7s %-8s %8s %6s %10s %16s %7s %9s %9s%n";

  private StatusText() {}

  static String table(TestbedStatus status) {
    TestbedSpec spec = status.state().spec();
    StringBuilder text = new StringBuilder();
    text.append(
        format(
            "Testbed %s: %d racks x %d DataNodes, uplinks %d Mbit/s, links %d Mbit/s.%n",
            spec.prefix(),
            spec.racks(),
            spec.hostsPerRack(),
            spec.uplinkMbitPerSec(),
            spec.nicMbitPerSec()));
    text.append(
        format(
            "Hadoop %s, policy %s, congestion control %s, %.0f MiB for all daemons.%n%n",
            status.state().hadoop(),
            status.policy().label(),
            String.join(" and ", status.congestionControls()),
            status.memoryBytes() / MIB));
    text.append(
        format(
            ROW,
            "host",
            "rack",
            "process",
            "MiB",
            "heartbeat",
            "stored/room MiB",
            "blocks",
            "in Mbit/s",
            "out"));
    status.daemons().forEach(daemon -> text.append(row(daemon)));
    text.append(format("%n%-7s %16s %16s%n", "uplink", "in Mbit/s", "out"));
    for (Uplink uplink : status.uplinks()) {
      text.append(
          format(
              "rack-%-2d %16s %16s%n",
              uplink.rack(),
              load(uplink.rate().rxBytesPerSec(), spec.uplinkBytesPerSec()),
              load(uplink.rate().txBytesPerSec(), spec.uplinkBytesPerSec())));
    }
    if (status.otherProcesses() > 0) {
      text.append(format("%n%d other processes run in it.%n", status.otherProcesses()));
    }
    return text.toString();
  }

  private static String row(Daemon daemon) {
    boolean runs = daemon.pid() != 0;
    Report report = daemon.report();
    Rate rate = daemon.rate();
    return format(
        ROW,
        daemon.host().name(),
        daemon.host().location(),
        runs ? String.valueOf(daemon.pid()) : "ended",
        runs ? format("%.0f", daemon.memoryBytes() / MIB) : "-",
        report == null ? "-" : report.heartbeatAgeSec() + " s ago",
        report == null
            ? "-"
            : format("%.0f/%.0f", report.usedBytes() / MIB, report.capacityBytes() / MIB),
        report == null ? "-" : String.valueOf(report.blocks()),
        rate == null ? "-" : mbit(rate.rxBytesPerSec()),
        rate == null ? "-" : mbit(rate.txBytesPerSec()));
  }

  private static String mbit(double bytesPerSec) {
    return format("%.1f", bytesPerSec / BYTES_PER_MBIT);
  }

  private static String load(double bytesPerSec, long capacityBytesPerSec) {
    return format("%s (%3.0f %%)", mbit(bytesPerSec), 100 * bytesPerSec / capacityBytesPerSec);
  }

  private static String format(String pattern, Object... values) {
    return String.format(Locale.ROOT, pattern, values);
  }

  /** Bytes and bytes per second; what is not known is null. */
  static String json(TestbedStatus status) throws JsonProcessingException {
    TestbedSpec spec = status.state().spec();
    ObjectNode root = MAPPER.createObjectNode();
    root.put("prefix", spec.prefix());
    root.put("hadoop", status.state().hadoop());
    root.put("started_ms", status.state().startedMs());
    root.put("policy", status.policy().label());
    root.put("congestion_control", String.join(",", status.congestionControls()));
    root.put("racks", spec.racks());
    root.put("hosts_per_rack", spec.hostsPerRack());
    root.put("uplink_bytes_per_s", spec.uplinkBytesPerSec());
    root.put("nic_bytes_per_s", spec.nicBytesPerSec());
    root.put("memory_bytes", status.memoryBytes());
    root.put("other_processes", status.otherProcesses());
    root.put("whole", status.isWhole());
    ObjectNode daemons = root.putObject("daemons");
    status.daemons().forEach(daemon -> put(daemons.putObject(daemon.host().name()), daemon));
    ObjectNode uplinks = root.putObject("uplinks");
    for (Uplink uplink : status.uplinks()) {
      put(uplinks.putObject("rack-" + uplink.rack()), uplink.rate());
    }
    return MAPPER.writeValueAsString(root) + "\n";
  }

  private static void put(ObjectNode node, Daemon daemon) {
    node.put("rack", daemon.host().location());
    node.put("namespace", daemon.host().namespace());
    node.put("address", daemon.host().address());
    node.put("pid", daemon.pid() == 0 ? null : daemon.pid());
    node.put("memory_bytes", daemon.memoryBytes());
    if (daemon.report() != null) {
      node.put("heartbeat_age_s", daemon.report().heartbeatAgeSec());
      node.put("used_bytes", daemon.report().usedBytes());
      node.put("capacity_bytes", daemon.report().capacityBytes());
      node.put("blocks", daemon.report().blocks());
    }
    if (daemon.rate() != null) {
      put(node, daemon.rate());
    }
  }

  private static void put(ObjectNode node, Rate rate) {
    node.put("rx_bytes_per_s", Math.round(rate.rxBytesPerSec()));
    node.put("tx_bytes_per_s", Math.round(rate.txBytesPerSec()));
  }
}
