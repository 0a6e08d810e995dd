package org.rackweave.hdfs.dayu;

import java.util.List;
import java.util.Map;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;

/**
 * Copies under way, as a plan takes them.
 *
 * @param copies all of them
 * @param movable blocks of those that can be ended for others, by id
 * @param loads what they, and others that have just arrived, take of DataNodes' links
 */
record CopiesUnderWay(
    List<RunningCopy> copies,
    Map<Long, WaitingBlock> movable,
    Map<DatanodeDescriptor, OwnLoad> loads) {
  static final CopiesUnderWay NONE = new CopiesUnderWay(List.of(), Map.of(), Map.of());
}
