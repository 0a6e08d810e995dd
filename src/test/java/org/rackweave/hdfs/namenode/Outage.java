package org.rackweave.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.DegradedReadFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster.DataNodeProperties;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockManager;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockManagerTestUtil;
import org.rackweave.MixedRandom;
import org.rackweave.cli.ear.EarCommand;
import org.rackweave.hdfs.datanode.ServedReads;

/**
 * DataNodes stopped together, as many as a code promises to survive: what is read meanwhile, how
 * stripes become whole without them, and how all is as before when they are back.
 */
final class Outage {
  private final EarRig rig;
  private final MixedFiles files;
  private final String what;
  private final List<DataNodeProperties> down = new ArrayList<>();

  private Outage(EarRig rig, MixedFiles files, String what) {
    this.rig = rig;
    this.files = files;
    this.what = what;
  }

  /**
   * How it went.
   *
   * @param what the seed, and what was stopped
   * @param missingBlocks data and parity blocks without a replica at first
   * @param readBytes of files, read and compared meanwhile: all once before the NameNode knows what
   *     is down, and once when it does
   * @param readSec for the first
   * @param readKnownSec for the second, while repair goes on
   * @param repairSec until every stripe was whole again, from when the NameNode knew
   * @param repairsRepeated because a DataNode failed at it
   * @param readsAcrossRacks blocks that DataNodes read from other racks to decode
   * @param moves of blocks, to get stripes within c again when the DataNodes were back
   */
  record Result(
      String what,
      long missingBlocks,
      long readBytes,
      double readSec,
      double readKnownSec,
      double repairSec,
      long repairsRepeated,
      long readsAcrossRacks,
      long moves) {}

  static Result ofNodes(EarRig rig, MixedFiles files, int count, long seed) throws Exception {
    int[] nodes = MixedRandom.of(seed).ints(0, EarRig.NODES).distinct().limit(count).toArray();
    List<String> uuids = new ArrayList<>();
    for (int node : nodes) {
      uuids.add(rig.cluster().mini().getDataNodes().get(node).getDatanodeUuid());
    }
    return stop(rig, files, "seed " + seed, uuids);
  }

  static Result ofRacks(EarRig rig, MixedFiles files, int count, long seed) throws Exception {
    List<String> racks =
        MixedRandom.of(seed)
            .ints(0, EarRig.RACKS)
            .distinct()
            .limit(count)
            .mapToObj(rack -> "/r" + rack)
            .toList();
    List<String> uuids =
        rig.racks().entrySet().stream()
            .filter(node -> racks.contains(node.getValue()))
            .map(Map.Entry::getKey)
            .toList();
    return stop(rig, files, "seed " + seed, uuids);
  }

  private static Result stop(EarRig rig, MixedFiles files, String seed, List<String> uuids)
      throws Exception {
    Map<String, String> racks = rig.racks();
    String what = seed + ", in " + new TreeSet<>(uuids.stream().map(racks::get).toList());
    Outage outage = new Outage(rig, files, what + " " + uuids.size() + " DataNodes");
    try (ServedReads reads = new ServedReads()) {
      outage.begin(uuids);
      long downAtNanos = System.nanoTime();
      long bytes = outage.readBack("before the NameNode knows");
      double readSec = secondsSince(downAtNanos);
      long missing = outage.tellNameNode(uuids);
      long knownAtNanos = System.nanoTime();
      bytes += outage.readBack("when the NameNode knows");
      double readKnownSec = secondsSince(knownAtNanos);
      long repeatedBefore = outage.repairsRepeated();
      outage.awaitWhole(uuids, racks);
      double repairSec = secondsSince(knownAtNanos);
      long repeated = outage.repairsRepeated() - repeatedBefore;
      long acrossRacks =
          reads.reads().stream()
              .filter(one -> !racks.get(one.datanodeUuid()).equals(EarRig.rackOfReader(one)))
              .count();
      long moves = outage.end();
      return new Result(
          outage.what,
          missing,
          bytes,
          readSec,
          readKnownSec,
          repairSec,
          repeated,
          acrossRacks,
          moves);
    }
  }

  private long repairsRepeated() {
    return rig.cluster().context().stripes().counts().repairsFailed();
  }

  private static double secondsSince(long nanos) {
    return (System.nanoTime() - nanos) / 1e9;
  }

  private BlockManager blockManager() {
    return rig.cluster().mini().getNamesystem().getBlockManager();
  }

  private void begin(List<String> uuids) {
    for (String uuid : uuids) {
      for (int i = 0; i < rig.cluster().mini().getDataNodes().size(); i++) {
        if (rig.cluster().mini().getDataNodes().get(i).getDatanodeUuid().equals(uuid)) {
          down.add(rig.cluster().mini().stopDataNode(i));
          break;
        }
      }
    }
    assertEquals(uuids.size(), down.size(), what);
  }

  /** The NameNode would come to know by itself, but take its time. */
  private long tellNameNode(List<String> uuids) {
    for (String uuid : uuids) {
      DFSTestUtil.setDatanodeDead(blockManager().getDatanodeManager().getDatanode(uuid));
    }
    BlockManagerTestUtil.checkHeartbeat(blockManager());
    assertEquals(
        EarRig.NODES - down.size(), rig.cluster().mini().getNamesystem().getNumLiveDataNodes());
    return blockManager().getMissingBlocksCount();
  }

  private long readBack(String when) throws Exception {
    Configuration client = new Configuration(rig.fs().getConf());
    client.set("fs.hdfs.impl", DegradedReadFileSystem.class.getName());
    // Whoever cannot read at once does not wait until it has been repaired.
    client.setInt(HdfsClientConfigKeys.DFS_CLIENT_MAX_BLOCK_ACQUIRE_FAILURES_KEY, 1);
    long bytes = files.readBack(rig.fs().getUri(), client, what + ", " + when);
    assertEquals(files.bytes(), bytes, what);
    return bytes;
  }

  /** Until every block has a replica, within c in a rack as far as the racks that are left go. */
  private void awaitWhole(List<String> uuids, Map<String, String> racks) {
    await(
        "every stripe is whole without them",
        () ->
            blockManager().getMissingBlocksCount() == 0
                && rig.stripes(files).stream().allMatch(one -> one.haveReplicas(1, 1)));
    long racksLeft =
        racks.entrySet().stream()
            .filter(node -> !uuids.contains(node.getKey()))
            .map(Map.Entry::getValue)
            .distinct()
            .count();
    for (PlacedStripe stripe : rig.stripes(files)) {
      long blocks = stripe.blocks().count();
      long least = Math.max(rig.rules().rackLimit(), (blocks + racksLeft - 1) / racksLeft);
      assertTrue(stripe.inFullestRack() <= least, () -> what + ": " + stripe);
      assertTrue(stripe.areNodesDistinct(), () -> what + ": " + stripe);
    }
  }

  /** Brings them back with what they have, of which HDFS has too much then. */
  private long end() throws IOException {
    for (DataNodeProperties node : down) {
      // With ports of its own choice: others may have taken the ones it had.
      assertTrue(rig.cluster().mini().restartDataNode(node, false), what);
    }
    rig.cluster().mini().waitActive();
    await(
        "all are back",
        () -> rig.cluster().mini().getNamesystem().getNumLiveDataNodes() == EarRig.NODES);
    await(
        "nothing is there twice",
        () -> {
          List<PlacedStripe> stripes = rig.stripes(files);
          long once = stripes.stream().mapToLong(one -> EarRig.bytes(one.blocks().toList())).sum();
          return stripes.stream().allMatch(one -> one.haveReplicas(1, 1))
              && rig.storedBytes() == once;
        });
    long[] moves = {0};
    await(
        "every stripe is within the limit",
        () -> {
          JsonNode audit = rig.run(EarCommand::stripes, "--audit", "--fix");
          moves[0] += audit.path("moves_done").asLong();
          return audit.get("stripes").equals(audit.get("sound_stripes"));
        });
    return moves[0];
  }

  private void await(String condition, BooleanSupplier isSo) {
    try {
      RackCluster.await(condition, isSo);
    } catch (AssertionError e) {
      throw new AssertionError(
          what + ": " + rig.cluster().context().stripes().counts() + "\n" + rig.stripes(files), e);
    }
  }
}
