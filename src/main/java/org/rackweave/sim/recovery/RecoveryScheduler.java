package org.rackweave.sim.recovery;

import org.rackweave.dayu.RecoveryBatch;
import org.rackweave.dayu.RecoveryPlan;
import org.rackweave.dayu.RecoverySnapshot;

/** Who decides on copies. */
interface RecoveryScheduler {
  /**
   * A plan and what it took.
   *
   * @param readySec seconds from the report to the plan's beginning
   * @param workSec what the planner worked, by the clock it was given
   */
  record Planned(RecoveryPlan plan, double readySec, double workSec) {}

  /**
   * Plans on the latest reports.
   *
   * @param snapshot what Eq. 1 allows by those reports
   * @param slotSec how far it looks ahead
   * @param replanSec until the plan after this one begins
   */
  Planned plan(RecoverySnapshot snapshot, RecoveryBatch batch, double slotSec, double replanSec);

  /** Whether it plans with every report, or once for all. */
  boolean plansEverySlot();

  /** What recovery may use of a node's link in each direction; infinite if rates say it all. */
  double nodeLimitBytesPerSec();

  /** Rates of copies. */
  ChunkCopies.Rates rates();

  /** How often rates of copies on crowded links are worked out anew. */
  double stepSec();
}
