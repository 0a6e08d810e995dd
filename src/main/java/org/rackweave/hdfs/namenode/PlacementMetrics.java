package org.rackweave.hdfs.namenode;

import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.lib.Interns;
import org.rackweave.ear.LeaveReason;
import org.rackweave.ear.OpenStripeStatus;
import org.rackweave.ear.StripeOutcome;
import org.rackweave.hdfs.ClusterView;
import org.rackweave.hdfs.Feature;
import org.rackweave.hdfs.FeatureModes;
import org.rackweave.hdfs.Mode;
import org.rackweave.hdfs.ear.EncodingCounts;
import org.rackweave.hdfs.ear.EncodingRefusal;
import org.rackweave.hdfs.ear.StripeRegistry;
import org.rackweave.placement.FallbackReason;
import org.rackweave.telemetry.DropCause;
import org.rackweave.telemetry.LinkDirection;
import org.rackweave.telemetry.LinkSnapshot;
import org.rackweave.telemetry.LinkStatistics;

/**
 * What an operator watches, as a metrics2 source (so it shows in {@code /jmx} and {@code /prom}).
 * The hot path only adds to counters; everything else is worked out when somebody looks.
 */
public final class PlacementMetrics implements MetricsSource {
  private static final int TIME_BUCKETS = 40;

  private final PlacementContext context;
  private final LongAdder decisions = new LongAdder();
  private final LongAdder shadowDecisions = new LongAdder();
  private final LongAdder shadowAgreements = new LongAdder();
  private final LongAdder readsOrdered = new LongAdder();
  private final LongAdder readsLeft = new LongAdder();
  private final LongAdder[] fallbacks = adders(FallbackReason.values().length);

  /** Decision times; bucket i counts times below 2^i nanoseconds that no smaller bucket counts. */
  private final LongAdder[] times = adders(TIME_BUCKETS);

  PlacementMetrics(PlacementContext context) {
    this.context = context;
  }

  private static LongAdder[] adders(int count) {
    return Stream.generate(LongAdder::new).limit(count).toArray(LongAdder[]::new);
  }

  /** Counts a decision that was carried out. */
  public void decided(long nanos) {
    decisions.increment();
    timed(nanos);
  }

  /** Counts a decision of shadow mode. */
  public void shadowed(long nanos, boolean sameAsStock) {
    shadowDecisions.increment();
    if (sameAsStock) {
      shadowAgreements.increment();
    }
    timed(nanos);
  }

  private void timed(long nanos) {
    int bucket = Math.min(TIME_BUCKETS - 1, 64 - Long.numberOfLeadingZeros(Math.max(0, nanos)));
    times[bucket].increment();
  }

  /** Counts a request that stock placement answered. */
  public void fellBack(FallbackReason reason) {
    fallbacks[reason.ordinal()].increment();
  }

  /** Counts a block whose replicas were ordered for a reader, or left to stock. */
  void readOrdered(boolean isOurs) {
    (isOurs ? readsOrdered : readsLeft).increment();
  }

  /** Blocks whose replicas were ordered for readers. */
  public long readsOrdered() {
    return readsOrdered.sum();
  }

  /** Blocks left to stock because a DataNode was not known. */
  public long readsLeft() {
    return readsLeft.sum();
  }

  public long decisionCount() {
    return decisions.sum();
  }

  public long shadowDecisionCount() {
    return shadowDecisions.sum();
  }

  public long fallbackCount(FallbackReason reason) {
    return fallbacks[reason.ordinal()].sum();
  }

  /** Requests answered by stock placement, whatever the reason. */
  public long fallbackCount() {
    long sum = 0;
    for (LongAdder reason : fallbacks) {
      sum += reason.sum();
    }
    return sum;
  }

  /** Upper bound of a quantile of the decision times, in nanoseconds, exact to a factor of two. */
  public long decisionNanos(double quantile) {
    long total = 0;
    for (LongAdder bucket : times) {
      total += bucket.sum();
    }
    long below = 0;
    for (int i = 0; i < TIME_BUCKETS; i++) {
      below += times[i].sum();
      if (total > 0 && below >= quantile * total) {
        return 1L << i;
      }
    }
    return 0;
  }

  @Override
  public void getMetrics(MetricsCollector collector, boolean all) {
    MetricsRecordBuilder record = collector.addRecord("Rackweave").setContext("dfs");
    FeatureModes modes = context.modes();
    record.tag(Interns.info("Mode", "Modes of all features"), modes.toString());
    for (Feature feature : Feature.values()) {
      record.tag(
          Interns.info("Mode" + camel(feature.name()), "The same of one feature"),
          modes.of(feature).name());
      // Prometheus makes labels of tags, which change with the mode and cannot be compared.
      gauge(
          record,
          "Mode" + camel(feature.name()),
          "0 for off, 1 for shadow, 2 for active",
          number(modes.of(feature)));
    }
    counter(record, "Decisions", "Decisions carried out", decisions.sum());
    counter(record, "ReadsOrdered", "Blocks whose replicas EAFR ordered", readsOrdered.sum());
    counter(record, "ReadsOrderedByStock", "Blocks with unknown DataNodes", readsLeft.sum());
    counter(record, "ShadowDecisions", "Decisions made in shadow mode", shadowDecisions.sum());
    counter(
        record,
        "ShadowAgreements",
        "Shadow decisions that chose the nodes stock chose",
        shadowAgreements.sum());
    for (FallbackReason reason : FallbackReason.values()) {
      counter(
          record,
          "Fallback" + camel(reason.name()),
          "Stock acted: " + reason.label(),
          fallbackCount(reason));
    }
    counter(
        record,
        "BreakerOpened",
        "Times that the circuit breaker left placement to stock HDFS",
        context.breaker().openedCount());
    gauge(
        record,
        "WriteTimesCompared",
        "1 while write times are compared, by a canary or the control share; otherwise 0",
        context.trials().running() == null ? 0 : 1);
    gauge(record, "DecisionNanosP50", "Median decision time, ns", decisionNanos(0.5));
    gauge(record, "DecisionNanosP95", "95th percentile of decision time, ns", decisionNanos(0.95));
    gauge(record, "DecisionNanosP99", "99th percentile of decision time, ns", decisionNanos(0.99));
    addTelemetry(record);
    addStripes(record, context.stripes());
  }

  private static int number(Mode mode) {
    return switch (mode) {
      case OFF -> 0;
      case SHADOW -> 1;
      case ACTIVE -> 2;
    };
  }

  private static void addEncoding(MetricsRecordBuilder record, StripeRegistry stripes) {
    gauge(record, "EncodedStripes", "Encoded stripes", stripes.encoded().stripeCount());
    gauge(record, "EncodedBlocks", "Data blocks in them", stripes.encoded().blockCount());
    gauge(
        record,
        "EncodedStripesUnreadable",
        "Parity files whose record cannot be read",
        stripes.encoded().unreadableCount());
    EncodingCounts counts = stripes.counts();
    counter(record, "StripesEncoded", "Stripes encoded since the start", counts.stripes());
    counter(record, "BytesEncoded", "Bytes of data blocks in these", counts.bytes());
    counter(
        record,
        "EncodingBytesReadInRack",
        "Bytes read to encode, in the rack that encoded",
        counts.bytesReadInRack());
    counter(
        record,
        "EncodingBytesReadAcrossRacks",
        "Bytes read to encode, from other racks",
        counts.bytesReadAcrossRacks());
    counter(record, "FilesShrunk", "Files left with one replica a block", counts.filesShrunk());
    gauge(record, "StripesDecodable", "Stripes with missing blocks", counts.decodable());
    gauge(record, "StripesLost", "Stripes that miss too many blocks", counts.lost());
    gauge(
        record,
        "StripesGivingUp",
        "Stripes whose blocks get their replicas back",
        counts.givingUp());
    counter(record, "StripesGivenUp", "Dissolved stripes", counts.stripesGivenUp());
    counter(
        record,
        "StripeMembersLeft",
        "Deleted or changed blocks that stripes no longer need",
        counts.membersLeft());
    gauge(
        record,
        "ReplicasWithheld",
        "Replicas of deleted blocks that stripes still need",
        counts.replicasWithheld());
    gauge(
        record,
        "DeletionsWaitingMs",
        "Time that deletions have waited for stripes to be read",
        counts.deletionsWaitingMs());
    counter(
        record,
        "DeletionsPutBack",
        "Orders to delete put back into HDFS's queue",
        counts.deletionsPutBack());
    counter(record, "StripeWalks", "Walks over all encoded stripes", counts.walks());
    counts
        .filesWaiting()
        .forEach(
            (why, files) ->
                gauge(
                    record,
                    "EncodedFiles" + camel(why.name()),
                    "Encoded files that keep their replicas",
                    files));
    counter(record, "BlocksRepaired", "Missing blocks repaired", counts.blocksRepaired());
    counter(record, "RepairsFailed", "Repairs to be tried again", counts.repairsFailed());
    for (EncodingRefusal refusal : EncodingRefusal.values()) {
      counter(
          record,
          "StripesNotEncoded" + camel(refusal.name()),
          "Stripes not encoded: " + refusal.label(),
          counts.refusals(refusal));
    }
  }

  private static void addStripes(MetricsRecordBuilder record, StripeRegistry stripes) {
    List<OpenStripeStatus> open = stripes.openStatus();
    gauge(record, "OpenStripes", "Stripes that accept blocks", open.size());
    gauge(
        record,
        "OpenStripeBlocks",
        "Blocks in open stripes",
        open.stream().mapToInt(OpenStripeStatus::blocks).sum());
    gauge(
        record, "SealedStripesWaiting", "Stripes that wait to be encoded", stripes.sealedWaiting());
    counter(record, "SealedStripes", "Stripes sealed", stripes.sealedCount());
    counter(
        record,
        "SealedStripesDropped",
        "Sealed stripes removed to make room",
        stripes.droppedCount());
    counter(
        record,
        "SealedStripesTakenApart",
        "Sealed stripes dissolved: blocks gone or no longer to be encoded",
        stripes.takenApartCount());
    counter(
        record,
        "StripeBlocksFound",
        "Blocks in no stripe that a search gave a place",
        stripes.foundCount());
    counter(record, "StripeSearches", "Searches for such blocks", stripes.searchCount());
    counter(
        record,
        "StripeBlocksUnobserved",
        "Blocks in no stripe because their ids could not be learned",
        stripes.unobservedCount());
    addEncoding(record, stripes);
    for (StripeOutcome outcome : StripeOutcome.values()) {
      counter(
          record,
          "StripeBlocks" + camel(outcome.name()),
          "Blocks placed for stripes: " + outcome.label(),
          stripes.outcomeCount(outcome));
    }
    for (LeaveReason reason : LeaveReason.values()) {
      counter(
          record,
          "StripeBlocksLeft" + camel(reason.name()),
          "Blocks that left an open stripe: " + reason.name().toLowerCase(Locale.ROOT),
          stripes.departureCount(reason));
    }
  }

  private void addTelemetry(MetricsRecordBuilder record) {
    counter(record, "ReportsAccepted", "Agent reports taken", context.collector().acceptedCount());
    for (DropCause cause : DropCause.values()) {
      counter(
          record,
          "ReportsDropped" + camel(cause.name()),
          "Agent reports dropped: " + cause.label(),
          context.collector().droppedCount(cause));
    }
    gauge(
        record,
        "LinksDoubted",
        "DataNodes that report an implausibly fast link",
        context.linksDoubted());
    // JMX learns the attributes from the first record, so each one is there from the start.
    ClusterView state = context.state();
    LinkSnapshot links = state == null ? context.noLinks() : state.links();
    gauge(record, "LiveDataNodes", "DataNodes in the snapshot", links.liveCount());
    gauge(record, "MeasuredDataNodes", "DataNodes whose agent reports", links.measuredCount());
    gauge(record, "DerivedDataNodes", "DataNodes with derived load", links.derivedCount());
    gauge(record, "Coverage", "Share of DataNodes with known load", links.coverage());
    gauge(
        record,
        "CoverageMin",
        "Share of DataNodes with known load that decisions need",
        context.config().coverageMin());
    gauge(record, "OldestSampleMs", "Age of the oldest measurement in use", oldestMs(links));
    gauge(
        record,
        "RackLinkLearnedBytesPerSec",
        "Learned capacity of a rack link; 0: none was full",
        context.rackLinkLearned());
    gauge(
        record,
        "DiskWriteBytesPerSec",
        "Assumed write speed of a disk",
        links.diskWriteBytesPerSec());
    level(record, "HostRx", LinkStatistics.ofHosts(links, LinkDirection.RX));
    level(record, "HostTx", LinkStatistics.ofHosts(links, LinkDirection.TX));
    level(record, "RackRx", LinkStatistics.ofRacks(links, LinkDirection.RX));
    level(record, "RackTx", LinkStatistics.ofRacks(links, LinkDirection.TX));
  }

  private static long oldestMs(LinkSnapshot links) {
    long oldest = 0;
    for (int node = 0; node < links.topology().nodeCount(); node++) {
      if (links.sampledAtMs(node) != Long.MIN_VALUE) {
        oldest = Math.max(oldest, links.takenAtMs() - links.sampledAtMs(node));
      }
    }
    return oldest;
  }

  private static void level(MetricsRecordBuilder record, String name, LinkStatistics statistics) {
    String links = name + " links";
    gauge(
        record, name + "Cv", "Coefficient of variation of utilisation, " + links, statistics.cv());
    gauge(record, name + "P50", "Median utilisation, " + links, statistics.p50());
    gauge(record, name + "P95", "95th percentile of utilisation, " + links, statistics.p95());
    gauge(record, name + "Max", "Largest utilisation, " + links, statistics.max());
  }

  private static void counter(MetricsRecordBuilder record, String name, String about, long value) {
    record.addCounter(Interns.info(name, about), value);
  }

  private static void gauge(MetricsRecordBuilder record, String name, String about, double value) {
    record.addGauge(Interns.info(name, about), value);
  }

  private static String camel(String constant) {
    StringBuilder text = new StringBuilder();
    for (String word : constant.split("_")) {
      text.append(word.charAt(0)).append(word.substring(1).toLowerCase(Locale.ROOT));
    }
    return text.toString();
  }
}
