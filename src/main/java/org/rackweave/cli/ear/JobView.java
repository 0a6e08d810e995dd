package org.rackweave.cli.ear;

import com.fasterxml.jackson.databind.JsonNode;
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

  /** With copies of what is given. */
  public JobView {
    figures = Collections.unmodifiableMap(new LinkedHashMap<>(figures));
    lines = List.copyOf(lines);
  }

  /** Reads the NameNode's answer. */
  public static JobView of(JsonNode answer) {
    Map<String, Long> figures = new LinkedHashMap<>();
    answer
        .path("figures")
        .fields()
        .forEachRemaining(figure -> figures.put(figure.getKey(), figure.getValue().asLong()));
    List<String> lines = new ArrayList<>();
    answer.path("lines").forEach(line -> lines.add(line.asText()));
    return new JobView(
        answer.path("job").asLong(),
        answer.path("state").asText(),
        answer.path("phase").asText(),
        answer.path("reason").asText(),
        answer.path("done").asLong(),
        answer.path("total").asLong(),
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
