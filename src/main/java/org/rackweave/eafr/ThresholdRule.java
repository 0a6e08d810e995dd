package org.rackweave.eafr;

/**
 * What bounds on reads are counted in: reads, as in the paper, or shares of the reads that a server
 * was seen to serve in an interval. Reads in an interval say nothing of how much they ask of a
 * server: with an interval of another length, or other disks and links, the paper's numbers are
 * others.
 *
 * @param bounds the thresholds, those on reads as numbers or as shares
 * @param areShares whether they are shares
 */
public record ThresholdRule(Thresholds bounds, boolean areShares) {
  /** The paper's numbers of reads (section 4). */
  public static final ThresholdRule PAPER = new ThresholdRule(Thresholds.PAPER, false);

  /**
   * Ours. A file is hot where each of its replicas takes a tenth of what a server can serve, or
   * most of them a twenty-fifth; the rest is in the paper's proportions. It gets a replica when one
   * of three servers is overloaded: those who wait there are the slowest of all.
   */
  public static final ThresholdRule RELATIVE =
      new ThresholdRule(new Thresholds(0.1, 0.05, 0.04, 0.005, 0.5, 0.3, 0.8), true);

  private static final double LEAST_TAU_UPPER = 4;
  private static final double LEAST_SIGMA_UPPER = 2;

  /**
   * The thresholds in reads. No file is hot that is read a few times only, which gains nothing from
   * another replica, however little else is read. No file is cold that is read more than the
   * paper's cold ones, however much servers serve: replicas of cold files move to standby servers.
   *
   * @param served most reads that a server was seen to serve in an interval; of fewer than one
   *     nothing is known
   */
  public Thresholds at(double served) {
    if (!areShares) {
      return bounds;
    }
    double reads = Math.max(1, served);
    return new Thresholds(
        Math.max(reads * bounds.tauUpper(), LEAST_TAU_UPPER),
        Math.min(reads * bounds.tauLower(), Thresholds.PAPER.tauLower()),
        Math.max(reads * bounds.sigmaUpper(), LEAST_SIGMA_UPPER),
        Math.min(reads * bounds.sigmaLower(), Thresholds.PAPER.sigmaLower()),
        bounds.gammaReads(),
        bounds.gammaServers(),
        bounds.tauLoad());
  }
}
