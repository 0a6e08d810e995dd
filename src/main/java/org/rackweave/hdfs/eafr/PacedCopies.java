package org.rackweave.hdfs.eafr;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.rackweave.eafr.RateAdjustment;
import org.rackweave.hdfs.RatesConfig;
import org.rackweave.hdfs.eafr.DestinationLinks.Link;

/**
 * Copies under way and their rates.
 *
 * <p>A copy begins with what its destination's link has free, shared with others that began since
 * the link was last measured, since most copies of a block are over in a few measurements and would
 * never come down from the link's capacity, with which the paper begins. With each new measurement
 * of the link all copies over it are adjusted, the oldest losing least. Together they may take a
 * small part of the link in any case.
 *
 * <p>Some 200 bytes a copy; {@link TransferRates} lets so many begin. Not thread-safe.
 */
final class PacedCopies {
  private static final class Copy {
    final long blockId;
    final String to;
    final long sinceMs;
    double bytesPerSec;

    Copy(long blockId, String to, long sinceMs) {
      this.blockId = blockId;
      this.to = to;
      this.sinceMs = sinceMs;
    }
  }

  private final Supplier<RatesConfig> config;

  /** By source and block. */
  private final Map<String, Map<Long, Copy>> bySource = new HashMap<>();

  /** By destination, those that began first in front. */
  private final Map<String, List<Copy>> byTarget = new HashMap<>();

  /** Of destinations the measurement that was adjusted to last. */
  private final Map<String, Long> adjustedMs = new HashMap<>();

  private int size;
  private long adjustments;

  PacedCopies(Supplier<RatesConfig> config) {
    this.config = config;
  }

  int size() {
    return size;
  }

  /** Changes of rates since the NameNode started. */
  long adjustments() {
    return adjustments;
  }

  /** Bytes a second by block of all copies of a source, none where it makes none. */
  Map<Long, Long> ratesOf(String source) {
    Map<Long, Long> rates = new LinkedHashMap<>();
    bySource
        .getOrDefault(source, Map.of())
        .forEach((block, copy) -> rates.put(block, (long) Math.max(1, copy.bytesPerSec)));
    return rates;
  }

  /**
   * HDFS has ordered a copy, maybe anew.
   *
   * @param link its destination's
   */
  void begin(String source, long block, String to, Link link, long nowMs) {
    Map<Long, Copy> its = bySource.computeIfAbsent(source, unused -> new LinkedHashMap<>());
    Copy before = its.remove(block);
    if (before != null) {
      drop(before);
    }
    Copy copy = new Copy(block, to, nowMs);
    its.put(block, copy);
    List<Copy> all = byTarget.computeIfAbsent(to, unused -> new ArrayList<>());
    all.add(copy);
    shareFree(link, all);
    size++;
  }

  /** Those that the last measurement of a link knows nothing of share what it left free. */
  private void shareFree(Link link, List<Copy> its) {
    List<Copy> young = its.stream().filter(copy -> copy.sinceMs >= link.measuredMs()).toList();
    double share = link.free() / Math.max(1, young.size());
    double least = leastBytesPerSec(link, its.size());
    young.forEach(copy -> copy.bytesPerSec = Math.max(share, least));
  }

  private double leastBytesPerSec(Link link, int senders) {
    return config.get().leastShare() * link.capacity() / senders;
  }

  /**
   * A block has arrived at its target, from any source.
   *
   * @return whether it was a copy's
   */
  boolean end(long block, String at) {
    List<Copy> its = byTarget.get(at);
    if (its == null || its.stream().noneMatch(copy -> copy.blockId == block)) {
      return false;
    }
    remove(copy -> copy.blockId == block && copy.to.equals(at));
    return true;
  }

  /** Forgets copies that began before a time or go to a server that is gone. */
  void forget(long beforeMs, Predicate<String> isKnown) {
    if (size > 0) {
      remove(copy -> copy.sinceMs < beforeMs || !isKnown.test(copy.to));
    }
  }

  private void remove(Predicate<Copy> which) {
    for (Iterator<Map<Long, Copy>> sources = bySource.values().iterator(); sources.hasNext(); ) {
      Map<Long, Copy> its = sources.next();
      its.values()
          .removeIf(
              copy -> {
                boolean goes = which.test(copy);
                if (goes) {
                  drop(copy);
                }
                return goes;
              });
      if (its.isEmpty()) {
        sources.remove();
      }
    }
  }

  private void drop(Copy copy) {
    size--;
    List<Copy> its = byTarget.get(copy.to);
    its.remove(copy);
    if (its.isEmpty()) {
      byTarget.remove(copy.to);
      adjustedMs.remove(copy.to);
    }
  }

  /**
   * Adjusts rates to links that have been measured since they were last adjusted to.
   *
   * @param links what is known of a destination's, {@code null} of one that is not measured
   */
  void adjust(Function<String, Link> links) {
    byTarget.forEach((to, its) -> adjust(to, its, links.apply(to)));
  }

  private void adjust(String to, List<Copy> its, Link link) {
    Long last = adjustedMs.get(to);
    if (link == null || last != null && last == link.measuredMs()) {
      return;
    }
    adjustedMs.put(to, link.measuredMs());
    double[] before = its.stream().mapToDouble(copy -> copy.bytesPerSec).toArray();
    RatesConfig rates = config.get();
    RateAdjustment adjustment =
        new RateAdjustment(
            rates.lowFraction(), rates.highFraction(), (long) leastBytesPerSec(link, its.size()));
    double[] after = adjustment.adjust(link.capacity(), link.used(), before);
    for (int i = 0; i < after.length; i++) {
      its.get(i).bytesPerSec = after[i];
      adjustments += after[i] == before[i] ? 0 : 1;
    }
  }

  void clear() {
    bySource.clear();
    byTarget.clear();
    adjustedMs.clear();
    size = 0;
  }
}
