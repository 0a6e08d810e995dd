package org.rackweave.hdfs.roles;

import java.util.Locale;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.apache.hadoop.metrics2.lib.Interns;

/** Figures of servers' roles, for metrics2. Thread-safe. */
public final class RolesMetrics {
  private final ServerRoles roles;
  private final SleepCounts counts;
  private final WakeHold hold;
  private final EnergyMeter energy;

  RolesMetrics(ServerRoles roles, SleepCounts counts, WakeHold hold, EnergyMeter energy) {
    this.roles = roles;
    this.counts = counts;
    this.hold = hold;
    this.energy = energy;
  }

  /** Adds them to a record. */
  public void addTo(MetricsRecordBuilder record) {
    record
        .addGauge(Interns.info("ServersCold", "DataNodes asleep or falling asleep"), roles.cold())
        .addGauge(Interns.info("ServersStandby", "Standby DataNodes awake"), roles.standby())
        .addCounter(
            Interns.info("CopiesHeldBack", "Copies delayed while sleeping DataNodes were woken"),
            hold.heldBackCount());
    for (SleepCounts.Count count : SleepCounts.Count.values()) {
      record.addCounter(Interns.info("Servers" + camel(count), count.about()), counts.of(count));
    }
    for (SleepingServer.Reason reason : SleepingServer.Reason.values()) {
      record.addCounter(
          Interns.info("ServersWokenBy" + camel(reason), "DataNodes woken"), counts.woken(reason));
    }
    EnergyMeter.Reading reading = energy.read(System.nanoTime());
    record
        .addGauge(
            Interns.info(
                "EnergyKilowattHours",
                "Estimated energy of all DataNodes since this NameNode became active"),
            reading.kilowattHours())
        .addGauge(
            Interns.info(
                "EnergySavedKilowattHoursPerDay",
                "Estimated saving against the same DataNodes always on"),
            reading.savedKilowattHoursPerDay());
  }

  /** What is counted by name, for operators. */
  public void forEach(BiConsumer<String, Long> each) {
    for (SleepCounts.Count count : SleepCounts.Count.values()) {
      each.accept(count.name().toLowerCase(Locale.ROOT), counts.of(count));
    }
    for (SleepingServer.Reason reason : SleepingServer.Reason.values()) {
      each.accept("woken_" + reason.name().toLowerCase(Locale.ROOT), counts.woken(reason));
    }
    each.accept("copies_held_back", hold.heldBackCount());
    each.accept("servers_cold", (long) roles.cold());
    each.accept("servers_standby", (long) roles.standby());
  }

  private static String camel(Enum<?> constant) {
    return Stream.of(constant.name().split("_"))
        .map(word -> word.charAt(0) + word.substring(1).toLowerCase(Locale.ROOT))
        .collect(Collectors.joining());
  }
}
