package org.rackweave.sim.encoding;

import java.util.SplittableRandom;
import org.rackweave.ear.EncodingAdvice;
import org.rackweave.ear.EncodingPlan;
import org.rackweave.ear.EncodingPlanner;
import org.rackweave.ear.NotEncodable;
import org.rackweave.placement.Admission;
import org.rackweave.placement.ReplicaChooser;

/** EAR's encoding, planned by the product's own planner. */
public final class CoreRackEncoding implements EncodingChoice {
  private final EncodingPlanner planner;
  private final ReplicaChooser chooser;
  private final Admission admission;
  private final long blockBytes;
  private final SplittableRandom random;

  /**
   * @param admission admits the nodes of parity blocks
   */
  public CoreRackEncoding(
      EncodingPlanner planner,
      ReplicaChooser chooser,
      Admission admission,
      long blockBytes,
      SplittableRandom random) {
    this.planner = planner;
    this.chooser = chooser;
    this.admission = admission;
    this.blockBytes = blockBytes;
    this.random = random;
  }

  @Override
  public EncodingSteps choose(ReplicatedStripe stripe, int taskNode) {
    EncodingAdvice advice = planner.plan(stripe.where(), blockBytes, chooser, admission, random);
    if (advice instanceof NotEncodable not) {
      throw new IllegalStateException("a stripe cannot be encoded: " + not.flaws());
    }
    EncodingPlan plan = (EncodingPlan) advice;
    return new EncodingSteps(
        plan.readers()[0], plan.sources(), plan.parityTargets(), plan.keepers(), plan.keepers());
  }
}
