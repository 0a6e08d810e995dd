package org.rackweave.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.junit.jupiter.api.Test;
import org.rackweave.hdfs.AgentKeys;
import org.rackweave.hdfs.ConfigKeys;
import org.rackweave.telemetry.LinkSnapshot;

/** Which copies sources make first, and how fast a DataNode's link is believed to be. */
class DayuSourcesIT {
  private static final int BLOCK_BYTES = 8 * RackCluster.BLOCK_BYTES;
  private static final long LINK_BYTES_PER_SEC = 2L * BLOCK_BYTES;

  /** The most that an agent may be told: a million times the others' links. */
  private static final long ABSURD_BYTES_PER_SEC = 1_000_000_000_000L;

  private static Configuration conf() {
    Configuration conf = RecoveryRig.agentConf(BLOCK_BYTES, LINK_BYTES_PER_SEC);
    conf.set(ConfigKeys.DAYU_TIMESLOT, "3s");
    return conf;
  }

  private static long lacking(RecoveryRig rig, String path, int replicas) throws Exception {
    return rig.replicasOf(path).stream().filter(found -> found < replicas).count();
  }

  @Test
  void aSourceThatHasBegunOtherCopiesSendsABlockOfOneReplicaFirst() throws Exception {
    int blocks = 40;
    try (RecoveryRig rig = RecoveryRig.start(conf(), 2, 2, 2)) {
      List<DataNode> dataNodes = List.copyOf(rig.mini().getDataNodes());
      rig.writeTo(List.of(dataNodes.get(0), dataNodes.get(2), dataNodes.get(4)), "/two", blocks);
      rig.writeTo(List.of(dataNodes.get(1), dataNodes.get(2)), "/one", 1);
      rig.kill(dataNodes.get(0).getDatanodeUuid());
      rig.awaitMetric("CopiesArrived", 1);
      RackCluster.await("the source to send", () -> dataNodes.get(2).getXmitsInProgress() > 0);

      rig.kill(dataNodes.get(1).getDatanodeUuid());
      rig.awaitReplicas("/one", 2);

      long left = lacking(rig, "/two", 3);
      assertTrue(left >= blocks / 4, left + " of two replicas are left: " + rig);
      rig.awaitWhole();
      rig.readAll();
    }
  }

  @Test
  void aDataNodeThatClaimsAnAbsurdLinkIsBelievedFourTimesTheOthers() throws Exception {
    try (RecoveryRig rig = RecoveryRig.start(conf(), 2, 2, 2)) {
      Configuration boasting = new Configuration(rig.mini().getConfiguration(0));
      boasting.setLong(AgentKeys.LINK_BYTES_PER_SEC, ABSURD_BYTES_PER_SEC);
      rig.mini().startDataNodes(boasting, 1, true, null, new String[] {"/r3"});
      rig.mini().waitActive();
      rig.cluster().awaitCoverage();
      PlacementContext context = rig.cluster().context();
      RackCluster.await("a link to be doubted", () -> context.linksDoubted() == 1);
      RackCluster.await("what is believed", () -> fastest(context) == 4.0 * LINK_BYTES_PER_SEC);
    }
  }

  private static double fastest(PlacementContext context) {
    LinkSnapshot links = context.state().links();
    return IntStream.range(0, links.liveCount()).mapToDouble(links::hostCapacity).max().orElse(0);
  }
}
