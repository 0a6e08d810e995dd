package org.rackweave.cli.admin;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintStream;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.rackweave.cli.HdfsCommand;
import org.rackweave.cli.UsageException;
import org.rackweave.cli.Watchable;
import org.rackweave.hdfs.namenode.ShadowAdmin;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code bin/rackweave shadow report}: asks the active NameNode. */
@Watchable
@Command(
    name = "bin/rackweave shadow",
    description =
        "Reports what placement in shadow mode would have changed: expected write times where"
            + " stock HDFS and where Rackweave placed blocks, the share of targets on links above 80"
            + " % utilisation, and the directories with the largest gain and loss. Expected times"
            + " follow from the load of links at the moment of the decision; for blocks that"
            + " Rackweave placed they are compared with measured ones. The active NameNode keeps a"
            + " week, since its start.")
public final class ShadowCommand extends HdfsCommand implements Callable<Integer> {
  @Parameters(paramLabel = "report", description = "The word report.")
  private String what;

  @Option(
      names = "--since",
      paramLabel = "TIME",
      defaultValue = "7d",
      description = "How far back, such as 36h; default: ${DEFAULT-VALUE}.")
  private String since;

  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  public ShadowCommand(PrintStream out, PrintStream err) {
    super(out, err);
  }

  @Override
  public Integer call() throws IOException {
    if (!what.equals("report")) {
      throw new UsageException("'" + what + "': allowed is report");
    }
    ObjectNode answer =
        NameNodeAdmin.askActive(getConf(), ShadowAdmin.IDENTIFIER, "report", "since=" + since);
    out.print(json ? answer.toPrettyString() + "\n" : text(answer));
    return 0;
  }

  private static String text(ObjectNode answer) {
    JsonNode placement = answer.path("placement");
    StringBuilder text = new StringBuilder();
    if (placement.path("blocks").asLong() > 0) {
      text.append(
          String.format(
              Locale.ROOT,
              "Since %s, %d blocks were looked at.%nA block takes %.2f s where stock HDFS put it,"
                  + " %.2f s where Rackweave would have: %.2f times as fast%s.%nLinks of which 80"
                  + " %% were in use: %.1f %% of stock's targets, %.1f %% of Rackweave's.%n",
              placement.path("since").asText(),
              placement.path("blocks").asLong(),
              placement.path("stock_block_s").asDouble(),
              placement.path("rackweave_block_s").asDouble(),
              placement.path("times_as_fast").asDouble(),
              placement.path("times_as_fast_least").isNumber()
                  ? String.format(
                      Locale.ROOT,
                      " (%.2f to %.2f)",
                      placement.path("times_as_fast_least").asDouble(),
                      placement.path("times_as_fast_most").asDouble())
                  : "",
              100 * placement.path("stock_targets_on_busy_links").asDouble(),
              100 * placement.path("rackweave_targets_on_busy_links").asDouble()));
    }
    text.append("Placement: ").append(placement.path("verdict").asText()).append(".\n");
    JsonNode calibration = answer.path("calibration");
    if (calibration.path("blocks").asLong() > 0) {
      text.append(
          String.format(
              Locale.ROOT,
              "Calibration: %d blocks that Rackweave placed took %.2f times as long as expected"
                  + " (median; 80 %% of them %.2f to %.2f times).%n",
              calibration.path("blocks").asLong(),
              calibration.path("ratio_median").asDouble(),
              calibration.path("ratio_p10").asDouble(),
              calibration.path("ratio_p90").asDouble()));
    }
    for (JsonNode path : answer.path("paths")) {
      text.append(
          String.format(
              Locale.ROOT,
              "  %-40s %8d blocks %12.1f writer seconds saved%n",
              path.path("path").asText(),
              path.path("blocks").asLong(),
              path.path("writer_seconds_saved").asDouble()));
    }
    return text.toString();
  }
}
