package org.rackweave.hdfs.eafr;

import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.lib.Interns;
import org.rackweave.eafr.Action;
import org.rackweave.hdfs.eafr.CopySources.SourceOutcome;
import org.rackweave.hdfs.eafr.MovesUnderWay.MoveGivenUp;
import org.rackweave.hdfs.roles.RolesMetrics;

/** EAFR's figures for metrics2, and with it for JMX and Prometheus. Thread-safe. */
public final class EafrMetrics implements MetricsSource {
  private final ReadCounting counting;
  private final Controller controller;
  private final TransferRates rates;
  private final CopySources sources;
  private final RolesMetrics roles;

  /**
   * @param roles {@code null} where all servers are hot
   */
  EafrMetrics(
      ReadCounting counting,
      Controller controller,
      TransferRates rates,
      CopySources sources,
      RolesMetrics roles) {
    this.rates = rates;
    this.sources = sources;
    this.roles = roles;
    this.counting = counting;
    this.controller = controller;
  }

  @Override
  public void getMetrics(MetricsCollector collector, boolean all) {
    MetricsRecordBuilder record = collector.addRecord("RackweaveEafr").setContext("dfs");
    record
        .addCounter(Interns.info("ReadsCounted", "Reads of blocks counted"), counting.counted())
        .addCounter(
            Interns.info("ReadsDropped", "Reads not counted: too many at a time"),
            counting.dropped())
        .addGauge(
            Interns.info("FilesRaised", "Files above their own replication factor"),
            controller.raised().size())
        .addGauge(
            Interns.info("ExtraBytes", "Bytes in replicas beyond the files' own factors"),
            controller.raised().totalBytes());
    if (roles != null) {
      roles.addTo(record);
    }
    var done = controller.changes().done();
    for (Action action : Action.values()) {
      record.addCounter(
          Interns.info("Changes" + camel(action), "Files whose factor or replicas were changed"),
          done.getOrDefault(action, 0L).longValue());
    }
    Mover mover = controller.mover();
    record
        .addGauge(
            Interns.info("MovesWaiting", "Blocks waiting for a move of a replica"), mover.waiting())
        .addGauge(
            Interns.info("MovesUnderWay", "Blocks with a replica being moved"),
            mover.underWay().size())
        .addCounter(
            Interns.info("MovesDone", "Blocks with a replica moved to a standby DataNode"),
            mover.underWay().done());
    var givenUp = mover.underWay().givenUp();
    for (MoveGivenUp why : MoveGivenUp.values()) {
      record.addCounter(
          Interns.info("Moves" + camel(why), "Planned moves of blocks that were not made"),
          givenUp.getOrDefault(why, 0L).longValue());
    }
    TransferRates.Figures paced = rates.figures();
    record
        .addGauge(Interns.info("CopiesWithRates", "Running copies with a rate"), paced.copies())
        .addGauge(
            Interns.info("SourcesHeldToRates", "DataNodes whose agents keep copies to rates"),
            paced.sources())
        .addCounter(Interns.info("CopiesPaced", "Copies that were given a rate"), paced.paced())
        .addCounter(
            Interns.info(
                "CopiesUnmeasured",
                "Copies without a rate: the link of the target is not measured"),
            paced.unmeasured())
        .addCounter(
            Interns.info("RateAdjustments", "Changes of rates of running copies"),
            paced.adjustments());
    var outcomes = sources.outcomes();
    for (SourceOutcome outcome : SourceOutcome.values()) {
      record.addCounter(
          Interns.info("Sources" + camel(outcome), "Copies by the choice of their source"),
          outcomes.getOrDefault(outcome, 0L).longValue());
    }
    var skipped = controller.changes().skipped();
    for (Skipped why : Skipped.values()) {
      record.addCounter(
          Interns.info("Skipped" + camel(why), "Planned changes that were not made"),
          skipped.getOrDefault(why, 0L).longValue());
    }
  }

  private static String camel(Enum<?> constant) {
    return Stream.of(constant.name().split("_"))
        .map(word -> word.charAt(0) + word.substring(1).toLowerCase(Locale.ROOT))
        .collect(Collectors.joining());
  }
}
