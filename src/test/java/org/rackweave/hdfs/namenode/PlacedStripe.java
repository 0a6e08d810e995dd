package org.rackweave.hdfs.namenode;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.rackweave.hdfs.InodePath;
import org.rackweave.hdfs.ear.EncodedStripes;

/**
 * Where the blocks of an encoded stripe are, as a client of HDFS sees it.
 *
 * @param data its data blocks
 * @param parity its parity blocks
 */
record PlacedStripe(List<LocatedBlock> data, List<LocatedBlock> parity) {

  /** All stripes that have one of these blocks. */
  static List<PlacedStripe> of(
      Collection<LocatedBlock> blocks, EncodedStripes encoded, DistributedFileSystem fs)
      throws IOException {
    Map<Long, List<LocatedBlock>> data = new LinkedHashMap<>();
    for (LocatedBlock block : blocks) {
      encoded
          .of(block.getBlock().getBlockId())
          .ifPresent(
              stripe ->
                  data.computeIfAbsent(stripe.parityFile(), id -> new ArrayList<>()).add(block));
    }
    List<PlacedStripe> places = new ArrayList<>();
    for (Map.Entry<Long, List<LocatedBlock>> stripe : data.entrySet()) {
      String parity = InodePath.of(stripe.getKey());
      places.add(
          new PlacedStripe(
              stripe.getValue(), fs.getClient().getLocatedBlocks(parity, 0).getLocatedBlocks()));
    }
    return places;
  }

  Stream<LocatedBlock> blocks() {
    return Stream.concat(data.stream(), parity.stream());
  }

  /** Whether each block has so many replicas at least, and so many at most. */
  boolean haveReplicas(int least, int most) {
    return blocks()
        .mapToInt(block -> block.getLocations().length)
        .allMatch(replicas -> replicas >= least && replicas <= most);
  }

  /** Most blocks that a rack has. */
  int inFullestRack() {
    Map<String, Integer> inRack = new HashMap<>();
    blocks()
        .flatMap(block -> Stream.of(block.getLocations()))
        .forEach(node -> inRack.merge(node.getNetworkLocation(), 1, Integer::sum));
    return inRack.values().stream().max(Integer::compare).orElse(0);
  }

  /** Whether no node has two blocks. */
  boolean areNodesDistinct() {
    Set<String> nodes = new HashSet<>();
    return blocks()
        .flatMap(block -> Stream.of(block.getLocations()))
        .map(DatanodeInfo::getDatanodeUuid)
        .allMatch(nodes::add);
  }

  /** Bytes of its parity blocks. */
  long parityBytes() {
    return parity.stream().mapToLong(LocatedBlock::getBlockSize).sum();
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    blocks()
        .forEach(
            block -> {
              text.append(block.getBlock().getBlockId()).append(" in");
              for (DatanodeInfo node : block.getLocations()) {
                text.append(' ').append(node.getNetworkLocation()).append('/').append(node);
              }
              text.append("; ");
            });
    return text.toString();
  }
}
