package org.rackweave.hdfs.dayu;

import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;

/**
 * What recovery itself takes of a DataNode's links: of what is measured there it is no load of
 * others.
 *
 * @param in bytes per second that it receives
 * @param out bytes per second that it sends
 */
record OwnLoad(double in, double out) {
  /**
   * What a copy takes of links.
   *
   * @param from its source
   * @param to its target
   * @param sent bytes per second that its source sent of late
   * @param received bytes per second that its target received
   */
  record CopyLoad(DatanodeDescriptor from, DatanodeDescriptor to, double sent, double received) {}

  /**
   * Bytes that a link carries for each byte of a block: of a frame's 1,514 bytes 1,448 are payload,
   * and HDFS adds checksums.
   */
  static final double ON_THE_WIRE = 1.05;

  /** Of each DataNode that has any. */
  static Map<DatanodeDescriptor, OwnLoad> of(Stream<CopyLoad> copies) {
    Map<DatanodeDescriptor, OwnLoad> loads = new HashMap<>();
    copies.forEach(
        copy -> {
          loads.merge(copy.from(), new OwnLoad(0, ON_THE_WIRE * copy.sent()), OwnLoad::plus);
          loads.merge(copy.to(), new OwnLoad(ON_THE_WIRE * copy.received(), 0), OwnLoad::plus);
        });
    loads.values().removeIf(load -> load.in() + load.out() == 0);
    return loads;
  }

  private OwnLoad plus(OwnLoad more) {
    return new OwnLoad(in + more.in, out + more.out);
  }
}
