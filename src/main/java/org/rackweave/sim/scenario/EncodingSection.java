package org.rackweave.sim.scenario;

import java.util.List;
import org.rackweave.ear.ErasureCode;
import org.rackweave.ear.StripeRules;

/** The keys of {@code encoding}. */
final class EncodingSection {

  private static final Key<EncodingSpec, ErasureCode> CODE =
      new Key<>("code", code(), "rs-10-4", EncodingSpec::code, "n - k parity blocks for k blocks");

  private static final Key<EncodingSpec, Integer> RACK_LIMIT =
      new Key<>(
          "rack-limit",
          ValueKind.count(1, ErasureCode.BLOCKS_MAX),
          "1",
          EncodingSpec::rackLimit,
          "blocks of an encoded stripe in one rack at most (c)");

  private static final Key<EncodingSpec, Integer> TARGET_RACKS =
      new Key<>(
          "target-racks",
          ValueKind.orWord("all", StripeRules.ALL_RACKS, ValueKind.count(1, 10_000)),
          "all",
          EncodingSpec::targetRacks,
          "racks that a stripe keeps to under EAR (R')");

  private static final Key<EncodingSpec, Integer> STRIPES =
      new Key<>(
          "stripes",
          ValueKind.count(0, 1_000_000),
          "0",
          EncodingSpec::stripes,
          "so many are there from the start, where each policy placed them, and are encoded");

  private static final Key<EncodingSpec, Long> BLOCK =
      new Key<>(
          "block",
          ValueKind.wholeQuantity(Units.BYTES, 1, 1L << 40),
          "64MiB",
          EncodingSpec::blockBytes,
          "size of each of their blocks");

  private static final Key<EncodingSpec, Integer> REPLICATION =
      new Key<>(
          "replication",
          ValueKind.count(2, 512),
          "3",
          EncodingSpec::replication,
          "replicas of each of their blocks");

  private static final Key<EncodingSpec, EncodingSpec.Writers> WRITERS =
      new Key<>(
          "writers",
          ValueKind.word(EncodingSpec.Writers.class),
          "random",
          EncodingSpec::writers,
          "who wrote them: nodes at random, or one after another");

  private static final Key<EncodingSpec, Long> AT =
      new Key<>(
          "at",
          ValueKind.wholeQuantity(Units.TIME, 0, 365 * 86_400_000L),
          "0ms",
          EncodingSpec::atMs,
          "when they begin to be encoded");

  private static final Key<EncodingSpec, Integer> TASKS =
      new Key<>(
          "tasks",
          ValueKind.count(1, 10_000),
          "20",
          EncodingSpec::tasks,
          "map tasks that encode at a time, each one stripe after another: on random nodes, under EAR"
              + " in the stripes' core racks");

  private static final Key<EncodingSpec, Double> ARITHMETIC =
      new Key<>(
          "arithmetic",
          ValueKind.orWord(
              "unlimited",
              Double.POSITIVE_INFINITY,
              ValueKind.quantity(Units.BANDWIDTH, 1e3, 125e9)),
          "unlimited",
          EncodingSpec::arithmeticBytesPerSec,
          "data of which a task computes parity, once it has all of a stripe's");

  private static final Key<EncodingSpec, Boolean> RELOCATION =
      new Key<>(
          "relocation",
          ValueKind.yesNo(),
          "yes",
          EncodingSpec::relocates,
          "whether blocks that break the rack limit are moved once parity is written; they are counted"
              + " in any case");

  static final Schema<EncodingSpec> SCHEMA =
      new Schema<>(
          "encoding",
          EncodingSpec.class,
          List.of(
              CODE,
              RACK_LIMIT,
              TARGET_RACKS,
              STRIPES,
              BLOCK,
              REPLICATION,
              WRITERS,
              AT,
              TASKS,
              ARITHMETIC,
              RELOCATION),
          values ->
              new EncodingSpec(
                  values.get(CODE),
                  values.get(RACK_LIMIT),
                  values.get(TARGET_RACKS),
                  values.get(STRIPES),
                  values.get(BLOCK),
                  values.get(REPLICATION),
                  values.get(WRITERS),
                  values.get(AT),
                  values.get(TASKS),
                  values.get(ARITHMETIC),
                  values.get(RELOCATION)));

  private EncodingSection() {}

  private static ValueKind<ErasureCode> code() {
    String allowed =
        "rs-DATA-PARITY, DATA from 2 and PARITY from 1, together to " + ErasureCode.BLOCKS_MAX;
    return new ValueKind<>(
        allowed,
        text -> {
          try {
            return ErasureCode.named(text);
          } catch (IllegalArgumentException e) {
            throw ValueKind.notAllowed(text, allowed);
          }
        },
        ErasureCode::name);
  }

  /** Refuses stripes that the cluster's racks cannot hold. */
  static void requireRoom(EncodingSpec encoding, ClusterSpec cluster) {
    int room = cluster.racks() * Math.min(encoding.rackLimit(), cluster.nodesPerRack());
    if (encoding.stripes() > 0
        && cluster.topologyFile().isEmpty()
        && room < encoding.code().blocks()) {
      throw new IllegalArgumentException(
          "rack-limit "
              + encoding.rackLimit()
              + " lets these racks hold "
              + room
              + " blocks of a stripe; "
              + encoding.code().name()
              + " has "
              + encoding.code().blocks());
    }
  }
}
