package org.rackweave.sim.recovery;

import java.util.Arrays;

/**
 * What was seen of one recovery.
 *
 * @param seconds from the failure to the last chunk's last byte; to the end of the run if that was
 *     broken off or endless; NaN where nothing failed
 * @param idealSec the same if all available bandwidth could be used; of an endless run its seconds
 * @param interference the interference factor (Eq. 4), on average over the recovery
 * @param worstSlot that of the worst slot
 * @param foregroundAlone the factor of the foreground without recovery
 * @param allowed the factor if recovery used all that Eq. 1 allows and knew the foreground
 * @param recoveredBytes of chunks that are there again
 * @param idealBytes what could have been recovered in an endless run; of another all of its bytes
 * @param lostProgressBytes copied in vain
 * @param missing chunks that are not there again
 * @param copies begun
 * @param stragglers copies under way that a plan had to see to, each time
 * @param planWorkSec what the planner worked for each plan, by the clock it was given
 */
public record RecoveryOutcome(
    double seconds,
    double idealSec,
    double interference,
    double worstSlot,
    double foregroundAlone,
    double allowed,
    double recoveredBytes,
    double idealBytes,
    double lostProgressBytes,
    int missing,
    long copies,
    long stragglers,
    double[] planWorkSec) {

  private static final double NO = Double.NaN;

  /** Of a run in which nothing is recovered. */
  public static final RecoveryOutcome NONE =
      new RecoveryOutcome(NO, NO, NO, NO, NO, NO, NO, NO, NO, 0, 0, 0, new double[0]);

  /** Recovery time over the ideal one; of an endless run ideal bytes over those recovered. */
  public double overIdeal() {
    return seconds / idealSec * (idealBytes / recoveredBytes);
  }

  /** Stragglers to a copy begun. */
  public double stragglersPerCopy() {
    return copies == 0 ? 0 : (double) stragglers / copies;
  }

  /** Median of the planner's work for a plan, seconds; NaN without plans. */
  public double planSec() {
    double[] sorted = planWorkSec.clone();
    Arrays.sort(sorted);
    return sorted.length == 0 ? Double.NaN : sorted[sorted.length / 2];
  }
}
