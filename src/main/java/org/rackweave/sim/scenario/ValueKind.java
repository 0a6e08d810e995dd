package org.rackweave.sim.scenario;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.rackweave.sim.workload.InputException;

/**
 * How values of one kind are written. Formatting and parsing are each other's inverse.
 *
 * @param allowed what may be written, for messages and the manual
 * @param parser reads a text without blanks around it
 * @param formatter writes a value that the parser gives back
 */
record ValueKind<T>(String allowed, Parser<T> parser, Function<T, String> formatter) {

  /** Reads a value or says what is wrong with it. */
  @FunctionalInterface
  interface Parser<T> {
    T parse(String text) throws BadValueException;
  }

  T parse(String text) throws BadValueException {
    return parser.parse(text);
  }

  String format(T value) {
    return formatter.apply(value);
  }

  /** A whole number between two others. */
  static ValueKind<Long> whole(long low, long high) {
    String allowed = low + " to " + high;
    return new ValueKind<>(
        allowed,
        text -> {
          try {
            long value = Long.parseLong(text);
            if (value >= low && value <= high) {
              return value;
            }
          } catch (NumberFormatException e) {
            // The message below says it all.
          }
          throw notAllowed(text, allowed);
        },
        value -> Long.toString(value));
  }

  /** A whole number that fits an int. */
  static ValueKind<Integer> count(int low, int high) {
    ValueKind<Long> whole = whole(low, high);
    return new ValueKind<>(
        whole.allowed, text -> whole.parse(text).intValue(), value -> Integer.toString(value));
  }

  /** A quantity with a unit, between two others. */
  static ValueKind<Double> quantity(Units units, double low, double high) {
    String allowed = units.range(low, high);
    return new ValueKind<>(
        allowed,
        text -> {
          double value = units.parse(text);
          if (value >= low && value <= high) {
            return value;
          }
          throw notAllowed(text, allowed);
        },
        units::format);
  }

  /** A quantity that is a whole number of the smallest unit, bytes or milliseconds. */
  static ValueKind<Long> wholeQuantity(Units units, long low, long high) {
    ValueKind<Double> quantity = quantity(units, low, high);
    return new ValueKind<>(
        quantity.allowed,
        text -> {
          double value = quantity.parse(text);
          if (value != Math.rint(value)) {
            throw new BadValueException(
                InputException.quote(text) + " is no whole number of " + units.smallest());
          }
          return (long) value;
        },
        value -> units.format(value));
  }

  /** A word that stands for a value, or else what another kind takes. */
  static <T> ValueKind<T> orWord(String word, T meaning, ValueKind<T> kind) {
    return new ValueKind<>(
        kind.allowed + ", or " + word,
        text -> {
          if (text.equals(word)) {
            return meaning;
          }
          try {
            return kind.parse(text);
          } catch (BadValueException e) {
            throw notAllowed(text, kind.allowed + ", or " + word);
          }
        },
        value -> value.equals(meaning) ? word : kind.format(value));
  }

  /** A word that stands for none, or else what another kind takes. */
  static <T> ValueKind<Optional<T>> optional(String word, ValueKind<T> kind) {
    ValueKind<Optional<T>> some =
        new ValueKind<>(
            kind.allowed,
            text -> Optional.of(kind.parse(text)),
            value -> kind.format(value.orElseThrow()));
    return orWord(word, Optional.empty(), some);
  }

  /** One of the names of an enum, in lower case with hyphens. */
  static <E extends Enum<E>> ValueKind<E> word(Class<E> type) {
    List<E> values = Arrays.asList(type.getEnumConstants());
    String allowed = values.stream().map(ValueKind::wordFor).collect(Collectors.joining(", "));
    return new ValueKind<>(
        allowed,
        text -> {
          for (E value : values) {
            if (wordFor(value).equals(text)) {
              return value;
            }
          }
          throw notAllowed(text, allowed);
        },
        ValueKind::wordFor);
  }

  private static String wordFor(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  static ValueKind<Boolean> yesNo() {
    return new ValueKind<>(
        "yes, no",
        text -> {
          if (text.equals("yes") || text.equals("no")) {
            return text.equals("yes");
          }
          throw notAllowed(text, "yes, no");
        },
        value -> value ? "yes" : "no");
  }

  /** Any text without line ends, as a file's name. */
  static ValueKind<String> text(String allowed) {
    return new ValueKind<>(allowed, text -> text, text -> text);
  }

  /** Several texts with commas between. */
  static ValueKind<List<String>> texts(String allowed) {
    return new ValueKind<>(
        allowed,
        text -> {
          List<String> parts = Arrays.stream(text.split(",")).map(String::strip).toList();
          if (parts.isEmpty() || parts.contains("")) {
            throw notAllowed(text, allowed);
          }
          return parts;
        },
        parts -> String.join(", ", parts));
  }

  static BadValueException notAllowed(String text, String allowed) {
    return new BadValueException("is " + InputException.quote(text) + "; allowed: " + allowed);
  }
}
