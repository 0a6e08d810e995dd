package org.rackweave.cli.admin;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.rackweave.cli.TextTable;

/**
 * A NameNode's answer for people: names and values of what there is one of, a table for a list of
 * objects.
 */
public final class JsonTables {
  private JsonTables() {}

  /** All that an answer says, but what is empty. */
  public static String text(JsonNode answer) {
    StringBuilder text = new StringBuilder(list("", answer));
    answer
        .fields()
        .forEachRemaining(
            field -> {
              JsonNode value = field.getValue();
              if (value.isContainerNode() && !value.isEmpty()) {
                text.append(text.isEmpty() ? "" : "\n").append(field.getKey()).append('\n');
                text.append(value.isArray() ? table(value) : list("  ", value));
              }
            });
    return text.toString();
  }

  private static String list(String indent, JsonNode object) {
    StringBuilder text = new StringBuilder();
    object
        .fields()
        .forEachRemaining(
            field -> {
              String cell = cell(field.getValue());
              if (field.getValue().isValueNode() && !cell.isEmpty()) {
                text.append(String.format("%s%-24s %s%n", indent, field.getKey(), cell));
              }
            });
    return text.toString();
  }

  private static String table(JsonNode objects) {
    Set<String> names = new LinkedHashSet<>();
    objects.forEach(object -> object.fieldNames().forEachRemaining(names::add));
    List<List<String>> rows = new ArrayList<>();
    for (JsonNode object : objects) {
      rows.add(names.stream().map(name -> cell(object.path(name))).toList());
    }
    return new TextTable(List.copyOf(names), rows).text();
  }

  private static String cell(JsonNode value) {
    if (value.isMissingNode() || value.isNull()) {
      return "-";
    }
    if (!value.isDouble()) {
      return value.asText();
    }
    double number = value.asDouble();
    return Math.abs(number) >= 1000
        ? String.format(Locale.ROOT, "%.0f", number)
        : String.valueOf(Math.round(number * 1000) / 1000.0);
  }
}
