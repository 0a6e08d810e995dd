package org.rackweave.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.rackweave.Nightly;
import org.rackweave.hdfs.ConfigKeys;
import org.rackweave.hdfs.Mode;
import org.rackweave.hdfs.datanode.HeldCopies;

/**
 * What goes wrong while agents hold copies of lost replicas to rates. All of it takes minutes, so
 * most of it runs at night only.
 */
@Tag("newest-hadoop")
class DayuPacedFaultsIT {

  /** A copy waits between two packets of 64 KB. */
  private static final int BLOCK_BYTES = 6 * RackCluster.BLOCK_BYTES;

  /** A copy that has a link's share for copies to itself takes nearly three seconds. */
  private static final long LINK_BYTES_PER_SEC = BLOCK_BYTES / 2;

  /** No copy is held to a lower rate. */
  private static final int LEAST_BYTES_PER_SEC = 16 * 1024;

  private final RecoveryFaults faults =
      new RecoveryFaults(() -> conf(BLOCK_BYTES, LINK_BYTES_PER_SEC), rig -> HeldCopies.now() > 0);

  @BeforeEach
  void nothingIsHeldYet() {
    assertEquals(0, HeldCopies.now());
  }

  private static Configuration conf(int blockBytes, long linkBytesPerSec) {
    Configuration conf = RecoveryRig.agentConf(blockBytes, linkBytesPerSec);
    conf.set(ConfigKeys.DAYU_TIMESLOT, "4s");
    return conf;
  }

  @Test
  @Nightly
  void sourceDies() throws Exception {
    faults.sourceDies();
  }

  @Test
  @Nightly
  void destinationDies() throws Exception {
    faults.destinationDies();
  }

  @Test
  @Nightly
  void secondDataNodeDies() throws Exception {
    faults.secondDataNodeDies();
  }

  @Test
  void twoOfThreeReplicasAreLost() throws Exception {
    faults.twoOfThreeReplicasAreLost();
  }

  @Test
  @Nightly
  void blocksAreDeletedMeanwhile() throws Exception {
    faults.blocksAreDeletedMeanwhile();
  }

  @Test
  @Nightly
  void nameNodeRestartsInMidSlot() throws Exception {
    faults.nameNodeRestartsInMidSlot();
  }

  @Nightly
  @Test
  void theOtherNameNodeGoesOnAfterAFailover() throws Exception {
    faults.theOtherNameNodeGoesOnAfterAFailover();
  }

  @Test
  void switchedOffCopiesGoOnWithoutALimit() throws Exception {
    int blockBytes = 16 * RackCluster.BLOCK_BYTES;
    // Half of the blocks, from one source, at no less than the lowest rate and hardly more.
    long heldSec = blockBytes / LEAST_BYTES_PER_SEC;
    Configuration conf = conf(blockBytes, 2 * LEAST_BYTES_PER_SEC);
    conf.set(ConfigKeys.DAYU_TIMESLOT, 2 * heldSec + "s");
    try (RecoveryRig rig = RecoveryRig.start(conf, 2, 2, 2)) {
      RecoveryFaults.awaitReady(rig);
      RecoveryFaults.writeToFirsts(rig);
      long began = System.nanoTime();
      rig.kill(rig.mini().getDataNodes().get(0).getDatanodeUuid());
      faults.awaitSender(rig);
      RackCluster.await(
          "every copy held to a rate", () -> HeldCopies.now() == RecoveryFaults.BLOCKS);
      assertEquals(RecoveryFaults.STOCK_LIMIT, rig.limit(), "the operator's");
      assertEquals(0, rig.metric("CopiesArrived"), "none has had the time: " + rig);

      rig.recover(Mode.OFF);

      assertEquals(RecoveryFaults.STOCK_LIMIT, rig.limit());
      RecoveryFaults.awaitWholeAndQuiet(rig);
      double sec = (System.nanoTime() - began) / 1e9;
      // Copies make up for the first seconds.
      assertTrue(sec < 0.75 * heldSec, () -> sec + " s; held to their rates they take " + heldSec);
      assertEquals(RecoveryFaults.BLOCKS, rig.metric("CopiesArrived"), rig::toString);
      RecoveryFaults.assertEveryCopyHasAnEnd(rig);
    }
  }
}
