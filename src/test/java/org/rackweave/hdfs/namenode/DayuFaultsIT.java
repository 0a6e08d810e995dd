package org.rackweave.hdfs.namenode;

import org.junit.jupiter.api.Test;
import org.rackweave.Nightly;

/** What goes wrong while DataNodes without agents make lost replicas again. */
class DayuFaultsIT {
  private final RecoveryFaults faults =
      new RecoveryFaults(RecoveryRig::slowConf, rig -> rig.metric("CopiesUnderWay") > 0);

  @Test
  void sourceDies() throws Exception {
    faults.sourceDies();
  }

  @Nightly
  @Test
  void destinationDies() throws Exception {
    faults.destinationDies();
  }

  @Nightly
  @Test
  void secondDataNodeDies() throws Exception {
    faults.secondDataNodeDies();
  }

  @Test
  void twoOfThreeReplicasAreLost() throws Exception {
    faults.twoOfThreeReplicasAreLost();
  }

  @Nightly
  @Test
  void blocksAreDeletedMeanwhile() throws Exception {
    faults.blocksAreDeletedMeanwhile();
  }

  @Nightly
  @Test
  void nameNodeRestartsInMidSlot() throws Exception {
    faults.nameNodeRestartsInMidSlot();
  }

  @Test
  void theOtherNameNodeGoesOnAfterAFailover() throws Exception {
    faults.theOtherNameNodeGoesOnAfterAFailover();
  }
}
