package org.rackweave.cli.admin;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.rackweave.cli.HdfsCommand;
import org.rackweave.cli.HdfsPath;
import org.rackweave.cli.Watchable;
import org.rackweave.hdfs.namenode.RuntimeSwitch;
import org.rackweave.hdfs.rules.RulesAdmin;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ScopeType;

/** Says something to the active NameNode and prints its answer, for people or as JSON. */
public abstract class AdminCommand extends HdfsCommand implements Callable<Integer> {
  private final String service;

  @Option(names = "--json", scope = ScopeType.INHERIT, description = "Print JSON.")
  private boolean json;

  private AdminCommand(String service, PrintStream out, PrintStream err) {
    super(out, err);
    this.service = service;
  }

  /** {@code bin/rackweave rules}. */
  public static AdminCommand rules(PrintStream out, PrintStream err) {
    return new Rules(out, err);
  }

  /** {@code bin/rackweave mode}. */
  public static AdminCommand mode(PrintStream out, PrintStream err) {
    return new Mode(out, err);
  }

  /** Prints what the NameNode says to that. */
  final int say(List<String> words) throws IOException {
    ObjectNode answer = NameNodeAdmin.askActive(getConf(), service, words.toArray(String[]::new));
    out.print(json ? answer.toPrettyString() + "\n" : JsonTables.text(answer));
    return 0;
  }

  @Watchable
  @Command(
      name = "bin/rackweave mode",
      description =
          "Shows the modes of features, or sets them permanently for all NameNodes of the"
              + " namespace: MODE for all features, FEATURE=MODE for one. Modes are active, shadow and"
              + " off; features are placement, stripes, heat, sleep, recovery and read-order.")
  private static final class Mode extends AdminCommand {
    @Parameters(paramLabel = "[FEATURE=]MODE")
    private List<String> words = List.of("status");

    Mode(PrintStream out, PrintStream err) {
      super(RuntimeSwitch.IDENTIFIER, out, err);
    }

    @Override
    protected boolean changes() {
      return !words.equals(List.of("status"));
    }

    @Override
    public Integer call() throws IOException {
      return say(words);
    }
  }

  @Command(
      name = "bin/rackweave rules",
      description = {
        "Shows or sets rules of directories. For each word the nearest ancestor that has it"
            + " counts. Rules are stored in the namespace: they follow renamed directories, survive"
            + " restarts, and apply on every NameNode within seconds.",
        "",
        "Words:",
        "  place=network|odds|stock  ranking of DataNodes for new replicas; default: network",
        "  code=rs-D-P|none          erasure code of files; with it age=TIME (since",
        "                            they were written), quiet=TIME (since they were read),",
        "                            size=BYTES",
        "  heat=adapt|none           whether factors adapt to reads; with it min=N, max=N and",
        "                            hot=N (replicas on hot servers)",
        ""
      })
  private static final class Rules extends AdminCommand {
    private static final String PATH = "PATH";
    private static final String DIRECTORY = "The directory.";

    Rules(PrintStream out, PrintStream err) {
      super(RulesAdmin.IDENTIFIER, out, err);
    }

    @Override
    public Integer call() throws IOException {
      return say(List.of("list"));
    }

    @Command(description = "Shows the rules of all directories; the default.")
    int list() throws IOException {
      return call();
    }

    @Command(description = "Shows the rule of one directory.")
    int get(
        @Parameters(paramLabel = PATH, converter = HdfsPath.class, description = DIRECTORY)
            String path)
        throws IOException {
      return say(List.of("get", path));
    }

    @Command(
        description =
            "Sets words for a directory and everything below it; words of other features are"
                + " unchanged.")
    int set(
        @Parameters(
                index = "0",
                paramLabel = PATH,
                converter = HdfsPath.class,
                description = DIRECTORY)
            String path,
        @Parameters(index = "1..*", arity = "1..*", paramLabel = "WORD=VALUE") List<String> words)
        throws IOException {
      return say(all("set", path, words));
    }

    @Command(description = "Removes the rule of a directory, or its word place, code or heat.")
    int remove(
        @Parameters(
                index = "0",
                paramLabel = PATH,
                converter = HdfsPath.class,
                description = DIRECTORY)
            String path,
        @Parameters(index = "1..*", arity = "0..*", paramLabel = "WORD") List<String> words)
        throws IOException {
      return say(all("remove", path, words == null ? List.of() : words));
    }

    @Command(
        description =
            "Shows what each feature does with a path, and which directory's rule decides.")
    int test(
        @Parameters(paramLabel = PATH, converter = HdfsPath.class, description = "The path.")
            String path)
        throws IOException {
      return say(List.of("test", path));
    }

    private static List<String> all(String what, String path, List<String> words) {
      List<String> all = new ArrayList<>(List.of(what, path));
      all.addAll(words);
      return all;
    }
  }
}
