package org.rackweave.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.List;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.rackweave.placement.FallbackReason;

/** Blocks placed by a real NameNode with plugin and policy, four racks of two DataNodes. */
class SinbadClusterIT {
  private static RackCluster cluster;

  @BeforeAll
  static void start() throws Exception {
    cluster = RackCluster.start(RackCluster.conf(), 2, 2, 2, 2).awaitCoverage();
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  @Test
  void placesThreeReplicasInTwoRacks() throws Exception {
    long before = cluster.context().metrics().decisionCount();
    Path file = cluster.write("/two-racks", 6, 3);

    assertEquals(before + 6, cluster.context().metrics().decisionCount());
    for (List<String> racks : cluster.racksOf(file)) {
      assertEquals(3, racks.size());
      assertEquals(2, new HashSet<>(racks).size(), () -> "racks " + racks);
    }
    DFSTestUtil.readFile(cluster.fs(), file);
  }

  @Test
  void addsReplicasWhenTheFactorIsRaised() throws Exception {
    Path file = cluster.write("/raised", 2, 1);
    long before = cluster.context().metrics().decisionCount();

    cluster.fs().setReplication(file, (short) 3);

    DFSTestUtil.waitReplication(cluster.fs(), file, (short) 3);
    assertTrue(cluster.context().metrics().decisionCount() > before);
    for (List<String> racks : cluster.racksOf(file)) {
      assertEquals(2, new HashSet<>(racks).size(), () -> "racks " + racks);
    }
  }

  @Test
  void marksLoadAsDerivedWithoutAgents() {
    var links = cluster.context().state().ledger().snapshot();
    assertEquals(8, links.derivedCount());
    assertEquals(0, links.measuredCount());
    assertEquals(0, cluster.context().metrics().fallbackCount(FallbackReason.ERROR));
  }
}
