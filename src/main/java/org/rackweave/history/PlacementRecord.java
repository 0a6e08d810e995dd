package org.rackweave.history;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.rackweave.model.ClusterTopology;
import org.rackweave.placement.FallbackReason;
import org.rackweave.placement.PlacementDecision;
import org.rackweave.placement.Refusal;
import org.rackweave.telemetry.LinkLedger;
import org.rackweave.telemetry.LinkSnapshot;

/**
 * Where the replicas of one block were to go, and why there.
 *
 * @param atMs wall clock
 * @param path of the file; only its end when it is very long
 * @param isNew whether the block was to be written; otherwise replicas were added
 * @param sizeBytes expected size of the block
 * @param writer place of the DataNode the block comes from, {@code null} for none
 * @param ranking who ranked the candidates, {@code null} where stock decided alone
 * @param fallback why stock's choice was carried out, {@code null} when ours was
 * @param ours what we chose; empty when we chose nothing
 * @param stock places that stock HDFS chose; empty when it was not asked
 * @param refused candidates that were looked at and not taken, the first of them
 * @param expected how long the block was likely to take, {@code null} where links are not known
 */
public record PlacementRecord(
    long atMs,
    String path,
    boolean isNew,
    long sizeBytes,
    String writer,
    Ranking ranking,
    FallbackReason fallback,
    List<Target> ours,
    List<String> stock,
    List<Refused> refused,
    Expected expected) {
  private static final int PATH_CHARS_MAX = 1000;
  private static final int NAMED_MAX = 16;
  private static final double MEGA = 1e6;

  /** Who ranks candidates. */
  public enum Ranking {
    /** By the room that links have (Sinbad). */
    NETWORK,
    /** By the odds of hot servers (EAFR). */
    ODDS,
    /** By chance. */
    RANDOM
  }

  /**
   * A DataNode that was chosen, and what was known of it.
   *
   * @param place rack and name
   * @param freeBytesPerSec what it had to spare for this block
   * @param linkBytesPerSec speed of its link
   * @param ageMs since its link was measured; -1 where it was not
   */
  public record Target(String place, double freeBytesPerSec, double linkBytesPerSec, long ageMs) {}

  /** A DataNode that was not taken. */
  public record Refused(String place, Refusal why) {}

  /**
   * Seconds that the block was likely to take.
   *
   * @param seconds where we chose
   * @param stockSeconds where stock HDFS chose; not a number where it was not asked
   * @param stockMean where stock HDFS would have put it, on average
   * @param stockLate the same in one case of ten, at least
   * @param busy targets of ours with a link of which 80 % were in use
   * @param stockBusy targets of stock HDFS's with one
   */
  public record Expected(
      double seconds,
      double stockSeconds,
      double stockMean,
      double stockLate,
      int busy,
      int stockBusy) {

    private String sentence(boolean isOurs) {
      String chosen =
          isOurs || Double.isNaN(stockSeconds)
              ? String.format(Locale.ROOT, " Expected time: %.1f s;", seconds)
              : String.format(
                  Locale.ROOT,
                  " Expected time: %.1f s, and %.1f s as stock chose;",
                  seconds,
                  stockSeconds);
      return chosen
          + String.format(
              Locale.ROOT,
              " where stock puts blocks at random %.1f s on average, and %.1f s or more for one in"
                  + " ten.",
              stockMean,
              stockLate);
    }
  }

  /** Bounds what is kept. */
  public PlacementRecord {
    path = kept(path);
    ours = first(ours);
    stock = first(stock);
  }

  /** What is kept of a path: its end, where it is very long. */
  public static String kept(String path) {
    return path.length() > PATH_CHARS_MAX ? path.substring(path.length() - PATH_CHARS_MAX) : path;
  }

  private static <T> List<T> first(List<T> all) {
    return all.size() > NAMED_MAX ? List.copyOf(all.subList(0, NAMED_MAX)) : all;
  }

  /** What is known of the nodes of a pipeline before its bytes are promised to their links. */
  public static List<Target> targets(LinkLedger links, int[] pipeline) {
    LinkSnapshot snapshot = links.snapshot();
    List<Target> targets = new ArrayList<>(pipeline.length);
    for (int node : pipeline) {
      long sampledMs = snapshot.sampledAtMs(node);
      targets.add(
          new Target(
              links.topology().placeOf(node),
              links.expectedAtHost(node),
              snapshot.hostCapacity(node),
              sampledMs == Long.MIN_VALUE ? -1 : Math.max(0, snapshot.takenAtMs() - sampledMs)));
    }
    return targets;
  }

  /** How many nodes of a pipeline get the block over a link of which 80 % are in use. */
  public static int busy(LinkLedger links, int writer, int[] pipeline) {
    int busy = 0;
    for (int node : pipeline) {
      busy += node != writer && links.snapshot().isBusy(node) ? 1 : 0;
    }
    return busy;
  }

  /** The candidates that a decision refused, the first of them. */
  public static List<Refused> refused(ClusterTopology topology, PlacementDecision decision) {
    List<Refused> refused = new ArrayList<>();
    int[] pairs = decision.refused();
    for (int i = 0; i < Math.min(pairs.length, 2 * NAMED_MAX); i += 2) {
      refused.add(new Refused(topology.placeOf(pairs[i]), Refusal.values()[pairs[i + 1]]));
    }
    return refused;
  }

  /** Places that the block went to. */
  public List<String> chosen() {
    return fallback == null ? ours.stream().map(Target::place).toList() : stock;
  }

  /** Whether a DataNode was chosen, by us or by stock, or refused. */
  public boolean names(String datanode) {
    return ours.stream().anyMatch(target -> isAt(target.place(), datanode))
        || stock.stream().anyMatch(place -> isAt(place, datanode))
        || refused.stream().anyMatch(one -> isAt(one.place(), datanode));
  }

  /** How many of these DataNodes the block went to. */
  public int chosenAmong(List<String> datanodes) {
    return (int)
        chosen().stream()
            .filter(place -> datanodes.stream().anyMatch(one -> isAt(place, one)))
            .count();
  }

  /** By address and port, address alone, with the rack before it, or by the rack alone. */
  public static boolean isAt(String place, String datanode) {
    int nameAt = place.lastIndexOf('/') + 1;
    return place.equals(datanode)
        || nameAt == datanode.length() + 1 && place.startsWith(datanode)
        || place.startsWith(datanode, nameAt)
            && (place.length() == nameAt + datanode.length()
                || place.charAt(nameAt + datanode.length()) == ':');
  }

  /** All of it in words. */
  public String sentence() {
    StringBuilder text = new StringBuilder();
    text.append(String.format(Locale.ROOT, "%.1f MB, %s. ", sizeBytes / MEGA, origin()));
    if (fallback == null) {
      text.append("Chosen by ").append(ranked()).append(": ").append(words(ours)).append('.');
    } else {
      text.append("Chosen by stock HDFS (").append(fallback.label()).append("): ");
      text.append(stock.isEmpty() ? "none" : String.join(", ", stock)).append('.');
      if (!ours.isEmpty()) {
        text.append(" By ").append(ranked()).append(" it would have been: ");
        text.append(words(ours)).append('.');
      }
    }
    if (expected != null) {
      text.append(expected.sentence(fallback == null));
    }
    if (!refused.isEmpty()) {
      text.append(" Refused: ");
      text.append(
          refused.stream()
              .map(one -> one.place() + " (" + words(one.why()) + ")")
              .collect(Collectors.joining(", ")));
      text.append('.');
    }
    return text.toString();
  }

  private String origin() {
    if (writer == null) {
      return isNew ? "written by a client that is no DataNode" : "copied";
    }
    return (isNew ? "written on " : "copied from ") + writer;
  }

  private String ranked() {
    return switch (ranking) {
      case NETWORK -> "room on links";
      case ODDS -> "odds of hot servers";
      case RANDOM -> "chance";
    };
  }

  private String words(List<Target> targets) {
    return targets.stream()
        .map(
            target ->
                target.place() + (target.place().equals(writer) ? " (local)" : figures(target)))
        .collect(Collectors.joining(", "));
  }

  private static String figures(Target target) {
    return String.format(
        Locale.ROOT,
        " (%.0f of %.0f MB/s free, %s)",
        target.freeBytesPerSec() / MEGA,
        target.linkBytesPerSec() / MEGA,
        target.ageMs() < 0
            ? "not measured"
            : String.format(Locale.ROOT, "measured %.1f s before", target.ageMs() / 1000.0));
  }

  private static String words(Refusal why) {
    return why.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
