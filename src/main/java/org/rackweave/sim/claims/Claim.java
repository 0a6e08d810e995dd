package org.rackweave.sim.claims;

import java.util.List;
import org.rackweave.sim.report.Estimate;

/**
 * One claim of a paper and what became of it.
 *
 * @param id for programs, {@code <paper>-<what>}
 * @param about one sentence: what is compared, and what counts as met
 * @param isHeadline whether the paper stands or falls with it
 * @param unit of the figures, as people write it; may be empty
 * @param paper its figure
 * @param ours over the seeds
 * @param met whether it holds here
 * @param why which bound is missed by what, or the cause, where it does not; empty where it does
 * @param details further figures that belong to it
 */
public record Claim(
    String id,
    String about,
    boolean isHeadline,
    String unit,
    double paper,
    Estimate ours,
    boolean met,
    String why,
    List<Detail> details) {

  /**
   * A further figure.
   *
   * @param paper NaN where it gives none
   */
  public record Detail(String what, String unit, double paper, Estimate ours) {}

  public Claim {
    if (met != why.isEmpty()) {
      throw new IllegalArgumentException(id + ": a cause belongs to a claim that is not met");
    }
    details = List.copyOf(details);
  }
}
