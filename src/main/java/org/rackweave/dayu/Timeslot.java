package org.rackweave.dayu;

import org.rackweave.model.Require;

/**
 * How time is divided (section 3, figure 2). A slot is planned before the one under way ends, so
 * that no bandwidth is idle while the planner works.
 *
 * @param lengthSec T_timeslot: how often bandwidth is reported and a plan is made
 * @param scheduleSec T_schedule: how long before the end of the slot under way the plan is made, 0
 *     to the length
 * @param restartSec how long it takes until a copy that is cancelled has ended and another can
 *     begin in its place, beyond what any new copy takes
 * @param replanSec when the next plan is made, above 0 to the length; where that is sooner than the
 *     slot ends, slots overlap and every plan looks one slot ahead
 */
public record Timeslot(double lengthSec, double scheduleSec, double restartSec, double replanSec) {

  /** As in the paper, which gives no number for T_schedule; half a second is ours. */
  public static final Timeslot DEFAULT = new Timeslot(15, 0.5);

  /**
   * @throws IllegalArgumentException naming the value and its range
   */
  public Timeslot {
    Require.positive("lengthSec", lengthSec);
    Require.within("scheduleSec", scheduleSec, 0, lengthSec);
    Require.rate("restartSec", restartSec);
    Require.that(replanSec > 0 && replanSec <= lengthSec, "replanSec", replanSec, "(0, lengthSec]");
  }

  /** Whether the next one is planned before this one is over, and begins then. */
  public boolean overlaps() {
    return replanSec < lengthSec;
  }

  /** One that is over when the next is planned, as in the paper. */
  public Timeslot(double lengthSec, double scheduleSec, double restartSec) {
    this(lengthSec, scheduleSec, restartSec, lengthSec);
  }

  /** One in which copies are cancelled at once. */
  public Timeslot(double lengthSec, double scheduleSec) {
    this(lengthSec, scheduleSec, 0);
  }
}
