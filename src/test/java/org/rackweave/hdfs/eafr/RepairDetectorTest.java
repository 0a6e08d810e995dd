package org.rackweave.hdfs.eafr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.rackweave.model.ClusterTopology.NONE;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.rackweave.eafr.RepairPlacement;
import org.rackweave.eafr.RepairRotation;
import org.rackweave.eafr.ServerRole;
import org.rackweave.eafr.Servers;
import org.rackweave.eafr.ThresholdRule;
import org.rackweave.model.ClusterTopology;
import org.rackweave.model.NodePlace;
import org.rackweave.placement.FallbackReason;
import org.rackweave.placement.PlacementDecision;
import org.rackweave.placement.PlacementRequest;
import org.rackweave.placement.ReplicaChooser;

class RepairDetectorTest {
  private static final long FILE = 5;
  private static final int STANDBY = 2;
  private static final ReplicaChooser GROWING =
      (request, admission, random) ->
          PlacementDecision.fallback(FallbackReason.NO_ODDS, new int[0]);

  private final FakeFiles files = new FakeFiles();
  private final ReadCounting counting =
      new ReadCounting(files, 100, () -> new ReadCounting.Terms(ThresholdRule.PAPER, 0, 1000, 0));
  private final RepairDetector detector = new RepairDetector(files, counting);
  private final RepairPlacement repair =
      new RepairPlacement(servers(), 0, new RepairRotation(), 64);

  private static Servers servers() {
    List<NodePlace> places = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      places.add(new NodePlace("n" + i, "/r" + i / 2, null));
    }
    return Servers.of(ClusterTopology.of(places), 15).role(STANDBY, ServerRole.STANDBY).build();
  }

  private int place(int... existing) {
    return detector
        .chooser("/data/file" + FILE, existing.length, GROWING, repair)
        .choose(
            new PlacementRequest(1, NONE, NONE, existing, false, false, NONE, 2, 0, 100),
            (node, local) -> null,
            new SplittableRandom(1))
        .nodes()[0];
  }

  @Test
  void aFileNobodyReadsGoesToStandbyServersAndOneThatIsReadToHotOnes() {
    files.add(FILE, 3, null);
    counting.begin();
    assertEquals(STANDBY, place(0, 1));
    for (int i = 0; i < 40; i++) {
      counting.located(new long[] {FakeFiles.FIRST_BLOCK + FILE, ServerKey.of("a")}, 1);
    }
    counting.count(1);
    assertEquals(3, place(0, 1));
  }

  @Test
  void onlyReplicasThatTheUserAskedForAreLost() {
    files.add(FILE, 4, "3 3 4 7 7");
    String path = "/data/file" + FILE;
    assertSame(GROWING, detector.chooser(path, 3, GROWING, repair));
    assertNotSame(GROWING, detector.chooser(path, 2, GROWING, repair));
    assertNotSame(GROWING, detector.chooser("/gone", 3, GROWING, repair));
  }
}
