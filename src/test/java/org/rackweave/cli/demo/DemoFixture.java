package org.rackweave.cli.demo;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.rackweave.cli.ToolCommand;
import org.rackweave.cli.experiment.BlockWrite;
import org.rackweave.cli.experiment.HotSchedule;
import org.rackweave.cli.experiment.LinkWindow;

/** A small made-up result: stock needs twice the time. */
final class DemoFixture {

  static final DemoSettings SETTINGS = DemoSettings.brief();

  private DemoFixture() {}

  static DemoResult result(Placement... policies) {
    DemoOptions options = new DemoOptions();
    String shown = policies.length == 2 ? "both" : policies[0].label();
    ToolCommand.parser(options)
        .parseArgs("--feature", "sinbad", "--input", "/in<put>", "--policy", shown, "--seed", "42");
    HotSchedule schedule = HotSchedule.draw(42, 3, 1, 2_000, 2);
    List<RoundOutcome> rounds =
        Arrays.stream(policies)
            .map(policy -> round(policy, policy == Placement.STOCK ? 2 : 1))
            .toList();
    return new DemoResult(options, SETTINGS, schedule, rounds);
  }

  static RoundOutcome round(Placement policy, double factor) {
    return new RoundOutcome(
        policy,
        0,
        List.of(
            new BlockWrite(4, 0.1 * factor, false, false),
            new BlockWrite(3, 0.3 * factor, false, true),
            new BlockWrite(2, 0.8 * factor, true, false),
            new BlockWrite(1, 1.2 * factor, true, true)),
        new double[] {1 * factor, 3 * factor},
        List.of(window(0, 9, 1), window(1000, 0, 1), window(2000, 1, 1), window(4000, 5, 0)),
        0.75,
        new long[] {1 << 20, 1 << 20, 1 << 20, 3 << 20, 3 << 20, 3 << 20},
        1000,
        policy == Placement.SINBAD ? 1 : 0);
  }

  /** DataNode 0 receives {@code first}, all others {@code others}. */
  private static LinkWindow window(long startMs, double first, double others) {
    double[] received = {first, others, others, others, others, others};
    return new LinkWindow(startMs, 1000, received, Set.of(0));
  }
}
