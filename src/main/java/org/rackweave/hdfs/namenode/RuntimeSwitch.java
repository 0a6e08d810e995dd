package org.rackweave.hdfs.namenode;

import org.apache.hadoop.ipc.RefreshHandler;
import org.apache.hadoop.ipc.RefreshResponse;
import org.rackweave.hdfs.ConfigReader;
import org.rackweave.hdfs.Mode;
import org.rackweave.hdfs.hook.HookGuard;
import org.rackweave.placement.FallbackReason;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Switches a running NameNode between active, shadow and off: {@code hdfs dfsadmin -refresh
 * host:port rackweave [active|shadow|off|status]}. Lasts until the NameNode restarts, when {@code
 * rackweave.mode} applies again.
 */
public final class RuntimeSwitch implements RefreshHandler {
  /** Name of the handler. */
  public static final String IDENTIFIER = "rackweave";

  private static final Logger LOG = LoggerFactory.getLogger(RuntimeSwitch.class);
  private static final int USAGE = 2;

  private final PlacementContext context;
  private final String nameNode;

  /**
   * @param nameNode address of the NameNode, for the answer
   */
  RuntimeSwitch(PlacementContext context, String nameNode) {
    this.context = context;
    this.nameNode = nameNode;
  }

  @Override
  public RefreshResponse handleRefresh(String identifier, String[] args) {
    if (args.length > 1) {
      return new RefreshResponse(USAGE, "expected one of active, shadow, off, status");
    }
    if (args.length == 1 && !args[0].equals("status")) {
      try {
        context.setMode(ConfigReader.choose("mode", args[0], Mode.class));
        LOG.info("Rackweave on {} switched to {}", nameNode, context.mode());
      } catch (IllegalArgumentException e) {
        return new RefreshResponse(USAGE, e.getMessage() + ", status");
      }
    }
    return new RefreshResponse(0, status());
  }

  private String status() {
    PlacementMetrics metrics = context.metrics();
    StringBuilder text = new StringBuilder("Rackweave on " + nameNode + ": " + context.mode());
    PlacementState state = context.state();
    text.append(
        state == null
            ? ", no snapshot yet"
            : String.format(
                ", coverage %.0f %% of %d DataNodes (%d measured, %d derived)",
                state.ledger().snapshot().coverage() * 100,
                state.ledger().snapshot().liveCount(),
                state.ledger().snapshot().measuredCount(),
                state.ledger().snapshot().derivedCount()));
    text.append(", ").append(metrics.decisionCount()).append(" decisions");
    for (FallbackReason reason : FallbackReason.values()) {
      if (metrics.fallbackCount(reason) > 0) {
        text.append(", ").append(reason.label()).append(' ').append(metrics.fallbackCount(reason));
      }
    }
    return text.append(HookGuard.describe()).toString();
  }
}
