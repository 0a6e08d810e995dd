package org.rackweave.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintStream;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import org.apache.hadoop.util.VersionInfo;
import org.rackweave.cli.admin.JsonTables;
import org.rackweave.cli.admin.NameNodeAdmin;
import org.rackweave.hdfs.namenode.HealthAdmin;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Prints what a bug report has to name, and what runs on a cluster. */
@Command(
    name = "bin/rackweave version",
    description =
        "Prints the versions of Rackweave, Hadoop and Java, of this command or of a cluster.")
final class VersionCommand extends HdfsCommand implements Callable<Integer> {
  @Option(
      names = "--cluster",
      description =
          "Versions of every NameNode of the namespace, and of Hadoop on live DataNodes. The"
              + " exit code is 1 if they differ. DataNodes do not report Rackweave's version.")
  private boolean cluster;

  @Option(names = "--json", description = "With --cluster: print JSON.")
  private boolean json;

  VersionCommand(PrintStream out, PrintStream err) {
    super(out, err);
  }

  @Override
  public Integer call() throws IOException {
    if (json && !cluster) {
      throw new UsageException("--json goes with --cluster");
    }
    return cluster ? ofCluster() : ofThis();
  }

  private int ofThis() {
    String version = Rackweave.class.getPackage().getImplementationVersion();
    // Only the jar carries its version.
    out.println("Rackweave " + Objects.requireNonNullElse(version, "(unpackaged)"));
    out.println("Hadoop " + VersionInfo.getVersion());
    out.println("Java " + Runtime.version());
    return 0;
  }

  private int ofCluster() throws IOException {
    Map<String, String> failures = new LinkedHashMap<>();
    ObjectNode versions =
        versions(NameNodeAdmin.askAll(getConf(), HealthAdmin.IDENTIFIER, failures, "status"));
    out.print(json ? versions.toPrettyString() + "\n" : JsonTables.text(versions));
    failures.forEach((nameNode, why) -> err.printf("NameNode %s: %s%n", nameNode, why));
    return versions.path("mixed").asBoolean() || !failures.isEmpty() ? EXIT_FAILURE : 0;
  }

  /** What runs where, of NameNodes that say how they do. */
  static ObjectNode versions(Map<String, ObjectNode> answers) {
    ObjectNode versions = JsonNodeFactory.instance.objectNode().put("mixed", false);
    ArrayNode rows = versions.putArray("versions");
    Set<String> rackweave = new HashSet<>();
    answers.forEach(
        (nameNode, answer) -> {
          String version = answer.path("version").asText();
          rackweave.add(version);
          ObjectNode row = rows.addObject().put("where", nameNode).put("rackweave", version);
          row.put("hadoop", answer.path("hadoop").asText()).put("count", 1);
          answer
              .path("hadoop_of_datanodes")
              .fields()
              .forEachRemaining(
                  one -> {
                    ObjectNode its = rows.addObject().put("where", "DataNodes of " + nameNode);
                    its.putNull("rackweave").put("hadoop", one.getKey());
                    its.put("count", one.getValue().asInt());
                  });
        });
    long hadoop = rows.findValuesAsText("hadoop").stream().distinct().count();
    return versions.put("mixed", rackweave.size() > 1 || hadoop > 1);
  }
}
