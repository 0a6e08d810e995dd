package org.rackweave.hdfs.namenode;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.rackweave.ear.StripeRules;
import org.rackweave.model.ClusterTopology;
import org.rackweave.model.NodePlace;
import org.rackweave.sim.encoding.EncodingSteps;
import org.rackweave.sim.encoding.RandomEncoding;
import org.rackweave.sim.encoding.ReplicatedStripe;

/**
 * What encoding would cost blocks that stock HDFS has placed: stripes of k blocks in the order in
 * which they were written, each encoded by any DataNode, as HDFS-RAID does it. Where the replicas
 * are is real, on a running cluster; that nobody encodes them there and all of this is arithmetic
 * on their places ({@link RandomEncoding}: every block is read from its nearest replica, and as
 * many blocks as can be keep one) is as good as stock can be.
 *
 * @param stripes how many
 * @param dataBytes bytes of data blocks
 * @param parityBytes bytes of parity blocks
 * @param readAcrossRacksBytes bytes of data blocks without a replica in the encoding node's rack
 * @param violations stripes that cannot keep n blocks on distinct nodes, at most c in a rack,
 *     unless blocks are moved
 * @param relocations blocks to be moved
 */
record StockStripes(
    int stripes,
    long dataBytes,
    long parityBytes,
    long readAcrossRacksBytes,
    int violations,
    int relocations) {

  static StockStripes of(
      List<LocatedBlock> blocks, DistributedFileSystem fs, StripeRules rules, long seed)
      throws IOException {
    ClusterTopology topology =
        ClusterTopology.of(
            Arrays.stream(fs.getDataNodeStats())
                .map(node -> new NodePlace(nameOf(node), node.getNetworkLocation(), null))
                .toList());
    List<String> names = new ArrayList<>();
    for (int node = 0; node < topology.nodeCount(); node++) {
      names.add(topology.nodeName(node));
    }
    SplittableRandom random = new SplittableRandom(seed);
    RandomEncoding encoding = new RandomEncoding(rules, topology, random);
    StockStripes sum = new StockStripes(0, 0, 0, 0, 0, 0);
    int k = rules.code().dataBlocks();
    for (int first = 0; first < blocks.size(); first += k) {
      List<LocatedBlock> stripe = blocks.subList(first, Math.min(first + k, blocks.size()));
      int[][] data = stripe.stream().map(block -> nodesOf(block, names)).toArray(int[][]::new);
      EncodingSteps steps =
          encoding.choose(
              ReplicatedStripe.ofConsecutive(data), random.nextInt(topology.nodeCount()));
      sum = sum.plus(stripe, steps, topology, rules);
    }
    return sum;
  }

  private static String nameOf(DatanodeInfo node) {
    return node.getDatanodeUuid();
  }

  private static int[] nodesOf(LocatedBlock block, List<String> names) {
    return Arrays.stream(block.getLocations()).mapToInt(at -> names.indexOf(nameOf(at))).toArray();
  }

  private StockStripes plus(
      List<LocatedBlock> stripe, EncodingSteps steps, ClusterTopology topology, StripeRules rules) {
    long data = 0;
    long longest = 0;
    long acrossRacks = 0;
    int moved = 0;
    int rack = topology.rackOf(steps.encoder());
    for (int i = 0; i < stripe.size(); i++) {
      long bytes = stripe.get(i).getBlockSize();
      data += bytes;
      longest = Math.max(longest, bytes);
      acrossRacks += topology.rackOf(steps.sources()[i]) == rack ? 0 : bytes;
      moved += steps.homes()[i] == steps.keepers()[i] ? 0 : 1;
    }
    return new StockStripes(
        stripes + 1,
        dataBytes + data,
        parityBytes + rules.code().parityBlocks() * longest,
        readAcrossRacksBytes + acrossRacks,
        violations + (moved > 0 ? 1 : 0),
        relocations + moved);
  }
}
