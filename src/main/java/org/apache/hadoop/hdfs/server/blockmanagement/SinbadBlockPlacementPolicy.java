package org.apache.hadoop.hdfs.server.blockmanagement;

import java.util.EnumSet;
import org.rackweave.hdfs.Feature;

/**
 * {@link RackweaveBlockPlacementPolicy} with one feature: replicas go where the network has room.
 */
public final class SinbadBlockPlacementPolicy extends RackweaveBlockPlacementPolicy {
  /** Built by HDFS through reflection. */
  public SinbadBlockPlacementPolicy() {
    super(EnumSet.of(Feature.PLACEMENT));
  }
}
