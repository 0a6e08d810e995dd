package org.rackweave.hdfs.durability;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;

/**
 * Where blocks are, in one NameNode. Whatever takes the namesystem's read lock holds it for {@link
 * #AT_A_TIME} blocks, or for one pass through a list of a storage's blocks.
 */
public interface ReplicaLookup {
  /** Blocks looked at in one hold of the lock. */
  int AT_A_TIME = 1000;

  /**
   * A replicated block or a block group of HDFS's erasure coding that nobody writes.
   *
   * @param isStriped whether it is a group
   * @param isParity whether it belongs to a parity file of ours
   * @param wanted replicas, or internal blocks, it should have
   * @param needed internal blocks it can be read with; 1 for a replicated one
   * @param pieces which DataNodes can be counted on to have a replica; of a group, for each
   *     internal block that there is
   * @param isSpread whether these places satisfy the placement policy that is in force
   */
  record Held(
      long id,
      boolean isStriped,
      boolean isParity,
      int wanted,
      int needed,
      List<List<DatanodeDescriptor>> pieces,
      boolean isSpread) {

    /** Replicas, or different internal blocks. */
    public int left() {
      return isStriped ? pieces.size() : pieces.isEmpty() ? 0 : pieces.get(0).size();
    }
  }

  /** Blocks and block groups that there are; no lock. */
  long blockCount();

  /**
   * Blocks that have a replica on some DataNodes, each once, in order.
   *
   * @param every one of so many is told, at random but the same from all DataNodes; 1 for all
   */
  long[] idsOn(Collection<DatanodeDescriptor> nodes, int every);

  /**
   * All blocks, or a random sample: of numbers that were given to blocks, deleted ones included.
   *
   * @param most how many there may be for all to be told, and how many numbers are drawn otherwise
   */
  long[] ids(int most, RandomGenerator random);

  /**
   * Looks at blocks, leaving out those that are gone or being written, and those with a replica on
   * PROVIDED storage.
   *
   * @param ids at most {@link #AT_A_TIME}
   * @param without DataNodes that are taken to have nothing
   */
  List<Held> look(long[] ids, Set<DatanodeDescriptor> without);
}
