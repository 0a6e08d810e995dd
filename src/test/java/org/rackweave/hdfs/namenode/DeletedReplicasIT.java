package org.rackweave.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.junit.jupiter.api.Test;
import org.rackweave.Nightly;
import org.rackweave.ear.StripeRecord;
import org.rackweave.hdfs.ear.CallStops;
import org.rackweave.hdfs.ear.EncodedStripes;

/**
 * A stripe that misses as many blocks as its code bears, and one more that was deleted, when a
 * NameNode starts: HDFS does not say then who has the deleted one's replica.
 */
class DeletedReplicasIT {
  private static final int FILES = 6;
  private static final int WHOLE_BLOCKS = 3;

  private RackCluster cluster;
  private EncodedWarehouse warehouse;

  /**
   * @param file has one member of the stripe
   * @param others members of other files, as many as the code can make
   */
  private record Victim(Path file, LocatedBlock block, List<LocatedBlock> others) {}

  private Victim victim() throws Exception {
    Map<Long, LocatedBlock> blocks = new HashMap<>();
    Map<Long, Path> owners = new HashMap<>();
    for (Path file : warehouse.files().keySet()) {
      for (LocatedBlock block : DFSTestUtil.getAllBlocks(cluster.fs(), file)) {
        blocks.put(block.getBlock().getBlockId(), block);
        owners.put(block.getBlock().getBlockId(), file);
      }
    }
    for (Map.Entry<Long, LocatedBlock> each : blocks.entrySet()) {
      Path file = owners.get(each.getKey());
      EncodedStripes.Stripe stripe = warehouse.encoded().of(each.getKey()).orElse(null);
      if (stripe == null) {
        continue;
      }
      List<LocatedBlock> others = new ArrayList<>();
      Set<String> holders = new HashSet<>();
      for (StripeRecord.Member member : stripe.record().members()) {
        LocatedBlock other = blocks.get(member.blockId());
        if (other != null
            && !owners.get(member.blockId()).equals(file)
            && other.getLocations().length == 1
            && others.size() < EncodedWarehouse.PARITY_BLOCKS
            && holders.add(other.getLocations()[0].getDatanodeUuid())) {
          others.add(other);
        }
      }
      long ofFile =
          stripe.record().members().stream()
              .filter(member -> file.equals(owners.get(member.blockId())))
              .count();
      if (ofFile == 1
          && others.size() == EncodedWarehouse.PARITY_BLOCKS
          && holders.stream().noneMatch(each.getValue().getLocations()[0].getDatanodeUuid()::equals)
          && each.getValue().getLocations().length == 1) {
        return new Victim(file, each.getValue(), others);
      }
    }
    throw new AssertionError("no stripe has a file's only member and others on two DataNodes");
  }

  private boolean areDeletedMembersGone() {
    try {
      Set<Long> stored = new HashSet<>();
      for (Path file : warehouse.files().keySet()) {
        DFSTestUtil.getAllBlocks(cluster.fs(), file)
            .forEach(block -> stored.add(block.getBlock().getBlockId()));
      }
      return warehouse.flaws().records().values().stream()
          .flatMap(record -> record.members().stream())
          .allMatch(member -> member.hasLeft() || stored.contains(member.blockId()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private long replicas(LocatedBlock block) {
    return cluster.mini().getDataNodes().stream()
        .filter(dataNode -> dataNode.getFSDataset().isValidBlock(block.getBlock()))
        .count();
  }

  @Test
  void whatIsMissingIsMadeOfADeletedBlockThatNobodyHasReported() throws Exception {
    isMadeAgainByANameNodeThatWaitsFor(0);
  }

  /** It cannot leave safe mode before it knows that what is missing can be decoded. */
  @Test
  @Nightly
  void safeModeEndsWhenADeletedBlockThatNobodyHasReportedIsFound() throws Exception {
    isMadeAgainByANameNodeThatWaitsFor(DFSConfigKeys.DFS_NAMENODE_SAFEMODE_THRESHOLD_PCT_DEFAULT);
  }

  /**
   * @param threshold part of all blocks that the second NameNode waits for in safe mode
   */
  private void isMadeAgainByANameNodeThatWaitsFor(float threshold) throws Exception {
    Configuration conf = EncodedWarehouse.conf();
    conf.setFloat(DFSConfigKeys.DFS_NAMENODE_SAFEMODE_THRESHOLD_PCT_KEY, 0);
    try (CallStops stops = CallStops.install(conf);
        RackCluster started = RackCluster.start(EncodedWarehouse.cluster(conf))) {
      cluster = started;
      MiniDFSCluster mini = started.mini();
      warehouse = new EncodedWarehouse(cluster.fs(), mini::getNameNode, 20261125);
      warehouse.write(FILES, WHOLE_BLOCKS);
      warehouse.awaitSound("encoded");
      Victim victim = victim();

      // Deleted when this one does not know the stripe, and forgotten before the next one does.
      NameNode first = mini.getNameNode();
      try (CallStops.Stop reading =
          stops.stopAt(
              call ->
                  call.nameNode() != first
                      && call.begins("getListing")
                      && call.target().equals("/.rackweave/parity"),
              () -> {})) {
        for (LocatedBlock other : victim.others()) {
          mini.stopDataNode(other.getLocations()[0].getXferAddr());
        }
        mini.restartNameNode(true);
        reading.await("a NameNode reads its stripes");
        warehouse.delete(victim.file());
        assertEquals(1, replicas(victim.block()));
        stops.kill(mini.getNameNode());
      }
      mini.getConfiguration(0)
          .setFloat(DFSConfigKeys.DFS_NAMENODE_SAFEMODE_THRESHOLD_PCT_KEY, threshold);
      mini.restartNameNode(true);

      for (LocatedBlock other : victim.others()) {
        RackCluster.await(
            other.getBlock() + " has a replica again",
            () -> replicas(other) == 1,
            () -> RackCluster.contextOf(mini.getNameNode()).stripes().counts().toString());
      }
      RackCluster.await("the deleted block is let go", () -> replicas(victim.block()) == 0);
      RackCluster.await("so are the other deleted ones", this::areDeletedMembersGone);
      warehouse.assertBytes("made with a deleted block");
    }
  }
}
