package org.rackweave.sinbad;

import java.util.Arrays;
import java.util.random.RandomGenerator;
import org.rackweave.model.ClusterTopology;
import org.rackweave.telemetry.LinkLedger;

/**
 * How long a block would take where stock HDFS would put it. Stock draws at random, so this is no
 * one time but a distribution: of {@value #DRAWN} draws of a node and, beside it in its rack, of
 * another one, which is where stock puts the second and the third replica.
 *
 * <p>Drawn once for many decisions, with every snapshot of the links. Immutable.
 */
public final class StockOutlook {
  private static final int DRAWN = 64;

  /** One draw of ten is slower than this one. */
  private static final double LATE = 0.1;

  /** Rates of the draws in ascending order; empty when nothing can be drawn. */
  private final double[] rates;

  /** Sum of seconds a byte of the slowest draws, by how many. */
  private final double[] slowest;

  private StockOutlook(double[] rates) {
    this.rates = rates;
    slowest = new double[rates.length + 1];
    for (int i = 0; i < rates.length; i++) {
      slowest[i + 1] = slowest[i] + 1 / rates[i];
    }
  }

  /** Draws. */
  public static StockOutlook draw(LinkLedger links, RandomGenerator random) {
    ClusterTopology topology = links.topology();
    if (topology.nodeCount() == 0) {
      return new StockOutlook(new double[0]);
    }
    double[] rates = new double[DRAWN];
    for (int i = 0; i < DRAWN; i++) {
      int second = random.nextInt(topology.nodeCount());
      int rack = topology.rackOf(second);
      int third = topology.firstNode(rack) + random.nextInt(topology.rackSize(rack));
      rates[i] =
          Math.min(links.likelyAtHost(second, true, true), links.likelyAtHost(third, false, false));
    }
    Arrays.sort(rates);
    return new StockOutlook(rates);
  }

  /** Whether nothing is known. */
  public boolean isEmpty() {
    return rates.length == 0;
  }

  /**
   * Seconds that a block takes on average.
   *
   * @param most bytes per second that its writer sends at most; infinite where that is not known
   */
  public double meanSeconds(long sizeBytes, double most) {
    int at = Arrays.binarySearch(rates, most);
    int slower = at < 0 ? -at - 1 : at;
    return sizeBytes * (slowest[slower] + (rates.length - slower) / most) / rates.length;
  }

  /** Seconds that one block of ten takes at least. */
  public double lateSeconds(long sizeBytes, double most) {
    return sizeBytes / Math.min(most, rates[(int) (LATE * rates.length)]);
  }
}
