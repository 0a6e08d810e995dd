package org.rackweave.sim.traffic;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.rackweave.model.ClusterTopology;
import org.rackweave.sim.cluster.Cluster;
import org.rackweave.sim.policy.BlockRequest;
import org.rackweave.sim.policy.PlacementPolicy;
import org.rackweave.sim.workload.StoredFile;
import org.rackweave.sim.workload.TimedRequest;

/**
 * Which nodes hold the blocks of each file, for those who read and delete files. A block that could
 * not be written has no nodes.
 */
public final class StoredBlocks {
  private static final int[] NOWHERE = {};

  private final Cluster cluster;
  private final Map<Long, Blocks> files = new HashMap<>();

  /** The blocks of one file, as far as they are written. */
  private static final class Blocks {
    final long sizeBytes;
    final long blockBytes;
    final List<int[]> nodes = new ArrayList<>();

    Blocks(long sizeBytes, long blockBytes) {
      this.sizeBytes = sizeBytes;
      this.blockBytes = blockBytes;
    }

    long sizeOf(int block) {
      return Math.min(blockBytes, sizeBytes - block * blockBytes);
    }
  }

  public StoredBlocks(Cluster cluster) {
    this.cluster = cluster;
  }

  /** A file is there from the start; the policy says where its replicas lie. */
  public void store(StoredFile file, PlacementPolicy policy) {
    Blocks blocks = new Blocks(file.sizeBytes(), file.blockBytes());
    for (int block = 0; block < file.blocks(); block++) {
      long sizeBytes = blocks.sizeOf(block);
      int[] nodes =
          policy.place(
              new BlockRequest(ClusterTopology.NONE, sizeBytes, file.replication(), new BitSet()));
      for (int node : nodes) {
        cluster.store(node, sizeBytes);
      }
      blocks.nodes.add(nodes);
    }
    files.put(file.file(), blocks);
  }

  /** A client begins to write a file. */
  public void begin(TimedRequest.Write file) {
    files.put(file.file(), new Blocks(file.sizeBytes(), file.blockBytes()));
  }

  /** A block of a file has been written, or given up. */
  public void ended(BlockOutcome outcome) {
    Blocks blocks = files.get(outcome.file());
    if (blocks == null) {
      // The file was deleted while it was written.
      drop(outcome.nodes(), outcome.sizeBytes());
      return;
    }
    while (blocks.nodes.size() < outcome.block()) {
      blocks.nodes.add(NOWHERE);
    }
    blocks.nodes.add(outcome.nodes());
  }

  /** A file goes, with its replicas; does nothing when there is no such file. */
  public void delete(long file) {
    Blocks blocks = files.remove(file);
    for (int block = 0; blocks != null && block < blocks.nodes.size(); block++) {
      drop(blocks.nodes.get(block), blocks.sizeOf(block));
    }
  }

  private void drop(int[] nodes, long sizeBytes) {
    for (int node : nodes) {
      cluster.drop(node, sizeBytes);
    }
  }

  /** Blocks of a file that can be read by now; 0 when there is no such file. */
  int count(long file) {
    Blocks blocks = files.get(file);
    return blocks == null ? 0 : blocks.nodes.size();
  }

  /** Nodes with a replica of a block; none when the file is gone. */
  int[] nodesOf(long file, int block) {
    return block < count(file) ? files.get(file).nodes.get(block) : NOWHERE;
  }

  /** Size of a block of a file that is there. */
  long sizeOf(long file, int block) {
    return files.get(file).sizeOf(block);
  }
}
