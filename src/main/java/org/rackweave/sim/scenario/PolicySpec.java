package org.rackweave.sim.scenario;

import java.util.Optional;
import org.rackweave.dayu.Algorithm;
import org.rackweave.dayu.DayuSettings;
import org.rackweave.sinbad.Spread;
import org.rackweave.telemetry.Promise;

/** A policy with its settings. Several of one kind may be compared under different names. */
public sealed interface PolicySpec {

  /** Unique within a scenario. */
  String name();

  /** Whether it recovers a failed node; others place what is written. */
  default boolean recovers() {
    return false;
  }

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
   * @param racks what is known of how wide racks' links are
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
      RackLinks racks,
      Sources sources,
      Optional<Double> alpha,
      Optional<Long> intervalMs)
      implements PolicySpec {

    /**
     * @throws IllegalArgumentException if it is to tell its own transfers apart, which is done by
     *     what nodes report, and does not go by reports; or is to measure racks' links and does not
     *     tell its own transfers apart, for both are in the same reports
     */
    public Sinbad {
      if (promise == Promise.SHARE && knowledge == Knowledge.ORACLE) {
        throw new IllegalArgumentException("promise share needs knowledge reports, not oracle");
      }
      if (racks == RackLinks.MEASURED && promise != Promise.SHARE) {
        throw new IllegalArgumentException("racks measured needs promise share");
      }
    }
  }

  /**
   * Recovery slot by slot.
   *
   * @param algorithm for sources and destinations
   * @param rates for bandwidth
   * @param stragglers what becomes of copies that miss the end of their slot
   * @param beta share of the nodes taken from either end for the underemployed ones
   * @param bucketBytesPerSec width of the hull's buckets
   * @param aim by when what a slot moves should be done
   * @param planning where the time between a report and its plan comes from
   * @param planningMs that time, if it is fixed
   * @param tasksPerSec tasks that are planned in a second, if it goes by tasks
   */
  record Dayu(
      String name,
      Algorithm algorithm,
      DayuSettings.Rates rates,
      DayuSettings.Stragglers stragglers,
      double beta,
      double bucketBytesPerSec,
      DayuSettings.Aim aim,
      Planning planning,
      long planningMs,
      double tasksPerSec)
      implements PolicySpec {
    @Override
    public boolean recovers() {
      return true;
    }
  }

  /** Where the time between a report and its plan comes from. */
  enum Planning {
    /** It is what is written. */
    FIXED,
    /** It is what the planner works here and now. */
    MEASURED,
    /** It follows from the number of tasks. */
    BY_TASKS
  }

  /**
   * Recovery as Pangu has it: random nodes, and a limit on each.
   *
   * @param limitBytesPerSec what recovery uses of a node's link in each direction at most
   */
  record Pangu(String name, double limitBytesPerSec) implements PolicySpec {
    @Override
    public boolean recovers() {
      return true;
    }
  }

  /** What a policy knows of the links when it decides. */
  enum Knowledge {
    /** The reports that have arrived, smoothed. */
    REPORTS,
    /** The true rates of this moment. */
    ORACLE
  }

  /** What a policy knows of how wide racks' links are. */
  enum RackLinks {
    /** All. */
    DECLARED,
    /** What nodes report of full ones. */
    MEASURED
  }

  /** Whether writers sit where they sit. */
  enum Sources {
    FIXED,
    /** Nothing limits a write at its source: the paper's optimistic estimate (section 7.2). */
    UNLIMITED
  }
}
