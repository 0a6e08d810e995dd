package org.rackweave.sim.encoding;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.rackweave.sim.SmallCluster;
import org.rackweave.sim.engine.SimTime;

/**
 * EAR, section V.B: an encoding request "downloads the data blocks and uploads the parity blocks".
 * Three racks of one node whose links to the core carry 50 B/s; blocks of 100 B.
 */
class StripeEncodingTest {
  private static final int[][] DATA = {{0, 1}, {1, 2}};

  private final SmallCluster small = new SmallCluster(3, 1, Double.POSITIVE_INFINITY);
  private final List<EncodedStripe> encoded = new ArrayList<>();

  private EncodedStripe encode(EncodingSteps steps, StripeEncoding.Settings settings) {
    for (int[] nodes : DATA) {
      for (int node : nodes) {
        small.cluster.store(node, 100);
      }
    }
    StripeEncoding encoding =
        new StripeEncoding(
            small.loop, small.cluster, (stripe, node) -> steps, settings, encoded::add);
    ArrayDeque<ReplicatedStripe> one =
        new ArrayDeque<>(List.of(ReplicatedStripe.ofConsecutive(DATA)));
    encoding.begin(List.of(new EncodingTask(1, one)), SimTime.ofMs(1000));
    assertEquals(1, encoding.underWay());
    small.loop.runToEnd();
    assertEquals(0, encoding.underWay());
    return encoded.get(0);
  }

  private static EncodingSteps steps(int[] keepers, int[] homes) {
    return new EncodingSteps(1, new int[] {0, 1}, new int[] {0}, keepers, homes);
  }

  private static StripeEncoding.Settings settings(double arithmetic, boolean relocates) {
    return new StripeEncoding.Settings(100, 1, arithmetic, relocates);
  }

  @Test
  void readsThenWritesParityThenLeavesOneReplicaOfEachBlock() {
    int[] kept = {1, 2};
    EncodedStripe seen = encode(steps(kept, kept), settings(Double.POSITIVE_INFINITY, true));
    // One block comes from another rack in 2 s, the other is at hand; parity leaves in 2 s.
    assertEquals(new EncodedStripe(ofSec(1), ofSec(5), 1, 200, 1, 1, 0), seen);
    for (int node = 0; node < 3; node++) {
      assertEquals(100, small.cluster.usedBytes(node), "node " + node);
    }
  }

  @Test
  void computesBetweenReadingAndWriting() {
    int[] kept = {1, 2};
    assertEquals(ofSec(7), encode(steps(kept, kept), settings(100, true)).endedNanos());
  }

  @Test
  void relocatesWhatTheRackLimitForbids() {
    EncodedStripe seen =
        encode(steps(new int[] {1, 1}, new int[] {1, 2}), settings(Double.POSITIVE_INFINITY, true));
    assertEquals(1, seen.relocations());
    assertEquals(ofSec(7), seen.endedNanos());
    assertEquals(100, small.cluster.usedBytes(2));
  }

  @Test
  void countsRelocationsItIsNotToMake() {
    EncodedStripe seen =
        encode(
            steps(new int[] {1, 1}, new int[] {1, 2}), settings(Double.POSITIVE_INFINITY, false));
    assertEquals(1, seen.relocations());
    assertEquals(ofSec(5), seen.endedNanos());
    assertEquals(200, small.cluster.usedBytes(1));
    assertEquals(0, small.cluster.usedBytes(2));
  }

  private static long ofSec(int seconds) {
    return SimTime.ofMs(1000L * seconds);
  }
}
