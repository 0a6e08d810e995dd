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
              "whether files that are there from the start are where this policy puts them, "
                  + "and not where stock does")
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
          @Meaning("requests of so long are placed together, fewest remaining blocks first (q)")
          long decisionIntervalMs,
      @Allowed("0B to 1TiB") @Default("0B") @Meaning("smaller blocks go to stock placement")
          long thresholdBytes,
      @Allowed("0 to 100%")
          @Default("100%")
          @Meaning("how far above the mean used fraction a node may be and still be chosen")
          double storageImbalance,
      @Default("whole-block")
          @Meaning(
              "what a placed block is taken to use of a link: all of it by the next report, "
                  + "as in the paper; no more than a disk writes; or its share of what others "
                  + "leave")
          Promise promise,
      @Default("yes") @Meaning("whether a disk's speed limits what a link is worth (DiskWriteCap)")
          boolean diskLimited,
      @Default("reports") @Meaning("what has been reported, or the true rates of the moment")
          Knowledge knowledge,
      @Default("declared")
          @Meaning(
              "how wide racks' links are: declared; or what nodes report of full ones, and "
                  + "as much as their hosts' links before")
          RackLinks racks,
      @Default("fixed")
          @Meaning("unlimited: no write is limited at its source, the optimistic estimate")
          Sources sources,
      @Allowed("0.001 to 1, or as-telemetry")
          @Default("as-telemetry")
          @Meaning("in place of the telemetry's")
          Optional<Double> alpha,
      @Allowed("1ms to 1h, or as-telemetry")
          @Default("as-telemetry")
          @Meaning("in place of the telemetry's")
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
              "how sources and destinations are chosen: dayu is ours, hull the paper's; g1, "
                  + "g2, b2r, wr and random are what it compares with")
          Algorithm algorithm,
      @Default("wss") @Meaning("iterative weighted shuffle scheduling, or what ends with the slot")
          DayuSettings.Rates rates,
      @Default("resume")
          @Meaning(
              "keep: copies that miss the end of their slot go on as they were; resume: "
                  + "they are planned anew and go on, as in the paper; restart: as HDFS, which "
                  + "cannot resume a copy")
          DayuSettings.Stragglers stragglers,
      @Allowed("0 to 100%")
          @Default("5%")
          @Meaning(
              "share of the nodes taken from either end for the underemployed ones, asked "
                  + "first; 0 for none")
          double beta,
      @Allowed("1B/s to 1Tbps") @Default("1MB/s") @Meaning("width of the buckets of algorithm hull")
          double bucketBytesPerSec,
      @Default("backlog")
          @Meaning(
              "by when a slot's copies should be done: its end, as in the paper; or, where "
                  + "all that is left could be done before, then")
          DayuSettings.Aim aim,
      @Default("fixed")
          @Meaning(
              "how long after a report its plan begins: planning-time, the processor time "
                  + "the planner takes here, or its tasks over planning-speed")
          Planning planning,
      @Allowed("0ms to 1h") @Default("500ms") @Meaning("with planning fixed (T_schedule)")
          long planningTimeMs,
      @Allowed("1/s to 1000000000/s") @Default("210000/s") @Meaning("with planning by-tasks")
          double planningSpeedPerSec,
      @Allowed("1 to 400, or unlimited")
          @Default("unlimited")
          @Meaning(
              "copies that a source makes at a time; the NameNode's limit, which acts where plans "
                  + "come more often than slots")
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
          @Meaning("what recovery uses of a node's link in each direction at most")
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
