package org.rackweave.sim.network;

import java.util.Arrays;

/** A binary heap, least key first, whose entries know their place so that any can change. */
final class IndexedHeap<T> {
  private static final int OUTSIDE = -1;

  /** A member-to-be: what it stands for, its key, and where it is. */
  static final class Entry<T> {
    final T owner;
    private double key;
    private int place = OUTSIDE;

    Entry(T owner) {
      this.owner = owner;
    }

    double key() {
      return key;
    }

    boolean isQueued() {
      return place != OUTSIDE;
    }
  }

  private Entry<T>[] entries = newArray(8);
  private int size;

  @SuppressWarnings("unchecked")
  private static <T> Entry<T>[] newArray(int length) {
    return (Entry<T>[]) new Entry<?>[length];
  }

  boolean isEmpty() {
    return size == 0;
  }

  /** The entry with the least key, or {@code null}. */
  Entry<T> first() {
    return size == 0 ? null : entries[0];
  }

  /** Adds an entry, or moves it to where its new key belongs. */
  void put(Entry<T> entry, double key) {
    entry.key = key;
    if (entry.place == OUTSIDE) {
      if (size == entries.length) {
        entries = Arrays.copyOf(entries, size * 2);
      }
      set(size++, entry);
    }
    sink(rise(entry.place));
  }

  /** Removes an entry; does nothing when it is not queued. */
  void remove(Entry<T> entry) {
    int place = entry.place;
    if (place == OUTSIDE) {
      return;
    }
    entry.place = OUTSIDE;
    Entry<T> last = entries[--size];
    entries[size] = null;
    if (last != entry) {
      set(place, last);
      sink(rise(place));
    }
  }

  private void set(int place, Entry<T> entry) {
    entries[place] = entry;
    entry.place = place;
  }

  private int rise(int place) {
    Entry<T> entry = entries[place];
    int at = place;
    while (at > 0 && entry.key < entries[(at - 1) / 2].key) {
      set(at, entries[(at - 1) / 2]);
      at = (at - 1) / 2;
    }
    set(at, entry);
    return at;
  }

  private void sink(int place) {
    Entry<T> entry = entries[place];
    int at = place;
    while (2 * at + 1 < size) {
      int child = 2 * at + 1;
      if (child + 1 < size && entries[child + 1].key < entries[child].key) {
        child++;
      }
      if (entry.key <= entries[child].key) {
        break;
      }
      set(at, entries[child]);
      at = child;
    }
    set(at, entry);
  }
}
