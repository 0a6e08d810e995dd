package org.rackweave.hdfs.dayu;

import org.apache.hadoop.ipc.RefreshHandler;
import org.apache.hadoop.ipc.RefreshResponse;
import org.rackweave.hdfs.AdminRequest;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@code hdfs dfsadmin -refresh host:port rackweave-recovery [go|wait|status]}, and where {@code
 * bin/rackweave recovery} ({@code report}) and {@code whatif} ({@code whatif NODE}) reach a
 * NameNode: their answers are {@link ReportLine}s. HDFS lets superusers only through. Go is for
 * what is lost when it is said, and lasts until that is back or accounted for, until wait, or until
 * a failover.
 */
public final class RecoverySwitch implements RefreshHandler {
  /** Name of the handler. */
  public static final String IDENTIFIER = "rackweave-recovery";

  private static final Logger LOG = LoggerFactory.getLogger(RecoverySwitch.class);
  private static final String ALLOWED =
      "allowed is one of go, wait, status, report, whatif NODE; recovery is switched on and off by"
          + " -refresh HOST:PORT rackweave recovery=MODE";

  private final NameNodeRecovery recovery;

  RecoverySwitch(NameNodeRecovery recovery) {
    this.recovery = recovery;
  }

  @Override
  public RefreshResponse handleRefresh(String identifier, String[] args) {
    return AdminRequest.respond(() -> answer(args));
  }

  private String answer(String[] args) {
    String word = args.length == 0 ? "status" : args[0];
    int words = word.equals("whatif") ? 2 : Math.min(1, args.length);
    if (args.length != words) {
      throw new IllegalArgumentException("'" + String.join(" ", args) + "': " + ALLOWED);
    }
    switch (word) {
      case "status" -> {
        return recovery.status();
      }
      case "report" -> {
        return RecoveryReport.of(recovery);
      }
      case "whatif" -> {
        return recovery.whatIf().predict(args[1]);
      }
      case "go", "wait" -> recovery.overrideBrake(word.equals("go"));
      default -> throw new IllegalArgumentException("'" + word + "': " + ALLOWED);
    }
    LOG.info("The operator said {} to recovery", word);
    return recovery.status();
  }
}
