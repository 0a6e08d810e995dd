package org.apache.hadoop.hdfs.server.blockmanagement;

import java.util.EnumSet;
import org.rackweave.hdfs.Feature;

/** {@link RackweaveBlockPlacementPolicy} with one feature: blocks are placed for their stripes. */
public final class EarBlockPlacementPolicy extends RackweaveBlockPlacementPolicy {
  /** Built by HDFS through reflection. */
  public EarBlockPlacementPolicy() {
    super(EnumSet.of(Feature.STRIPES));
  }
}
