package org.rackweave.hdfs.work;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.rackweave.ear.ErasureCode;

/**
 * Makes lost blocks of an encoded stripe from others, and puts them where they belong under their
 * own ids.
 *
 * @param code of the stripe
 * @param members data blocks it has, 1 to k; further ones count as zeros
 * @param sources blocks to read; with the zeros at least k
 * @param wanted blocks to make, 1 to n - k
 * @param bytesPerSec most that is read in a second; 0 as fast as it goes
 */
public record DecodeTask(
    ErasureCode code,
    int members,
    List<StripeUnit> sources,
    List<StripeUnit> wanted,
    long bytesPerSec)
    implements Task {

  /**
   * @throws IllegalArgumentException when this cannot be decoded
   */
  public DecodeTask {
    sources = List.copyOf(sources);
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
    if (bytesPerSec < 0) {
      throw new IllegalArgumentException(bytesPerSec + " bytes a second");
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
}
