package org.rackweave.sim.claims;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.rackweave.sim.claims.Claim.Detail;
import org.rackweave.sim.report.Estimate;
import org.rackweave.sim.report.ScenarioResult;

/**
 * EAR's experiment B.2 (section V.B, figure 13): its throughput over RR's, in encoding and in
 * writing, as one setting varies. Of the figure only the axes survive, which all begin at 1.
 */
final class EarSweeps {
  private EarSweeps() {}

  static List<Claim> claims(ScenarioResult sweep) {
    return List.of(
        claim(sweep, "ear-b2-k", "k", "encoding.code", List.of("rs-6-4", "rs-8-4", "", "rs-12-4")),
        claim(
            sweep,
            "ear-b2-parity",
            "n - k",
            "encoding.code",
            List.of("rs-10-2", "", "rs-10-6", "rs-10-8")),
        claim(
            sweep,
            "ear-b2-bandwidth",
            "the links' bandwidth",
            "cluster.host-link",
            List.of("200Mbps", "500Mbps", "800Mbps", "")),
        claim(
            sweep,
            "ear-b2-write-rate",
            "the rate of writes",
            "writes.rate",
            List.of("", "2/s", "3/s", "4/s")),
        claim(sweep, "ear-b2-c", "c", "encoding.rack-limit", List.of("", "2", "4")),
        claim(
            sweep,
            "ear-b2-replicas",
            "the encoded blocks' replicas",
            "encoding.replication",
            List.of("2", "", "4", "6", "8")));
  }

  /**
   * @param values in order; empty for the sweep as written
   */
  private static Claim claim(
      ScenarioResult sweep, String id, String what, String target, List<String> values) {
    Map<String, ScenarioResult> results = new LinkedHashMap<>();
    for (String value : values) {
      boolean asWritten = value.isEmpty();
      results.put(
          asWritten ? "as written" : value, asWritten ? sweep : sweep.variation(target, value));
    }
    List<Detail> details = new ArrayList<>();
    Estimate least = null;
    for (Map.Entry<String, ScenarioResult> one : results.entrySet()) {
      Estimate encoding = EncodingGain.encoding(one.getValue());
      Estimate writing = EncodingGain.writing(one.getValue());
      details.add(new Detail(one.getKey() + ", encoding", "times", Double.NaN, encoding));
      details.add(new Detail(one.getKey() + ", writing", "times", Double.NaN, writing));
      for (Estimate gain : List.of(encoding, writing)) {
        least = least == null || gain.mean() < least.mean() ? gain : least;
      }
    }
    boolean met = least.mean() >= 1;
    return new Claim(
        id,
        "EAR's throughput over RR's for different values of "
            + what
            + ", the least of encoding and writing; met from 1 on, where the figure's axis begins.",
        false,
        "times",
        1,
        least,
        met,
        met ? "" : EarCauses.ofSweep(details),
        details);
  }
}
