package org.rackweave.hdfs.namenode;

import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.hadoop.util.Time;
import org.rackweave.hdfs.Feature;
import org.rackweave.hdfs.Mode;
import org.rackweave.hdfs.admin.AdminAnswer;
import org.rackweave.hdfs.admin.AdminHandler;
import org.rackweave.hdfs.admin.AdminRequest;
import org.rackweave.history.Calibration;
import org.rackweave.history.ShadowAccount;

/**
 * Says what placement in shadow mode would have changed: {@code hdfs dfsadmin -refresh HOST:PORT
 * rackweave-shadow report [since=7d]}.
 */
public final class ShadowAdmin implements AdminHandler {
  /** Name of the handler. */
  public static final String IDENTIFIER = "rackweave-shadow";

  private static final int PATHS_TOLD = 10;
  private static final String SINCE = "since";

  private final PlacementContext context;

  ShadowAdmin(PlacementContext context) {
    this.context = context;
  }

  @Override
  public AdminAnswer answer(List<String> words) {
    Map<String, String> options =
        AdminRequest.parse(words, Map.of("report", Set.of(SINCE))).options();
    if (context.decisions().capacity() == 0) {
      throw new IllegalStateException("no decisions are kept: rackweave.decisions.kept is 0");
    }
    ShadowAccount account = context.shadow();
    long sinceMs = Time.now() - AdminRequest.durationMs(SINCE, options.getOrDefault(SINCE, "7d"));
    ShadowAccount.Comparison all = account.since(sinceMs, ThreadLocalRandom.current());
    AdminAnswer placement =
        new AdminAnswer()
            .with("mode", context.mode(Feature.PLACEMENT).name().toLowerCase(Locale.ROOT));
    placement.with("blocks", all.blocks());
    if (all.blocks() > 0) {
      placement
          .with("since", Instant.ofEpochMilli(all.sinceMs()).toString())
          .with("stock_block_s", all.stock())
          .with("rackweave_block_s", all.ours())
          .with("times_as_fast", all.timesAsFast())
          .with("times_as_fast_least", all.least())
          .with("times_as_fast_most", all.most())
          .with("stock_targets_on_busy_links", all.stockBusy())
          .with("rackweave_targets_on_busy_links", all.oursBusy());
    }
    placement.with("verdict", verdict(all.verdict()));
    AdminAnswer answer = new AdminAnswer().with("placement", placement).list("paths", List.of());
    List<ShadowAccount.PathGain> paths = account.paths();
    for (int i = 0; i < paths.size(); i++) {
      if (i < PATHS_TOLD || i >= paths.size() - PATHS_TOLD) {
        answer.row(
            "paths",
            new AdminAnswer()
                .with("path", paths.get(i).path())
                .with("blocks", paths.get(i).blocks())
                .with("writer_seconds_saved", paths.get(i).seconds()));
      }
    }
    Calibration.Ratios ratios = context.trials().calibration().ratios();
    return answer.with(
        "calibration",
        new AdminAnswer()
            .with("blocks", ratios.blocks())
            .with("ratio_p10", ratios.p10())
            .with("ratio_median", ratios.median())
            .with("ratio_p90", ratios.p90()));
  }

  private String verdict(ShadowAccount.Verdict verdict) {
    return switch (verdict) {
      case GO -> "go: blocks would be written faster, by the 95 % interval";
      case NO_GO -> "no go: blocks would be written more slowly, by the 95 % interval";
      case UNDECIDED ->
          context.mode(Feature.PLACEMENT) == Mode.SHADOW
              ? "undecided: less than two hours of decisions, or a small difference; wait"
              : "undecided: placement is not in shadow mode";
    };
  }
}
