package org.rackweave.sim.claims;

import java.util.List;
import java.util.function.ToDoubleFunction;
import org.rackweave.sim.encoding.EncodedStripe;
import org.rackweave.sim.engine.SimTime;
import org.rackweave.sim.report.Estimate;
import org.rackweave.sim.report.ScenarioResult;
import org.rackweave.sim.run.PolicyRecord;
import org.rackweave.sim.traffic.BlockOutcome;

/** EAR against random replication (RR, the baseline), seed by seed. */
final class EncodingGain {
  static final String EAR = "ear";

  private EncodingGain() {}

  /** EAR's encoding throughput over RR's. */
  static Estimate encoding(ScenarioResult result) {
    return ratio(result, record -> record.encoding().dataBytesPerSec(), false);
  }

  /** RR's time of a write during encoding over EAR's. */
  static Estimate writing(ScenarioResult result) {
    return ratio(result, record -> writeSeconds(record, result), true);
  }

  /** What EAR saves of a time under RR, as a fraction. */
  static Estimate saving(ScenarioResult result, ToDoubleFunction<PolicyRecord> seconds) {
    List<PolicyRecord> rr = result.of(result.baseline());
    List<PolicyRecord> ear = result.of(EAR);
    double[] saved = new double[rr.size()];
    for (int seed = 0; seed < saved.length; seed++) {
      saved[seed] = 1 - seconds.applyAsDouble(ear.get(seed)) / seconds.applyAsDouble(rr.get(seed));
    }
    return Estimate.of(saved);
  }

  /**
   * Mean time of the writes asked for while stripes were encoded; each policy has its own while, as
   * in the paper's figure 9.
   */
  static double writeSeconds(PolicyRecord record, ScenarioResult result) {
    long from = SimTime.ofMs(result.scenario().encoding().atMs());
    long until = record.encoding().endedNanos();
    return record.blocks().stream()
        .filter(block -> block.isWritten())
        .filter(block -> block.askedNanos() >= from && block.askedNanos() <= until)
        .mapToDouble(BlockOutcome::writeSeconds)
        .average()
        .orElse(Double.NaN);
  }

  /** Stripes of the rack that encodes most, over what each would have if all had the same. */
  static Estimate fullestRack(ScenarioResult result) {
    int racks = result.scenario().cluster().racks();
    int nodesPerRack = result.scenario().cluster().nodesPerRack();
    return Estimate.of(
        result.of(EAR),
        record -> {
          int[] stripes = new int[racks];
          for (EncodedStripe stripe : record.encoding().stripes()) {
            // Racks of a scenario without a topology file have consecutive nodes.
            stripes[stripe.encoder() / nodesPerRack]++;
          }
          int most = 0;
          for (int ofRack : stripes) {
            most = Math.max(most, ofRack);
          }
          return most * racks / (double) record.encoding().stripes().size();
        });
  }

  private static Estimate ratio(
      ScenarioResult result, ToDoubleFunction<PolicyRecord> figure, boolean isTime) {
    List<PolicyRecord> rr = result.of(result.baseline());
    List<PolicyRecord> ear = result.of(EAR);
    double[] ratios = new double[rr.size()];
    for (int seed = 0; seed < ratios.length; seed++) {
      double ofRr = figure.applyAsDouble(rr.get(seed));
      double ofEar = figure.applyAsDouble(ear.get(seed));
      ratios[seed] = isTime ? ofRr / ofEar : ofEar / ofRr;
    }
    return Estimate.of(ratios);
  }
}
