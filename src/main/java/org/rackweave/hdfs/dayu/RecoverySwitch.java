package org.rackweave.hdfs.dayu;

import java.util.Set;
import org.apache.hadoop.ipc.RefreshHandler;
import org.apache.hadoop.ipc.RefreshResponse;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@code hdfs dfsadmin -refresh host:port rackweave-recovery [on|off|go|wait|status]}. HDFS lets
 * superusers only through. On and off last until the NameNode restarts; go until what was lost at
 * once is back or accounted for, or until wait.
 */
public final class RecoverySwitch implements RefreshHandler {
  /** Name of the handler. */
  public static final String IDENTIFIER = "rackweave-recovery";

  private static final Logger LOG = LoggerFactory.getLogger(RecoverySwitch.class);
  private static final Set<String> WORDS = Set.of("on", "off", "go", "wait", "status");
  private static final int USAGE = 2;

  private final NameNodeRecovery recovery;

  RecoverySwitch(NameNodeRecovery recovery) {
    this.recovery = recovery;
  }

  @Override
  public RefreshResponse handleRefresh(String identifier, String[] args) {
    String word = args.length == 0 ? "status" : args[0];
    if (args.length > 1 || !WORDS.contains(word)) {
      return new RefreshResponse(
          USAGE, "'" + String.join(" ", args) + "': allowed is one of on, off, go, wait, status");
    }
    switch (word) {
      case "on", "off" -> recovery.switchOn(word.equals("on"));
      case "go", "wait" -> recovery.overrideBrake(word.equals("go"));
      default -> {
        return new RefreshResponse(0, recovery.status());
      }
    }
    LOG.info("The operator said {} to recovery", word);
    return new RefreshResponse(0, recovery.status());
  }
}
