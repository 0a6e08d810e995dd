package org.rackweave.cli.recovery;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.rackweave.cli.experiment.TextTable;
import org.rackweave.hdfs.dayu.ReportLine;

/** A NameNode's answer for people and for programs. */
final class ReportText {
  /** There is one line of these; of others there may be any number. */
  private static final Set<String> SINGLE = Set.of("recovery", "slot", "whatif", "hottest_source");

  /** Of others, so that a program finds an empty list where there is none. */
  private static final List<String> LISTS = List.of("backlog", "node", "straggler");

  private ReportText() {}

  /** A list of names and values for what there is one of, a table for what there are several of. */
  static String tables(List<ReportLine> lines) {
    StringBuilder text = new StringBuilder();
    Map<String, List<ReportLine>> byKind = byKind(lines);
    byKind.forEach(
        (kind, of) -> {
          text.append(text.isEmpty() ? "" : "\n").append(kind).append('\n');
          text.append(SINGLE.contains(kind) ? list(of.get(0)) : table(of));
        });
    return text.toString();
  }

  private static Map<String, List<ReportLine>> byKind(List<ReportLine> lines) {
    Map<String, List<ReportLine>> byKind = new LinkedHashMap<>();
    for (ReportLine line : lines) {
      byKind.computeIfAbsent(line.kind(), kind -> new ArrayList<>()).add(line);
    }
    return byKind;
  }

  private static String list(ReportLine line) {
    StringBuilder text = new StringBuilder();
    line.values()
        .forEach(
            (key, value) -> {
              if (!value.toString().isEmpty()) {
                text.append(String.format("  %-24s %s%n", key, value));
              }
            });
    return text.toString();
  }

  private static String table(List<ReportLine> lines) {
    List<String> head = new ArrayList<>(lines.get(0).values().keySet());
    List<List<String>> rows =
        lines.stream()
            .map(line -> head.stream().map(key -> cell(line.values().get(key))).toList())
            .toList();
    return new TextTable(head, rows).text();
  }

  private static String cell(Object value) {
    return value instanceof Double number && Math.abs(number) >= 1000
        ? String.format("%.0f", number)
        : String.valueOf(value);
  }

  /** One object: members named as kinds are, lists of objects where there may be several. */
  static String json(List<ReportLine> lines) {
    Map<String, Object> all = new LinkedHashMap<>();
    byKind(lines)
        .forEach(
            (kind, of) ->
                all.put(
                    kind,
                    SINGLE.contains(kind)
                        ? of.get(0).values()
                        : of.stream().map(ReportLine::values).toList()));
    if (all.containsKey("recovery")) {
      LISTS.forEach(kind -> all.putIfAbsent(kind, List.of()));
    }
    try {
      return new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT).writeValueAsString(all)
          + "\n";
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("numbers and texts are no JSON", e);
    }
  }
}
