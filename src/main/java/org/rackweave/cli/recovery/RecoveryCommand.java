package org.rackweave.cli.recovery;

import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.util.Tool;
import org.rackweave.cli.UsageException;
import org.rackweave.cli.ear.NameNodeAdmin;
import org.rackweave.hdfs.dayu.ReportLine;

/**
 * {@code bin/rackweave recovery} and {@code whatif}: asks the active NameNode and prints its
 * answer. Neither changes anything.
 */
public final class RecoveryCommand extends Configured implements Tool {
  private static final int EXIT_FAILURE = 1;
  private static final int EXIT_USAGE = 2;

  private static final String RECOVERY_USAGE =
      """
      Usage: bin/rackweave recovery [options]

      Tells how the recovery of lost replicas stands: blocks that wait, by priority, the last slot's plan,
      what DataNodes use of their idle bandwidth, when it will be over, and copies that take longer than
      a slot. Needs rackweave.dayu.enabled in the NameNode.

      Options:
        --json       print JSON
        -fs URI      the HDFS, otherwise the one HADOOP_CONF_DIR names
        --help       print this text
      """;

  private static final String WHATIF_USAGE =
      """
      Usage: bin/rackweave whatif --node X [options]

      Tells what recovery would be like if a DataNode died now: how long it would take, which source would
      send most, and how much it would disturb others (the paper's interference factor; up to 0.02 is
      little). Plans with the bandwidth that is idle now and does nothing. Needs rackweave.dayu.enabled
      in the NameNode.

      Options:
        --node X     the DataNode: host:port, address, host name or UUID
        --json       print JSON
        -fs URI      the HDFS, otherwise the one HADOOP_CONF_DIR names
        --help       print this text
      """;

  private final boolean isWhatIf;
  private final PrintStream out;
  private final PrintStream err;

  private RecoveryCommand(boolean isWhatIf, PrintStream out, PrintStream err) {
    this.isWhatIf = isWhatIf;
    this.out = out;
    this.err = err;
  }

  /** {@code bin/rackweave recovery}. */
  public static RecoveryCommand recovery(PrintStream out, PrintStream err) {
    return new RecoveryCommand(false, out, err);
  }

  /** {@code bin/rackweave whatif}. */
  public static RecoveryCommand whatIf(PrintStream out, PrintStream err) {
    return new RecoveryCommand(true, out, err);
  }

  private String name() {
    return isWhatIf ? "whatif" : "recovery";
  }

  private String usage() {
    return isWhatIf ? WHATIF_USAGE : RECOVERY_USAGE;
  }

  @Override
  public int run(String[] args) {
    try {
      RecoveryOptions options = RecoveryOptions.parse(args, isWhatIf);
      if (options.help()) {
        out.print(usage());
        return 0;
      }
      List<ReportLine> lines = ask(options);
      out.print(options.json() ? ReportText.json(lines) : ReportText.tables(lines));
      return 0;
    } catch (UsageException e) {
      err.printf("rackweave %s: %s%n%n%s", name(), e.getMessage(), usage());
      return EXIT_USAGE;
    } catch (IOException e) {
      err.printf("rackweave %s: %s%n", name(), e.getMessage());
      return EXIT_FAILURE;
    }
  }

  private List<ReportLine> ask(RecoveryOptions options) throws IOException {
    String[] words = isWhatIf ? new String[] {"whatif", options.node()} : new String[] {"report"};
    try (NameNodeAdmin nameNode =
        NameNodeAdmin.connect(getConf(), NameNodeAdmin.Service.RECOVERY)) {
      return Stream.of(nameNode.text(words).split("\n"))
          .filter(line -> !line.isBlank())
          .map(ReportLine::parse)
          .toList();
    }
  }
}
