package org.rackweave.hdfs.eafr;

import static org.rackweave.hdfs.eafr.EafrAdmin.label;

import java.util.List;
import java.util.Map;
import org.rackweave.hdfs.admin.AdminAnswer;
import org.rackweave.hdfs.roles.EnergyMeter;
import org.rackweave.hdfs.roles.PlannedRoles;
import org.rackweave.hdfs.roles.PlannedRoles.StayReason;
import org.rackweave.hdfs.roles.ServerRoles;

/** What operators are told of servers' roles. */
final class RoleAnswers {
  private final Controller controller;

  RoleAnswers(Controller controller) {
    this.controller = controller;
  }

  /** Which roles servers have, and what sleep has saved. */
  static AdminAnswer of(ServerRoles roles, long nowMs) {
    AdminAnswer answer = new AdminAnswer();
    roles.metrics().forEach((key, figure) -> answer.with(key, figure));
    EnergyMeter.Reading energy = roles.energy();
    answer.with("energy_hours", energy.hours());
    answer.with("energy_kwh", energy.kilowattHours());
    answer.with("energy_all_on_kwh", energy.allOnKilowattHours());
    answer.with("energy_saved_kwh_per_day", energy.savedKilowattHoursPerDay());
    answer.with("unknown_hosts", String.join(" ", roles.unknownHosts()));
    List<Map<String, Object>> rows = roles.admin().rows(nowMs);
    answer.with("datanodes", rows.size()); // all, though rows may be left out
    answer.list("servers", List.of());
    rows.forEach(row -> answer.row("servers", row));
    return answer;
  }

  /** What the end of the interval would make of servers' roles. */
  void planned(AdminAnswer answer, PlannedRoles planned) {
    answer.with("falling_asleep", fallingAsleep(planned.outlook()));
    if (planned.outlook() != PlannedRoles.Outlook.OFF) {
      answer.with("cold", planned.cold());
      answer.with("cold_max", planned.coldMax());
    }
    planned.awake().forEach((why, count) -> answer.with("stay_awake_" + label(why), count));
    answer.list("servers", List.of());
    planned.steps().forEach(step -> answer.row("servers", step.row()));
  }

  private String fallingAsleep(PlannedRoles.Outlook outlook) {
    return switch (outlook) {
      case OFF -> "off";
      case COPIES_HELD_BACK -> "not before servers have reported that were woken after a restart";
      case NO_HOT_SERVER -> "none, since no server is hot";
      case READY ->
          controller.isSleepOff()
              ? "not while off"
              : controller.maySleep()
                  ? "at the end of the interval"
                  : "in active mode, or by --apply";
    };
  }

  /**
   * What has become of a plan's servers.
   *
   * @param left why roles stay as they are that were not changed, by UUID
   */
  static void applied(AdminAnswer answer, PlannedRoles planned, Map<String, StayReason> left) {
    answer.list("servers", List.of());
    answer.with("servers_done", planned.steps().size() - left.size());
    for (PlannedRoles.Step step : planned.steps()) {
      Map<String, Object> row = step.row();
      StayReason why = left.get(step.uuid());
      row.put("outcome", why == null ? "done" : label(why));
      answer.row("servers", row);
    }
  }
}
