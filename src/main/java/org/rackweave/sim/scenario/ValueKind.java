package org.rackweave.sim.scenario;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.rackweave.ear.ErasureCode;
import org.rackweave.sim.workload.Distribution;
import org.rackweave.sim.workload.InputException;
import org.rackweave.sim.workload.Popularity;

/**
 * How values of one kind are written.
 *
 * @param allowed what may be written, for messages and the manual
 * @param parser reads a text, or throws a {@link BadValueException}
 */
record ValueKind(String allowed, Function<String, ?> parser) {

  private static final String WORD = ", or ";

  private static final ValueKind YES_NO =
      oneOf(Map.of("yes", true, "no", false), List.of("yes", "no"));

  /** How the values of a record's component are written. */
  static ValueKind of(RecordComponent component) {
    Class<?> type = component.getType();
    if (type.isEnum()) {
      return words(type.getEnumConstants());
    }
    if (type == boolean.class) {
      return YES_NO;
    }
    if (type == ErasureCode.class) {
      return code();
    }
    if (type == Popularity.class) {
      return DistributionText.popularity();
    }
    Allowed allowed = component.getAnnotation(Allowed.class);
    if (type == List.class) {
      return texts(allowed.value());
    }
    String[] parts = allowed.value().split(WORD, 2);
    if (type == Optional.class) {
      Type some = ((ParameterizedType) component.getGenericType()).getActualTypeArguments()[0];
      ValueKind kind = single(some, parts[0]);
      return orWord(
          parts[1],
          Optional.empty(),
          new ValueKind(kind.allowed, kind.parser.andThen(Optional::of)));
    }
    ValueKind kind = single(type, parts[0]);
    return parts.length == 1 ? kind : orWord(parts[1], number(type, allowed.or()), kind);
  }

  private static ValueKind single(Type type, String allowed) {
    if (type == String.class) {
      return new ValueKind(allowed, text -> text);
    }
    ToDoubleFunction<String> quantity = quantity(allowed);
    if (type == Distribution.class) {
      return new ValueKind(
          allowed + ", or a distribution of such", new DistributionText(quantity)::parse);
    }
    if (type == double.class || type == Double.class) {
      return new ValueKind(allowed, quantity::applyAsDouble);
    }
    return new ValueKind(
        allowed,
        text -> {
          double value = quantity.applyAsDouble(text);
          if (value != Math.rint(value)) {
            throw notAllowed(text, allowed + ", a whole number in the smallest unit");
          }
          return number(type, value);
        });
  }

  private static Object number(Type type, double value) {
    if (type == int.class || type == Integer.class) {
      return (int) value;
    }
    return type == double.class ? (Object) value : (Object) (long) value;
  }

  /** Reads quantities between two others, which tell the unit. */
  static ToDoubleFunction<String> quantity(String allowed) {
    String[] ends = allowed.split(" to ", 2);
    Units units = Units.of(ends[1]);
    double low = units.parse(ends[0]);
    double high = units.parse(ends[1]);
    return text -> {
      double value = units.parse(text);
      if (value >= low && value <= high) {
        return value;
      }
      throw notAllowed(text, allowed + (Double.isNaN(value) ? units.hint() : ""));
    };
  }

  private static ValueKind orWord(String word, Object meaning, ValueKind kind) {
    String allowed = kind.allowed + WORD + word;
    return new ValueKind(
        allowed,
        text -> {
          try {
            return text.equals(word) ? meaning : kind.parser.apply(text);
          } catch (BadValueException e) {
            throw notAllowed(text, allowed);
          }
        });
  }

  /** The names of an enum, in lower case with hyphens. */
  private static ValueKind words(Object[] values) {
    List<String> words =
        Arrays.stream(values)
            .map(value -> ((Enum<?>) value).name().toLowerCase(Locale.ROOT).replace('_', '-'))
            .toList();
    return oneOf(
        Arrays.stream(values)
            .collect(Collectors.toMap(value -> words.get(((Enum<?>) value).ordinal()), v -> v)),
        words);
  }

  private static ValueKind oneOf(Map<String, Object> values, List<String> words) {
    String allowed = String.join(", ", words);
    return new ValueKind(
        allowed,
        text -> Optional.ofNullable(values.get(text)).orElseThrow(() -> notAllowed(text, allowed)));
  }

  private static ValueKind code() {
    String allowed =
        "rs-DATA-PARITY, DATA from 2 and PARITY from 1, together to " + ErasureCode.BLOCKS_MAX;
    return new ValueKind(
        allowed,
        text -> {
          try {
            return ErasureCode.named(text);
          } catch (IllegalArgumentException e) {
            throw notAllowed(text, allowed);
          }
        });
  }

  private static ValueKind texts(String allowed) {
    return new ValueKind(
        allowed,
        text -> {
          List<String> parts = Arrays.stream(text.split(",", -1)).map(String::strip).toList();
          if (parts.contains("")) {
            throw notAllowed(text, allowed);
          }
          return parts;
        });
  }

  static BadValueException notAllowed(String text, String allowed) {
    return new BadValueException("is " + InputException.quote(text) + "; allowed: " + allowed);
  }
}
