package org.rackweave.sim.claims;

import java.util.List;
import java.util.Locale;
import org.rackweave.sim.statistics.Estimate;

/**
 * One claim of a paper and what became of it.
 *
 * @param id for programs, {@code <paper>-<what>}
 * @param about one sentence: what is compared, and what counts as met
 * @param isHeadline whether the paper stands or falls with it
 * @param unit of the figures, as people write it; may be empty
 * @param paper its figure
 * @param ours over the seeds
 * @param verdict whether it holds here
 * @param why which bounds are not held, and by what; empty where all are
 * @param details further figures that belong to it
 */
public record Claim(
    String id,
    String about,
    boolean isHeadline,
    String unit,
    double paper,
    Estimate ours,
    Verdict verdict,
    String why,
    List<Detail> details) {

  /** What the confidence intervals of the figures say. */
  public enum Verdict {
    /** All of them are within their bounds. */
    MET,
    /** Some lie on both sides of a limit, and none beyond it: more seeds would decide. */
    UNDECIDED,
    /** One is beyond its bound. */
    NOT_MET;

    /** For people. */
    public String text() {
      return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
  }

  /**
   * A further figure.
   *
   * @param paper NaN where it gives none
   */
  public record Detail(String what, String unit, double paper, Estimate ours) {
    /** One that the paper does not give. */
    Detail(String what, String unit, Estimate ours) {
      this(what, unit, Double.NaN, ours);
    }
  }

  public Claim {
    if ((verdict == Verdict.MET) != why.isEmpty()) {
      throw new IllegalArgumentException(id + ": a bound belongs to a claim that is not met");
    }
    details = List.copyOf(details);
  }

  public boolean met() {
    return verdict == Verdict.MET;
  }
}
