package org.rackweave.cli.ear;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * How a job in a NameNode stands, as it said.
 *
 * @param id its number, 0 for what is no job
 * @param state running, done, failed or cancelled
 * @param phase what it does now
 * @param reason why it failed
 * @param done of the things the phase has to do
 * @param total of them, 0 when that is not known
 * @param figures by name
 * @param lines for people
 */
public record JobView(
    long id,
    String state,
    String phase,
    String reason,
    long done,
    long total,
    Map<String, Long> figures,
    List<String> lines) {

  private static final String FIGURE = "figure.";

  /** With copies of what is given. */
  public JobView {
    figures = Collections.unmodifiableMap(new LinkedHashMap<>(figures));
    lines = List.copyOf(lines);
  }

  /** Reads the NameNode's text, lines of {@code key=value}. */
  static JobView of(String text) {
    Map<String, String> values = new LinkedHashMap<>();
    Map<String, Long> figures = new LinkedHashMap<>();
    List<String> lines = new ArrayList<>();
    for (String line : text.split("\n")) {
      int equals = line.indexOf('=');
      if (equals < 0) {
        continue;
      }
      String key = line.substring(0, equals);
      String value = line.substring(equals + 1);
      if (key.startsWith(FIGURE)) {
        figures.put(key.substring(FIGURE.length()), Long.parseLong(value));
      } else if (key.equals("line")) {
        lines.add(value);
      } else {
        values.put(key, value);
      }
    }
    return new JobView(
        Long.parseLong(values.getOrDefault("job", "0")),
        values.getOrDefault("state", ""),
        values.getOrDefault("phase", ""),
        values.getOrDefault("reason", ""),
        Long.parseLong(values.getOrDefault("done", "0")),
        Long.parseLong(values.getOrDefault("total", "0")),
        figures,
        lines);
  }

  /** It with more to tell. */
  JobView with(Map<String, Long> moreFigures, List<String> moreLines) {
    Map<String, Long> allFigures = new LinkedHashMap<>(figures);
    allFigures.putAll(moreFigures);
    List<String> allLines = new ArrayList<>(lines);
    allLines.addAll(moreLines);
    return new JobView(id, state, phase, reason, done, total, allFigures, allLines);
  }

  /** Whether nothing happens any more. */
  public boolean isOver() {
    return !state.equals("running");
  }

  /** Whether it came to its end. */
  public boolean isDone() {
    return state.equals("done");
  }
}
