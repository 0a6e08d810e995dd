package org.rackweave.hdfs.roles;

import java.util.Arrays;
import java.util.Comparator;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.rackweave.eafr.EnergyAccount;
import org.rackweave.model.PowerState;
import org.rackweave.model.PowerTable;

/**
 * Estimates what the DataNodes' machines draw by the paper's Table 2, and what they would have
 * drawn had none slept. A machine's load is not known; the transfers of its DataNode in proportion
 * to those it can serve stand for it. Soft state: counts from when this NameNode became active or
 * started. Thread-safe.
 */
public final class EnergyMeter {
  private static final double NANOS_PER_DAY = 86_400e9;

  /** What a machine draws that is off so that it can be woken over its network. */
  private static final double ASLEEP_WATTS = 10;

  private final PowerTable table = PowerTable.eafr(ASLEEP_WATTS);
  private DatanodeDescriptor[] machines = {};
  private EnergyAccount account;
  private double kilowattHours;
  private double allOnKilowattHours;
  private long beganNanos;

  /**
   * What was drawn.
   *
   * @param hours since it is measured
   * @param kilowattHours drawn
   * @param allOnKilowattHours that would have been drawn
   */
  public record Reading(double hours, double kilowattHours, double allOnKilowattHours) {
    /** On average over the time measured. */
    public double savedKilowattHoursPerDay() {
      return hours > 0 ? (allOnKilowattHours - kilowattHours) / hours * 24 : 0;
    }
  }

  /**
   * Looks at every machine.
   *
   * @param isOff whether one is off because it sleeps; other dead ones failed, and draw nothing
   * @param capacity transfers that are a machine's full load
   */
  synchronized void look(
      Set<DatanodeDescriptor> datanodes,
      Predicate<DatanodeDescriptor> isOff,
      int capacity,
      long nowNanos) {
    DatanodeDescriptor[] now =
        datanodes.stream()
            .sorted(Comparator.comparing(DatanodeDescriptor::getDatanodeUuid))
            .toArray(DatanodeDescriptor[]::new);
    if (account == null || !Arrays.equals(now, machines)) {
      reopen(now, nowNanos);
    }
    for (int node = 0; node < machines.length; node++) {
      DatanodeDescriptor machine = machines[node];
      PowerState state =
          isOff.test(machine)
              ? PowerState.STANDBY
              : machine.isAlive() ? PowerState.ON : PowerState.OFF;
      double load = state == PowerState.ON ? (double) RolesView.transfers(machine) / capacity : 0;
      account.setState(node, state, nowNanos);
      account.setLoad(node, Math.min(1, load), nowNanos);
    }
  }

  private void reopen(DatanodeDescriptor[] now, long nowNanos) {
    if (account == null) {
      beganNanos = nowNanos;
    } else {
      kilowattHours += account.kilowattHours(nowNanos);
      allOnKilowattHours += account.allOnKilowattHours(nowNanos);
    }
    machines = now;
    account = new EnergyAccount(table, now.length, nowNanos);
  }

  synchronized Reading read(long nowNanos) {
    return account == null
        ? new Reading(0, 0, 0)
        : new Reading(
            (nowNanos - beganNanos) / NANOS_PER_DAY * 24,
            kilowattHours + account.kilowattHours(nowNanos),
            allOnKilowattHours + account.allOnKilowattHours(nowNanos));
  }
}
