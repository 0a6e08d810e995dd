package org.rackweave.cli.admin;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.util.concurrent.Callable;
import org.apache.hadoop.net.NetUtils;
import org.rackweave.cli.HdfsCommand;
import org.rackweave.hdfs.namenode.SettingsReload;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code bin/rackweave reload}: each NameNode of a namespace reads its own files again. */
@Command(
    name = "bin/rackweave reload",
    description =
        "Makes every NameNode of the namespace read its configuration files again and apply"
            + " Rackweave's settings: all of them, or none if one is invalid. Shows what has"
            + " changed, and what needs a restart.")
public final class ReloadCommand extends HdfsCommand implements Callable<Integer> {
  @Option(names = "--json", description = "Print JSON: one answer per NameNode.")
  private boolean json;

  public ReloadCommand(PrintStream out, PrintStream err) {
    super(out, err);
  }

  @Override
  public Integer call() throws IOException {
    int exit = 0;
    ObjectNode answers = JsonNodeFactory.instance.objectNode();
    for (InetSocketAddress address : NameNodeAdmin.addresses(getConf())) {
      String nameNode = NetUtils.getHostPortString(address);
      try (NameNodeAdmin admin =
          NameNodeAdmin.connect(getConf(), address, SettingsReload.IDENTIFIER)) {
        answers.set(nameNode, admin.ask());
      } catch (IOException e) {
        err.printf("%s: NameNode %s: %s%n", name(), nameNode, e.getMessage());
        exit = EXIT_FAILURE;
      }
    }
    out.print(json ? answers.toPrettyString() + "\n" : text(answers));
    return exit;
  }

  private static String text(ObjectNode answers) {
    StringBuilder text = new StringBuilder();
    answers
        .fields()
        .forEachRemaining(
            answer -> {
              String changes = JsonTables.text(answer.getValue());
              text.append("NameNode ").append(answer.getKey()).append('\n');
              text.append(changes.isEmpty() ? "no setting has changed\n" : changes);
            });
    return text.toString();
  }
}
