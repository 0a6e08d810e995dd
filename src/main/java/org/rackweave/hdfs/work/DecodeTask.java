package org.rackweave.hdfs.work;

import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.rackweave.ear.ErasureCode;

/**
 * Makes lost blocks of an encoded stripe from others, and puts them where they belong under their
 * own ids.
 *
 * @param code of the stripe
 * @param members data blocks it has, 1 to k; further ones count as zeros
 * @param sources blocks to read, with the zeros at least k; kept in order of their numbers
 * @param wanted blocks to make, 1 to n - k
 * @param proof what the blocks have to be; empty where nobody knows
 * @param bytesPerSec most that is read in a second; 0 as fast as it goes
 */
public record DecodeTask(
    ErasureCode code,
    int members,
    List<StripeUnit> sources,
    List<StripeUnit> wanted,
    Optional<StripeProof> proof,
    long bytesPerSec)
    implements Task {

  /** One whose blocks nobody can prove. */
  public DecodeTask(
      ErasureCode code,
      int members,
      List<StripeUnit> sources,
      List<StripeUnit> wanted,
      long bytesPerSec) {
    this(code, members, sources, wanted, Optional.empty(), bytesPerSec);
  }

  /**
   * @throws IllegalArgumentException when this cannot be decoded
   */
  public DecodeTask {
    sources = sources.stream().sorted(Comparator.comparingInt(StripeUnit::number)).toList();
    wanted = List.copyOf(wanted);
    if (members < 1 || members > code.dataBlocks()) {
      throw new IllegalArgumentException(
          members + " data blocks: " + code.name() + " has 1 to " + code.dataBlocks());
    }
    int zeros = code.dataBlocks() - members;
    if (sources.size() + zeros < code.dataBlocks()) {
      throw new IllegalArgumentException(
          sources.size()
              + " blocks to read: "
              + code.name()
              + " with "
              + members
              + " data blocks is decoded from "
              + members);
    }
    if (wanted.isEmpty() || wanted.size() > code.parityBlocks()) {
      throw new IllegalArgumentException(
          wanted.size() + " blocks to make: " + code.name() + " makes 1 to " + code.parityBlocks());
    }
    Task.requireRate(bytesPerSec);
    proof.ifPresent(known -> Task.requireOf(code, known));
    if (proof.isPresent() && proof.get().lengths().size() != members) {
      throw new IllegalArgumentException("a proof of another number of data blocks");
    }
    Set<Integer> numbers = new HashSet<>();
    for (List<StripeUnit> units : List.of(sources, wanted)) {
      for (StripeUnit unit : units) {
        unit.requireIn(code);
        if (!numbers.add(unit.number())
            || (unit.number() >= members && unit.number() < code.dataBlocks())) {
          throw new IllegalArgumentException("block " + unit.number() + " is named twice or zero");
        }
      }
    }
  }

  @Override
  public int blocksRead() {
    return sources.size();
  }

  /** Whether it reads all replicas that another task reads, but one. */
  public boolean readsAllOf(DecodeTask other, StripeUnit butThat) {
    return other.sources().stream()
        .filter(source -> source != butThat)
        .allMatch(source -> sources.stream().anyMatch(own -> isSameReplica(own, source)));
  }

  private static boolean isSameReplica(StripeUnit one, StripeUnit other) {
    return one.number() == other.number()
        && one.block().getLocations()[0].equals(other.block().getLocations()[0]);
  }
}
