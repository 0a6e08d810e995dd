package org.rackweave.hdfs.namenode;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.ipc.RefreshHandler;
import org.apache.hadoop.ipc.RefreshResponse;
import org.rackweave.hdfs.ClusterView;
import org.rackweave.hdfs.Feature;
import org.rackweave.hdfs.FeatureModes;
import org.rackweave.hdfs.hook.HookGuard;
import org.rackweave.placement.FallbackReason;

/**
 * Switches features of a running NameNode between active, shadow and off: {@code hdfs dfsadmin
 * -refresh host:port rackweave [status | reload | MODE] [FEATURE=MODE]...}; and with it all
 * NameNodes of the namespace, as {@link ClusterMode} says. Or reads the settings of this one again.
 * Calls of this handler wait for no other command, and none for a reload.
 */
public final class RuntimeSwitch implements RefreshHandler {
  /** Name of the handler. */
  public static final String IDENTIFIER = "rackweave";

  private static final int NOT_NOW = 1;
  private static final int USAGE = 2;

  private static final String RELOAD = "reload";

  private final PlacementContext context;
  private final ClusterMode mode;
  private final RefreshHandler reload;
  private final String nameNode;

  /**
   * @param reload reads settings again
   * @param nameNode address of the NameNode, for the answer
   */
  RuntimeSwitch(
      PlacementContext context, ClusterMode mode, RefreshHandler reload, String nameNode) {
    this.reload = reload;
    this.context = context;
    this.mode = mode;
    this.nameNode = nameNode;
  }

  @Override
  public RefreshResponse handleRefresh(String identifier, String[] args) {
    if (args.length > 0 && args[0].equals(RELOAD)) {
      return reload.handleRefresh(identifier, args);
    }
    if (args.length > 0 && !args[0].equals("status")) {
      try {
        String lasts = mode.say(List.of(args));
        return new RefreshResponse(lasts.isEmpty() ? 0 : NOT_NOW, status() + lasts);
      } catch (IOException | IllegalStateException e) {
        return new RefreshResponse(NOT_NOW, e.getMessage());
      } catch (IllegalArgumentException e) {
        return new RefreshResponse(
            USAGE, e.getMessage() + "; expected is status, reload, or " + FeatureModes.ALLOWED);
      }
    }
    return args.length > 1
        ? new RefreshResponse(USAGE, "nothing is expected behind status")
        : new RefreshResponse(0, status());
  }

  private String status() {
    PlacementMetrics metrics = context.metrics();
    StringBuilder text = new StringBuilder("Rackweave on " + nameNode + ": " + context.modes());
    if (context.modes().isOff(Feature.STRIPES)) {
      text.append(" (encoded files are still guarded, read and repaired)");
    }
    ClusterView state = context.state();
    text.append(
        state == null
            ? ", no snapshot yet"
            : String.format(
                ", coverage %.0f %% of %d DataNodes (%d measured, %d derived)",
                state.links().coverage() * 100,
                state.links().liveCount(),
                state.links().measuredCount(),
                state.links().derivedCount()));
    text.append(", ").append(metrics.decisionCount()).append(" decisions");
    for (FallbackReason reason : FallbackReason.values()) {
      if (metrics.fallbackCount(reason) > 0) {
        text.append(", ").append(reason.label()).append(' ').append(metrics.fallbackCount(reason));
      }
    }
    String alarm = context.stripes().counts().deletionAlarm();
    text.append(alarm.isEmpty() ? "" : "; ").append(alarm);
    return text.append(HookGuard.describe()).toString();
  }
}
