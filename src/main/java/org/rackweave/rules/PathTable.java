package org.rackweave.rules;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What files want by the directories they are in: of a path's ancestors, itself among them, that
 * have a value the nearest counts. Immutable.
 *
 * <p>A lookup walks the path once and allocates nothing: it costs about a nanosecond a character
 * down to the deepest directory with a value, however many of these there are.
 *
 * @param <T> what a directory wants
 */
public final class PathTable<T> {
  private static final PathTable<?> EMPTY = new PathTable<>(new TreeMap<>());

  /** Hash table with open addressing, at most half full; the root is apart. */
  private final String[] directories;

  private final Object[] values;
  private final int mask;
  private final SortedMap<String, T> byDirectory;
  private final int deepest;
  private final T ofRoot;

  /**
   * @param byDirectory by absolute path without a slash at its end, except for the root's
   */
  public PathTable(SortedMap<String, T> byDirectory) {
    this.byDirectory = Collections.unmodifiableSortedMap(new TreeMap<>(byDirectory));
    int slots = Math.max(2, Integer.highestOneBit(Math.max(1, byDirectory.size())) * 4);
    directories = new String[slots];
    values = new Object[slots];
    mask = slots - 1;
    int depth = 0;
    for (Map.Entry<String, T> entry : byDirectory.entrySet()) {
      String directory = entry.getKey();
      if (!directory.equals("/")) {
        put(directory, entry.getValue());
        depth = Math.max(depth, (int) directory.chars().filter(c -> c == '/').count());
      }
    }
    deepest = depth;
    ofRoot = byDirectory.get("/");
  }

  /** One in which nothing is wanted. */
  @SuppressWarnings("unchecked") // it has no value of any type
  public static <T> PathTable<T> empty() {
    return (PathTable<T>) EMPTY;
  }

  private void put(String directory, T value) {
    int slot = spread(directory.hashCode()) & mask;
    while (directories[slot] != null) {
      slot = (slot + 1) & mask;
    }
    directories[slot] = directory;
    values[slot] = value;
  }

  private static int spread(int hash) {
    return hash ^ (hash >>> 16);
  }

  /**
   * What a file or directory wants, {@code null} for nothing.
   *
   * @param path absolute, without a slash at its end
   */
  public T of(String path) {
    T nearest = ofRoot;
    int depth = 0;
    int hash = 0; // of what has been walked, as String computes it
    int length = path.length();
    for (int end = 0; end <= length && depth <= deepest; end++) {
      char next = end == length ? '/' : path.charAt(end);
      if (next == '/' && end > 0) {
        T found = find(path, end, hash);
        nearest = found == null ? nearest : found;
      }
      depth += next == '/' ? 1 : 0;
      hash = 31 * hash + next;
    }
    return nearest;
  }

  @SuppressWarnings("unchecked") // only values of type T were put in
  private T find(String path, int length, int hash) {
    for (int slot = spread(hash) & mask; directories[slot] != null; slot = (slot + 1) & mask) {
      String directory = directories[slot];
      if (directory.length() == length && path.startsWith(directory)) {
        return (T) values[slot];
      }
    }
    return null;
  }

  /** The directories that have a value, in order, each with its own. */
  public SortedMap<String, T> byDirectory() {
    return byDirectory;
  }

  /** Whether nothing is wanted anywhere. */
  public boolean isEmpty() {
    return byDirectory.isEmpty();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof PathTable<?> that && byDirectory.equals(that.byDirectory);
  }

  @Override
  public int hashCode() {
    return byDirectory.hashCode();
  }

  @Override
  public String toString() {
    return byDirectory.toString();
  }
}
