package org.rackweave.sim.workload;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongConsumer;

/**
 * Files by path, so that renaming or deleting a directory takes its files along. A path is split at
 * slashes, empty parts left out.
 */
final class PathTree {

  private static final long DIRECTORY = -1;

  private final Entry root = new Entry(DIRECTORY);
  private int entries;

  private static final class Entry {
    private long file;
    private Map<String, Entry> children;

    Entry(long file) {
      this.file = file;
    }

    boolean isEmpty() {
      return file == DIRECTORY && (children == null || children.isEmpty());
    }

    Entry child(String name) {
      return children == null ? null : children.get(name);
    }

    void put(String name, Entry child) {
      if (children == null) {
        // Most directories of a log hold a file or two.
        children = new HashMap<>(4);
      }
      children.put(name, child);
    }
  }

  /** Files and directories, without the root. */
  int size() {
    return entries;
  }

  /** The file at a path, or -1. */
  long find(String path) {
    Entry entry = entryAt(path);
    return entry == null ? DIRECTORY : entry.file;
  }

  /** Whether a file or a directory lies at a path. */
  boolean contains(String path) {
    return entryAt(path) != null;
  }

  /** Whether something lies below a path. */
  boolean isDirectory(String path) {
    Entry entry = entryAt(path);
    return entry != null && entry.children != null && !entry.children.isEmpty();
  }

  private Entry entryAt(String path) {
    Entry entry = root;
    for (String name : names(path)) {
      entry = entry.child(name);
      if (entry == null) {
        return null;
      }
    }
    return entry;
  }

  /** Puts a file at a path, in place of the one that may be there. */
  void put(String path, long file) {
    Entry entry = root;
    for (String name : names(path)) {
      Entry child = entry.child(name);
      if (child == null) {
        child = new Entry(DIRECTORY);
        entry.put(name, child);
        entries++;
      }
      entry = child;
    }
    entry.file = file;
  }

  /** Removes what lies at a path and below, and tells each file. */
  void remove(String path, LongConsumer removed) {
    Entry entry = detach(names(path));
    if (entry != null) {
      forEachFile(entry, removed);
      entries -= count(entry);
    }
  }

  /**
   * Moves what lies at a path and below to another path, where nothing lies; moves nothing into
   * itself.
   *
   * @return number of files moved
   */
  long move(String from, String to) {
    String[] source = names(from);
    String[] target = names(to);
    if (source.length == 0 || target.length == 0 || startsWith(target, source)) {
      return 0;
    }
    Entry entry = detach(source);
    if (entry == null) {
      return 0;
    }
    Entry parent = root;
    for (int i = 0; i < target.length - 1; i++) {
      Entry child = parent.child(target[i]);
      if (child == null) {
        child = new Entry(DIRECTORY);
        parent.put(target[i], child);
        entries++;
      }
      parent = child;
    }
    Entry replaced = parent.child(target[target.length - 1]);
    if (replaced != null) {
      entries -= count(replaced);
    }
    parent.put(target[target.length - 1], entry);
    long[] files = {0};
    forEachFile(entry, file -> files[0]++);
    return files[0];
  }

  private static boolean startsWith(String[] path, String[] prefix) {
    for (int i = 0; i < prefix.length; i++) {
      if (i >= path.length || !path[i].equals(prefix[i])) {
        return false;
      }
    }
    return true;
  }

  /** Takes an entry out, and with it the directories above that are empty then. */
  private Entry detach(String[] names) {
    if (names.length == 0) {
      return null;
    }
    Entry[] above = new Entry[names.length];
    above[0] = root;
    for (int i = 1; i < names.length; i++) {
      above[i] = above[i - 1].child(names[i - 1]);
      if (above[i] == null) {
        return null;
      }
    }
    Entry parent = above[names.length - 1];
    Entry detached =
        parent.children == null ? null : parent.children.remove(names[names.length - 1]);
    if (detached != null) {
      for (int i = names.length - 1; i > 0 && above[i].isEmpty(); i--) {
        above[i - 1].children.remove(names[i - 1]);
        entries--;
      }
    }
    return detached;
  }

  private static void forEachFile(Entry entry, LongConsumer each) {
    if (entry.file != DIRECTORY) {
      each.accept(entry.file);
    }
    if (entry.children != null) {
      entry.children.values().forEach(child -> forEachFile(child, each));
    }
  }

  private static int count(Entry entry) {
    int count = 1;
    if (entry.children != null) {
      for (Entry child : entry.children.values()) {
        count += count(child);
      }
    }
    return count;
  }

  private static String[] names(String path) {
    return Arrays.stream(path.split("/")).filter(name -> !name.isEmpty()).toArray(String[]::new);
  }
}
