package org.rackweave.sim.workload;

import java.util.List;

/**
 * One shuffle: every mapper sends to every reducer.
 *
 * @param id as the trace names it
 * @param arrivalMs when it starts, in milliseconds since the trace's beginning
 * @param mapperRacks rack of each mapper, at least one
 * @param reducers at least one
 */
public record Coflow(long id, long arrivalMs, List<Integer> mapperRacks, List<Reducer> reducers) {

  public Coflow {
    mapperRacks = List.copyOf(mapperRacks);
    reducers = List.copyOf(reducers);
  }

  /**
   * What one reducer receives, from all mappers alike.
   *
   * @param rack where it runs
   * @param sizeBytes of all mappers together
   */
  public record Reducer(int rack, long sizeBytes) {}

  /** Number of mapper-reducer pairs, the paper's width. */
  public long width() {
    return (long) mapperRacks.size() * reducers.size();
  }

  /** Bytes of all reducers together. */
  public long sizeBytes() {
    return reducers.stream().mapToLong(Reducer::sizeBytes).sum();
  }

  /** Bytes of the largest flow between one mapper and one reducer, the paper's length. */
  public double lengthBytes() {
    long most = reducers.stream().mapToLong(Reducer::sizeBytes).max().orElse(0);
    return (double) most / mapperRacks.size();
  }
}
