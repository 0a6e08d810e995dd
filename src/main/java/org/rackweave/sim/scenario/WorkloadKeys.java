package org.rackweave.sim.scenario;

import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;
import org.rackweave.sim.workload.Distribution;

/** Keys that several kinds of workload share, so that one word means one thing everywhere. */
final class WorkloadKeys {

  private static final double SIZE_MAX_BYTES = 1L << 50;

  private WorkloadKeys() {}

  static <S> Key<S, Double> rate(ToDoubleFunction<S> getter, String meaning) {
    return new Key<>(
        "rate",
        ValueKind.quantity(Units.RATE, 1 / 3600.0, 1e6),
        null,
        getter::applyAsDouble,
        meaning);
  }

  static <S> Key<S, Distribution> size(String standard, Function<S, Distribution> getter) {
    return new Key<>(
        "size",
        DistributionText.kind(Units.BYTES, 1, SIZE_MAX_BYTES),
        standard,
        getter,
        "size of each");
  }

  static <S> Key<S, Long> block(ToLongFunction<S> getter) {
    return new Key<>(
        "block",
        ValueKind.wholeQuantity(Units.BYTES, 1, 1L << 40),
        "128MiB",
        getter::applyAsLong,
        "preferred block size");
  }

  static <S> Key<S, Integer> replication(ToIntFunction<S> getter) {
    return new Key<>(
        "replication", ValueKind.count(1, 512), "3", getter::applyAsInt, "replicas of each block");
  }

  static <S> Key<S, Double> speed(ToDoubleFunction<S> getter) {
    return new Key<>(
        "speed",
        ValueKind.quantity(Units.NUMBER, 0.001, 1000),
        "1",
        getter::applyAsDouble,
        "it is played so many times as fast");
  }

  static <S> Key<S, Optional<String>> trace(Function<S, Optional<String>> getter) {
    return new Key<>(
        "trace",
        ValueKind.optional("look-alike", ValueKind.text("a file")),
        "look-alike",
        getter,
        "the trace, looked for beside the scenario and in the directory of traces");
  }

  static <S> Key<S, Boolean> required(Function<S, Boolean> getter) {
    return new Key<>(
        "required",
        ValueKind.yesNo(),
        "no",
        getter,
        "whether it is an error that the trace is not found; otherwise a look-alike stands for it");
  }

  static <S> Key<S, WorkloadSpec.Who> who(
      String name, String meaning, Function<S, WorkloadSpec.Who> getter) {
    return new Key<>(name, ValueKind.word(WorkloadSpec.Who.class), "nodes", getter, meaning);
  }
}
