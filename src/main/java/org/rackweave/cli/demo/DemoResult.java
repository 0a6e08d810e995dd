package org.rackweave.cli.demo;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.util.VersionInfo;
import org.rackweave.cli.TextTable;
import org.rackweave.cli.experiment.ContenderRuns;
import org.rackweave.cli.experiment.FiguresJson;
import org.rackweave.cli.experiment.HotSchedule;

/**
 * All that a demo found out.
 *
 * @param options what was asked for
 * @param settings how large the demo was
 * @param schedule which racks were hot when
 * @param rounds every round, in the order they ran
 */
public record DemoResult(
    DemoOptions options, DemoSettings settings, HotSchedule schedule, List<RoundOutcome> rounds) {

  /** The figures of every policy that ran, stock first. */
  public Map<Placement, PolicyFigures> figures() {
    Map<Placement, PolicyFigures> figures = new EnumMap<>(Placement.class);
    for (Placement policy : options.policies()) {
      figures.put(policy, PolicyFigures.of(roundsOf(policy), settings));
    }
    return figures;
  }

  /** The same for tables and charts. */
  ContenderRuns<PolicyFigures> byPolicy() {
    Map<Placement, List<PolicyFigures>> all = new EnumMap<>(Placement.class);
    figures().forEach((policy, one) -> all.put(policy, List.of(one)));
    return new ContenderRuns<>(all);
  }

  /** The figures for people, with stock's over Sinbad's if both ran. */
  TextTable table() {
    return byPolicy().figures(DemoFigures.ALL, DemoFigures.COMPARED);
  }

  /** The rounds of one policy, by pair. */
  public List<RoundOutcome> roundsOf(Placement policy) {
    return rounds.stream().filter(round -> round.policy() == policy).toList();
  }

  /** How many times as fast Sinbad wrote a block, NaN unless both policies ran. */
  public double speedUp() {
    Map<Placement, PolicyFigures> figures = figures();
    if (figures.size() < 2) {
      return Double.NaN;
    }
    return figures.get(Placement.STOCK).writes().blockMeanSeconds()
        / figures.get(Placement.SINBAD).writes().blockMeanSeconds();
  }

  /** For programs: one object for each policy under its name, and what the run was made of. */
  ObjectNode json() {
    ObjectNode root = FiguresJson.root();
    root.put("seed", options.seed());
    root.put("hadoop", VersionInfo.getVersion());
    root.put("input", options.input().toString());
    FiguresJson.put(root, "speed_up", speedUp());
    figures().forEach((policy, figures) -> figures.putTo(root.putObject(policy.label())));
    return root;
  }
}
