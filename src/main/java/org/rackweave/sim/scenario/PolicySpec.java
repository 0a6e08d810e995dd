package org.rackweave.sim.scenario;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonSubTypes.Type;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.util.Optional;
import org.rackweave.dayu.Algorithm;
import org.rackweave.dayu.DayuSettings;
import org.rackweave.sinbad.Spread;
import org.rackweave.telemetry.Promise;

/** A policy with its settings. Several of one kind may be compared under different names. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
@JsonSubTypes({
  @Type(name = "stock", value = PolicySpec.Stock.class),
  @Type(name = "uniform", value = PolicySpec.Uniform.class),
  @Type(name = "least-loaded", value = PolicySpec.LeastLoaded.class),
  @Type(name = "sinbad", value = PolicySpec.Sinbad.class),
  @Type(name = "ear", value = PolicySpec.Ear.class),
  @Type(name = "dayu", value = PolicySpec.Dayu.class),
  @Type(name = "pangu", value = PolicySpec.Pangu.class)
})
public sealed interface PolicySpec {

  /** Unique within a scenario. */
  String name();

  /** Whether it recovers a failed node; others place what is written. */
  default boolean recovers() {
    return this instanceof Dayu || this instanceof Pangu;
  }

  /** What HDFS does: the writer's node, then two random nodes of one random other rack. */
  record Stock(String name) implements PolicySpec {}

  /** The writer's node, then nodes drawn uniformly, in as many racks as Sinbad's spread asks. */
  record Uniform(
      String name,
      @Default("two-rack")
          @Meaning(
              "two-rack: the writer's rack and one other, as HDFS; distinct-racks: a rack "
                  + "for each replica")
          Spread spread)
      implements PolicySpec {}

  /** CDRM's choice: the nodes that serve the fewest requests at the moment. */
  record LeastLoaded(
      String name,
      @Default("two-rack")
          @Meaning(
              "two-rack: the writer's rack and one other, as HDFS; distinct-racks: a rack "
                  + "for each replica")
          Spread spread)
      implements PolicySpec {}

  /** EAR, with the stripes of {@code encoding}. */
  record Ear(
      String name,
      @Default("no")
          @Meaning(
              "whether this policy, and not stock placement, places files that exist from"
                  + " the start")
          boolean placesStored)
      implements PolicySpec {}

  /** Sinbad. */
  record Sinbad(
      String name,
      @Default("two-rack")
          @Meaning(
              "two-rack: the writer's rack and one other, as HDFS; distinct-racks: a rack "
                  + "for each replica")
          Spread spread,
      @Allowed("0ms to 1h")
          @Default("0ms")
          @Meaning("requests of this time are placed together, fewest remaining blocks first (q)")
          long decisionIntervalMs,
      @Allowed("0B to 1TiB") @Default("0B") @Meaning("smaller blocks are left to stock placement")
          long thresholdBytes,
      @Allowed("0 to 100%")
          @Default("100%")
          @Meaning("how far a node's used fraction may be above the mean")
          double storageImbalance,
      @Default("whole-block")
          @Meaning(
              "assumed use of a link by a placed block: all of the block by the next"
                  + " report, as in the paper; at most what a disk writes; or its share of what"
                  + " other traffic leaves")
          Promise promise,
      @Default("yes")
          @Meaning("whether the speed of a disk limits the value of a link" + " (DiskWriteCap)")
          boolean diskLimited,
      @Default("reports") @Meaning("known loads: those reported, or the true current ones")
          Knowledge knowledge,
      @Default("declared")
          @Meaning(
              "known capacity of rack links: the declared one; or learned from full links,"
                  + " and until then the sum of the hosts' links")
          RackLinks racks,
      @Default("fixed")
          @Meaning("unlimited: no write is limited at its source (the paper's optimistic estimate)")
          Sources sources,
      @Allowed("0.001 to 1, or as-telemetry")
          @Default("as-telemetry")
          @Meaning("overrides the value of `telemetry`")
          Optional<Double> alpha,
      @Allowed("1ms to 1h, or as-telemetry")
          @Default("as-telemetry")
          @Meaning("overrides the value of `telemetry`")
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

  /** Recovery slot by slot. */
  record Dayu(
      String name,
      @Default("dayu")
          @Meaning(
              "choice of sources and targets: dayu is ours, hull the paper's; it compares"
                  + " with g1, g2, b2r, wr and random")
          Algorithm algorithm,
      @Default("wss")
          @Meaning(
              "wss: iterative weighted shuffle scheduling; deadline: copies end" + " with the slot")
          DayuSettings.Rates rates,
      @Default("resume")
          @Meaning(
              "keep: copies that miss the end of their slot continue unchanged; resume:"
                  + " they are planned again and continue, as in the paper; restart: as in HDFS,"
                  + " which cannot resume a copy")
          DayuSettings.Stragglers stragglers,
      @Allowed("0 to 100%")
          @Default("5%")
          @Meaning(
              "share of the nodes at either end among which underemployed ones are looked"
                  + " for, which send first; 0: none")
          double beta,
      @Allowed("1B/s to 1Tbps") @Default("1MB/s") @Meaning("bucket width of algorithm hull")
          double bucketBytesPerSec,
      @Default("backlog")
          @Meaning(
              "when the copies of a slot should end: slot: at its end, as in the paper;"
                  + " backlog: earlier, if all remaining copies could end earlier")
          DayuSettings.Aim aim,
      @Default("fixed")
          @Meaning(
              "time from a report to its plan: fixed: `planning-time`; measured: the CPU"
                  + " time of the planner; by-tasks: its tasks over `planning-speed`")
          Planning planning,
      @Allowed("0ms to 1h") @Default("500ms") @Meaning("with `planning fixed` (T_schedule)")
          long planningTimeMs,
      @Allowed("1/s to 1000000000/s") @Default("210000/s") @Meaning("with `planning by-tasks`")
          double planningSpeedPerSec,
      @Allowed("1 to 400, or unlimited")
          @Default("unlimited")
          @Meaning(
              "concurrent copies of a source, the NameNode's limit; it applies if plans are"
                  + " made more often than once per slot")
          Optional<Integer> streams)
      implements PolicySpec {}

  /** Where the time between a report and its plan comes from. */
  enum Planning {
    /** It is what is written. */
    FIXED,
    /** It is what the planner works here and now. */
    MEASURED,
    /** It follows from the number of tasks. */
    BY_TASKS
  }

  /** Recovery as Pangu has it: random nodes, and a limit on each. */
  record Pangu(
      String name,
      @Allowed("1kB/s to 1Tbps")
          @Default("30MB/s")
          @Meaning("most bandwidth of a node's link that recovery uses, in each direction")
          double limitBytesPerSec)
      implements PolicySpec {}

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
