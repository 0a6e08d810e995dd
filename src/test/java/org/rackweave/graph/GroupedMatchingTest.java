package org.rackweave.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.rackweave.graph.GroupedMatching.NONE;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Right vertices are numbered so that their group is what stands before the last digit. */
class GroupedMatchingTest {
  private final GroupedMatching matching = new GroupedMatching(10, 1);

  private static int[] groupsOf(int... rights) {
    return Arrays.stream(rights).map(right -> right / 10).toArray();
  }

  private static int add(GroupedMatching matching, int... rights) {
    return matching.add(rights, groupsOf(rights), rights.length);
  }

  private static boolean fits(GroupedMatching matching, int... rights) {
    return matching.fits(rights, groupsOf(rights), rights.length);
  }

  @Test
  void takesTheFirstCandidateThatIsFree() {
    int a = add(matching, 11, 21);
    assertEquals(11, matching.matchOf(a));
    assertEquals(a, matching.holderOf(11));
    assertEquals(1, matching.heldIn(1));
    assertEquals(0, matching.heldIn(2));
  }

  @Test
  void asksTheHolderOfTheOnlyCandidateToMove() {
    int a = add(matching, 11, 21);
    int b = add(matching, 11);
    assertEquals(21, matching.matchOf(a));
    assertEquals(11, matching.matchOf(b));
  }

  @Test
  void asksWhoeverFillsTheGroupToMove() {
    int a = add(matching, 11, 21);
    int b = add(matching, 13);
    assertEquals(21, matching.matchOf(a));
    assertEquals(13, matching.matchOf(b));
    assertEquals(1, matching.heldIn(1));
  }

  @Test
  void movesAWholeChain() {
    int a = add(matching, 11, 21);
    int b = add(matching, 21, 31);
    int c = add(matching, 31, 41);
    int d = add(matching, 12);
    assertEquals(12, matching.matchOf(d));
    assertEquals(21, matching.matchOf(a));
    assertEquals(31, matching.matchOf(b));
    assertEquals(41, matching.matchOf(c));
    assertTrue(matching.isComplete());
  }

  @Test
  void leavesUnmatchedWhatFindsNoRoom() {
    add(matching, 11);
    int b = add(matching, 11, 12);
    assertEquals(NONE, matching.matchOf(b));
    assertEquals(1, matching.matchedCount());
    assertEquals(2, matching.size());
    assertFalse(matching.isComplete());
  }

  @Test
  void movesWithinAGroupForOneThatHasNoOtherCandidate() {
    GroupedMatching two = new GroupedMatching(10, 2);
    int a = add(two, 11, 12);
    int b = add(two, 11);
    assertEquals(12, two.matchOf(a));
    assertEquals(11, two.matchOf(b));
    assertEquals(2, two.heldIn(1));
  }

  @Test
  void matchesOneThatWaitedWhenAnotherLeaves() {
    int a = add(matching, 11);
    int b = add(matching, 11);
    matching.remove(a);
    assertEquals(11, matching.matchOf(b));
    assertFalse(matching.contains(a));
    assertEquals(a, add(matching, 21), "its number is used again");
  }

  @Test
  void findsAnotherCandidateWhenTheOneHeldIsLost() {
    int a = add(matching, 11, 21);
    int b = add(matching, 21, 31);
    assertTrue(matching.removeCandidate(a, 11));
    assertEquals(21, matching.matchOf(a));
    assertEquals(31, matching.matchOf(b));
    assertFalse(matching.removeCandidate(a, 11), "it is a candidate no more");
  }

  @Test
  void handsALostCandidateToOneThatWaited() {
    int a = add(matching, 11);
    int b = add(matching, 11);
    assertTrue(matching.removeCandidate(a, 11));
    assertEquals(NONE, matching.matchOf(a));
    assertEquals(11, matching.matchOf(b));
  }

  @Test
  void matchesThroughANewCandidateOfAnotherVertex() {
    int a = add(matching, 11);
    int b = add(matching, 11);
    matching.addCandidate(a, 21, 2);
    assertEquals(21, matching.matchOf(a));
    assertEquals(11, matching.matchOf(b));
  }

  @Test
  void obeysALimitOfOneGroup() {
    int a = add(matching, 11, 21);
    matching.limit(1, 0);
    assertEquals(21, matching.matchOf(a));
    int b = add(matching, 12);
    assertEquals(NONE, matching.matchOf(b));
    matching.limit(1, 2);
    assertEquals(12, matching.matchOf(b));
    assertEquals(2, matching.limitOf(1));
    assertEquals(1, matching.limitOf(2));
  }

  @Test
  void answersQuestionsWithoutChangingAnything() {
    int a = add(matching, 11, 21);
    assertTrue(fits(matching, 12));
    assertTrue(matching.fits(12, 1));
    assertTrue(matching.hasRoom(1), "a can move to group 2");
    int b = add(matching, 22);
    assertFalse(fits(matching, 12, 23));
    assertFalse(matching.hasRoom(1));
    assertTrue(matching.hasRoom(3));
    assertEquals(11, matching.matchOf(a));
    assertEquals(22, matching.matchOf(b));
    assertEquals(2, matching.size());
  }

  @Test
  void growsWithTheNumberOfCandidates() {
    int a = add(matching, 11);
    int b = add(matching, 11, 12, 13, 14, 15, 16, 17, 18, 21);
    int c = add(matching, 31, 32);
    assertEquals(11, matching.matchOf(a));
    assertEquals(21, matching.matchOf(b));
    assertEquals(31, matching.matchOf(c));
  }

  @Test
  void refusesMoreThanItHasRoomFor() {
    GroupedMatching one = new GroupedMatching(1, 1);
    add(one, 11);
    assertThrows(IllegalStateException.class, () -> add(one, 21));
    assertThrows(IllegalArgumentException.class, () -> matching.remove(3));
  }

  @Test
  void startsAgainAfterClear() {
    add(matching, 11);
    matching.clear();
    assertEquals(0, matching.size());
    int a = add(matching, 11);
    assertEquals(0, a);
    assertEquals(11, matching.matchOf(a));
  }

  @Test
  void allocatesNothingWhileVerticesComeAndGo() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    int[] rights = {11, 21, 31};
    int[] groups = groupsOf(rights);
    long least = Long.MAX_VALUE;
    for (int attempt = 0; attempt < 5; attempt++) {
      long before = threads.getCurrentThreadAllocatedBytes();
      for (int i = 0; i < 2000; i++) {
        for (int left = 0; left < 6; left++) {
          matching.add(rights, groups, 3);
        }
        matching.removeCandidate(1, 21);
        matching.addCandidate(1, 21, 2);
        matching.fits(rights, groups, 3);
        matching.remove(2);
        matching.clear();
      }
      least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
    }
    // Reading the counter may itself cost a few bytes; 20,000 operations do not.
    assertTrue(least < 1000, least + " bytes");
  }
}
