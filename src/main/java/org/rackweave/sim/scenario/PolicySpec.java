package org.rackweave.sim.scenario;

import java.util.Optional;
import org.rackweave.sinbad.Spread;
import org.rackweave.telemetry.Promise;

/** A policy with its settings. Several of one kind may be compared under different names. */
public sealed interface PolicySpec {

  /** Unique within a scenario. */
  String name();

  /** What HDFS does: the writer's node, then two random nodes of one random other rack. */
  record Stock(String name) implements PolicySpec {}

  /** The writer's node, then nodes drawn uniformly, in as many racks as Sinbad's spread asks. */
  record Uniform(String name, Spread spread) implements PolicySpec {}

  /** CDRM's choice: the nodes that serve the fewest requests at the moment. */
  record LeastLoaded(String name, Spread spread) implements PolicySpec {}

  /**
   * EAR, with the stripes of {@code encoding}.
   *
   * @param placesStored whether it has placed the files that are there from the start, too
   */
  record Ear(String name, boolean placesStored) implements PolicySpec {}

  /**
   * Sinbad.
   *
   * @param spread how replicas are spread over racks
   * @param decisionIntervalMs the paper's q; requests that arrive within it are placed together,
   *     fewest remaining blocks first; 0 places each at once
   * @param thresholdBytes smaller blocks go to stock placement
   * @param storageImbalance how far above the mean used fraction a node may be and still be chosen
   * @param promise what a placed block is taken to use of its links until their next measurement
   * @param diskLimited whether a disk's speed limits what a link is worth
   * @param knowledge what it decides on
   * @param sources whether the writer's own links limit a write
   * @param alpha in place of the telemetry's
   * @param intervalMs in place of the telemetry's
   */
  record Sinbad(
      String name,
      Spread spread,
      long decisionIntervalMs,
      long thresholdBytes,
      double storageImbalance,
      Promise promise,
      boolean diskLimited,
      Knowledge knowledge,
      Sources sources,
      Optional<Double> alpha,
      Optional<Long> intervalMs)
      implements PolicySpec {

    /**
     * @throws IllegalArgumentException if it is to tell its own transfers apart, which is done by
     *     what nodes report, and does not go by reports
     */
    public Sinbad {
      if (promise == Promise.SHARE && knowledge == Knowledge.ORACLE) {
        throw new IllegalArgumentException("promise share needs knowledge reports, not oracle");
      }
    }
  }

  /** What a policy knows of the links when it decides. */
  enum Knowledge {
    /** The reports that have arrived, smoothed. */
    REPORTS,
    /** The true rates of this moment. */
    ORACLE
  }

  /** Whether writers sit where they sit. */
  enum Sources {
    FIXED,
    /** Nothing limits a write at its source: the paper's optimistic estimate (section 7.2). */
    UNLIMITED
  }
}
