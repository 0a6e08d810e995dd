package org.rackweave.erasure;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/** The values used last, by key, up to a bound. Safe for use by several threads. */
public final class RecentlyUsed<K, V> {
  private final Map<K, V> values;

  public RecentlyUsed(int maxValues) {
    values =
        new LinkedHashMap<>(16, 0.75f, true) {
          @Override
          protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
            return size() > maxValues;
          }
        };
  }

  /** The value kept for a key, or else the one made now. */
  public V get(K key, Supplier<V> maker) {
    synchronized (values) {
      V known = values.get(key);
      if (known != null) {
        return known;
      }
    }
    // Outside the lock: two threads that make the same one now and then cost less than all that
    // wait.
    V made = maker.get();
    synchronized (values) {
      values.put(key, made);
    }
    return made;
  }

  int size() {
    synchronized (values) {
      return values.size();
    }
  }
}
