package org.rackweave.sim.scenario;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.rackweave.sim.workload.InputException;
import org.yaml.snakeyaml.error.MarkedYAMLException;

/** A scenario as written: texts, what they belong to, and the lines where they stand. */
final class ScenarioTree {

  /** Sections there are one of. */
  static final List<String> SINGLE =
      List.of("cluster", "telemetry", "power", "encoding", "recovery", "run");

  /** Lists whose entries have a name or a kind, by which they are varied, and the failures. */
  static final List<String> LISTS = List.of("workloads", "policies", "failures");

  private static final YAMLFactory YAML =
      YAMLFactory.builder()
          .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
          .enable(YAMLGenerator.Feature.MINIMIZE_QUOTES)
          .build();

  private static final ObjectMapper WRITER = new ObjectMapper(YAML);
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
  private static final int DEPTH_MAX = 4;

  private final Path file;
  private final ObjectNode root;

  /** By the path to a value, for instance {@code /workloads/0/rate}. */
  private final Map<String, Integer> lines;

  private ScenarioTree(Path file, ObjectNode root, Map<String, Integer> lines) {
    this.file = file;
    this.root = root;
    this.lines = lines;
  }

  /**
   * Reads a text. Sections that are left out are there and empty, and who has no name is called by
   * its kind.
   */
  static ScenarioTree parse(Path file, List<String> text) throws InputException {
    ScenarioTree tree = new ScenarioTree(file, NODES.objectNode(), new HashMap<>());
    try (YAMLParser in = YAML.createParser(String.join("\n", text))) {
      if (in.nextToken() != null) {
        tree.root.setAll(tree.document(in));
      }
    } catch (JsonProcessingException e) {
      throw tree.unreadable(e);
    } catch (IOException e) {
      throw new UncheckedIOException("reading a string", e);
    }
    for (String section : SINGLE) {
      if (!tree.root.has(section)) {
        tree.root.putObject(section);
      }
    }
    for (String section : LISTS) {
      if (tree.root.has(section) && !tree.root.get(section).isArray()) {
        throw tree.bad("/" + section, section + " takes a list, each entry after a '-'");
      }
      for (JsonNode entry : tree.root.path(section)) {
        if (entry.has("kind") && !entry.has("name")) {
          ((ObjectNode) entry).set("name", entry.get("kind"));
        }
      }
    }
    return tree;
  }

  private InputException unreadable(JsonProcessingException e) {
    if (e.getCause() instanceof MarkedYAMLException marked && marked.getProblemMark() != null) {
      return new InputException(file, marked.getProblemMark().getLine() + 1, marked.getProblem());
    }
    JsonLocation at = e.getLocation();
    return new InputException(
        file,
        at == null ? 0 : Math.max(0, at.getLineNr()),
        "is no YAML: " + e.getOriginalMessage());
  }

  private ObjectNode document(YAMLParser in) throws IOException, InputException {
    JsonNode document = value(in, "", 0);
    if (!document.isObject()) {
      throw bad("", "expected sections, for instance 'cluster:'");
    }
    if (in.nextToken() != null) {
      throw new InputException(file, line(in), "a second document begins");
    }
    return (ObjectNode) document;
  }

  private JsonNode value(YAMLParser in, String path, int depth) throws IOException, InputException {
    JsonToken token = in.currentToken();
    lines.putIfAbsent(path, line(in));
    if (depth > DEPTH_MAX) {
      throw bad(path, "is nested deeper than any section");
    }
    if (token == JsonToken.START_OBJECT) {
      return fields(in, path, depth);
    }
    if (token == JsonToken.START_ARRAY) {
      ArrayNode list = NODES.arrayNode();
      while (in.nextToken() != JsonToken.END_ARRAY) {
        list.add(value(in, path + "/" + list.size(), depth + 1));
      }
      return list;
    }
    if (token == JsonToken.VALUE_NULL || in.getText().isEmpty()) {
      if (depth == 1) {
        return NODES.objectNode();
      }
      throw bad(path, dotted(path) + " has no value");
    }
    if (in.isCurrentAlias()) {
      throw bad(path, "aliases are not understood");
    }
    return TextNode.valueOf(in.getText());
  }

  private ObjectNode fields(YAMLParser in, String path, int depth)
      throws IOException, InputException {
    ObjectNode fields = NODES.objectNode();
    while (in.nextToken() != JsonToken.END_OBJECT) {
      String name = in.currentName();
      String below = path + "/" + name;
      if (fields.has(name)) {
        throw new InputException(
            file, line(in), name + " is there twice, first in line " + lines.get(below));
      }
      lines.put(below, line(in));
      in.nextToken();
      fields.set(name, value(in, below, depth + 1));
    }
    return fields;
  }

  private static int line(YAMLParser in) {
    return Math.max(0, in.getTokenLocation().getLineNr());
  }

  ObjectNode root() {
    return root;
  }

  /** The same with one setting changed, as a line of {@code vary} says. */
  ScenarioTree with(String target, String value) throws InputException {
    ScenarioTree changed = new ScenarioTree(file, root.deepCopy(), new HashMap<>(lines));
    int dot = target.lastIndexOf('.');
    String section = dot < 0 ? "" : path(target.substring(0, dot));
    if (section.isEmpty()) {
      throw bad(
          "/vary/" + target,
          String.format(
              "vary %s; expected <%s or the name of a workload or policy>.<key>",
              InputException.quote(target), String.join(", ", SINGLE)));
    }
    String key = target.substring(dot + 1);
    ((ObjectNode) changed.root.at(section)).put(key, value);
    changed.lines.put(section + "/" + key, varied(target));
    return changed;
  }

  /** The line that varies a setting. */
  int varied(String target) {
    return lines.getOrDefault("/vary/" + target, 0);
  }

  /** The path to what is called so, or nothing. */
  private String path(String section) {
    if (SINGLE.contains(section)) {
      return "/" + section;
    }
    for (String list : LISTS) {
      for (int i = 0; i < root.path(list).size(); i++) {
        if (root.get(list).get(i).path("name").asText().equals(section)) {
          return "/" + list + "/" + i;
        }
      }
    }
    return "";
  }

  /** How people call what a path leads to, or what is above it: {@code workloads.writes}. */
  String title(String path) {
    JsonNode there = root.at(path);
    int end = path.lastIndexOf('/');
    if (there.isMissingNode()) {
      return title(path.substring(0, end));
    }
    String name = there.path("name").asText();
    return dotted(name.isEmpty() ? path : path.substring(0, end + 1) + name);
  }

  private static String dotted(String path) {
    return path.isEmpty() ? "" : path.substring(1).replace('/', '.');
  }

  /** An error at a path, or at the nearest above that has a line. */
  InputException bad(String path, String reason) {
    String at = path;
    while (!at.isEmpty() && !lines.containsKey(at)) {
      at = at.substring(0, Math.max(0, at.lastIndexOf('/')));
    }
    return new InputException(file, lines.getOrDefault(at, 0), reason);
  }

  /** As YAML, without what is expected of it and without sections that say nothing. */
  String written() {
    ObjectNode shown = root.deepCopy();
    shown.remove("expect");
    SINGLE.stream().filter(section -> shown.path(section).isEmpty()).forEach(shown::remove);
    try {
      return WRITER.writeValueAsString(shown).strip();
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a tree of texts", e);
    }
  }
}
