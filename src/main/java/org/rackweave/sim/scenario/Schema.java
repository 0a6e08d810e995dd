package org.rackweave.sim.scenario;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.rackweave.sim.workload.InputException;

/**
 * The keys of one kind of section, and the record they make. Reading, writing and the manual all go
 * by it.
 *
 * @param <S> the record
 * @param title how messages and the manual call the section
 * @param type the record's class
 */
record Schema<S>(String title, Class<S> type, List<Key<S, ?>> keys, Function<Values<S>, S> build) {

  /** The settings of one section, each as its key reads it. */
  static final class Values<S> {
    private final String name;
    private final Map<Key<S, ?>, Object> values = new HashMap<>();

    private Values(String name) {
      this.name = name;
    }

    /** The name the section's first line gives it; empty where sections have none. */
    String name() {
      return name;
    }

    @SuppressWarnings("unchecked")
    <T> T get(Key<S, T> key) {
      return (T) values.get(key);
    }
  }

  /**
   * Reads a section.
   *
   * @throws InputException naming the line, the key, the value and what is allowed
   */
  S read(RawSection section) throws InputException {
    Values<S> values = new Values<>(section.name());
    for (RawSection.Entry entry : section.entries()) {
      Key<S, ?> key = keyNamed(entry, section);
      if (values.values.containsKey(key)) {
        throw section.bad(entry.line(), key.name() + " is there twice in " + title);
      }
      values.values.put(key, parsed(key, entry, section));
    }
    for (Key<S, ?> key : keys) {
      if (!values.values.containsKey(key)) {
        values.values.put(key, standard(key, section));
      }
    }
    try {
      return build.apply(values);
    } catch (IllegalArgumentException e) {
      throw section.bad(section.line(), title + ": " + e.getMessage());
    }
  }

  private Key<S, ?> keyNamed(RawSection.Entry entry, RawSection section) throws InputException {
    for (Key<S, ?> key : keys) {
      if (key.name().equals(entry.key())) {
        return key;
      }
    }
    List<String> names = keys.stream().map(Key::name).toList();
    throw section.bad(
        entry.line(),
        "unknown key "
            + InputException.quote(entry.key())
            + " in "
            + title
            + NearestName.suggestion(entry.key(), names)
            + "; allowed: "
            + String.join(", ", names));
  }

  private static Object parsed(Key<?, ?> key, RawSection.Entry entry, RawSection section)
      throws InputException {
    try {
      return key.parse(entry.value());
    } catch (BadValueException e) {
      throw section.bad(entry.line(), key.name() + " " + e.getMessage());
    }
  }

  private Object standard(Key<S, ?> key, RawSection section) throws InputException {
    if (key.required()) {
      throw section.bad(
          section.line(), title + " needs " + key.name() + "; allowed: " + key.kind().allowed());
    }
    try {
      return key.parse(key.standard());
    } catch (BadValueException e) {
      throw new IllegalStateException(title + "." + key.name() + " " + e.getMessage(), e);
    }
  }

  /** The section's settings that are not the usual ones, a line each without indentation. */
  List<String> write(S section) {
    List<Key<S, ?>> unusual =
        keys.stream().filter(key -> !key.format(section).equals(standardText(key))).toList();
    int width = unusual.stream().mapToInt(key -> key.name().length()).max().orElse(1);
    return unusual.stream()
        .map(key -> String.format("%-" + width + "s  %s", key.name(), key.format(section)))
        .toList();
  }

  private static <S, T> String standardText(Key<S, T> key) {
    if (key.required()) {
      return null;
    }
    try {
      return key.kind().format(key.parse(key.standard()));
    } catch (BadValueException e) {
      throw new IllegalStateException(key.name() + " " + e.getMessage(), e);
    }
  }

  /** The section of the manual about these keys: a table in Markdown. */
  List<String> manual() {
    List<String> lines = new ArrayList<>();
    lines.add("| key | allowed | if left out | meaning |");
    lines.add("|---|---|---|---|");
    for (Key<S, ?> key : keys) {
      String standard = key.required() ? "required" : "`" + key.standard() + "`";
      lines.add(
          List.of("`" + key.name() + "`", key.kind().allowed(), standard, key.meaning()).stream()
              .map(cell -> cell.replace("|", "\\|"))
              .collect(Collectors.joining(" | ", "| ", " |")));
    }
    return lines;
  }
}
