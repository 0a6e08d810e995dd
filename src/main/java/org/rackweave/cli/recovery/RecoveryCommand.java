package org.rackweave.cli.recovery;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintStream;
import java.util.concurrent.Callable;
import org.rackweave.cli.HdfsCommand;
import org.rackweave.cli.admin.JsonTables;
import org.rackweave.cli.admin.NameNodeAdmin;
import org.rackweave.hdfs.dayu.RecoverySwitch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code bin/rackweave recovery} and {@code whatif}: asks the active NameNode and prints its
 * answer. Neither changes anything.
 */
public abstract class RecoveryCommand extends HdfsCommand implements Callable<Integer> {
  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  private RecoveryCommand(PrintStream out, PrintStream err) {
    super(out, err);
  }

  /** {@code bin/rackweave recovery}. */
  public static RecoveryCommand recovery(PrintStream out, PrintStream err) {
    return new Report(out, err);
  }

  /** {@code bin/rackweave whatif}. */
  public static RecoveryCommand whatIf(PrintStream out, PrintStream err) {
    return new WhatIf(out, err);
  }

  /** What the NameNode is asked. */
  abstract String[] question();

  @Override
  public Integer call() throws IOException {
    ObjectNode answer = NameNodeAdmin.askActive(getConf(), RecoverySwitch.IDENTIFIER, question());
    out.print(json ? answer.toPrettyString() + "\n" : JsonTables.text(answer));
    return 0;
  }

  @Command(
      name = "bin/rackweave recovery",
      description =
          "Tells how the recovery of lost replicas stands: blocks that wait, by priority, the last"
              + " slot's plan, what DataNodes use of their idle bandwidth, when it will be over, and"
              + " copies that take longer than a slot.")
  private static final class Report extends RecoveryCommand {
    Report(PrintStream out, PrintStream err) {
      super(out, err);
    }

    @Override
    String[] question() {
      return new String[] {"report"};
    }
  }

  @Command(
      name = "bin/rackweave whatif",
      description =
          "Tells what recovery would be like if a DataNode died now: how long it would take, which"
              + " source would send most, and how much it would disturb others (the paper's"
              + " interference factor; up to 0.02 is little). Plans with the bandwidth that is idle"
              + " now and does nothing.")
  private static final class WhatIf extends RecoveryCommand {
    @Option(
        names = "--node",
        required = true,
        paramLabel = "X",
        description = "The DataNode: host:port, address, host name or UUID.")
    private String node;

    WhatIf(PrintStream out, PrintStream err) {
      super(out, err);
    }

    @Override
    String[] question() {
      return new String[] {"whatif", node};
    }
  }
}
