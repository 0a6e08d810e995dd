package org.rackweave.cli.eafr;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Locale;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.util.Tool;
import org.rackweave.cli.UsageException;
import org.rackweave.cli.ear.NameNodeAdmin;

/**
 * {@code bin/rackweave hot} and {@code eafr}: asks the active NameNode what is read, what it makes
 * of that, and has it change or take back what it says.
 */
public final class EafrCommand extends Configured implements Tool {
  private static final int EXIT_FAILURE = 1;
  private static final int EXIT_USAGE = 2;
  private static final long ASK_AGAIN_MS = 500;

  private static final String HOT_USAGE =
      """
      Usage: bin/rackweave hot [options]

      Lists the files that are read most: reads of a block in an interval, averaged over the file's
      blocks, its factor, and what that makes it.

      Options:
        --top N         so many files, 20 unless given
        --json FILE     write the figures to FILE too
        -fs URI         the HDFS, otherwise the one HADOOP_CONF_DIR names
        --help          print this text
      """;

  private static final String EAFR_USAGE =
      """
      Usage: bin/rackweave eafr status|plan|restore|pause|resume|roles|sleep|wake [options]
        status   what has been counted and changed, and what holds changes back
        plan     what would be changed if the interval were over now, files and roles of servers,
                 and the equation that says so
        restore  gives files the factors back that their users gave them, and pauses
        pause    changes nothing any more, until resume
        resume   goes on
        roles    which DataNodes are hot, standby and cold, and what sleep has saved by now
        sleep H  puts the DataNode of host H (or H:PORT) to sleep, full or not
        wake H   wakes it; "all" wakes all that sleep

      Options:
        --apply [N]     with plan: carry out what plan N shows, within ten minutes; without N, the
                        one that is shown now. What does not hold any more is left, and why is told
        --path P        with restore: only below P
        --json FILE     write the figures to FILE too
        -fs URI         the HDFS, otherwise the one HADOOP_CONF_DIR names
        --help          print this text
      """;

  private final boolean isHot;
  private final PrintStream out;
  private final PrintStream err;

  private EafrCommand(boolean isHot, PrintStream out, PrintStream err) {
    this.isHot = isHot;
    this.out = out;
    this.err = err;
  }

  /** {@code bin/rackweave hot}. */
  public static EafrCommand hot(PrintStream out, PrintStream err) {
    return new EafrCommand(true, out, err);
  }

  /** {@code bin/rackweave eafr}. */
  public static EafrCommand eafr(PrintStream out, PrintStream err) {
    return new EafrCommand(false, out, err);
  }

  private String name() {
    return isHot ? "hot" : "eafr";
  }

  @Override
  public int run(String[] args) throws InterruptedException {
    try {
      EafrOptions options = isHot ? EafrOptions.hot(args) : EafrOptions.eafr(args);
      if (options.help()) {
        out.print(isHot ? HOT_USAGE : EAFR_USAGE);
        return 0;
      }
      ObjectNode answer;
      try (NameNodeAdmin nameNode = NameNodeAdmin.connect(getConf(), NameNodeAdmin.Service.EAFR)) {
        answer = answer(nameNode, options);
      }
      if (options.json().isPresent()) {
        write(answer, options.json().get());
      }
      if (answer.path("state").asText().equals("cancelled")) {
        err.println("rackweave " + name() + ": " + answer.path("reason").asText());
        return EXIT_FAILURE;
      }
      return 0;
    } catch (UsageException e) {
      err.println("rackweave " + name() + ": " + e.getMessage());
      err.print(isHot ? HOT_USAGE : EAFR_USAGE);
      return EXIT_USAGE;
    } catch (IOException e) {
      err.println("rackweave " + name() + ": " + e.getMessage());
      return EXIT_FAILURE;
    }
  }

  private ObjectNode answer(NameNodeAdmin nameNode, EafrOptions options)
      throws IOException, InterruptedException {
    return switch (options.what()) {
      case "hot" -> hot(nameNode, options);
      case "plan" -> plan(nameNode, options);
      case "restore" -> restore(nameNode, options);
      case "roles" -> roles(nameNode.text("roles"));
      case "sleep", "wake" -> roles(nameNode.text(options.what(), "host=" + options.host()));
      default -> figures(EafrView.of(nameNode.text(options.what())));
    };
  }

  private ObjectNode hot(NameNodeAdmin nameNode, EafrOptions options) throws IOException {
    ObjectNode answer = EafrView.of(nameNode.text("hot", "top=" + options.top()), "files");
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

  private ObjectNode plan(NameNodeAdmin nameNode, EafrOptions options) throws IOException {
    if (options.apply() && options.plan().isPresent()) {
      return applied(nameNode, options.plan().getAsLong());
    }
    ObjectNode plan = EafrView.of(nameNode.text("plan"), "changes", "servers");
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
    if (options.apply()) {
      return applied(nameNode, plan.get("plan").asLong());
    }
    if (!plan.get("changes").isEmpty() || !plan.get("servers").isEmpty()) {
      out.printf("bin/rackweave eafr plan --apply %d carries it out%n", plan.get("plan").asLong());
    }
    return plan;
  }

  private ObjectNode applied(NameNodeAdmin nameNode, long number) throws IOException {
    ObjectNode answer = EafrView.of(nameNode.text("apply", "plan=" + number), "changes", "servers");
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

  private ObjectNode restore(NameNodeAdmin nameNode, EafrOptions options)
      throws IOException, InterruptedException {
    ObjectNode answer = EafrView.of(nameNode.text("restore", "path=" + options.path()));
    while (answer.get("state").asText().equals("running")) {
      Thread.sleep(ASK_AGAIN_MS);
      answer = EafrView.of(nameNode.text("restoring"));
    }
    return figures(answer);
  }

  private ObjectNode roles(String text) {
    ObjectNode answer = EafrView.of(text, "servers");
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

  private static void write(ObjectNode answer, Path file) throws IOException {
    new ObjectMapper().writerWithDefaultPrettyPrinter().writeValue(file.toFile(), answer);
  }
}
