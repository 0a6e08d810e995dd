package org.rackweave.sim.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.rackweave.MixedRandom;

/** The tree against a flat map of whole paths, on thousands of small random histories. */
class PathTreeTest {
  private static final int HISTORIES = 2_000;

  /** Files by their whole path. */
  private final TreeMap<String, Long> flat = new TreeMap<>();

  private static String path(Random dice) {
    StringBuilder path = new StringBuilder();
    for (int depth = 1 + dice.nextInt(3); depth > 0; depth--) {
      path.append('/').append((char) ('a' + dice.nextInt(3)));
    }
    return path.toString();
  }

  private static boolean isBelow(String path, String top) {
    return path.equals(top) || path.startsWith(top + "/");
  }

  private List<Long> removeFlat(String top) {
    List<Long> removed = new ArrayList<>();
    flat.entrySet()
        .removeIf(
            entry -> {
              boolean below = isBelow(entry.getKey(), top);
              if (below) {
                removed.add(entry.getValue());
              }
              return below;
            });
    removed.sort(null);
    return removed;
  }

  private long moveFlat(String from, String to) {
    TreeMap<String, Long> moved = new TreeMap<>();
    flat.forEach(
        (path, file) -> {
          if (isBelow(path, from)) {
            moved.put(to + path.substring(from.length()), file);
          }
        });
    if (moved.isEmpty() || isBelow(to, from)) {
      return 0;
    }
    removeFlat(from);
    removeFlat(to);
    flat.putAll(moved);
    return moved.size();
  }

  @Test
  void agreesWithAFlatMap() {
    for (long seed = 0; seed < HISTORIES; seed++) {
      Random dice = MixedRandom.of(seed);
      PathTree tree = new PathTree();
      flat.clear();
      for (long step = 0; step < 30; step++) {
        String context = "seed " + seed + " step " + step;
        String path = path(dice);
        switch (dice.nextInt(5)) {
          case 0, 1 -> {
            tree.put(path, step);
            flat.put(path, step);
          }
          case 2 -> {
            List<Long> removed = new ArrayList<>();
            tree.remove(path, removed::add);
            removed.sort(null);
            assertEquals(removeFlat(path), removed, context);
          }
          case 3 -> {
            String to = path(dice);
            if (!isBelow(path, to)) {
              assertEquals(moveFlat(path, to), tree.move(path, to), context);
            }
          }
          default -> assertEquals(flat.getOrDefault(path, -1L), tree.find(path), context);
        }
        assertEquals(directoriesAndFiles(), tree.size(), context);
        String top = path(dice);
        assertEquals(
            flat.keySet().stream().anyMatch(one -> one.startsWith(top + "/")),
            tree.isDirectory(top),
            context);
      }
    }
  }

  /** What a tree needs: every file and every directory above one. */
  private int directoriesAndFiles() {
    TreeMap<String, Boolean> all = new TreeMap<>();
    for (String path : flat.keySet()) {
      for (int slash = path.length(); slash > 0; slash = path.lastIndexOf('/', slash - 1)) {
        all.put(path.substring(0, slash), true);
      }
    }
    return all.size();
  }

  @Test
  void ignoresEmptyPartsOfAPath() {
    PathTree tree = new PathTree();
    tree.put("//a///b/", 7);
    assertEquals(7, tree.find("/a/b"));
    assertEquals(-1, tree.find("/"));
    assertEquals(0, tree.move("/", "/c"));
    assertEquals(2, tree.size());
  }
}
