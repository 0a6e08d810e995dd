package org.rackweave.hdfs.roles;

import java.util.BitSet;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.rackweave.eafr.SleepCheck;
import org.rackweave.hdfs.roles.SleepLookup.Look;
import org.rackweave.model.ClusterTopology;

/**
 * Looks through all blocks of a server, {@value #BLOCKS} in a hold of the namesystem's lock. What
 * changes meanwhile it may miss: HDFS itself looks once more, at all of them at once, before it
 * lets a server into maintenance, and none is switched off before that. Single-threaded.
 */
final class SleepScan implements SleepCheck {
  private static final int BLOCKS = 4000;

  private final SleepLookup lookup;
  private final RolesView view;
  private Look last = Look.ALL_AWAKE;
  private long looked;

  SleepScan(SleepLookup lookup, RolesView view) {
    this.lookup = lookup;
    this.view = view;
  }

  @Override
  public boolean keepsEveryBlockAwake(int node, BitSet asleep) {
    DatanodeDescriptor server = view.datanodes().get(node);
    int from = 0;
    do {
      last = lookup.look(server, from, BLOCKS, datanode -> isAwake(datanode, asleep));
      from += BLOCKS;
      looked += BLOCKS;
    } while (last == Look.MORE);
    return last == Look.ALL_AWAKE;
  }

  private boolean isAwake(DatanodeDescriptor datanode, BitSet asleep) {
    int node = view.numberOf(datanode);
    return node != ClusterTopology.NONE && !asleep.get(node);
  }

  /** Blocks looked at, of all servers; each hold of the lock counts as a full one. */
  long looked() {
    return looked;
  }

  /** What was found last. */
  Look last() {
    return last;
  }
}
