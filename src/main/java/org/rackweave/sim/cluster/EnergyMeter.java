package org.rackweave.sim.cluster;

import java.util.Arrays;
import org.rackweave.sim.engine.EventLoop;
import org.rackweave.sim.engine.SimTime;

/** Adds up what machines draw while their states and loads change. All begin idle and on. */
public final class EnergyMeter {
  private static final double JOULES_PER_KWH = 3.6e6;

  private final EventLoop loop;
  private final PowerTable table;
  private final PowerState[] states;
  private final double[] loads;
  private double watts;
  private double joules;
  private long sinceNanos;

  public EnergyMeter(EventLoop loop, PowerTable table, int nodes) {
    this.loop = loop;
    this.table = table;
    states = new PowerState[nodes];
    loads = new double[nodes];
    Arrays.fill(states, PowerState.ON);
    watts = nodes * table.wattsOf(PowerState.ON, 0);
    sinceNanos = loop.nowNanos();
  }

  public PowerState state(int node) {
    return states[node];
  }

  /** A machine wakes, falls asleep or is switched off. */
  public void setState(int node, PowerState state) {
    change(node, state, loads[node]);
  }

  /**
   * A machine's processor becomes more or less busy.
   *
   * @param load fraction of what it can do
   */
  public void setLoad(int node, double load) {
    change(node, states[node], load);
  }

  private void change(int node, PowerState state, double load) {
    advance();
    watts -= table.wattsOf(states[node], loads[node]);
    states[node] = state;
    loads[node] = load;
    watts += table.wattsOf(state, load);
  }

  private void advance() {
    joules += watts * SimTime.toSeconds(loop.nowNanos() - sinceNanos);
    sinceNanos = loop.nowNanos();
  }

  /** Energy that all machines have drawn since the meter was made. */
  public double kilowattHours() {
    advance();
    return joules / JOULES_PER_KWH;
  }
}
