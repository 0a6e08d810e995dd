package org.rackweave.eafr;

import org.rackweave.model.Require;

/**
 * When a file is hot and when it is cold (Eq. 2 to 6).
 *
 * @param tauUpper reads per replica above which a file is hot, the paper's tau_u
 * @param tauLower reads per replica below which it may be cold, tau_l; less than tau_u
 * @param sigmaUpper reads above which a replica is hot, sigma_u
 * @param sigmaLower reads below which a replica is cold, sigma_l; less than sigma_u
 * @param gammaReads share of the replicas that decides, gamma_v, in (0, 1)
 * @param gammaServers share of overloaded servers above which a hot file gets a replica, gamma_s,
 *     in (0, 1)
 * @param tauLoad share of its capacity above which a server is overloaded, tau_c, in (0, 1]
 */
public record Thresholds(
    double tauUpper,
    double tauLower,
    double sigmaUpper,
    double sigmaLower,
    double gammaReads,
    double gammaServers,
    double tauLoad) {

  /** As in section 4; gamma is not given there. */
  public static final Thresholds PAPER = new Thresholds(20, 10, 8, 1, 0.5, 0.5, 0.8);

  /** Shares are sums over thirds and sevenths: what is equal on paper must be so here. */
  private static final double ROUNDING = 1e-9;

  /**
   * @throws IllegalArgumentException naming the threshold, its value and what is allowed
   */
  public Thresholds {
    Require.positive("tau_u", tauUpper);
    Require.that(tauLower > 0 && tauLower < tauUpper, "tau_l", tauLower, "(0, tau_u), " + tauUpper);
    Require.positive("sigma_u", sigmaUpper);
    Require.that(
        sigmaLower > 0 && sigmaLower < sigmaUpper,
        "sigma_l",
        sigmaLower,
        "(0, sigma_u), " + sigmaUpper);
    Require.fraction("gamma_v", gammaReads);
    Require.fraction("gamma_s", gammaServers);
    Require.that(tauLoad > 0 && tauLoad <= 1, "tau_c", tauLoad, "(0, 1]");
  }

  /** Hot, cold or neither; when both, which gamma_v below 1/2 allows, hot. */
  public Temperature temperature(FileReads reads, int factor) {
    if (hot(reads, factor) != null) {
      return Temperature.HOT;
    }
    return cold(reads, factor) == null ? Temperature.NORMAL : Temperature.COLD;
  }

  /**
   * Why a file is hot for certain (Eq. 2 or 3), {@code null} when it may not be.
   *
   * @param factor the paper's r_i, positive
   */
  public Finding hot(FileReads reads, int factor) {
    return hot(reads, factor, factor);
  }

  /**
   * Whether a file would be hot with another factor, its reads spread over that many replicas. As
   * long as it may be, taking a replica away would bring it back.
   */
  boolean mayBeHotWith(FileReads reads, int factor, int otherFactor) {
    FileReads most =
        new FileReads(
            reads.mostReads(),
            reads.mostReads(),
            reads.mostReplicaReads(),
            reads.mostReplicaReads());
    return otherFactor < 1 || hot(most, factor, otherFactor) != null;
  }

  /** With how many replicas a file that is hot by Eq. 2 is no longer; one more when by Eq. 3. */
  int factorToCool(FileReads reads, int factor) {
    double wanted = Math.max(factor + 1L, Math.ceil(reads.sureReads() / tauUpper));
    return (int) Math.min(Integer.MAX_VALUE, wanted);
  }

  private Finding hot(FileReads reads, int factor, int spreadOver) {
    double perReplica = reads.sureReads() / spreadOver;
    if (perReplica > tauUpper) {
      return new Finding(Equation.EQ2, perReplica, tauUpper);
    }
    double bound = sigmaUpper * spreadOver / factor;
    int hot = 0;
    for (double replica : reads.sureReplicaReads()) {
      hot += replica > bound ? 1 : 0;
    }
    double share = share(hot, reads.sureReplicaReads().length);
    return share > gammaReads + ROUNDING ? new Finding(Equation.EQ3, share, gammaReads) : null;
  }

  /** Why a file is cold for certain (Eq. 4 and 5), {@code null} when it may not be. */
  public Finding cold(FileReads reads, int factor) {
    double perReplica = reads.mostReads() / factor;
    int cold = 0;
    for (double replica : reads.mostReplicaReads()) {
      cold += replica < sigmaLower ? 1 : 0;
    }
    double share = share(cold, reads.mostReplicaReads().length);
    return perReplica < tauLower && share > gammaReads + ROUNDING
        ? new Finding(Equation.EQ4_AND_5, perReplica, tauLower)
        : null;
  }

  /**
   * Why the servers of a hot file do not suffice (Eq. 6), {@code null} when they do.
   *
   * @param holders for each replica of each block its server
   */
  public Finding overloaded(int[] holders, Servers servers) {
    int overloaded = 0;
    for (int server : holders) {
      overloaded += servers.isOverloaded(server, tauLoad) ? 1 : 0;
    }
    double share = share(overloaded, holders.length);
    return share > gammaServers + ROUNDING ? new Finding(Equation.EQ6, share, gammaServers) : null;
  }

  private static double share(int some, int all) {
    return all == 0 ? 0 : (double) some / all;
  }
}
