package org.rackweave.history;

import java.util.Objects;
import org.rackweave.history.PlacementRecord.Ranking;

/**
 * A decision for a new block as the black box keeps it: one of many.
 *
 * @param weight how many decisions it stands for, itself among them
 */
public record RecordedWrite(double weight, PlacementRecord decision) {
  public RecordedWrite {
    Objects.requireNonNull(decision, "decision");
  }

  /** Seconds that the block was expected to take where it went; not a number where unknown. */
  public double expectedSeconds() {
    if (decision.expected() == null) {
      return Double.NaN;
    }
    return decision.fallback() == null
        ? decision.expected().seconds()
        : decision.expected().stockSeconds();
  }

  /** Whether our choice was carried out, by this ranking. */
  public boolean isBy(Ranking ranking) {
    return decision.fallback() == null && decision.ranking() == ranking;
  }
}
