package org.rackweave.sim.scenario;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.rackweave.sim.workload.InputException;

/**
 * A section as written: the words of its first line and its indented lines.
 *
 * @param file where it stands, for messages
 * @param line of its first line
 * @param words of its first line, at least one
 */
record RawSection(Path file, int line, List<String> words, List<Entry> entries) {

  /** An indented line. */
  record Entry(int line, String key, String value) {}

  RawSection {
    words = List.copyOf(words);
    entries = List.copyOf(entries);
  }

  /** What the section is about, its first word. */
  String topic() {
    return words.get(0);
  }

  /** Its second word, or nothing. */
  String name() {
    return words.size() > 1 ? words.get(1) : "";
  }

  /** Its third word, or else its name: {@code policy stock} is of the kind {@code stock}. */
  String kind() {
    return words.size() > 2 ? words.get(2) : name();
  }

  /** The same section with one key given, or given another value. */
  RawSection with(Entry entry) {
    List<Entry> changed = new ArrayList<>(entries);
    changed.removeIf(one -> one.key().equals(entry.key()));
    changed.add(entry);
    return new RawSection(file, line, words, changed);
  }

  InputException bad(int atLine, String reason) {
    return new InputException(file, atLine, reason);
  }

  InputException bad(String reason) {
    return bad(line, reason);
  }
}
