package org.rackweave.hdfs.eafr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.BlockCommandProto;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.HeartbeatResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.ReceivedDeletedBlockInfoProto.BlockStatus;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.BlockProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.DatanodeInfoProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.DatanodeInfosProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsServerProtos.NNHAStatusHeartbeatProto;
import org.apache.hadoop.hdfs.protocolPB.PBHelperClient;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.net.Node;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.rackweave.hdfs.ClusterView;
import org.rackweave.hdfs.ClusterViews;
import org.rackweave.hdfs.RatesConfig;
import org.rackweave.hdfs.eafr.TransferRates.State;
import org.rackweave.model.ClusterTopology;
import org.rackweave.model.NodePlace;
import org.rackweave.telemetry.BlockFigures;
import org.rackweave.telemetry.LinkSnapshot;
import org.rackweave.telemetry.LinkSource;
import org.rackweave.telemetry.NetworkSettings;

class TransferRatesTest {
  private static final double CAPACITY = 1000;
  private static final long STALE_MS = 10_000;
  private static final RatesConfig ON = new RatesConfig(true, 0.2, 0.5, 0.1);
  private final DatanodeDescriptor[] nodes = new DatanodeDescriptor[4];
  private final ClusterView cluster;
  private RatesConfig config = ON;
  private TransferRates rates =
      new TransferRates(() -> config, /* isLeftToDayu= */ () -> false, STALE_MS);
  private long nowMs = 1_000_000;

  TransferRatesTest() {
    List<NodePlace> places = new ArrayList<>();
    Map<Node, Integer> numbers = new IdentityHashMap<>();
    for (int i = 0; i < nodes.length; i++) {
      places.add(new NodePlace("n" + i, "/r", null));
      nodes[i] = DFSTestUtil.getDatanodeDescriptor("10.0.0." + i, "/r");
      numbers.put(nodes[i], i);
    }
    cluster = ClusterViews.of(ClusterTopology.of(places), nodes, numbers);
  }

  @BeforeEach
  void begin() {
    measured(3, LinkSource.MEASURED, 400);
  }

  private String uuid(int node) {
    return nodes[node].getDatanodeUuid();
  }

  /** The agent of a server, and nobody else, has measured its link. */
  private void measured(int node, LinkSource source, double used) {
    nowMs += 1000;
    rates.heardAgent(nowMs);
    LinkSnapshot.Builder links =
        new LinkSnapshot.Builder(
            cluster.topology(), new NetworkSettings(1e6, 1, 1e6, 1000, 1), nowMs);
    links.host(node, source, CAPACITY, used, 0, 1, nowMs);
    rates.look(ClusterViews.with(cluster, links.build()), nowMs);
  }

  /** The rates that a source is told with orders of some blocks. */
  private Map<Long, Long> order(int source, int target, long... blocks) {
    nowMs++;
    BlockCommandProto.Builder copy =
        BlockCommandProto.newBuilder()
            .setAction(BlockCommandProto.Action.TRANSFER)
            .setBlockPoolId("pool");
    for (long block : blocks) {
      copy.addBlocks(BlockProto.newBuilder().setBlockId(block).setGenStamp(1).setNumBytes(100))
          .addTargets(
              DatanodeInfosProto.newBuilder()
                  .addDatanodes(
                      DatanodeInfoProto.newBuilder()
                          .setId(PBHelperClient.convert((DatanodeID) nodes[target]))));
    }
    HeartbeatResponseProto response = Replies.of(copy.build());
    byte[] told = rates.answered(uuid(source), /* enforcesRates= */ false, response, nowMs);
    return told == null ? Map.of() : BlockFigures.decode(told);
  }

  private Map<Long, Long> told(int source) {
    return order(source, 3);
  }

  private void expect(Long... blocks) {
    rates.expect(List.of(blocks), nowMs);
  }

  private void received(int node, long block) {
    rates.received(Reports.of(nodes[node], BlockStatus.RECEIVED, block));
  }

  @Test
  void aCopyThatWasExpectedBeginsWithWhatTheLinkHasFreeAndOthersHaveNoRate() {
    expect(7L);
    assertEquals(Map.of(7L, 600L), order(0, 3, 7, 8));
    assertEquals(Map.of(), order(1, 3, 9));
    assertEquals(1, rates.figures().copies());
    assertEquals(State.ON, rates.state());
  }

  @Test
  void copiesThatBeginBeforeTheLinkIsMeasuredAgainShareWhatIsFree() {
    expect(7L, 8L, 9L);
    order(0, 3, 7);
    assertEquals(Map.of(8L, 300L), order(1, 3, 8));
    assertEquals(Map.of(7L, 300L), told(0));
    measured(3, LinkSource.MEASURED, 700);
    assertEquals(Map.of(9L, 300L), order(2, 3, 9));
    assertEquals(Map.of(7L, 300L), told(0), "known to the measurement");
  }

  @Test
  void theOldestLosesLeastWhenTheLinkIsCrowdedAndGainsMostWhenItIsIdle() {
    expect(7L, 8L);
    order(0, 3, 7);
    order(1, 3, 8);
    measured(3, LinkSource.MEASURED, 920); // 8 % are free, 12 % less than eta_l
    assertEquals(Map.of(7L, (long) (300 * (1 - 0.12 / 3))), told(0));
    assertEquals(Map.of(8L, (long) (300 * (1 - 0.12 * 2 / 3))), told(1));
    rates.look(cluster, nowMs);
    assertEquals(Map.of(7L, 288L), told(0), "once for each measurement");
    measured(3, LinkSource.MEASURED, 200); // 80 % are free, 30 % more than eta_h
    assertEquals(Map.of(7L, (long) (288 * (1 + 0.3 * 2 / 3))), told(0));
    assertEquals(Map.of(8L, (long) (276 * (1 + 0.3 / 3))), told(1));
    measured(3, LinkSource.MEASURED, 650);
    assertEquals(345, told(0).get(7L), "in between all go on");
    assertEquals(4, rates.figures().adjustments());
  }

  @Test
  void copiesKeepALittleOfALinkThatOthersCrowdForLong() {
    expect(7L, 8L);
    order(0, 3, 7, 8);
    for (int i = 0; i < 100; i++) {
      measured(3, LinkSource.MEASURED, CAPACITY);
    }
    assertEquals(Map.of(7L, 50L, 8L, 50L), told(0), "a tenth of it together");
  }

  @Test
  void aCopyThatHasArrivedIsForgottenAndAnotherOfItsBlockIsNotOurs() {
    expect(7L);
    order(0, 3, 7);
    received(2, 7);
    assertEquals(1, rates.figures().copies(), "another server has it");
    received(3, 7);
    assertEquals(0, rates.figures().copies());
    assertEquals(Map.of(), order(1, 3, 7));
  }

  @Test
  void aCopyThatHdfsOrdersAnewIsOneCopy() {
    expect(7L);
    order(0, 3, 7);
    order(0, 3, 7);
    assertEquals(1, rates.figures().copies());
    received(3, 7);
    assertEquals(Map.of(), told(0));
  }

  @Test
  void noCopyHasARateWhoseDestinationIsNotMeasured() {
    expect(7L, 8L);
    assertEquals(Map.of(), order(0, 2, 7));
    measured(3, LinkSource.DERIVED, 400);
    assertEquals(Map.of(), order(0, 3, 8));
    assertEquals(2, rates.figures().unmeasured());
    assertEquals(0, rates.figures().copies());
  }

  @Test
  void whatIsNeverDoneIsForgotten() {
    expect(7L, 8L);
    order(0, 3, 7);
    nowMs += 600_001;
    measured(3, LinkSource.MEASURED, 400);
    assertEquals(0, rates.figures().copies());
    assertEquals(Map.of(), order(0, 3, 8), "expected too long ago");
  }

  @Test
  void sourcesWhoseAgentsSpeakOfCopiesAreCounted() {
    expect(7L);
    order(0, 3, 7);
    assertEquals(0, rates.figures().sources());
    rates.answered(
        uuid(0),
        /* enforcesRates= */ true,
        HeartbeatResponseProto.newBuilder()
            .setHaStatus(
                NNHAStatusHeartbeatProto.newBuilder()
                    .setState(NNHAStatusHeartbeatProto.State.ACTIVE)
                    .setTxid(1))
            .build(),
        nowMs);
    assertEquals(1, rates.figures().sources());
  }

  @Test
  void saysWhyCopiesHaveNoRates() {
    nowMs += STALE_MS + 1;
    rates.look(cluster, nowMs);
    assertEquals(State.NO_AGENTS, rates.state());
    rates = new TransferRates(() -> new RatesConfig(false, 0.2, 0.5, 0.1), () -> false, STALE_MS);
    assertEquals(State.OFF, rates.state());
    rates = new TransferRates(() -> ON, /* isLeftToDayu= */ () -> true, STALE_MS);
    measured(3, LinkSource.MEASURED, 400);
    assertEquals(State.LEFT_TO_DAYU, rates.state());
    expect(7L);
    assertNull(rates.answered(uuid(0), true, null, nowMs), "not even looked at");
  }

  @Test
  void copiesUnderWayLoseTheirRatesWhenThereAreToBeNone() {
    expect(7L, 8L);
    assertEquals(Map.of(7L, 600L), order(0, 3, 7));
    config = new RatesConfig(false, 0.2, 0.5, 0.1);
    measured(3, LinkSource.MEASURED, 400);
    assertEquals(State.OFF, rates.state());
    assertEquals(Map.of(), told(0));
    config = ON;
    measured(3, LinkSource.MEASURED, 400);
    assertEquals(Map.of(), told(0));
    expect(9L);
    assertEquals(Map.of(9L, 600L), order(0, 3, 9));
  }

  @Test
  void anotherTermKnowsNothingOfThisOnes() {
    expect(7L, 8L);
    order(0, 3, 7);
    rates.clear();
    assertEquals(0, rates.figures().copies());
    assertEquals(Map.of(), order(0, 3, 8));
  }
}
