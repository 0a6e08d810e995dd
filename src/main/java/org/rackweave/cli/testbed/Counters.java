package org.rackweave.cli.testbed;

import java.util.Map;

/**
 * What every shaped link has carried.
 *
 * @param atNanos when, by {@link System#nanoTime}
 * @param nics by the name of the DataNode's host
 * @param uplinks by the number of the rack
 */
public record Counters(long atNanos, Map<String, LinkBytes> nics, Map<Integer, LinkBytes> uplinks) {

  public Counters {
    nics = Map.copyOf(nics);
    uplinks = Map.copyOf(uplinks);
  }
}
