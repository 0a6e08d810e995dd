package org.rackweave.model;

import java.util.ArrayList;
import java.util.List;

/** Long lists, cut into parts that are short enough to be dealt with at a time. */
public final class Parts {
  private Parts() {}

  /**
   * Views of a list in its order, none of an empty one. (Hadoop's own {@code Lists.partition}
   * refuses that.)
   *
   * @param most elements of a part
   * @throws IllegalArgumentException if a part is to have none
   */
  public static <T> List<List<T>> of(List<T> all, int most) {
    Require.atLeast("elements of a part", most, 1);
    List<List<T>> parts = new ArrayList<>();
    for (int from = 0; from < all.size(); from += most) {
      parts.add(all.subList(from, Math.min(all.size() - from, most) + from));
    }
    return parts;
  }
}
