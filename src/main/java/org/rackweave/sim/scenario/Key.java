package org.rackweave.sim.scenario;

import java.util.function.Function;

/**
 * One setting of a section: how it is written, what it is when left out, what it means.
 *
 * @param <S> the record a section becomes
 * @param <T> the setting's own type
 * @param standard text of the value when the key is left out; null when it must be there
 * @param getter reads the setting back from the record
 * @param meaning for the manual, one line
 */
record Key<S, T>(
    String name, ValueKind<T> kind, String standard, Function<S, T> getter, String meaning) {

  boolean required() {
    return standard == null;
  }

  T parse(String text) throws BadValueException {
    return kind.parse(text);
  }

  /** The setting as it stands in a record. */
  String format(S section) {
    return kind.format(getter.apply(section));
  }
}
