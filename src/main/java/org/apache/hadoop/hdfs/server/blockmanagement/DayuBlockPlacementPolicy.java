package org.apache.hadoop.hdfs.server.blockmanagement;

import java.util.EnumSet;
import org.rackweave.hdfs.Feature;

/** {@link RackweaveBlockPlacementPolicy} with one feature: stock HDFS places, Dayu recovers. */
public final class DayuBlockPlacementPolicy extends RackweaveBlockPlacementPolicy {
  /** Built by HDFS through reflection. */
  public DayuBlockPlacementPolicy() {
    super(EnumSet.of(Feature.RECOVERY));
  }
}
