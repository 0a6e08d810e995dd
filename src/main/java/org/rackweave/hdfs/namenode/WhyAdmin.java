package org.rackweave.hdfs.namenode;

import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.rackweave.hdfs.admin.AdminAnswer;
import org.rackweave.hdfs.admin.AdminHandler;
import org.rackweave.hdfs.admin.AdminRequest;
import org.rackweave.history.Calibration;
import org.rackweave.history.History;
import org.rackweave.history.PlacementRecord;

/**
 * Says why blocks are where they are: {@code hdfs dfsadmin -refresh HOST:PORT rackweave-why show
 * [path=PATH] [node=DATANODE or RACK] [on=DATANODE,...] [from=MS] [until=MS] [last=N]}.
 */
public final class WhyAdmin implements AdminHandler {
  /** Name of the handler. */
  public static final String IDENTIFIER = "rackweave-why";

  private static final int LAST = 20;
  private static final int LAST_MAX = 200; // Hadoop writes answers to its log
  private static final Map<String, Set<String>> WORDS =
      Map.of("show", Set.of("path", "node", "on", "from", "until", "last"));

  private final PlacementContext context;

  WhyAdmin(PlacementContext context) {
    this.context = context;
  }

  @Override
  public AdminAnswer answer(List<String> words) {
    Map<String, String> options = AdminRequest.parse(words, WORDS).options();
    History<PlacementRecord> decisions = context.decisions();
    if (decisions.capacity() == 0) {
      throw new IllegalStateException("no decisions are kept: rackweave.decisions.kept is 0");
    }
    AdminAnswer answer =
        new AdminAnswer()
            .with("kept", Math.min(decisions.added(), decisions.capacity()))
            .with("kept_at_most", decisions.capacity())
            .with("not_kept", decisions.left())
            .list("decisions", List.of());
    select(decisions, options).forEach(record -> answer.row("decisions", row(record)));
    return answer;
  }

  private static List<PlacementRecord> select(
      History<PlacementRecord> decisions, Map<String, String> options) {
    int last = last(options.get("last"));
    String path = options.containsKey("path") ? PlacementRecord.kept(options.get("path")) : null;
    String node = options.get("node");
    long fromMs = Long.parseLong(options.getOrDefault("from", "0"));
    long untilMs = Long.parseLong(options.getOrDefault("until", "" + Long.MAX_VALUE));
    Predicate<PlacementRecord> ofNode =
        record ->
            record.atMs() >= fromMs
                && record.atMs() < untilMs
                && (node == null || record.names(node));
    Predicate<PlacementRecord> which =
        ofNode.and(record -> path == null || record.path().equals(path));
    String on = options.get("on");
    if (on == null) {
      return decisions.latest(last, which);
    }
    List<String> holders = List.of(on.split(","));
    List<PlacementRecord> found = onMostOf(holders, decisions.latest(Integer.MAX_VALUE, which));
    // Files are mostly written under another name, and renamed.
    return (found.isEmpty()
            ? onMostOf(holders, decisions.latest(Integer.MAX_VALUE, ofNode)).stream()
                .filter(record -> record.chosenAmong(holders) == holders.size())
            : found.stream())
        .limit(last)
        .toList();
  }

  private static List<PlacementRecord> onMostOf(
      List<String> holders, List<PlacementRecord> records) {
    int most = records.stream().mapToInt(one -> one.chosenAmong(holders)).max().orElse(0);
    return records.stream()
        .filter(record -> most > 0 && record.chosenAmong(holders) == most)
        .toList();
  }

  private static int last(String text) {
    if (text == null) {
      return LAST;
    }
    try {
      int last = Integer.parseInt(text);
      if (last >= 1 && last <= LAST_MAX) {
        return last;
      }
    } catch (NumberFormatException e) {
      // said below, as of a number out of range
    }
    throw new IllegalArgumentException("last '" + text + "': allowed is 1 to " + LAST_MAX);
  }

  private AdminAnswer row(PlacementRecord record) {
    AdminAnswer row =
        new AdminAnswer()
            .with("time", Instant.ofEpochMilli(record.atMs()).toString())
            .with("path", record.path())
            .with("size_bytes", record.sizeBytes())
            .with("writer", record.writer())
            .with("ranking", record.ranking() == null ? null : label(record.ranking()))
            .with("by", record.fallback() == null ? "rackweave" : "stock")
            .with("reason", record.fallback() == null ? null : record.fallback().label())
            .list("targets", List.of())
            .list("stock", record.stock())
            .list("refused", List.of());
    for (PlacementRecord.Target target : record.ours()) {
      row.row(
          "targets",
          new AdminAnswer()
              .with("place", target.place())
              .with("free_bytes_per_sec", target.freeBytesPerSec())
              .with("link_bytes_per_sec", target.linkBytesPerSec())
              .with("measured_ms_before", target.ageMs()));
    }
    for (PlacementRecord.Refused refused : record.refused()) {
      row.row(
          "refused",
          new AdminAnswer().with("place", refused.place()).with("why", label(refused.why())));
    }
    PlacementRecord.Expected expected = record.expected();
    if (expected != null) {
      row.with("expected_s", expected.seconds())
          .with("stock_expected_s", expected.stockSeconds())
          .with("stock_mean_s", expected.stockMean())
          .with("stock_late_s", expected.stockLate());
    }
    Calibration calibration = context.trials().calibration();
    Calibration.Block written = calibration.of(record);
    if (written == null) {
      return row.with("sentence", record.sentence());
    }
    return row.with("measured_s", written.seconds())
        .with("sentence", record.sentence() + ' ' + calibration.sentence(written));
  }

  private static String label(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
