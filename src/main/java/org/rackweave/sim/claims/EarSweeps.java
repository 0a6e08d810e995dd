package org.rackweave.sim.claims;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.rackweave.sim.claims.ScenarioClaim.Figure;
import org.rackweave.sim.report.Estimate;
import org.rackweave.sim.report.ScenarioResult;

/**
 * EAR's experiment B.2 (section V.B, figure 13): its throughput over RR's, in encoding and in
 * writing, as one setting varies. Of the figure only the axes survive, which all begin at 1.
 */
final class EarSweeps {
  private static final String SWEEP = "ear-sweep";

  static final List<ScenarioClaim> CLAIMS =
      List.of(
          claim("ear-b2-k", "k", "encoding.code", "rs-6-4", "rs-8-4", "", "rs-12-4"),
          claim("ear-b2-parity", "n - k", "encoding.code", "rs-10-2", "", "rs-10-6", "rs-10-8"),
          claim(
              "ear-b2-bandwidth",
              "the links' bandwidth",
              "cluster.host-link",
              "200Mbps",
              "500Mbps",
              "800Mbps",
              ""),
          claim("ear-b2-write-rate", "the rate of writes", "writes.rate", "", "2/s", "3/s", "4/s"),
          claim("ear-b2-c", "c", "encoding.rack-limit", "", "2", "4"),
          claim(
              "ear-b2-replicas",
              "the encoded blocks' replicas",
              "encoding.replication",
              "2",
              "",
              "4",
              "6",
              "8"));

  private EarSweeps() {}

  /**
   * @param values in order; empty for the sweep as written
   */
  private static ScenarioClaim claim(String id, String what, String target, String... values) {
    List<Figure> details = new ArrayList<>();
    for (String value : values) {
      String name = value.isEmpty() ? "as written" : value;
      details.add(
          new Figure(
              SWEEP,
              name + ", encoding",
              "times",
              sweep -> EncodingGain.encoding(varied(sweep, target, value))));
      details.add(
          new Figure(
              SWEEP,
              name + ", writing",
              "times",
              sweep -> EncodingGain.writing(varied(sweep, target, value))));
    }
    Figure least =
        new Figure(
            SWEEP,
            "the least of encoding and writing",
            "times",
            1,
            sweep ->
                details.stream()
                    .map(one -> one.ours().apply(sweep))
                    .min(Comparator.comparingDouble(Estimate::mean))
                    .orElseThrow());
    return new ScenarioClaim(
        id,
        "V.B",
        "EAR's throughput over RR's for different values of " + what,
        false,
        least,
        List.of(least.asked(Bound.atLeast(1))),
        details);
  }

  private static ScenarioResult varied(ScenarioResult sweep, String target, String value) {
    return value.isEmpty() ? sweep : sweep.variation(target, value);
  }
}
