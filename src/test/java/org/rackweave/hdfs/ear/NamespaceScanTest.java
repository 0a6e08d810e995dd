package org.rackweave.hdfs.ear;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.hadoop.hdfs.protocol.DirectoryListing;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.junit.jupiter.api.Test;
import org.rackweave.MixedRandom;

/** Walks over a namespace of maps that lists two children a page. */
class NamespaceScanTest {
  private static final int PAGE = 2;

  /** Children of each directory: whether they are directories. */
  private final NavigableMap<String, NavigableMap<String, Boolean>> namespace = new TreeMap<>();

  private final List<String> seen = new ArrayList<>();
  private int pages;

  NamespaceScanTest() {
    namespace.put("/", new TreeMap<>());
  }

  private void file(String path) {
    add(path, false);
  }

  private void add(String path, boolean isDirectory) {
    int slash = path.lastIndexOf('/');
    String parent = slash == 0 ? "/" : path.substring(0, slash);
    if (!namespace.containsKey(parent)) {
      add(parent, true);
    }
    namespace.get(parent).put(path.substring(slash + 1), isDirectory);
    if (isDirectory) {
      namespace.computeIfAbsent(path, directory -> new TreeMap<>());
    }
  }

  private DirectoryListing list(String directory, byte[] startAfter) {
    pages++;
    NavigableMap<String, Boolean> children = namespace.get(directory);
    if (children == null) {
      return null;
    }
    NavigableMap<String, Boolean> rest =
        children.tailMap(new String(startAfter, StandardCharsets.UTF_8), false);
    HdfsFileStatus[] page =
        rest.entrySet().stream()
            .limit(PAGE)
            .map(child -> status(child.getKey(), child.getValue()))
            .toArray(HdfsFileStatus[]::new);
    return new DirectoryListing(page, rest.size() - page.length);
  }

  private static HdfsFileStatus status(String name, boolean isDirectory) {
    HdfsFileStatus.Builder builder =
        new HdfsFileStatus.Builder().path(name.getBytes(StandardCharsets.UTF_8)).isdir(isDirectory);
    return isDirectory ? builder.build() : builder.locations(new LocatedBlocks()).build();
  }

  private NamespaceScan walk(String... roots) {
    return new NamespaceScan(this::list, List.of(roots), directory -> !directory.endsWith("/raw"));
  }

  private void run(NamespaceScan walk) throws IOException {
    while (walk.step((path, file) -> seen.add(path))) {
      assertTrue(pages < 10_000);
    }
  }

  @Test
  void seesEveryFileBelowItsRoots() throws IOException {
    file("/a/one");
    file("/a/two");
    file("/a/deep/er/three");
    file("/b/four");
    file("/c/not");
    run(walk("/a", "/b"));
    assertEquals(List.of("/a/one", "/a/deep/er/three", "/a/two", "/b/four"), seen);
  }

  @Test
  void doesNotEnterWhatItIsToldNotTo() throws IOException {
    file("/a/raw/not");
    file("/a/raw2/yes");
    run(walk("/"));
    assertEquals(List.of("/a/raw2/yes"), seen);
  }

  @Test
  void passesOverDirectoriesThatAreGone() throws IOException {
    file("/a/b/one");
    file("/a/c/two");
    NamespaceScan walk = walk("/nowhere", "/a");
    assertTrue(walk.step((path, file) -> seen.add(path)), "/nowhere");
    assertTrue(walk.step((path, file) -> seen.add(path)), "/a");
    namespace.remove("/a/b");
    run(walk);
    assertEquals(List.of("/a/c/two"), seen);
  }

  @Test
  void listsAPageAStep() throws IOException {
    for (int i = 0; i < 5; i++) {
      file("/a/file" + i);
    }
    NamespaceScan walk = walk("/a");
    for (int page = 1; page <= 3; page++) {
      assertTrue(walk.step((path, file) -> seen.add(path)));
      assertEquals(Math.min(5, page * PAGE), seen.size());
      assertEquals(page, pages);
    }
  }

  @Test
  void passesOnWhatWentWrong() {
    NamespaceScan walk =
        new NamespaceScan(
            (directory, startAfter) -> {
              throw new IOException("no");
            },
            List.of("/"),
            directory -> true);
    assertThrows(IOException.class, () -> walk.step((path, file) -> {}));
  }

  @Test
  void seesRandomTreesOnceAndWhole() throws IOException {
    long seed = System.nanoTime();
    System.out.println("trees, seed " + seed);
    Random random = MixedRandom.of(seed);
    TreeSet<String> files = new TreeSet<>();
    for (int i = 0; i < 300; i++) {
      StringBuilder path = new StringBuilder();
      for (int depth = random.nextInt(5); depth >= 0; depth--) {
        path.append("/d").append(random.nextInt(4));
      }
      files.add(path.append("/f").append(random.nextInt(9)).toString());
    }
    files.forEach(this::file);
    run(walk("/"));
    assertEquals(files.size(), seen.size());
    assertEquals(files, new TreeSet<>(seen));
  }
}
