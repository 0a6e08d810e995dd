package org.rackweave.cli.demo;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Arrays;
import java.util.List;
import org.rackweave.cli.experiment.FiguresJson;
import org.rackweave.cli.experiment.LinkWindow;
import org.rackweave.cli.experiment.WriteFigures;
import org.rackweave.cli.experiment.WriteRun;
import org.rackweave.sim.statistics.Sample;

/**
 * What one policy achieved in all its rounds.
 *
 * @param writes what is said of its blocks and of the cluster
 * @param fileSeconds time of every file from create to close
 */
public record PolicyFigures(WriteFigures writes, double[] fileSeconds) {

  /** Sums up the rounds of one policy. */
  public static PolicyFigures of(List<RoundOutcome> rounds, DemoSettings settings) {
    return new PolicyFigures(
        WriteFigures.of(rounds.stream().map(round -> writeRun(round, settings)).toList()),
        rounds.stream().flatMapToDouble(round -> Arrays.stream(round.fileSeconds())).toArray());
  }

  void putTo(ObjectNode node) {
    FiguresJson.putFigures(node, writes);
    FiguresJson.put(node, "file_mean_s", new Sample(fileSeconds).mean());
    node.put("files", fileSeconds.length);
    FiguresJson.putDetails(node, writes);
  }

  private static WriteRun writeRun(RoundOutcome round, DemoSettings settings) {
    return new WriteRun(
        round.blocks(),
        round.windows().stream().filter(window -> hasArrivals(window, settings)).toList(),
        round.backgroundLoad(),
        round.placedBytes(),
        round.verifiedBytes(),
        round.fallbacks());
  }

  /** Before files arrive, both policies see nothing but background load. */
  private static boolean hasArrivals(LinkWindow window, DemoSettings settings) {
    return window.isWithin(settings.settleMs(), settings.settleMs() + settings.arrivalsMs());
  }
}
