package org.rackweave.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.rackweave.MixedRandom;

class PathTableTest {
  @Test
  void nearestAncestorWins() {
    PathTable<String> table =
        new PathTable<>(new TreeMap<>(Map.of("/a", "outer", "/a/b/c", "inner")));
    assertEquals("outer", table.of("/a"));
    assertEquals("outer", table.of("/a/b"));
    assertEquals("inner", table.of("/a/b/c"));
    assertEquals("inner", table.of("/a/b/c/d/e"));
    assertNull(table.of("/"));
    assertNull(table.of("/ab"), "a name that only begins alike");
    assertEquals("outer", table.of("/a/b/cd"));
  }

  @Test
  void theRootCoversAll() {
    PathTable<String> table = new PathTable<>(new TreeMap<>(Map.of("/", "all", "/a", "a")));
    assertEquals("all", table.of("/"));
    assertEquals("all", table.of("/b/c"));
    assertEquals("a", table.of("/a/c"));
    assertNull(PathTable.empty().of("/a"));
    assertTrue(PathTable.empty().isEmpty());
  }

  /** Against a search of all directories, longest first, with names that collide often. */
  @Test
  void findsWhatASearchOfAllDirectoriesFinds() {
    long seed = System.nanoTime();
    Random random = MixedRandom.of(seed);
    for (int round = 0; round < 2000; round++) {
      SortedMap<String, String> values = new TreeMap<>();
      for (int i = random.nextInt(12); i > 0; i--) {
        String directory = path(random, random.nextInt(4));
        values.put(directory, "of " + directory);
      }
      PathTable<String> table = new PathTable<>(values);
      for (int i = 0; i < 20; i++) {
        String path = path(random, 1 + random.nextInt(6));
        assertEquals(searched(values, path), table.of(path), path + ", seed " + seed);
      }
    }
  }

  /** Aa and BB have the same hash. */
  private static String path(Random random, int depth) {
    StringBuilder path = new StringBuilder();
    for (int i = 0; i < depth; i++) {
      path.append('/').append(random.nextBoolean() ? "Aa" : random.nextBoolean() ? "BB" : "c");
    }
    return depth == 0 ? "/" : path.toString();
  }

  private static String searched(Map<String, String> values, String path) {
    for (String directory = path; ; ) {
      if (values.containsKey(directory) || directory.equals("/")) {
        return values.get(directory);
      }
      int slash = directory.lastIndexOf('/');
      directory = slash == 0 ? "/" : directory.substring(0, slash);
    }
  }
}
