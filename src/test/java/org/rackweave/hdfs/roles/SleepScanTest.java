package org.rackweave.hdfs.roles;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.junit.jupiter.api.Test;
import org.rackweave.eafr.ServerRole;
import org.rackweave.hdfs.roles.SleepLookup.Look;

/** A server's blocks, some in each hold of the lock. */
class SleepScanTest {
  private final SleepLookup lookup = mock(SleepLookup.class);
  private final List<Integer> from = new ArrayList<>();
  private final List<DatanodeDescriptor> datanodes =
      List.of(datanode("a"), datanode("b"), datanode("c"));
  private final SleepScan scan =
      new SleepScan(
          lookup,
          RolesView.of(
              datanodes, 8, datanode -> new RolesView.Part(ServerRole.STANDBY, false, null)));

  private static DatanodeDescriptor datanode(String uuid) {
    DatanodeDescriptor datanode = mock(DatanodeDescriptor.class);
    when(datanode.getDatanodeUuid()).thenReturn(uuid);
    when(datanode.getXferAddr()).thenReturn(uuid + ":9866");
    when(datanode.getNetworkLocation()).thenReturn("/r0");
    when(datanode.isAlive()).thenReturn(true);
    when(datanode.isInService()).thenReturn(true);
    return datanode;
  }

  private boolean keepsEveryBlockAwake(Look... found) {
    return keepsEveryBlockAwake(awake -> {}, found);
  }

  private boolean keepsEveryBlockAwake(
      Consumer<Predicate<DatanodeDescriptor>> looking, Look... found) {
    from.clear();
    doAnswer(
            call -> {
              assertEquals(datanodes.get(1), call.getArgument(0));
              assertEquals(4000, call.<Integer>getArgument(2));
              looking.accept(call.getArgument(3));
              from.add(call.getArgument(1));
              return found[from.size() - 1];
            })
        .when(lookup)
        .look(any(), anyInt(), anyInt(), any());
    BitSet asleep = new BitSet();
    asleep.set(1);
    return scan.keepsEveryBlockAwake(1, asleep);
  }

  @Test
  void everyBatchBeginsWhereTheOneBeforeEnded() {
    assertFalse(keepsEveryBlockAwake(Look.MORE, Look.MORE, Look.NEEDED));
    assertEquals(List.of(0, 4000, 8000), from);
    assertEquals(Look.NEEDED, scan.last());
    assertEquals(12_000, scan.looked());
  }

  @Test
  void theLastBatchLetsItSleepAndAllServersBlocksAreCounted() {
    assertTrue(keepsEveryBlockAwake(Look.MORE, Look.ALL_AWAKE));
    assertEquals(List.of(0, 4000), from);
    assertFalse(keepsEveryBlockAwake(Look.WRITTEN));
    assertEquals(List.of(0), from);
    assertEquals(Look.WRITTEN, scan.last());
    assertEquals(12_000, scan.looked());
  }

  @Test
  void whoSleepsAndWhoIsNotKnownIsNotAwake() {
    assertTrue(
        keepsEveryBlockAwake(
            awake -> {
              assertTrue(awake.test(datanodes.get(0)));
              assertFalse(awake.test(datanodes.get(1)));
              assertFalse(awake.test(datanode("new")));
            },
            Look.ALL_AWAKE));
  }
}
