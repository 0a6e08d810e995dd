package org.rackweave.hdfs.namenode;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.rackweave.hdfs.ClusterView;
import org.rackweave.hdfs.Feature;
import org.rackweave.hdfs.FeatureModes;
import org.rackweave.hdfs.admin.AdminAnswer;
import org.rackweave.hdfs.admin.AdminHandler;
import org.rackweave.hdfs.hook.HookGuard;
import org.rackweave.placement.FallbackReason;
import org.rackweave.telemetry.LinkSnapshot;

/**
 * Switches features of a running NameNode between active, shadow and off: {@code hdfs dfsadmin
 * -refresh host:port rackweave [status | MODE] [FEATURE=MODE]...}; and with it all NameNodes of the
 * namespace, as {@link ClusterMode} says. Calls of this handler wait for no other command.
 */
public final class RuntimeSwitch implements AdminHandler {
  /** Name of the handler. */
  public static final String IDENTIFIER = "rackweave";

  private final PlacementContext context;
  private final ClusterMode mode;
  private final String nameNode;

  /**
   * @param nameNode address of the NameNode, for the answer
   */
  RuntimeSwitch(PlacementContext context, ClusterMode mode, String nameNode) {
    this.context = context;
    this.mode = mode;
    this.nameNode = nameNode;
  }

  @Override
  public AdminAnswer answer(List<String> words) throws IOException {
    if (!words.isEmpty() && !words.get(0).equals("status")) {
      try {
        mode.say(words);
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(
            e.getMessage() + "; expected is status, or " + FeatureModes.ALLOWED, e);
      }
    } else if (words.size() > 1) {
      throw new IllegalArgumentException("nothing is expected behind status");
    }
    return status();
  }

  private AdminAnswer status() {
    PlacementMetrics metrics = context.metrics();
    AdminAnswer answer = new AdminAnswer().with("namenode", nameNode);
    Map<String, String> modes = new LinkedHashMap<>();
    for (Feature feature : Feature.values()) {
      modes.put(feature.label(), context.modes().of(feature).name().toLowerCase(Locale.ROOT));
    }
    answer.with("modes", modes);
    if (context.modes().isOff(Feature.STRIPES)) {
      answer.with("stripes", "encoded files are still guarded, read and repaired");
    }
    ClusterView state = context.state();
    if (state == null) {
      answer.with("coverage", "no snapshot yet");
    } else {
      LinkSnapshot snapshot = state.links();
      answer.with("coverage", snapshot.coverage());
      answer.with("datanodes", snapshot.liveCount());
      answer.with("datanodes_measured", snapshot.measuredCount());
      answer.with("datanodes_derived", snapshot.derivedCount());
    }
    answer.with("decisions", metrics.decisionCount());
    Map<String, Long> fallbacks = new LinkedHashMap<>();
    for (FallbackReason reason : FallbackReason.values()) {
      if (metrics.fallbackCount(reason) > 0) {
        fallbacks.put(reason.label(), metrics.fallbackCount(reason));
      }
    }
    answer.with("fallbacks", fallbacks);
    answer.with("alarm", context.stripes().counts().deletionAlarm());
    return answer.with("failures", HookGuard.describe().replaceFirst("^[,;] ", ""));
  }
}
