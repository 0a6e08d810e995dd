package org.rackweave.cli.sim;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.rackweave.sim.claims.Claim;
import org.rackweave.sim.report.ScenarioResult;
import org.rackweave.sim.statistics.Estimate;

/** Results for programs. A figure that there is none of is null. */
final class SimJson {
  private static final ObjectMapper MAPPER =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  private SimJson() {}

  static void writeScenario(ScenarioResult result, Path file) throws IOException {
    MAPPER.writeValue(file.toFile(), scenario(result));
  }

  static void writeClaims(List<Claim> claims, Path file) throws IOException {
    MAPPER.writeValue(file.toFile(), claims(claims));
  }

  private static ObjectNode scenario(ScenarioResult result) {
    ObjectNode root = MAPPER.createObjectNode();
    root.put("scenario", result.scenario().name());
    root.put("seed", result.scenario().run().seed());
    root.put("runs", result.scenario().run().runs());
    result.notices().forEach(root.putArray("notices")::add);
    ObjectNode policies = root.putObject("policies");
    for (String policy : result.policies()) {
      ObjectNode figures = policies.putObject(policy);
      ResultTable.figures(result, policy)
          .forEach((name, estimate) -> putEstimate(figures.putObject(name), estimate));
    }
    ObjectNode cases = root.putObject("variations");
    result.cases().forEach((name, one) -> cases.set(name, scenario(one)));
    return root;
  }

  private static void putEstimate(ObjectNode node, Estimate estimate) {
    put(node, "mean", estimate.mean());
    put(node, "low", estimate.mean() - estimate.halfWidth());
    put(node, "high", estimate.mean() + estimate.halfWidth());
  }

  /** An array of rows: {@code id}, {@code paper}, {@code ours}, {@code ci}, {@code met}, ... */
  static ArrayNode claims(List<Claim> claims) {
    ArrayNode rows = MAPPER.createArrayNode();
    for (Claim claim : claims) {
      ObjectNode row = rows.addObject();
      row.put("id", claim.id());
      row.put("about", claim.about());
      row.put("headline", claim.isHeadline());
      row.put("unit", claim.unit());
      put(row, "paper", claim.paper());
      putOurs(row, claim.ours());
      row.put("met", claim.met());
      row.put("verdict", claim.verdict().text());
      row.put("why", claim.why());
      ArrayNode details = row.putArray("details");
      for (Claim.Detail detail : claim.details()) {
        ObjectNode one = details.addObject();
        one.put("what", detail.what());
        one.put("unit", detail.unit());
        put(one, "paper", detail.paper());
        putOurs(one, detail.ours());
      }
    }
    return rows;
  }

  private static void putOurs(ObjectNode row, Estimate ours) {
    put(row, "ours", ours.mean());
    if (Double.isNaN(ours.halfWidth())) {
      row.putNull("ci");
    } else {
      ArrayNode ci = row.putArray("ci");
      ci.add(rounded(ours.mean() - ours.halfWidth()));
      ci.add(rounded(ours.mean() + ours.halfWidth()));
    }
  }

  private static void put(ObjectNode node, String name, double value) {
    if (Double.isFinite(value)) {
      node.put(name, rounded(value));
    } else {
      node.putNull(name);
    }
  }

  private static double rounded(double value) {
    return Math.round(value * 1e6) / 1e6;
  }
}
