package org.rackweave.sim.scenario;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * One setting of a section, as the component of the section's record declares it.
 *
 * @param standard text of the value when it is left out; null when it must be there
 */
record Setting(String name, ValueKind kind, String standard, String meaning) {

  /** The settings of a section, in the order of its record. */
  static List<Setting> of(Class<?> section) {
    return Arrays.stream(section.getRecordComponents())
        .filter(Setting::isOne)
        .map(Setting::of)
        .toList();
  }

  static boolean isOne(RecordComponent component) {
    return component.isAnnotationPresent(Meaning.class);
  }

  static Setting of(RecordComponent component) {
    Default standard = component.getAnnotation(Default.class);
    return new Setting(
        nameOf(component),
        ValueKind.of(component),
        standard == null ? null : standard.value(),
        component.getAnnotation(Meaning.class).value());
  }

  /** The component's name in lower case with hyphens, without the unit at its end. */
  static String nameOf(RecordComponent component) {
    return component
        .getName()
        .replaceFirst("(BytesPerSec|PerSec|Bytes|Ms|Files?)$", "")
        .replaceAll("[A-Z]", "-$0")
        .toLowerCase(Locale.ROOT);
  }

  /** The records of a section's kinds, by the word that names the kind. */
  static Map<String, Class<?>> kinds(Class<?> section) {
    Map<String, Class<?>> kinds = new LinkedHashMap<>();
    for (JsonSubTypes.Type kind : section.getAnnotation(JsonSubTypes.class).value()) {
      kinds.put(kind.name(), kind.value());
    }
    return kinds;
  }

  Object parse(String text) {
    try {
      return kind.parser().apply(text);
    } catch (BadValueException e) {
      throw new BadValueException(name + " " + e.getMessage());
    }
  }
}
