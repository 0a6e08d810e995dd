package org.rackweave.cli.bench;

import java.util.Arrays;

/**
 * Maximum flow by Edmonds and Karp: the shortest path with room, breadth first, until there is
 * none. O(V E^2), plain on purpose.
 *
 * <p>Arrays that grow to the largest network seen and are used again after {@link #reset}.
 * Single-threaded.
 */
public final class MaxFlow {
  private static final int NONE = -1;

  private int[] firstEdge = new int[16];
  private int vertices;

  /** Edge {@code e} and its reverse {@code e ^ 1} are neighbours. */
  private int[] head = new int[64];

  private int[] residual = new int[64];
  private int[] nextEdge = new int[64];
  private int edges;

  private int[] reachedBy = new int[16];
  private int[] queue = new int[16];

  /** Starts an empty network. */
  public void reset() {
    vertices = 0;
    edges = 0;
  }

  /** Adds a vertex and returns its number, counted from 0. */
  public int addVertex() {
    if (vertices == firstEdge.length) {
      firstEdge = Arrays.copyOf(firstEdge, vertices * 2);
      reachedBy = new int[vertices * 2];
      queue = new int[vertices * 2];
    }
    firstEdge[vertices] = NONE;
    return vertices++;
  }

  /** Adds an edge and returns its number. */
  public int addEdge(int from, int to, int capacity) {
    if (edges + 2 > head.length) {
      head = Arrays.copyOf(head, edges * 2);
      residual = Arrays.copyOf(residual, edges * 2);
      nextEdge = Arrays.copyOf(nextEdge, edges * 2);
    }
    halfEdge(from, to, capacity);
    halfEdge(to, from, 0);
    return edges - 2;
  }

  private void halfEdge(int from, int to, int capacity) {
    head[edges] = to;
    residual[edges] = capacity;
    nextEdge[edges] = firstEdge[from];
    firstEdge[from] = edges++;
  }

  /** Flow over an edge, after {@link #run}. */
  public int flow(int edge) {
    return residual[edge ^ 1];
  }

  /** Sends as much as there is room for and returns how much that was. */
  public int run(int source, int sink) {
    int total = 0;
    while (findPath(source, sink)) {
      int narrowest = Integer.MAX_VALUE;
      for (int at = sink; at != source; at = head[reachedBy[at] ^ 1]) {
        narrowest = Math.min(narrowest, residual[reachedBy[at]]);
      }
      for (int at = sink; at != source; at = head[reachedBy[at] ^ 1]) {
        residual[reachedBy[at]] -= narrowest;
        residual[reachedBy[at] ^ 1] += narrowest;
      }
      total += narrowest;
    }
    return total;
  }

  private boolean findPath(int source, int sink) {
    Arrays.fill(reachedBy, 0, vertices, NONE);
    int size = 0;
    queue[size++] = source;
    for (int i = 0; i < size; i++) {
      for (int edge = firstEdge[queue[i]]; edge != NONE; edge = nextEdge[edge]) {
        int to = head[edge];
        if (residual[edge] > 0 && reachedBy[to] == NONE && to != source) {
          reachedBy[to] = edge;
          if (to == sink) {
            return true;
          }
          queue[size++] = to;
        }
      }
    }
    return false;
  }
}
