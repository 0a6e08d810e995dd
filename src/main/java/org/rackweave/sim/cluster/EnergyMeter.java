package org.rackweave.sim.cluster;

import org.rackweave.eafr.EnergyAccount;
import org.rackweave.model.PowerState;
import org.rackweave.model.PowerTable;
import org.rackweave.sim.engine.EventLoop;

/** Adds up what machines draw, on the simulator's clock. All begin idle and on. */
public final class EnergyMeter {
  private final EventLoop loop;
  private final EnergyAccount account;

  public EnergyMeter(EventLoop loop, PowerTable table, int nodes) {
    this.loop = loop;
    account = new EnergyAccount(table, nodes, loop.nowNanos());
  }

  public PowerState state(int node) {
    return account.state(node);
  }

  /** A machine wakes, falls asleep or is switched off. */
  public void setState(int node, PowerState state) {
    account.setState(node, state, loop.nowNanos());
  }

  /**
   * A machine's processor becomes more or less busy.
   *
   * @param load fraction of what it can do
   */
  public void setLoad(int node, double load) {
    account.setLoad(node, load, loop.nowNanos());
  }

  /** Energy that all machines have drawn since the meter was made. */
  public double kilowattHours() {
    return account.kilowattHours(loop.nowNanos());
  }

  /** Energy that they would have drawn had none ever slept. */
  public double allOnKilowattHours() {
    return account.allOnKilowattHours(loop.nowNanos());
  }
}
