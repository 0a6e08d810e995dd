package org.rackweave.cli.admin;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.util.Tool;
import org.rackweave.cli.ear.NameNodeAdmin;

/** Says something to the active NameNode and prints its answer, for people or as JSON. */
public final class AdminCommand extends Configured implements Tool {
  private static final int EXIT_FAILURE = 1;
  private static final int EXIT_USAGE = 2;

  private static final String RULES_USAGE =
      """
      Usage: bin/rackweave rules list|get|set|remove|test [options]
        list                     the rules of all directories
        get PATH                 the rule of one directory
        set PATH WORD=VALUE ...  sets words for a directory and all that is below it; words of other
                                 features stay as they are
        remove PATH [WORD ...]   removes the rule of a directory, or place, code, heat of it
        test PATH                what each feature does with a path, and which directory says so

      Words:
        place=network|odds|stock   who ranks DataNodes for new replicas; network unless set
        code=rs-D-P|none           the code by which files are encoded; with it age=TIME (since they
                                   were written), quiet=TIME (since they were read), size=BYTES
        heat=adapt|none            whether replicas follow the readers; with it min=N, max=N and
                                   hot=N (replicas on hot servers)

      The nearest ancestor with a word counts. Rules are kept in the namespace: they follow renamed
      directories, outlive restarts, and are in force on every NameNode within seconds.

      Options:
        --json       print JSON
        -fs URI      the HDFS, otherwise the one HADOOP_CONF_DIR names
        --help       print this text
      """;

  private static final String MODE_USAGE =
      """
      Usage: bin/rackweave mode [MODE] [FEATURE=MODE ...] [options]

      Tells what Rackweave does, or switches all NameNodes of the namespace, for good: all features with
      MODE, some with FEATURE=MODE. Modes are active, shadow and off; features are placement, stripes,
      heat, sleep, recovery and read-order.

      Options:
        -fs URI      the HDFS, otherwise the one HADOOP_CONF_DIR names
        --help       print this text
      """;

  private final String name;
  private final String usage;
  private final NameNodeAdmin.Service service;
  private final String byDefault;
  private final PrintStream out;
  private final PrintStream err;

  private AdminCommand(
      String name,
      String usage,
      NameNodeAdmin.Service service,
      String byDefault,
      PrintStream out,
      PrintStream err) {
    this.name = name;
    this.usage = usage;
    this.service = service;
    this.byDefault = byDefault;
    this.out = out;
    this.err = err;
  }

  /** {@code bin/rackweave rules}. */
  public static AdminCommand rules(PrintStream out, PrintStream err) {
    return new AdminCommand("rules", RULES_USAGE, NameNodeAdmin.Service.RULES, "list", out, err);
  }

  /** {@code bin/rackweave mode}. */
  public static AdminCommand mode(PrintStream out, PrintStream err) {
    return new AdminCommand("mode", MODE_USAGE, NameNodeAdmin.Service.SWITCH, "status", out, err);
  }

  @Override
  public int run(String[] args) {
    List<String> words = new ArrayList<>();
    boolean isJson = false;
    for (String arg : args) {
      if (arg.equals("--help") || arg.equals("-h")) {
        out.print(usage);
        return 0;
      }
      if (arg.equals("--json") && name.equals("rules")) {
        isJson = true;
      } else if (arg.startsWith("-")) {
        err.printf("rackweave %s: unknown option '%s'%n%n%s", name, arg, usage);
        return EXIT_USAGE;
      } else {
        words.add(arg);
      }
    }
    if (words.isEmpty()) {
      words.add(byDefault);
    }
    try (NameNodeAdmin nameNode = NameNodeAdmin.connect(getConf(), service)) {
      String answer = nameNode.text(words.toArray(String[]::new));
      if (!name.equals("rules")) {
        out.println(answer);
      } else if (isJson) {
        out.println(json(words, answer));
      } else {
        table(answer);
      }
      return 0;
    } catch (IOException e) {
      err.printf("rackweave %s: %s%n", name, e.getMessage());
      return EXIT_FAILURE;
    }
  }

  private void table(String answer) {
    List<String[]> rows = answer.lines().map(line -> line.split("\t")).toList();
    int[] widths = new int[8];
    for (String[] row : rows) {
      for (int i = 0; i < row.length; i++) {
        widths[i] = Math.max(widths[i], row[i].length());
      }
    }
    for (String[] row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < row.length; i++) {
        line.append(String.format("%-" + (widths[i] + 2) + "s", row[i]));
      }
      out.println(line.toString().stripTrailing());
    }
  }

  private static String json(List<String> words, String answer) throws JsonProcessingException {
    boolean isTest = words.get(0).equals("test");
    ArrayNode rows = JsonNodeFactory.instance.arrayNode();
    for (String line : answer.lines().toList()) {
      String[] cells = line.split("\t");
      rows.add(isTest ? tested(cells) : rule(cells));
    }
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.set(isTest ? "features" : "rules", rows);
    return new ObjectMapper().writerWithDefaultPrettyPrinter().writeValueAsString(json);
  }

  private static JsonNode tested(String[] cells) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("feature", cells[0])
        .put("mode", cells[1])
        .put("does", cells[2])
        .put("rule_of", cells[3].equals("-") ? null : cells[3]);
  }

  private static JsonNode rule(String[] cells) {
    ObjectNode rule = JsonNodeFactory.instance.objectNode().put("path", cells[0]);
    for (String word : cells[1].split(" ")) {
      rule.put(word.substring(0, word.indexOf('=')), word.substring(word.indexOf('=') + 1));
    }
    return rule;
  }
}
