package org.rackweave.dayu;

import java.util.Arrays;
import java.util.random.RandomGenerator;

/**
 * Destinations for many tasks at once. Tasks are put into runs of one storage type and about one
 * size; each run is given to nodes by the {@link WaterLevel} and to tasks by a {@link
 * PlaceAssignment}. Types that few nodes have come first, then large blocks, so that small ones
 * level what those left uneven.
 *
 * <p>Where racks are few most places would break a rule, so tasks that may not go to the same racks
 * make a run of their own, those with most forbidden racks first.
 *
 * <p>Exact where all blocks have one size and racks are many; sizes within a run differ by a
 * quarter at most, among blocks far smaller than the largest by half. O(tasks + runs x nodes).
 */
final class BatchDestinations {
  /** Up to so many racks, tasks are told apart by the racks they may go to. */
  static final int FEW_RACKS = 12;

  /** Runs so short are placed task by task. */
  private static final int SHORT = 8;

  /** Blocks smaller than the largest by this hardly matter, and fewer runs do for them. */
  private static final int SMALL = 64;

  private static final long TYPE = 1L << 48;
  private static final long SIZE = 1L << 38;
  private static final long RACKS = 1L << 32;

  private final SlotLoads loads;
  private final DestinationRules rules;
  private final WaterLevel level;
  private final PlaceAssignment deal;
  private final ScanPick scan;
  private final int[] typeRank;
  private final long smallBytes;
  private final boolean fewRacks;

  BatchDestinations(SlotLoads loads, DestinationRules rules, RandomGenerator random) {
    this.loads = loads;
    this.rules = rules;
    level = new WaterLevel(loads, random);
    deal = new PlaceAssignment(loads, rules, random);
    scan = new ScanPick(loads, rules);
    typeRank = typeRank();
    smallBytes = loads.batch.largestBytes() / SMALL;
    fewRacks = loads.topology.rackCount() <= FEW_RACKS;
  }

  /** Types by the number of nodes with room for any, rising. */
  private int[] typeRank() {
    int types = loads.freeBytes.length;
    long[] nodes = new long[types];
    for (int type = 0; type < types; type++) {
      nodes[type] = Arrays.stream(loads.freeBytes[type]).filter(free -> free > 0).count();
    }
    int[] rank = new int[types];
    for (int type = 0; type < types; type++) {
      for (int other = 0; other < types; other++) {
        boolean before = nodes[other] < nodes[type] || nodes[other] == nodes[type] && other < type;
        rank[type] += before ? 1 : 0;
      }
    }
    return rank;
  }

  /**
   * Gives tasks with a source a destination and books it. What gets none keeps {@link
   * SlotLoads#NONE} and its source.
   *
   * @param tasks of which the first {@code count} are placed, not larger than a slot
   * @return how many got one
   */
  int place(int[] tasks, int count) {
    if (count == 0) {
      return 0;
    }
    long first = key(tasks[0]);
    boolean alike = loads.batch.isUniform() && !fewRacks;
    int same = alike ? count : 1;
    while (same < count && key(tasks[same]) == first) {
      same++;
    }
    return same == count ? placeRun(tasks, 0, count, first) : placeRuns(tasks, count);
  }

  private int placeRuns(int[] tasks, int count) {
    long[] keys = new long[count];
    for (int i = 0; i < count; i++) {
      keys[i] = key(tasks[i]);
    }
    long[] distinct = Arrays.stream(keys).sorted().distinct().toArray();
    int[] start = new int[distinct.length + 1];
    int[] run = new int[count];
    for (int i = 0; i < count; i++) {
      run[i] =
          i > 0 && keys[i] == keys[i - 1] ? run[i - 1] : Arrays.binarySearch(distinct, keys[i]);
      start[run[i] + 1]++;
    }
    Offsets.sum(start);
    int[] next = start.clone();
    int[] sorted = new int[count];
    for (int i = 0; i < count; i++) {
      sorted[next[run[i]]++] = tasks[i];
    }
    int placed = 0;
    for (int i = 0; i < distinct.length; i++) {
      placed += placeRun(sorted, start[i], start[i + 1], distinct[i]);
    }
    return placed;
  }

  /** Runs in the order in which they are placed, as a number. */
  private long key(int task) {
    long size = loads.batch.sizeBytes(task);
    int octave = Long.SIZE - 1 - Long.numberOfLeadingZeros(size);
    int quarter = size > smallBytes && octave > 1 ? (int) (size >> octave - 2 & 3) : 0;
    int type = loads.batch.storageType(task);
    long key = (type < typeRank.length ? typeRank[type] : Byte.MAX_VALUE) * TYPE;
    key += (4L * Long.SIZE - 4 * octave - quarter) * SIZE;
    if (fewRacks) {
      int forbidden = rules.forbiddenRacks(task);
      key += (Integer.SIZE - Integer.bitCount(forbidden)) * RACKS + forbidden;
    }
    return key;
  }

  private int placeRun(int[] tasks, int from, int to, long key) {
    int type = loads.batch.storageType(tasks[from]);
    if (type >= typeRank.length) {
      return 0;
    }
    if (to - from < SHORT) {
      return placeSingly(tasks, from, to);
    }
    double sum = 0;
    double largest = 0;
    for (int i = from; i < to; i++) {
      double size = loads.bytes[tasks[i]];
      sum += size;
      largest = Math.max(largest, size);
    }
    int forbidden = fewRacks ? (int) (key & RACKS - 1) : 0;
    int[] counts = new int[loads.rackOf.length];
    int total = level.fill(sum / (to - from), largest, type, forbidden, to - from, counts);
    deal.deal(tasks, from, counts, total);
    int placed = loads.receive(tasks, from, from + total);
    return placed == total ? placed : placed + placeSingly(tasks, from, from + total);
  }

  /** For tasks that the deal found no place for, and runs too short to be worth a level. */
  private int placeSingly(int[] tasks, int from, int to) {
    int placed = 0;
    for (int i = from; i < to; i++) {
      int task = tasks[i];
      if (loads.destination[task] == SlotLoads.NONE) {
        int source = loads.source[task];
        int node = scan.destination(task, source);
        if (node != SlotLoads.NONE
            && loads.fitsSlot(loads.inSec(source, node, loads.bytes[task]))) {
          loads.destination[task] = node;
          placed += loads.receive(tasks, i, i + 1);
        }
      }
    }
    return placed;
  }
}
