package org.rackweave.cli.eafr;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/** What a NameNode has told, as the JSON that goes into a file. */
public final class EafrView {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String FIGURE = "figure.";
  private static final String ROW = "row.";

  private EafrView() {}

  /**
   * Reads an answer.
   *
   * @param lists of the things it tells of, each the plural of the row's kind; these arrays are
   *     there even when they are empty, and rows of other kinds are left out
   */
  public static ObjectNode of(String text, String... lists) {
    ObjectNode answer = JSON.createObjectNode();
    Map<String, ArrayNode> rows = new LinkedHashMap<>();
    for (String list : lists) {
      rows.put(list, JSON.createArrayNode());
    }
    for (String line : text.split("\n")) {
      int equals = line.indexOf('=');
      if (equals < 0) {
        continue;
      }
      String key = line.substring(0, equals);
      String value = line.substring(equals + 1);
      if (key.startsWith(FIGURE)) {
        put(answer, key.substring(FIGURE.length()), value);
      } else if (key.startsWith(ROW)) {
        ArrayNode list = rows.get(key.substring(ROW.length()) + 's');
        if (list != null) {
          list.add(row(value));
        }
      } else {
        answer.put(key, value);
      }
    }
    rows.forEach(answer::set);
    return answer;
  }

  private static ObjectNode row(String fields) {
    ObjectNode row = JSON.createObjectNode();
    for (String field : fields.split("&")) {
      int equals = field.indexOf('=');
      String key = field.substring(0, equals);
      String value = URLDecoder.decode(field.substring(equals + 1), StandardCharsets.UTF_8);
      if (key.equals("path") || key.equals("because") || key.equals("equation")) {
        row.put(key, value);
      } else {
        put(row, key, value);
      }
    }
    return row;
  }

  private static void put(ObjectNode to, String key, String value) {
    if (value.matches("-?[0-9]{1,18}")) {
      to.put(key, Long.parseLong(value));
    } else if (value.matches("-?[0-9.]+(E-?[0-9]+)?")) {
      to.put(key, Double.parseDouble(value));
    } else {
      to.put(key, value);
    }
  }
}
