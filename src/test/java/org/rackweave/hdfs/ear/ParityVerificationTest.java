package org.rackweave.hdfs.ear;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.junit.jupiter.api.Test;
import org.rackweave.ear.ErasureCode;
import org.rackweave.ear.StripeRecord;
import org.rackweave.hdfs.ClusterView;
import org.rackweave.hdfs.work.VerifyTask;
import org.rackweave.hdfs.work.WorkReport;

/** Who reads parity back, and that nothing else makes up for it; two DataNodes in each rack. */
class ParityVerificationTest {
  private static final ErasureCode CODE = new ErasureCode(2, 2);
  private static final StripeRecord RECORD =
      new StripeRecord(
              CODE,
              1,
              List.of(
                  new StripeRecord.Member(1, 1, 1000, 11, 3),
                  new StripeRecord.Member(2, 1, 500, 12, 3)))
          .proven(List.of(1, 2, 3, 4));

  private static final LocatedBlock DATA =
      new LocatedBlock(
          new ExtendedBlock("pool", 1, 1000, 1), new DatanodeInfo[] {node("any")}, null, null);

  private final ClusterView nodes = StripeRepairTest.nodes();
  private final List<DatanodeDescriptor> readers = new ArrayList<>();
  private WorkReport report = new WorkReport(1, WorkReport.State.DONE, 1000, "");

  private static DatanodeDescriptor node(String uuid) {
    return new DatanodeDescriptor(new DatanodeID("10.0.0.1", uuid, uuid, 1, 2, 3, 4));
  }

  private DatanodeDescriptor node(int number) {
    return Arrays.stream(nodes.datanodes())
        .filter(node -> node.getDatanodeUuid().equals("uuid" + number))
        .findFirst()
        .orElseThrow();
  }

  /** Verifies parity that is stored on these DataNodes and was made by one of those. */
  private void verify(int[] holders, int... makers) throws Exception {
    StripeCommands commands = mock(StripeCommands.class);
    when(commands.give(any(), any(VerifyTask.class), anyLong(), anyLong()))
        .then(
            asked -> {
              readers.add(asked.getArgument(0));
              return CompletableFuture.completedFuture(report);
            });
    List<LocatedBlock> parity =
        Arrays.stream(holders)
            .mapToObj(
                holder ->
                    new LocatedBlock(
                        new ExtendedBlock("pool", 100 + holder, 1100, 1),
                        new DatanodeInfo[] {node(holder)},
                        null,
                        null))
            .toList();
    new ParityVerification(commands)
        .verify(
            RECORD,
            List.of(DATA, DATA),
            parity,
            Arrays.stream(makers).mapToObj(this::node).toList(),
            nodes,
            0);
  }

  private EncodingFailedException refusal(int[] holders, int... makers) {
    EncodingFailedException refused =
        assertThrows(EncodingFailedException.class, () -> verify(holders, makers));
    assertEquals(EncodingRefusal.NOT_VERIFIED, refused.reason());
    return refused;
  }

  @Test
  void whoStoresItReadsItUnlessItMayHaveMadeIt() throws Exception {
    verify(new int[] {4, 2}, 2);
    assertEquals(List.of(node(4), node(3)), readers, "3 is in the rack of 2");
  }

  @Test
  void anyRackWillDoWhereANeighbourIsSilentOrMayHaveMadeItAsWell() throws Exception {
    StripeRepairTest.silence(node(5));
    verify(new int[] {2, 4}, 2, 3, 4);
    assertEquals(2, readers.size());
    assertTrue(Stream.of(2, 3, 4, 5).map(this::node).noneMatch(readers::contains));
  }

  @Test
  void isRefusedWhereNobodyElseIsThere() {
    Arrays.stream(nodes.datanodes()).forEach(node -> node.setAlive(node == node(2)));
    assertTrue(
        refusal(new int[] {2, 2}, 2)
            .getMessage()
            .endsWith("no other DataNode is there to read it back"));
    assertEquals(List.of(), readers);
  }

  @Test
  void isRefusedWhenItIsNotWhatWasMade() {
    report = new WorkReport(1, WorkReport.State.FAILED, 0, "is not what was encoded");
    assertTrue(refusal(new int[] {4, 6}, 2).getMessage().endsWith("is not what was encoded"));
  }
}
