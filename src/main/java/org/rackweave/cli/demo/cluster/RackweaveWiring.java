package org.rackweave.cli.demo.cluster;

import org.apache.hadoop.conf.Configuration;
import org.rackweave.cli.demo.DemoSettings;

/** The properties that switch Rackweave on, in one place. */
public final class RackweaveWiring {

  /** The placement policy, chosen and left at run time. */
  public static final String SINBAD_POLICY =
      "org.apache.hadoop.hdfs.server.blockmanagement.SinbadBlockPlacementPolicy";

  private RackweaveWiring() {}

  static void addTo(Configuration conf, DemoSettings settings) {}
}
