package org.rackweave.cli.eafr;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.rackweave.cli.HdfsCommand;
import org.rackweave.cli.HdfsPath;
import org.rackweave.cli.Watchable;
import org.rackweave.cli.WholeNumber;
import org.rackweave.cli.WritableFile;
import org.rackweave.cli.admin.NameNodeAdmin;
import org.rackweave.hdfs.eafr.EafrAdmin;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.TypeConversionException;

/**
 * {@code bin/rackweave hot} and {@code eafr}: asks the active NameNode what is read, what it makes
 * of that, and has it change or take back what it says.
 */
public abstract class EafrCommand extends HdfsCommand {
  private static final long ASK_AGAIN_MS = 500;

  @Option(
      names = "--json",
      paramLabel = "FILE",
      converter = WritableFile.class,
      scope = ScopeType.INHERIT,
      description = "Also write the figures to FILE.")
  private Path json;

  private EafrCommand(PrintStream out, PrintStream err) {
    super(out, err);
  }

  /** {@code bin/rackweave hot}. */
  public static EafrCommand hot(PrintStream out, PrintStream err) {
    return new Hot(out, err);
  }

  /** {@code bin/rackweave eafr}. */
  public static EafrCommand eafr(PrintStream out, PrintStream err) {
    return new Eafr(out, err);
  }

  @FunctionalInterface
  private interface NameNodeQuery {
    ObjectNode answer(NameNodeAdmin nameNode) throws IOException, InterruptedException;
  }

  /** Asks, and keeps the answer where {@code --json} says. */
  final int ask(NameNodeQuery question) throws IOException, InterruptedException {
    ObjectNode answer;
    try (NameNodeAdmin nameNode = NameNodeAdmin.connect(getConf(), EafrAdmin.IDENTIFIER)) {
      answer = question.answer(nameNode);
    }
    if (json != null) {
      new ObjectMapper().writerWithDefaultPrettyPrinter().writeValue(json.toFile(), answer);
    }
    if (answer.path("state").asText().equals("cancelled")) {
      throw new IOException(answer.path("reason").asText());
    }
    return 0;
  }

  @Watchable
  @Command(
      name = "bin/rackweave hot",
      description =
          "Lists the most read files: reads of a block in an interval, averaged over the file's"
              + " blocks, the replication factor, and whether the file is hot or cold.")
  private static final class Hot extends EafrCommand implements Callable<Integer> {
    @Option(names = "--top", description = "Number of files; default: ${DEFAULT-VALUE}.")
    @WholeNumber(max = 10_000)
    private int top = 20;

    Hot(PrintStream out, PrintStream err) {
      super(out, err);
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
      return ask(this::files);
    }

    private ObjectNode files(NameNodeAdmin nameNode) throws IOException {
      ObjectNode answer = nameNode.ask("hot", "top=" + top);
      out.printf("%10s %7s %5s  %-8s %s%n", "reads", "factor", "own", "state", "path");
      for (JsonNode file : answer.get("files")) {
        out.printf(
            Locale.ROOT,
            "%10.1f %7d %5d  %-8s %s%n",
            file.get("reads").asDouble(),
            file.get("factor").asInt(),
            file.get("own").asInt(),
            file.get("state").asText(),
            file.get("path").asText());
      }
      return answer;
    }
  }

  @Command(
      name = "bin/rackweave eafr",
      description =
          "Shows, applies and reverts adaptive replication, and shows which DataNodes sleep.")
  static final class Eafr extends EafrCommand {
    private static final String NOW = "now";
    private static final String DATANODE = "host (or host:port) of a DataNode";

    Eafr(PrintStream out, PrintStream err) {
      super(out, err);
    }

    @Watchable
    @Command(description = "Shows what was counted and changed, and what delays changes.")
    int status() throws IOException, InterruptedException {
      return ask(nameNode -> figures(nameNode.ask("status")));
    }

    @Command(
        description =
            "Shows the changes of files and of DataNodes' roles if the interval ended now, with"
                + " the equation of each.")
    int plan(
        @Option(
                names = "--apply",
                arity = "0..1",
                fallbackValue = NOW,
                converter = PlanNumber.class,
                paramLabel = "N",
                description =
                    "Carry out plan N, at most ten minutes old; without N, the plan shown now. Changes"
                        + " that no longer apply are skipped, with the reason.")
            Integer apply)
        throws IOException, InterruptedException {
      return ask(nameNode -> planned(nameNode, apply));
    }

    @Command(description = "Switches heat off and restores the replication factors that users set.")
    int restore(
        @Option(
                names = "--path",
                paramLabel = "P",
                converter = HdfsPath.class,
                defaultValue = "/",
                description = "Only below P.")
            String path)
        throws IOException, InterruptedException {
      return ask(nameNode -> restored(nameNode, path));
    }

    @Watchable
    @Command(description = "Shows which DataNodes are hot, standby and cold, and the energy saved.")
    int roles() throws IOException, InterruptedException {
      return ask(nameNode -> servers(nameNode.ask("roles")));
    }

    @Command(description = "Puts a DataNode to sleep, full or not.")
    int sleep(@Parameters(paramLabel = "HOST", description = "The " + DATANODE + ".") String host)
        throws IOException, InterruptedException {
      return ask(nameNode -> servers(nameNode.ask("sleep", "host=" + host)));
    }

    @Command(description = "Wakes a DataNode.")
    int wake(
        @Parameters(paramLabel = "HOST", description = "The " + DATANODE + ", or all that sleep.")
            String host)
        throws IOException, InterruptedException {
      return ask(nameNode -> servers(nameNode.ask("wake", "host=" + host)));
    }

    /** The number of a plan; 0 for the one that is shown now. */
    private static final class PlanNumber implements ITypeConverter<Integer> {
      @Override
      public Integer convert(String text) {
        if (text.equals(NOW)) {
          return 0;
        }
        if (text.matches("[1-9][0-9]{0,8}")) {
          return Integer.valueOf(text);
        }
        throw new TypeConversionException(
            "'" + text + "', allowed are whole numbers from 1 to 999999999, or none");
      }
    }

    private ObjectNode planned(NameNodeAdmin nameNode, Integer apply) throws IOException {
      if (apply != null && apply > 0) {
        return applied(nameNode, apply);
      }
      ObjectNode plan = nameNode.ask("plan");
      for (JsonNode change : plan.get("changes")) {
        out.printf(
            Locale.ROOT,
            "%s %d->%d %s: %s%n",
            change.get("action").asText(),
            change.get("from").asInt(),
            change.get("to").asInt(),
            change.get("path").asText(),
            change.get("because").asText());
      }
      for (JsonNode server : plan.get("servers")) {
        out.printf(
            "%s->%s %s: %s%n",
            server.get("from").asText(),
            server.get("to").asText(),
            server.get("datanode").asText(),
            server.get("because").asText());
      }
      figures(plan);
      if (apply != null) {
        return applied(nameNode, plan.get("plan").asLong());
      }
      if (!plan.get("changes").isEmpty() || !plan.get("servers").isEmpty()) {
        out.printf("%s plan --apply %d carries it out%n", name(), plan.get("plan").asLong());
      }
      return plan;
    }

    private ObjectNode applied(NameNodeAdmin nameNode, long number) throws IOException {
      ObjectNode answer = nameNode.ask("apply", "plan=" + number);
      out.printf(
          "plan %d: %d of %d changes of files made, %d of %d of servers' roles%n",
          number,
          answer.get("done").asInt(),
          answer.get("changes").size(),
          answer.get("servers_done").asInt(),
          answer.get("servers").size());
      left(answer.get("changes"), "path");
      left(answer.get("servers"), "datanode");
      answer
          .fields()
          .forEachRemaining(
              field -> {
                if (field.getKey().startsWith("skipped_")) {
                  out.printf("%s: %s%n", field.getKey().replace('_', ' '), field.getValue());
                }
              });
      return answer;
    }

    private void left(JsonNode rows, String name) {
      for (JsonNode row : rows) {
        if (!row.path("outcome").asText().equals("done")) {
          out.printf("left, %s: %s%n", row.get("outcome").asText(), row.get(name).asText());
        }
      }
    }

    private ObjectNode restored(NameNodeAdmin nameNode, String path)
        throws IOException, InterruptedException {
      ObjectNode answer = nameNode.ask("restore", "path=" + path);
      while (answer.get("state").asText().equals("running")) {
        Thread.sleep(ASK_AGAIN_MS);
        answer = nameNode.ask("restoring");
      }
      return figures(answer);
    }

    private ObjectNode servers(ObjectNode answer) {
      out.printf(
          "%-8s %-13s %-18s %12s %15s  %s%n",
          "role", "phase", "reason", "late updates", "free bytes", "datanode");
      for (JsonNode server : answer.get("servers")) {
        out.printf(
            Locale.ROOT,
            "%-8s %-13s %-18s %12d %15d  %s%n",
            server.get("role").asText(),
            server.get("phase").asText(),
            reason(server),
            server.path("late_updates").asLong(),
            server.get("free_bytes").asLong(),
            server.get("datanode").asText());
      }
      return figures(answer);
    }

    /** Why a server is woken, or why it has to stay awake. */
    private static String reason(JsonNode server) {
      String woken = server.get("reason").asText();
      return woken.isEmpty() ? server.path("stays_awake").asText() : woken;
    }

    private ObjectNode figures(ObjectNode answer) {
      answer
          .fields()
          .forEachRemaining(
              field -> {
                if (field.getValue().isValueNode() && !field.getValue().asText().isEmpty()) {
                  out.printf("%-32s %s%n", field.getKey(), field.getValue().asText());
                }
              });
      return answer;
    }
  }
}
