package org.rackweave.sim.run;

import java.util.List;
import org.rackweave.sim.encoding.EncodedStripe;
import org.rackweave.sim.engine.SimTime;

/**
 * What was seen of encoding in one run.
 *
 * @param stripes in the order in which they were encoded
 * @param unfinished tasks that had stripes left when the run was broken off
 * @param meanDraws layouts drawn for the first, second, ... block of a stripe, NaN where there was
 *     none; empty for policies that form no stripes
 */
public record EncodingRecord(List<EncodedStripe> stripes, int unfinished, double[] meanDraws) {
  public EncodingRecord {
    stripes = List.copyOf(stripes);
  }

  /** When the last stripe was encoded; 0 without any. */
  public long endedNanos() {
    return stripes.isEmpty() ? 0 : stripes.get(stripes.size() - 1).endedNanos();
  }

  /**
   * From the first block read to the last written; NaN without stripes, or when the run was broken
   * off before the last.
   */
  public double seconds() {
    long started =
        stripes.stream().mapToLong(EncodedStripe::startedNanos).min().orElse(Long.MAX_VALUE);
    return stripes.isEmpty() || unfinished > 0
        ? Double.NaN
        : SimTime.toSeconds(endedNanos() - started);
  }

  /** Data encoded per second (EAR, experiment A.1), parity not counted; NaN as {@link #seconds}. */
  public double dataBytesPerSec() {
    return stripes.stream().mapToDouble(EncodedStripe::dataBytes).sum() / seconds();
  }

  /** Data blocks of a stripe that were read across racks, in the mean. */
  public double crossRackDownloads() {
    return mean(stripes.stream().mapToInt(EncodedStripe::crossRackDownloads).sum());
  }

  /** Parity blocks of a stripe that were written across racks, in the mean. */
  public double crossRackUploads() {
    return mean(stripes.stream().mapToInt(EncodedStripe::crossRackUploads).sum());
  }

  /** Data blocks of a stripe that could not stay where they were, in the mean. */
  public double relocations() {
    return mean(stripes.stream().mapToInt(EncodedStripe::relocations).sum());
  }

  private double mean(int sum) {
    return stripes.isEmpty() ? Double.NaN : sum / (double) stripes.size();
  }
}
