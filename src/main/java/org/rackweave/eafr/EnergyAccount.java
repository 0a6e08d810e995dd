package org.rackweave.eafr;

import java.util.Arrays;
import org.rackweave.model.PowerState;
import org.rackweave.model.PowerTable;

/**
 * Adds up what machines draw while their states and loads change (section 3.2.1, Table 2), and what
 * they would have drawn had none ever slept. All begin idle and on. Not thread-safe.
 */
public final class EnergyAccount {
  private static final double JOULES_PER_KWH = 3.6e6;
  private static final double NANOS_PER_SEC = 1e9;
  private static final double SECONDS_PER_DAY = 86_400;

  private final PowerTable table;
  private final PowerState[] states;
  private final double[] loads;
  private final long startedNanos;
  private double watts;
  private double allOnWatts;
  private double joules;
  private double allOnJoules;
  private long sinceNanos;

  /**
   * @param nowNanos on the clock of all times that follow
   */
  public EnergyAccount(PowerTable table, int nodes, long nowNanos) {
    this.table = table;
    states = new PowerState[nodes];
    loads = new double[nodes];
    Arrays.fill(states, PowerState.ON);
    watts = nodes * table.wattsOf(PowerState.ON, 0);
    allOnWatts = watts;
    startedNanos = nowNanos;
    sinceNanos = nowNanos;
  }

  public PowerState state(int node) {
    return states[node];
  }

  /** A machine wakes, falls asleep or is switched off. */
  public void setState(int node, PowerState state, long nowNanos) {
    change(node, state, loads[node], nowNanos);
  }

  /**
   * A machine's processor becomes more or less busy.
   *
   * @param load fraction of what it can do
   */
  public void setLoad(int node, double load, long nowNanos) {
    change(node, states[node], load, nowNanos);
  }

  private void change(int node, PowerState state, double load, long nowNanos) {
    advance(nowNanos);
    watts += table.wattsOf(state, load) - table.wattsOf(states[node], loads[node]);
    allOnWatts += allOn(state, load) - allOn(states[node], loads[node]);
    states[node] = state;
    loads[node] = load;
  }

  /** What a machine would draw if it never slept; one that failed draws nothing either way. */
  private double allOn(PowerState state, double load) {
    return table.wattsOf(state == PowerState.STANDBY ? PowerState.ON : state, load);
  }

  private void advance(long nowNanos) {
    double seconds = (nowNanos - sinceNanos) / NANOS_PER_SEC;
    joules += watts * seconds;
    allOnJoules += allOnWatts * seconds;
    sinceNanos = nowNanos;
  }

  /** Energy that all machines have drawn since the account was opened. */
  public double kilowattHours(long nowNanos) {
    advance(nowNanos);
    return joules / JOULES_PER_KWH;
  }

  /** Energy that they would have drawn with the same loads and failures, none of them asleep. */
  public double allOnKilowattHours(long nowNanos) {
    advance(nowNanos);
    return allOnJoules / JOULES_PER_KWH;
  }

  /** What sleeping saved, on average over the days so far; 0 at the very start. */
  public double savedKilowattHoursPerDay(long nowNanos) {
    double saved = allOnKilowattHours(nowNanos) - kilowattHours(nowNanos);
    double days = (nowNanos - startedNanos) / NANOS_PER_SEC / SECONDS_PER_DAY;
    return days > 0 ? saved / days : 0;
  }
}
