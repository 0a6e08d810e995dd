package org.rackweave.graph;

import java.util.Arrays;

/**
 * A maximum matching between left and right vertices, kept while both sides change. Every right
 * vertex belongs to one group; it is matched at most once, and a group at most as often as its
 * limit allows. In other words the maximum flow of source -> left (1) -> right (1) -> group (limit)
 * -> sink.
 *
 * <p><b>Goals.</b> A change costs one search for an augmenting path, not a flow from scratch.
 * Memory depends on the left side only, whatever numbers right vertices and groups have. Nothing is
 * allocated while left vertices come and go within {@code leftMax} and the largest degree seen.
 *
 * <p><b>Algorithm.</b> Matched left vertices hang in two small chained hash tables, one by the
 * right vertex they hold and one by its group, so "who holds it" and "how many hold one of the
 * group" are a short walk. A left vertex first tries its candidates in their order and takes the
 * first that is free and whose group has room. Otherwise a breadth-first search over left vertices
 * asks who would have to move: the holder of a candidate, or, when the candidate is free and its
 * group full, anyone who holds one of that group. The first vertex that finds a free candidate in a
 * group with room moves there and all those before it on the path move up by one.
 *
 * <p>Example with limit 1: a holds 1 of group X and could have 2 of group Y; b comes with nothing
 * but 3, of group X. X is full, so a holder of one of X is asked: a moves to 2, b takes 3.
 *
 * <p>The matching is maximum after every call. That needs no more than one search for every
 * unmatched left vertex: a vertex without an augmenting path does not get one by augmenting along
 * another.
 *
 * <p>Rights and groups are any ints but {@link #NONE}; a right vertex must come with the same group
 * in all calls. Single-threaded.
 */
public final class GroupedMatching {
  /** No vertex. */
  public static final int NONE = -1;

  private static final int FIRST_DEGREE = 3;

  private final int leftMax;

  /** The slot behind the last left vertex, for questions that change nothing. */
  private final int probe;

  private final int mask;

  /** Candidates of left vertex {@code l} are at {@code l * stride}, in order of preference. */
  private int stride = FIRST_DEGREE;

  private int[] candidateRight;
  private int[] candidateGroup;

  /** Number of candidates, {@link #NONE} for a left vertex that does not exist. */
  private final int[] degree;

  private int size;
  private int matchedCount;

  private final int[] heldRight;
  private final int[] heldGroup;
  private final int[] firstByRight;
  private final int[] nextByRight;
  private final int[] firstByGroup;
  private final int[] nextByGroup;

  private final int commonLimit;
  private int[] specialGroup = {};
  private int[] specialLimit = {};

  private final int[] queue;
  private final int[] reachedFrom;
  private final int[] reachedFor;
  private final int[] seenIn;
  private int search;
  private int queued;
  private int endOfPath;
  private int endCandidate;

  /**
   * @param leftMax most left vertices at a time
   * @param limit of every group that has none of its own, at least 0
   */
  public GroupedMatching(int leftMax, int limit) {
    this.leftMax = leftMax;
    probe = leftMax;
    commonLimit = limit;
    int buckets = Integer.highestOneBit(Math.max(1, leftMax * 2 - 1)) * 2;
    mask = buckets - 1;
    candidateRight = new int[(leftMax + 1) * stride];
    candidateGroup = new int[(leftMax + 1) * stride];
    degree = new int[leftMax + 1];
    heldRight = new int[leftMax + 1];
    heldGroup = new int[leftMax + 1];
    firstByRight = new int[buckets];
    firstByGroup = new int[buckets];
    nextByRight = new int[leftMax];
    nextByGroup = new int[leftMax];
    queue = new int[leftMax + 1];
    reachedFrom = new int[leftMax + 1];
    reachedFor = new int[leftMax + 1];
    seenIn = new int[leftMax + 1];
    clear();
  }

  /** Removes all left vertices; limits stay. */
  public void clear() {
    Arrays.fill(degree, NONE);
    Arrays.fill(heldRight, NONE);
    Arrays.fill(firstByRight, NONE);
    Arrays.fill(firstByGroup, NONE);
    size = 0;
    matchedCount = 0;
  }

  /** Number of left vertices. */
  public int size() {
    return size;
  }

  /** Number of left vertices that hold a right one: the value of the maximum flow. */
  public int matchedCount() {
    return matchedCount;
  }

  /** Whether every left vertex is matched. */
  public boolean isComplete() {
    return matchedCount == size;
  }

  public boolean contains(int left) {
    return degree[left] != NONE;
  }

  /** The right vertex that a left one holds, or {@link #NONE}. */
  public int matchOf(int left) {
    return heldRight[left];
  }

  /** The left vertex that holds a right one, or {@link #NONE}. */
  public int holderOf(int right) {
    int left = firstByRight[right & mask];
    while (left != NONE && heldRight[left] != right) {
      left = nextByRight[left];
    }
    return left;
  }

  /** How many right vertices of a group are matched. */
  public int heldIn(int group) {
    int held = 0;
    for (int left = firstByGroup[group & mask]; left != NONE; left = nextByGroup[left]) {
      held += heldGroup[left] == group ? 1 : 0;
    }
    return held;
  }

  public int limitOf(int group) {
    for (int i = 0; i < specialGroup.length; i++) {
      if (specialGroup[i] == group) {
        return specialLimit[i];
      }
    }
    return commonLimit;
  }

  /**
   * Adds a left vertex, matched if the matching can grow.
   *
   * @param rights its candidates in order of preference, each once
   * @param groups the candidates' groups
   * @param count how many of both arrays to use
   * @return the number of the vertex, the lowest not in use
   * @throws IllegalStateException when there are {@code leftMax} already
   */
  public int add(int[] rights, int[] groups, int count) {
    if (size == leftMax) {
      throw new IllegalStateException("there are " + leftMax + " left vertices already");
    }
    int left = 0;
    while (degree[left] != NONE) {
      left++;
    }
    size++;
    describe(left, rights, groups, count);
    augment(left);
    return left;
  }

  /** Whether one more left vertex with these candidates would be matched; changes nothing. */
  public boolean fits(int[] rights, int[] groups, int count) {
    describe(probe, rights, groups, count);
    return findsRoom(probe);
  }

  /** Whether one more left vertex with this one candidate would be matched; changes nothing. */
  public boolean fits(int right, int group) {
    degree[probe] = 1;
    candidateRight[probe * stride] = right;
    candidateGroup[probe * stride] = group;
    return findsRoom(probe);
  }

  /** Whether a right vertex that is no candidate yet could be matched in a group. */
  public boolean hasRoom(int group) {
    return heldIn(group) < limitOf(group) || fits(NONE, group);
  }

  /** Removes a left vertex; what it held is free for the unmatched. */
  public void remove(int left) {
    requireExisting(left);
    boolean freed = heldRight[left] != NONE;
    release(left);
    degree[left] = NONE;
    size--;
    if (freed) {
      augmentUnmatched();
    }
  }

  /** Gives a left vertex one more candidate, the last in preference. */
  public void addCandidate(int left, int right, int group) {
    requireExisting(left);
    reserve(degree[left] + 1);
    int at = left * stride + degree[left]++;
    candidateRight[at] = right;
    candidateGroup[at] = group;
    augmentUnmatched();
  }

  /**
   * Takes a candidate from a left vertex, which is matched anew if it held that and another fits.
   *
   * @return whether it was a candidate
   */
  public boolean removeCandidate(int left, int right) {
    requireExisting(left);
    int last = left * stride + degree[left] - 1;
    int at = left * stride;
    while (at <= last && candidateRight[at] != right) {
      at++;
    }
    if (at > last) {
      return false;
    }
    System.arraycopy(candidateRight, at + 1, candidateRight, at, last - at);
    System.arraycopy(candidateGroup, at + 1, candidateGroup, at, last - at);
    degree[left]--;
    if (heldRight[left] == right) {
      release(left);
      augment(left);
      augmentUnmatched();
    }
    return true;
  }

  /** Sets the limit of one group; matches beyond it are given up. */
  public void limit(int group, int limit) {
    int at = 0;
    while (at < specialGroup.length && specialGroup[at] != group) {
      at++;
    }
    if (at == specialGroup.length) {
      specialGroup = Arrays.copyOf(specialGroup, at + 1);
      specialLimit = Arrays.copyOf(specialLimit, at + 1);
      specialGroup[at] = group;
    }
    specialLimit[at] = limit;
    for (int left = 0; left < leftMax && heldIn(group) > limit; left++) {
      if (heldRight[left] != NONE && heldGroup[left] == group) {
        release(left);
      }
    }
    augmentUnmatched();
  }

  private void requireExisting(int left) {
    if (degree[left] == NONE) {
      throw new IllegalArgumentException("there is no left vertex " + left);
    }
  }

  private void describe(int left, int[] rights, int[] groups, int count) {
    reserve(count);
    System.arraycopy(rights, 0, candidateRight, left * stride, count);
    System.arraycopy(groups, 0, candidateGroup, left * stride, count);
    degree[left] = count;
  }

  private void reserve(int count) {
    if (count > stride) {
      int wider = Math.max(count, stride * 2);
      candidateRight = spread(candidateRight, wider);
      candidateGroup = spread(candidateGroup, wider);
      stride = wider;
    }
  }

  private int[] spread(int[] narrow, int wider) {
    int[] wide = new int[(leftMax + 1) * wider];
    for (int left = 0; left <= leftMax; left++) {
      System.arraycopy(narrow, left * stride, wide, left * wider, stride);
    }
    return wide;
  }

  private void augmentUnmatched() {
    for (int left = 0; left < leftMax && matchedCount < size; left++) {
      if (degree[left] != NONE && heldRight[left] == NONE) {
        augment(left);
      }
    }
  }

  /** Matches an unmatched left vertex along an augmenting path, if there is one. */
  private void augment(int left) {
    int from = left * stride;
    for (int at = from; at < from + degree[left]; at++) {
      if (isFree(at)) {
        hold(left, at);
        return;
      }
    }
    if (findsRoom(left)) {
      moveUp(left);
    }
  }

  private boolean isFree(int candidate) {
    int group = candidateGroup[candidate];
    return holderOf(candidateRight[candidate]) == NONE && heldIn(group) < limitOf(group);
  }

  /**
   * Searches for an augmenting path from an unmatched left vertex. When there is one, {@code
   * endOfPath} can take {@code endCandidate}, and each vertex before it on the path the candidate
   * for which the next one was reached.
   */
  private boolean findsRoom(int start) {
    search++;
    queued = 0;
    reach(start, NONE, NONE);
    for (int i = 0; i < queued; i++) {
      int left = queue[i];
      int from = left * stride;
      for (int at = from; at < from + degree[left]; at++) {
        int group = candidateGroup[at];
        int holder = holderOf(candidateRight[at]);
        if (holder != NONE) {
          reach(holder, left, at);
        } else if (heldIn(group) < limitOf(group)) {
          endOfPath = left;
          endCandidate = at;
          return true;
        } else {
          reachHoldersIn(group, left, at);
        }
      }
    }
    return false;
  }

  private void reachHoldersIn(int group, int from, int candidate) {
    for (int left = firstByGroup[group & mask]; left != NONE; left = nextByGroup[left]) {
      if (heldGroup[left] == group) {
        reach(left, from, candidate);
      }
    }
  }

  private void reach(int left, int from, int candidate) {
    if (seenIn[left] != search) {
      seenIn[left] = search;
      reachedFrom[left] = from;
      reachedFor[left] = candidate;
      queue[queued++] = left;
    }
  }

  /** From the end of the path found to its start, each vertex takes what was freed for it. */
  private void moveUp(int start) {
    int left = endOfPath;
    int candidate = endCandidate;
    while (true) {
      if (left != start) {
        release(left);
      }
      hold(left, candidate);
      if (left == start) {
        return;
      }
      candidate = reachedFor[left];
      left = reachedFrom[left];
    }
  }

  private void hold(int left, int candidate) {
    int right = candidateRight[candidate];
    int group = candidateGroup[candidate];
    heldRight[left] = right;
    heldGroup[left] = group;
    nextByRight[left] = firstByRight[right & mask];
    firstByRight[right & mask] = left;
    nextByGroup[left] = firstByGroup[group & mask];
    firstByGroup[group & mask] = left;
    matchedCount++;
  }

  private void release(int left) {
    if (heldRight[left] == NONE) {
      return;
    }
    unlink(firstByRight, nextByRight, heldRight[left] & mask, left);
    unlink(firstByGroup, nextByGroup, heldGroup[left] & mask, left);
    heldRight[left] = NONE;
    matchedCount--;
  }

  private static void unlink(int[] first, int[] next, int bucket, int left) {
    if (first[bucket] == left) {
      first[bucket] = next[left];
      return;
    }
    int before = first[bucket];
    while (next[before] != left) {
      before = next[before];
    }
    next[before] = next[left];
  }
}
