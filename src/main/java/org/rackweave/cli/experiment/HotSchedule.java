package org.rackweave.cli.experiment;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * Which racks carry background load when. Racks stand in a circle in random order and the load
 * moves along it, so that every rack is hot equally often and none for two periods in a row (as
 * long as not more than half of them are hot).
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
    List<Integer> circle = new ArrayList<>(IntStream.range(0, racks).boxed().toList());
    Collections.shuffle(circle, Seeded.random(seed));
    List<Set<Integer>> periods = new ArrayList<>();
    for (int period = 0; period < periodCount; period++) {
      Set<Integer> hot = new TreeSet<>();
      for (int i = 0; i < hotRacks; i++) {
        hot.add(circle.get((period * hotRacks + i) % racks));
      }
      periods.add(Collections.unmodifiableSet(hot));
    }
    return new HotSchedule(List.copyOf(periods), periodMs);
  }

  /** No load at all. */
  public static HotSchedule idle() {
    return new HotSchedule(List.of(Set.of()), Integer.MAX_VALUE);
  }

  /** The racks that are hot {@code elapsedMs} after the round began. */
  public Set<Integer> hotAt(long elapsedMs) {
    return periods.get(periodAt(elapsedMs));
  }

  /** The racks that are hot at any moment from {@code fromMs} to {@code toMs} after the start. */
  public Set<Integer> hotBetween(long fromMs, long toMs) {
    Set<Integer> hot = new TreeSet<>();
    for (int period = periodAt(fromMs); period <= periodAt(toMs); period++) {
      hot.addAll(periods.get(period));
    }
    return hot;
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
