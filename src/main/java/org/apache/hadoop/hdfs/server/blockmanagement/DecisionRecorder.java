package org.apache.hadoop.hdfs.server.blockmanagement;

import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.net.Node;
import org.rackweave.hdfs.ClusterView;
import org.rackweave.hdfs.Feature;
import org.rackweave.hdfs.Mode;
import org.rackweave.hdfs.ear.AddBlockCall;
import org.rackweave.hdfs.namenode.PlacementContext;
import org.rackweave.history.PlacementRecord;
import org.rackweave.history.PlacementRecord.Expected;
import org.rackweave.history.PlacementRecord.Ranking;
import org.rackweave.model.ClusterTopology;
import org.rackweave.placement.FallbackReason;
import org.rackweave.placement.PlacementDecision;
import org.rackweave.placement.PlacementRequest;
import org.rackweave.sinbad.ExpectedRate;
import org.rackweave.sinbad.StockOutlook;
import org.rackweave.telemetry.LinkLedger;

/** Writes down what became of a call of {@code chooseTarget}, where that is to be kept. */
final class DecisionRecorder {
  private final PlacementContext context;
  private final TargetCall call;

  DecisionRecorder(PlacementContext context, TargetCall call) {
    this.context = context;
    this.call = call;
  }

  /**
   * What was decided on the way.
   *
   * @param state the cluster that was looked at
   * @param pipeline nodes that were chosen, empty for none
   */
  record Trial(
      ClusterView state,
      PlacementRequest request,
      PlacementDecision decision,
      Ranking ranking,
      int[] pipeline) {}

  /** Says that a decision of ours is carried out; its bytes are not promised to the links yet. */
  void carriedOut(Trial trial, long nowMs) {
    PlacementRecord record = record(trial, null, DatanodeStorageInfo.EMPTY_ARRAY, nowMs);
    context.decisions().add(record);
    AddBlockCall addBlock = AddBlockCall.current();
    if (addBlock != null && call.isNewBlock() && record.expected() != null) {
      addBlock.expected(record, call.blockSizeBytes());
    }
  }

  /**
   * Says that stock HDFS has chosen.
   *
   * @param trial what we would have done, {@code null} where we did not come so far
   */
  void stockChose(Trial trial, FallbackReason why, DatanodeStorageInfo[] stock, long nowMs) {
    PlacementRecord record = record(trial, why, stock, nowMs);
    context.decisions().add(record);
    boolean isOfPlacement =
        trial != null
            && trial.ranking() == Ranking.NETWORK
            && context.mode(Feature.PLACEMENT) == Mode.SHADOW;
    if (why == FallbackReason.SHADOW_MODE && isOfPlacement && call.isNewBlock()) {
      context.shadow().add(record);
    }
  }

  private PlacementRecord record(
      Trial trial, FallbackReason why, DatanodeStorageInfo[] stock, long nowMs) {
    List<String> stocks =
        Arrays.stream(stock).map(one -> ClusterView.placeOf(one.getDatanodeDescriptor())).toList();
    if (trial == null) {
      return new PlacementRecord(
          nowMs,
          call.path(),
          call.isNewBlock(),
          call.blockSizeBytes(),
          writer(),
          null,
          why,
          List.of(),
          stocks,
          List.of(),
          null);
    }
    LinkLedger links = trial.state().ledger();
    return new PlacementRecord(
        nowMs,
        call.path(),
        call.isNewBlock(),
        trial.request().sizeBytes(),
        writer(),
        trial.ranking(),
        why,
        PlacementRecord.targets(links, trial.pipeline()),
        stocks,
        PlacementRecord.refused(links.topology(), trial.decision()),
        expected(trial, stock));
  }

  private Expected expected(Trial trial, DatanodeStorageInfo[] stock) {
    StockOutlook outlook = context.stockOutlook();
    PlacementRequest request = trial.request();
    long bytes = request.sizeBytes();
    if (trial.pipeline().length == 0 || outlook == null || outlook.isEmpty() || bytes <= 0) {
      return null;
    }
    LinkLedger links = trial.state().ledger();
    double most = links.snapshot().diskWriteBytesPerSec();
    if (request.writer() != ClusterTopology.NONE) {
      most = Math.min(most, links.mostFrom(request.writer()));
    }
    int[] stocks = numbersOf(trial.state(), stock);
    return new Expected(
        bytes / ExpectedRate.of(links, request, trial.pipeline()),
        stocks.length == 0 ? Double.NaN : bytes / ExpectedRate.of(links, request, stocks),
        outlook.meanSeconds(bytes, most),
        outlook.lateSeconds(bytes, most),
        PlacementRecord.busy(links, request.writer(), trial.pipeline()),
        PlacementRecord.busy(links, request.writer(), stocks));
  }

  /** None where one of them is not known. */
  private static int[] numbersOf(ClusterView state, DatanodeStorageInfo[] stock) {
    int[] nodes =
        state.numbersOf(
            Arrays.stream(stock).map(DatanodeStorageInfo::getDatanodeDescriptor).toList());
    return nodes.length == stock.length ? nodes : new int[0];
  }

  private String writer() {
    Node writer = call.writer();
    return writer instanceof DatanodeDescriptor datanode ? ClusterView.placeOf(datanode) : null;
  }
}
