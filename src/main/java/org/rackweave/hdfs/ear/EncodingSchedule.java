package org.rackweave.hdfs.ear;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.rackweave.ear.EncodingTerms.Verdict;
import org.rackweave.ear.ErasureCode;
import org.rackweave.ear.SealReason;
import org.rackweave.ear.SealedStripe;
import org.rackweave.ear.StripeSaving;
import org.rackweave.hdfs.EarConfig;
import org.rackweave.hdfs.ear.BlockLookup.StoredBlock;
import org.rackweave.hdfs.ear.BlockLookup.StoredFile;

/**
 * Whether the turn of a sealed stripe has come, by its files: an operator wants one of them
 * encoded, or the terms of their rules allow it for all. Where some are ready and others will not
 * be for as long as an open stripe waits for blocks, the stripe is to be taken apart, that cold
 * files do not wait for hot ones for ever; and where a block is gone, or still being written when
 * its turn has come. Files too small for their rule are never encoded, nor are those that have left
 * it, as to the trash. So is a stripe whose blocks turn out to be of such lengths, now that these
 * are known, that it saves nothing, or too little for as many blocks as it has.
 */
final class EncodingSchedule {
  private final BlockLookup lookup;
  private final Supplier<EarConfig> config;

  EncodingSchedule(BlockLookup lookup, Supplier<EarConfig> config) {
    this.lookup = lookup;
    this.config = config;
  }

  /** What is to become of a stripe. */
  enum Turn {
    NOW,
    LATER,
    /** Some of its blocks are not to be encoded, or cannot be, or not with these others. */
    TAKE_APART
  }

  /**
   * @param blocks of the stripe that there still are and are to be encoded
   */
  record Answer(Turn turn, List<Member> blocks) {}

  /**
   * @param replication replicas that its file wants
   */
  record Member(StoredBlock block, int replication) {}

  /**
   * Looks at a stripe.
   *
   * @param request {@code null} when nobody wants anything now
   * @param byItself whether stripes are encoded that nobody wishes
   * @param nowMs wall clock
   */
  Answer of(
      SealedStripe stripe, EncodingService.EncodingRequest request, boolean byItself, long nowMs) {
    Map<Long, StoredFile> files = new HashMap<>();
    Map<Verdict, List<Member>> blocks = new EnumMap<>(Verdict.class);
    Set<Verdict> unfinished = EnumSet.noneOf(Verdict.class);
    boolean isWished = false;
    boolean hasGone = false;
    StripeSaving saving = StripeSaving.none(stripe.code());
    long patienceMs = config.get().rulesOf(stripe.code()).sealAgeMs();
    for (StoredBlock block : lookup.blocks(stripe.blockIdList())) {
      StoredFile file = block == null ? null : files.computeIfAbsent(block.fileId(), lookup::file);
      if (file == null
          || !isWanted(config, file, stripe.code())
          || (block.isComplete() && block.lengthBytes() == 0)) {
        hasGone = true;
        continue;
      }
      isWished |= request != null && request.covers(file.path());
      Verdict verdict = verdict(file, nowMs, patienceMs);
      if (block.isComplete()) {
        blocks
            .computeIfAbsent(verdict, any -> new ArrayList<>())
            .add(new Member(block, file.replication()));
        saving = saving.with(block.lengthBytes(), Math.max(1, file.replication()));
      } else {
        unfinished.add(verdict);
      }
    }
    boolean waitsInVain = unfinished.contains(Verdict.NOW) || (isWished && !unfinished.isEmpty());
    if (hasGone || waitsInVain || blocks.containsKey(Verdict.TOO_SMALL)) {
      return new Answer(
          Turn.TAKE_APART, of(blocks, EnumSet.of(Verdict.NOW, Verdict.SOON, Verdict.LATER)));
    }
    List<Member> kept = of(blocks, EnumSet.of(Verdict.NOW, Verdict.SOON));
    // One that was sealed short had nobody better to wait for.
    boolean isWell =
        saving.isWorthwhile() && (saving.isDense() || stripe.reason() != SealReason.FULL);
    if (isWished) {
      return new Answer(isWell ? Turn.NOW : Turn.TAKE_APART, kept);
    }
    boolean hasLater = blocks.containsKey(Verdict.LATER) || unfinished.contains(Verdict.LATER);
    if (byItself && hasLater && blocks.containsKey(Verdict.NOW)) {
      return new Answer(Turn.TAKE_APART, kept);
    }
    boolean hasSoon = blocks.containsKey(Verdict.SOON) || unfinished.contains(Verdict.SOON);
    if (!byItself || hasLater || hasSoon) {
      return new Answer(Turn.LATER, kept);
    }
    return new Answer(isWell ? Turn.NOW : Turn.TAKE_APART, kept);
  }

  /** Whether a file is to be encoded by a code, as it may have been when it was written. */
  static boolean isWanted(Supplier<EarConfig> config, StoredFile file, ErasureCode code) {
    return file.isCurrent()
        && !file.keepsReplicas()
        && config.get().paths().of(file.path()).equals(Optional.of(code));
  }

  private static List<Member> of(Map<Verdict, List<Member>> blocks, Set<Verdict> verdicts) {
    return verdicts.stream()
        .flatMap(verdict -> blocks.getOrDefault(verdict, List.of()).stream())
        .toList();
  }

  private Verdict verdict(StoredFile file, long nowMs, long patienceMs) {
    Verdict verdict =
        config
            .get()
            .paths()
            .termsOf(file.path())
            .judge(nowMs, file.modifiedMs(), file.accessedMs(), file.lengthBytes(), patienceMs);
    return verdict == Verdict.TOO_SMALL && file.isOpen() ? Verdict.SOON : verdict;
  }
}
