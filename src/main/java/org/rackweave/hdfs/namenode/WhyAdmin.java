package org.rackweave.hdfs.namenode;

import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.rackweave.eafr.ServerRole;
import org.rackweave.ear.ErasureCode;
import org.rackweave.hdfs.ClusterView;
import org.rackweave.hdfs.Feature;
import org.rackweave.hdfs.Mode;
import org.rackweave.hdfs.admin.AdminAnswer;
import org.rackweave.hdfs.admin.AdminHandler;
import org.rackweave.hdfs.admin.AdminRequest;
import org.rackweave.hdfs.eafr.ChangedFactors;
import org.rackweave.hdfs.eafr.FileLookup;
import org.rackweave.hdfs.eafr.FileLookup.FoundFile;
import org.rackweave.hdfs.ear.EncodedStripes;
import org.rackweave.history.Calibration;
import org.rackweave.history.History;
import org.rackweave.history.PlacementRecord;

/**
 * Says why blocks are where they are, and what else was done to a file or with a DataNode: {@code
 * hdfs dfsadmin -refresh HOST:PORT rackweave-why show [path=PATH] [node=DATANODE or RACK]
 * [on=DATANODE,...] [from=MS] [until=MS] [last=N]}.
 */
public final class WhyAdmin implements AdminHandler {
  /** Name of the handler. */
  public static final String IDENTIFIER = "rackweave-why";

  private static final int LAST = 20;
  private static final int LAST_MAX = 200; // Hadoop writes answers to its log
  private static final Map<String, Set<String>> WORDS =
      Map.of("show", Set.of("path", "node", "on", "from", "until", "last"));

  /** Blocks of a file that are looked up in one hold of the lock. */
  private static final int BLOCKS_MAX = 1000;

  private final PlacementContext context;
  private final FileLookup lookup;
  private final Function<String, ServerRole> roleOf;

  /**
   * @param roleOf a DataNode's role, by its UUID
   */
  WhyAdmin(PlacementContext context, FileLookup lookup, Function<String, ServerRole> roleOf) {
    this.context = context;
    this.lookup = lookup;
    this.roleOf = roleOf;
  }

  @Override
  public AdminAnswer answer(List<String> words) {
    Map<String, String> options = AdminRequest.parse(words, WORDS).options();
    History<PlacementRecord> decisions = context.decisions();
    AdminAnswer answer =
        new AdminAnswer()
            .with("kept", Math.min(decisions.added(), decisions.capacity()))
            .with("kept_at_most", decisions.capacity())
            .with("not_kept", decisions.left())
            .list("decisions", List.of());
    select(decisions, options).forEach(record -> answer.row("decisions", row(record)));
    answer.list("events", List.of());
    Set<String> subjects = new HashSet<>();
    if (options.containsKey("path")) {
      String path = AdminRequest.path(options);
      subjects.add(PlacementRecord.kept(path));
      file(answer, path, subjects);
    }
    String node = options.get("node");
    if (node != null) {
      nodes(answer, node);
    }
    int last = last(options.get("last"));
    context
        .events()
        .latest(
            last,
            last,
            event -> subjects.contains(event.subject()) || node != null && event.isAt(node))
        .forEach(event -> answer.row("events", HealthAdmin.row(event)));
    return answer;
  }

  /** Says what was made of a file later, and adds its blocks to subjects. */
  private void file(AdminAnswer answer, String path, Set<String> subjects) {
    long id = lookup.fileAt(path);
    FoundFile file = id == FileLookup.NO_FILE ? null : lookup.files(List.of(id)).get(0);
    FileLookup.Replicas replicas = file == null ? null : lookup.replicas(id, BLOCKS_MAX);
    if (file == null || replicas == null && file.blocks() <= BLOCKS_MAX) {
      return; // not there, or deleted meanwhile
    }
    AdminAnswer its =
        new AdminAnswer()
            .with("factor", file.factor())
            .with("own_factor", ChangedFactors.ownOf(file))
            .with("blocks", file.blocks());
    answer.with("file", its);
    if (replicas == null) {
      its.with("encoding", "more than " + BLOCKS_MAX + " blocks are too many to look at");
      return;
    }
    EncodedStripes stripes = context.stripes().encoded();
    Set<Long> parity = new TreeSet<>();
    int encoded = 0;
    boolean awaits = false;
    for (long block : replicas.blockIds()) {
      subjects.add("blk_" + block);
      stripes.of(block).ifPresent(stripe -> parity.add(stripe.parityFile()));
      encoded += stripes.contains(block) ? 1 : 0;
      awaits |= context.stripes().awaitsEncoding(block);
    }
    its.with("blocks_encoded", encoded)
        .with("parity_inodes", parity.toString())
        .with("encoding", encoding(path, encoded > 0 && encoded == file.blocks(), awaits));
  }

  private String encoding(String path, boolean isEncoded, boolean awaits) {
    Optional<ErasureCode> code = context.config().ear().paths().of(path);
    Mode mode = context.mode(Feature.STRIPES);
    return isEncoded
        ? "all blocks are encoded"
        : code.isEmpty()
            ? "no rule gives it a code"
            : mode != Mode.ACTIVE
                ? "stripes is " + label(mode)
                : "waits for "
                    + (awaits ? "its turn in a full stripe of " : "its age, or a full stripe of ")
                    + code.get().name();
  }

  private void nodes(AdminAnswer answer, String name) {
    for (DatanodeDescriptor datanode : Doctor.datanodes(context.state())) {
      String place = ClusterView.placeOf(datanode);
      if (PlacementRecord.isAt(place, name)) {
        String role = label(roleOf.apply(datanode.getDatanodeUuid()));
        answer.row("nodes", new AdminAnswer().with("node", place).with("role", role));
      }
    }
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
