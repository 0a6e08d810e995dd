package org.rackweave.hdfs;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;

/**
 * Keys of earlier versions that have no effect any more, for configurations that still set them.
 */
public final class RemovedKeys {
  private static final Map<String, String> INSTEAD =
      new TreeMap<>(
          Map.of(
              "rackweave.telemetry.ewma.alpha",
              "agents report what their links carry now; "
                  + ConfigKeys.ESTIMATE
                  + " = paper averages",
              "rackweave.sinbad.promise",
              "blocks under way are told apart where agents can; "
                  + ConfigKeys.ESTIMATE
                  + " = paper promises whole blocks"));

  private RemovedKeys() {}

  /** A sentence for each such key that is set, for the log. */
  public static List<String> setIn(Configuration conf) {
    return INSTEAD.entrySet().stream()
        .filter(removed -> conf.get(removed.getKey()) != null)
        .map(removed -> removed.getKey() + " has no effect any more: " + removed.getValue())
        .toList();
  }
}
