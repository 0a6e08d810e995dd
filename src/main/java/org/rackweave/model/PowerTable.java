package org.rackweave.model;

/**
 * What a machine draws at a load of its processor, linear between the marks.
 *
 * @param sleepWatts asleep
 * @param watts at 0, 1/n, 2/n, ... 1 of the load; at least two, ascending
 */
public record PowerTable(double sleepWatts, double... watts) {
  public PowerTable {
    if (watts.length < 2) {
      throw new IllegalArgumentException("a power table needs two marks");
    }
    watts = watts.clone();
  }

  /** HP ProLiant ML110 G5 at 0 to 100 % in steps of 20 % (EAFR, table 2). */
  public static PowerTable eafr(double sleepWatts) {
    return new PowerTable(sleepWatts, 93.7, 101, 110, 121, 129, 135);
  }

  /**
   * Power of a machine.
   *
   * @param load of its processor, cut to 0 to 1; counts only while it is on
   */
  public double wattsOf(PowerState state, double load) {
    if (state != PowerState.ON) {
      return state == PowerState.OFF ? 0 : sleepWatts;
    }
    double place = Math.max(0, Math.min(1, load)) * (watts.length - 1);
    int below = Math.min((int) place, watts.length - 2);
    return watts[below] + (place - below) * (watts[below + 1] - watts[below]);
  }
}
