package org.rackweave.hdfs.dayu;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;

/**
 * What recovery itself takes of DataNodes' links, averaged over reports as what is measured there
 * is, which holds it: only of two such averages the difference is what others send.
 *
 * <p>Single-threaded. Soft state, of DataNodes that had copies of late only.
 */
final class OwnLoads {
  /**
   * Bytes that a link carries for each byte of a block: of a frame's 1,514 bytes 1,448 are payload,
   * and HDFS adds checksums.
   */
  static final double ON_THE_WIRE = 1.05;

  /** A load that has come down to this is forgotten, bytes per second. */
  private static final double NEXT_TO_NOTHING = 1;

  private final double weight;
  private final double heartbeatMs;
  private Map<DatanodeDescriptor, OwnLoad> loads = Map.of();
  private long atMs;

  /**
   * @param weight of a report in the average, above 0 to 1
   * @param heartbeatSec time between two reports
   */
  OwnLoads(double weight, double heartbeatSec) {
    this.weight = weight;
    heartbeatMs = 1000 * heartbeatSec;
  }

  /**
   * Of each DataNode that has any.
   *
   * @param copies what copies take now
   * @param nowMs not before it was asked last
   */
  Map<DatanodeDescriptor, OwnLoad> with(List<CopyLoad> copies, long nowMs) {
    double kept = Math.pow(1 - weight, (nowMs - atMs) / heartbeatMs);
    double share = (1 - kept) * ON_THE_WIRE;
    atMs = nowMs;
    Map<DatanodeDescriptor, OwnLoad> now = new HashMap<>();
    loads.forEach((datanode, load) -> now.put(datanode, load.times(kept)));
    for (CopyLoad copy : copies) {
      now.merge(copy.from(), new OwnLoad(0, share * copy.sent()), OwnLoad::plus);
      now.merge(copy.to(), new OwnLoad(share * copy.received(), 0), OwnLoad::plus);
    }
    now.values().removeIf(load -> load.in() + load.out() < NEXT_TO_NOTHING);
    loads = Map.copyOf(now);
    return loads;
  }
}
