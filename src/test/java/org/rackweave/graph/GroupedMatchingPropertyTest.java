package org.rackweave.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.rackweave.graph.GroupedMatching.NONE;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.rackweave.MixedRandom;

/** Against a maximum flow from scratch, after every one of many random changes. */
class GroupedMatchingPropertyTest {
  private static final int STRIPES = 4000;

  /** A matching, and beside it a plain list of what it was told. */
  private static final class Twin {
    final Random dice;
    final long seed;
    final int leftMax;
    final int limit;
    final int[] groupOf;
    final GroupedMatching matching;
    final Map<Integer, List<Integer>> candidates = new TreeMap<>();
    final Map<Integer, Integer> limits = new HashMap<>();

    Twin(long seed) {
      this.seed = seed;
      dice = MixedRandom.of(seed);
      leftMax = 1 + dice.nextInt(14);
      limit = new int[] {1, 2, 4}[dice.nextInt(3)];
      int groups = 1 + dice.nextInt(12);
      groupOf =
          IntStream.range(0, groups)
              .flatMap(group -> IntStream.generate(() -> group).limit(1 + dice.nextInt(6)))
              .toArray();
      matching = new GroupedMatching(leftMax, limit);
    }

    /** Usually one vertex of a fixed first group, as a stripe has it, and some of another. */
    int[] randomCandidates() {
      int count = 1 + dice.nextInt(4);
      int[] any = dice.ints(count, 0, groupOf.length).distinct().toArray();
      if (dice.nextInt(3) == 0) {
        return any;
      }
      int other = groupOf[any[0]];
      return IntStream.concat(
              IntStream.of((int) Arrays.stream(groupOf).filter(g -> g == 0).count() - 1),
              IntStream.range(0, groupOf.length).filter(r -> groupOf[r] == other).limit(2))
          .distinct()
          .toArray();
    }

    int[] groupsOf(int[] rights) {
      return Arrays.stream(rights).map(right -> groupOf[right]).toArray();
    }

    int limitOf(int group) {
      return limits.getOrDefault(group, limit);
    }

    int maximum(List<int[]> all) {
      return GroupedFlow.matchable(all, right -> groupOf[right], this::limitOf);
    }

    List<int[]> all() {
      List<int[]> all = new ArrayList<>();
      candidates.values().forEach(c -> all.add(c.stream().mapToInt(i -> i).toArray()));
      return all;
    }

    int anyLeft() {
      List<Integer> lefts = List.copyOf(candidates.keySet());
      return lefts.get(dice.nextInt(lefts.size()));
    }

    void change() {
      int what = dice.nextInt(10);
      if (candidates.isEmpty() || (what < 5 && candidates.size() < leftMax)) {
        add();
      } else if (what < 7) {
        int left = anyLeft();
        candidates.remove(left);
        matching.remove(left);
      } else if (what == 7) {
        int left = anyLeft();
        int right = dice.nextInt(groupOf.length);
        boolean was = candidates.get(left).remove((Integer) right);
        assertEquals(was, matching.removeCandidate(left, right), failed());
      } else if (what == 8) {
        int left = anyLeft();
        int right = dice.nextInt(groupOf.length);
        if (!candidates.get(left).contains(right)) {
          candidates.get(left).add(right);
          matching.addCandidate(left, right, groupOf[right]);
        }
      } else {
        int group = groupOf[dice.nextInt(groupOf.length)];
        limits.put(group, dice.nextInt(4));
        matching.limit(group, limits.get(group));
      }
    }

    private void add() {
      int[] rights = randomCandidates();
      List<int[]> after = all();
      int before = maximum(after);
      after.add(rights);
      boolean fits = maximum(after) > before;
      assertEquals(fits, matching.fits(rights, groupsOf(rights), rights.length), failed());
      if (rights.length == 1) {
        assertEquals(fits, matching.fits(rights[0], groupOf[rights[0]]), failed());
      }
      int left = matching.add(rights, groupsOf(rights), rights.length);
      assertEquals(fits, matching.matchOf(left) != NONE, failed());
      candidates.put(left, new ArrayList<>(Arrays.stream(rights).boxed().toList()));
    }

    /** That it is a matching at all, and that none is larger. */
    void check() {
      Map<Integer, Integer> held = new HashMap<>();
      int matched = 0;
      for (int left : candidates.keySet()) {
        int right = matching.matchOf(left);
        assertTrue(right == NONE || candidates.get(left).contains(right), failed());
        if (right != NONE) {
          matched++;
          assertEquals(left, matching.holderOf(right), failed());
          held.merge(groupOf[right], 1, Integer::sum);
        }
      }
      held.forEach(
          (group, count) -> {
            assertEquals(count, matching.heldIn(group), failed());
            assertTrue(count <= limitOf(group), failed());
          });
      assertEquals(candidates.size(), matching.size(), failed());
      assertEquals(matched, matching.matchedCount(), failed());
      assertEquals(maximum(all()), matched, failed());
      int group = groupOf[dice.nextInt(groupOf.length)];
      assertEquals(hasRoom(group), matching.hasRoom(group), failed());
    }

    /**
     * Whether one more could be matched if the group had another right vertex, wanted by nobody.
     */
    private boolean hasRoom(int group) {
      List<int[]> all = all();
      all.add(new int[] {groupOf.length});
      return GroupedFlow.matchable(
              all, right -> right == groupOf.length ? group : groupOf[right], this::limitOf)
          > matching.matchedCount();
    }

    String failed() {
      return "seed " + seed + " with " + candidates + " limits " + limit + limits;
    }
  }

  @Test
  void isAsLargeAsAMaximumFlowAfterEveryChange() {
    long first = System.nanoTime();
    System.out.println("matching against flow, first seed " + first);
    for (long seed = first; seed < first + STRIPES; seed++) {
      Twin twin = new Twin(seed);
      for (int step = 0; step < 30; step++) {
        twin.change();
        twin.check();
      }
    }
  }
}
