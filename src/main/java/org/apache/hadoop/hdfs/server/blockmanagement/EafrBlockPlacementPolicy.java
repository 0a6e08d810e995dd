package org.apache.hadoop.hdfs.server.blockmanagement;

import java.util.EnumSet;
import org.rackweave.hdfs.Feature;

/** {@link RackweaveBlockPlacementPolicy} with one feature: replicas go to hot servers with room. */
public final class EafrBlockPlacementPolicy extends RackweaveBlockPlacementPolicy {
  /** Built by HDFS through reflection. */
  public EafrBlockPlacementPolicy() {
    super(EnumSet.of(Feature.HEAT));
  }
}
