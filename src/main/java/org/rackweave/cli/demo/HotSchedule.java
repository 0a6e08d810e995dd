package org.rackweave.cli.demo;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * Which racks carry background load when. Racks are taken from a shuffled deck, so that every rack
 * gets its turn before one comes again, and no rack stays hot for two periods where that can be
 * avoided.
 */
public final class HotSchedule {

  private final List<Set<Integer>> periods;
  private final int periodMs;

  private HotSchedule(List<Set<Integer>> periods, int periodMs) {
    this.periods = periods;
    this.periodMs = periodMs;
  }

  /**
   * Draws a schedule of {@code periodCount} periods; the last one stays for as long as it takes.
   *
   * @param hotRacks racks hot at the same time, fewer than {@code racks}
   */
  public static HotSchedule draw(
      long seed, int racks, int hotRacks, int periodMs, int periodCount) {
    if (hotRacks >= racks) {
      throw new IllegalArgumentException(hotRacks + " hot racks of " + racks + " leave none free");
    }
    Random random = new Random(seed);
    List<Set<Integer>> periods = new ArrayList<>();
    List<Integer> deck = new ArrayList<>();
    Set<Integer> before = Set.of();
    while (periods.size() < periodCount) {
      Set<Integer> hot = new HashSet<>();
      while (hot.size() < hotRacks) {
        if (deck.isEmpty()) {
          deck.addAll(freshDeck(racks, before, hot, random));
        }
        hot.add(deck.remove(0));
      }
      before = hot;
      periods.add(Set.copyOf(hot));
    }
    return new HotSchedule(List.copyOf(periods), periodMs);
  }

  /** All racks in random order, those that are or were just hot at the end. */
  private static List<Integer> freshDeck(
      int racks, Set<Integer> before, Set<Integer> taken, Random random) {
    List<Integer> first = new ArrayList<>();
    List<Integer> last = new ArrayList<>();
    for (int rack = 0; rack < racks; rack++) {
      if (!taken.contains(rack)) {
        (before.contains(rack) ? last : first).add(rack);
      }
    }
    Collections.shuffle(first, random);
    Collections.shuffle(last, random);
    first.addAll(last);
    return first;
  }

  /** The racks that are hot {@code elapsedMs} after the round began. */
  public Set<Integer> hotAt(long elapsedMs) {
    return periods.get(periodAt(elapsedMs));
  }

  /** The periods from {@code from}, inclusive, to {@code to}, exclusive, as a schedule. */
  public HotSchedule part(int from, int to) {
    return new HotSchedule(periods.subList(from, to), periodMs);
  }

  /** The racks of every period, in order. */
  public List<Set<Integer>> periods() {
    return periods;
  }

  /** How long a period lasts, in milliseconds. */
  public int periodMs() {
    return periodMs;
  }

  private int periodAt(long elapsedMs) {
    return (int) Math.max(0, Math.min(periods.size() - 1, elapsedMs / periodMs));
  }
}
