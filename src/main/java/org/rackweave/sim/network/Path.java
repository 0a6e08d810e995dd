package org.rackweave.sim.network;

import java.util.Arrays;

/**
 * The links that a flow crosses, each once, in any order that its maker keeps to: paths with the
 * same links in the same order are equal.
 */
public final class Path {
  private final int[] links;
  private final int hash;

  private Path(int[] links) {
    this.links = links;
    hash = Arrays.hashCode(links);
  }

  /**
   * @param links numbers of the links; at least one, none twice
   */
  public static Path of(int... links) {
    for (int i = 0; i < links.length; i++) {
      for (int j = 0; j < i; j++) {
        if (links[i] == links[j]) {
          throw new IllegalArgumentException("crosses a link twice: " + Arrays.toString(links));
        }
      }
    }
    if (links.length == 0) {
      throw new IllegalArgumentException("a path of no link");
    }
    return new Path(links.clone());
  }

  int length() {
    return links.length;
  }

  int link(int place) {
    return links[place];
  }

  @Override
  public boolean equals(Object other) {
    return this == other
        || other instanceof Path that && hash == that.hash && Arrays.equals(links, that.links);
  }

  @Override
  public int hashCode() {
    return hash;
  }

  @Override
  public String toString() {
    return "Path" + Arrays.toString(links);
  }
}
