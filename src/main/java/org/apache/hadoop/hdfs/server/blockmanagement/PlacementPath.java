package org.apache.hadoop.hdfs.server.blockmanagement;

import java.util.function.Predicate;
import org.rackweave.ear.ErasureCode;
import org.rackweave.hdfs.EarConfig;
import org.rackweave.hdfs.Feature;
import org.rackweave.hdfs.Placing;
import org.rackweave.hdfs.ear.StripeRegistry;
import org.rackweave.hdfs.namenode.PlacementContext;
import org.rackweave.placement.FallbackReason;

/**
 * Which way a request goes: pools leave nodes out, and the first ranking that knows enough chooses
 * among the others; without any ranking stock HDFS does.
 *
 * @param code of the stripe in which the block has to find a seat, {@code null} for none
 * @param byLinks whether nodes are ranked by the room that links have (Sinbad)
 * @param byOdds whether only hot servers with room take replicas, ranked by their odds where they
 *     are not by links (EAFR)
 * @param whyStock why stock HDFS chooses, {@code null} when it does not
 */
record PlacementPath(ErasureCode code, boolean byLinks, boolean byOdds, FallbackReason whyStock) {
  /** Sinbad alone chooses, among all nodes. */
  static final PlacementPath BY_LINKS = new PlacementPath(null, true, false, null);

  /**
   * The way that features lay.
   *
   * @param takesPart which of them do
   */
  static PlacementPath of(TargetCall call, PlacementContext context, Predicate<Feature> takesPart) {
    boolean hasStripes = takesPart.test(Feature.STRIPES);
    Placing rule = context.config().placing().of(call.path());
    boolean hasOdds =
        rule != Placing.STOCK && takesPart.test(Feature.HEAT) && context.destinations() != null;
    ErasureCode code = hasStripes ? codeOf(call, context) : null;
    boolean byLinks =
        (rule == null || rule == Placing.NETWORK)
            && (takesPart.test(Feature.PLACEMENT)
                || (hasStripes && context.config().ear().ranking() == EarConfig.Ranking.SINBAD));
    if (hasOdds && isRepair(call)) {
      byLinks = false; // Algorithm 4 weighs sources and destinations of what was lost
    }
    return byLinks || hasOdds || code != null
        ? new PlacementPath(code, byLinks, hasOdds, null)
        : new PlacementPath(null, false, false, whyStock(rule, context, takesPart));
  }

  private static ErasureCode codeOf(TargetCall call, PlacementContext context) {
    StripeRegistry stripes = context.stripes();
    return call.isNewBlock() ? stripes.config().paths().of(call.path()).orElse(null) : null;
  }

  /** Whether HDFS's own monitor makes a lost replica again. */
  static boolean isRepair(TargetCall call) {
    return !call.isNewBlock() && RedundancyMonitor.isCurrent();
  }

  private static FallbackReason whyStock(
      Placing rule, PlacementContext context, Predicate<Feature> takesPart) {
    if (rule != null && rule != Placing.NETWORK) {
      return rule == Placing.STOCK ? FallbackReason.RULE : FallbackReason.NO_ODDS;
    }
    boolean isHeatOn = takesPart.test(Feature.HEAT);
    if (isHeatOn && context.config().eafr().isOn()) {
      return FallbackReason.NO_ODDS;
    }
    if (takesPart.test(Feature.STRIPES)) {
      return FallbackReason.NO_CODE;
    }
    if (takesPart.test(Feature.RECOVERY)) {
      return FallbackReason.RECOVERY_ONLY;
    }
    return isHeatOn ? FallbackReason.NO_ODDS : FallbackReason.SWITCHED_OFF;
  }
}
