package org.rackweave.cli.admin;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintStream;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.rackweave.cli.HdfsCommand;
import org.rackweave.hdfs.trial.CanaryService;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code bin/rackweave canary start | status | stop}: asks the active NameNode. */
@Command(
    name = "bin/rackweave canary",
    description = {
      "Lets Rackweave place a share of the new files below a directory while placement is"
          + " in mode shadow, and compares their write times with those of an equal share placed"
          + " by stock HDFS. The exit code is 1 when the canary was aborted.",
      "",
      "  start   needs --path",
      "  status  shows the last canary",
      "  stop    stops it, or removes it if it is over",
      ""
    })
public final class CanaryCommand extends HdfsCommand implements Callable<Integer> {
  @Parameters(arity = "0..1", paramLabel = "start|status|stop", defaultValue = "status")
  private String what;

  @Option(names = "--path", paramLabel = "PATH", description = "The directory.")
  private String path;

  @Option(
      names = "--share",
      paramLabel = "SHARE",
      description = "Share of new files, 1%% to 50%%; default: 5%%.")
  private String share;

  @Option(
      names = "--abort-if",
      paramLabel = "CONDITIONS",
      description =
          "FIGURE>+N%%: aborts when Rackweave's figure is N %% above stock's by the whole 95 %%"
              + " interval. FIGURE is write_mean, write_p50, write_p95 or write_p99; several are"
              + " separated by commas. Default: write_p95>+10%%.")
  private String abortIf;

  @Option(names = "--for", paramLabel = "TIME", description = "How long, such as 1h.")
  private String lasting;

  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  public CanaryCommand(PrintStream out, PrintStream err) {
    super(out, err);
  }

  @Override
  public Integer call() throws IOException {
    String[] words =
        Stream.of(
                what,
                path == null ? null : "path=" + path,
                share == null ? null : "share=" + share,
                abortIf == null ? null : "abort-if=" + abortIf,
                lasting == null ? null : "for=" + lasting)
            .filter(Objects::nonNull)
            .toArray(String[]::new);
    ObjectNode answer = NameNodeAdmin.askActive(getConf(), CanaryService.IDENTIFIER, words);
    out.print(json ? answer.toPrettyString() + "\n" : JsonTables.text(answer));
    return answer.path("state").asText().equals("aborted") ? 1 : 0;
  }
}
