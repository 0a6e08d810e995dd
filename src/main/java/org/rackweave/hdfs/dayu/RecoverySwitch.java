package org.rackweave.hdfs.dayu;

import java.io.IOException;
import java.util.List;
import org.rackweave.hdfs.admin.AdminAnswer;
import org.rackweave.hdfs.admin.AdminHandler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@code hdfs dfsadmin -refresh host:port rackweave-recovery [go|wait|status]}, and where {@code
 * bin/rackweave recovery} ({@code report}), {@code whatif} ({@code whatif KIND=VALUE}) and {@code
 * durability} reach a NameNode. Go is for what is lost when it is said, and lasts until that is
 * back or accounted for, until wait, or until a failover.
 */
public final class RecoverySwitch implements AdminHandler {
  /** Name of the handler. */
  public static final String IDENTIFIER = "rackweave-recovery";

  private static final Logger LOG = LoggerFactory.getLogger(RecoverySwitch.class);
  private static final String ALLOWED =
      "allowed is one of go, wait, status, report, durability, whatif KIND=VALUE,"
          + " goal, calendar; recovery is switched on and off by"
          + " -refresh HOST:PORT rackweave recovery=MODE";

  private final NameNodeRecovery recovery;

  RecoverySwitch(NameNodeRecovery recovery) {
    this.recovery = recovery;
  }

  @Override
  public AdminAnswer answer(List<String> words) throws IOException {
    String word = words.isEmpty() ? "status" : words.get(0);
    if (RecoveryGoals.OPTIONS.containsKey(word)) {
      return recovery.goals().answer(words);
    }
    if (words.size() != (word.equals("whatif") ? 2 : Math.min(1, words.size()))) {
      throw new IllegalArgumentException("'" + String.join(" ", words) + "': " + ALLOWED);
    }
    switch (word) {
      case "status" -> {}
      case "report" -> {
        return RecoveryReport.of(recovery);
      }
      case "durability" -> {
        return recovery.whatIf().durability();
      }
      case "whatif" -> {
        return recovery.whatIf().predict(words.get(1));
      }
      case "go", "wait" -> {
        recovery.overrideBrake(word.equals("go"));
        LOG.info("Recovery: operator command {}", word);
      }
      default -> throw new IllegalArgumentException("'" + word + "': " + ALLOWED);
    }
    return recovery.status();
  }
}
