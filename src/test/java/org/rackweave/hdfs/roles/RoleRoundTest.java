package org.rackweave.hdfs.roles;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.ArgumentMatchers.anyString;
import static org.mockito.ArgumentMatchers.eq;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiPredicate;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.junit.jupiter.api.Test;
import org.rackweave.eafr.ServerRole;
import org.rackweave.hdfs.RolesConfig;
import org.rackweave.hdfs.roles.PlannedRoles.Outlook;
import org.rackweave.hdfs.roles.PlannedRoles.StayReason;
import org.rackweave.hdfs.roles.SleepLookup.Look;
import org.rackweave.hdfs.roles.SleepingServer.Reason;

/** What one look at all servers makes of their roles. */
class RoleRoundTest {
  private static final long TAU_S = 100;
  private static final long WEEK = 7 * 24 * 3600_000L;
  private static final long WALL_MS = 10 * WEEK;
  private static final long NOW_MS = 5000;
  private static final int LATE_MAX = 10;
  private static final int VERIFIES_MAX = RoleRound.VERIFIES_MAX;
  private static final long INTERVAL_MS = 1_000_000;

  private final SleepLookup lookup = mock(SleepLookup.class);
  private final SleepCycle cycle = mock(SleepCycle.class);
  private final List<DatanodeDescriptor> datanodes = new ArrayList<>();
  private final Map<DatanodeDescriptor, RolesView.Part> parts = new HashMap<>();
  private final List<SleepingServer> sleepers = new ArrayList<>();
  private final RoleChanges changes = new RoleChanges(cycle, () -> INTERVAL_MS);
  private double coldShare = 0.9;
  private int asleepMax = Integer.MAX_VALUE;

  RoleRoundTest() {
    when(lookup.look(any(), anyInt(), anyInt(), any())).thenReturn(Look.ALL_AWAKE);
    when(cycle.sleepers()).thenReturn(sleepers);
  }

  private DatanodeDescriptor datanode(ServerRole role, long freeBytes, boolean isSleepy) {
    String host = "h" + datanodes.size();
    DatanodeDescriptor datanode = mock(DatanodeDescriptor.class);
    when(datanode.getDatanodeUuid()).thenReturn("uuid-" + host);
    when(datanode.getHostName()).thenReturn(host);
    when(datanode.getXferPort()).thenReturn(9866);
    when(datanode.getXferAddr()).thenReturn("10.0.0." + datanodes.size() + ":9866");
    when(datanode.getNetworkLocation()).thenReturn("/r0");
    when(datanode.isAlive()).thenReturn(true);
    when(datanode.isInService()).thenReturn(true);
    when(datanode.getRemaining()).thenReturn(freeBytes);
    datanodes.add(datanode);
    parts.put(datanode, new RolesView.Part(role, isSleepy, null));
    return datanode;
  }

  private DatanodeDescriptor full() {
    return datanode(ServerRole.STANDBY, 99, false);
  }

  private void asleep(long sinceMs, int lateUpdates) {
    DatanodeDescriptor datanode = datanode(ServerRole.COLD, 0, false);
    String uuid = datanode.getDatanodeUuid();
    String host = datanode.getHostName();
    SleepingServer sleeper =
        new SleepingServer(new ColdServer(uuid, host, "10.0.0.1", 9866, sinceMs, 1), NOW_MS);
    sleepers.add(sleeper);
    when(cycle.sleeper(uuid)).thenReturn(sleeper);
    when(cycle.lateUpdates(uuid)).thenReturn(lateUpdates);
  }

  private PlannedRoles planned(boolean maySleep) {
    return round().planned(maySleep, WALL_MS, NOW_MS);
  }

  private RoleRound round() {
    return round((uuid, to) -> true);
  }

  private RoleRound round(BiPredicate<String, ServerRole> asked) {
    RolesConfig config =
        new RolesConfig(
            RolesConfig.Choice.NAMED,
            Set.of(),
            Set.of(),
            0,
            coldShare,
            asleepMax,
            "/roles",
            "",
            "none",
            1000,
            0,
            0,
            1000,
            WEEK,
            LATE_MAX);
    return new RoleRound(
        RolesView.of(datanodes, 8, parts::get),
        config,
        TAU_S,
        lookup,
        cycle,
        datanode -> null,
        asked);
  }

  private static Map<String, Object> row(
      int server, String from, String to, String equation, String because) {
    return Map.of(
        "datanode", "h" + server + ":9866",
        "uuid", "uuid-h" + server,
        "rack", "/r0",
        "from", from,
        "to", to,
        "equation", equation,
        "because", because);
  }

  private static List<Map<String, Object>> rows(PlannedRoles planned) {
    List<Map<String, Object>> rows = new ArrayList<>();
    for (PlannedRoles.Step step : planned.steps()) {
      Map<String, Object> row = new HashMap<>(step.row());
      row.put("equation", row.get("equation").toString());
      rows.add(row);
    }
    return rows;
  }

  @Test
  void everyChangeNamesItsServerAndWhatItFollowsFrom() throws IOException {
    datanode(ServerRole.HOT, 0, false);
    full();
    datanode(ServerRole.STANDBY, TAU_S, false);
    datanode(ServerRole.STANDBY, 5000, true);
    asleep(WALL_MS - WEEK - 1, 0);
    asleep(WALL_MS - 7, LATE_MAX);
    asleep(WALL_MS - 7, LATE_MAX - 1);
    PlannedRoles planned = planned(true);
    assertEquals(
        List.of(
            row(
                4,
                "cold",
                "standby",
                "VERIFY",
                "VERIFY: time asleep >= verify interval (604800001 against 604800000 ms)"),
            row(
                5,
                "cold",
                "standby",
                "LATE_UPDATES",
                "LATE_UPDATES: more late updates than are kept (asleep for 7 ms)"),
            row(3, "standby", "cold", "NAMED", "NAMED: named by the operator as one that sleeps"),
            row(1, "standby", "cold", "EQ8", "EQ8: free space < tau_s (99 against 100 bytes)")),
        rows(planned));
    assertEquals(Outlook.READY, planned.outlook());
    assertEquals(Map.of(), planned.awake());
    verify(cycle, never()).toSleep(any(), any(), anyLong());
    verify(cycle, never()).wake(any(), any(), anyLong());
    verify(cycle, never()).rest(anyString(), anyLong());
    verify(lookup, never()).beginMaintenance(any(), anyLong());
    assertEquals(2, rows(planned(false)).size(), "nobody may sleep, and some are woken");
  }

  @Test
  void whoStaysAwakeIsCountedByReason() {
    datanode(ServerRole.HOT, 0, false);
    when(full().getXceiverCount()).thenReturn(2);
    when(full().getBlocksScheduled()).thenReturn(1);
    when(cycle.isResting(full().getDatanodeUuid(), NOW_MS)).thenReturn(true);
    looks(full(), Look.NEEDED);
    looks(full(), Look.WRITTEN);
    looks(full(), Look.ERASURE_CODED);
    looks(full(), Look.NEEDED);
    PlannedRoles planned = planned(true);
    assertEquals(
        Map.of(
            StayReason.BUSY,
            2,
            StayReason.RESTING,
            1,
            StayReason.NEEDED,
            2,
            StayReason.WRITTEN,
            1,
            StayReason.ERASURE_CODED,
            1),
        planned.awake());
    assertEquals(
        List.of(
            StayReason.BUSY,
            StayReason.RESTING,
            StayReason.NEEDED,
            StayReason.WRITTEN,
            StayReason.ERASURE_CODED),
        List.copyOf(planned.awake().keySet()));
    assertEquals(List.of(), planned.steps());
  }

  private void looks(DatanodeDescriptor datanode, Look found) {
    when(lookup.look(eq(datanode), anyInt(), anyInt(), any())).thenReturn(found);
  }

  @Test
  void tenFallAsleepInAnIntervalAndTheOthersWait() {
    for (int i = 0; i < 3; i++) {
      datanode(ServerRole.HOT, 0, false);
    }
    for (int i = 0; i < 13; i++) {
      full();
    }
    PlannedRoles planned = planned(true);
    assertEquals(10, planned.steps().size());
    assertEquals(Map.of(StayReason.NEXT_INTERVAL, 3), planned.awake());
  }

  /** Each of them has more than 400,000 blocks before the one that it is needed for. */
  @Test
  void whoWouldMakeALookTooLongWaitsUntilOthersHaveRested() {
    when(lookup.look(any(), anyInt(), anyInt(), any()))
        .thenAnswer(call -> call.<Integer>getArgument(1) < 400_000 ? Look.MORE : Look.NEEDED);
    for (int i = 0; i < 7; i++) {
      full();
    }
    datanode(ServerRole.HOT, 0, false);
    assertEquals(Map.of(StayReason.NEEDED, 5, StayReason.NEXT_INTERVAL, 2), planned(true).awake());
    RoleRound round = round();
    round.toCold(NOW_MS);
    assertEquals(5, round.intervalsRefused());
    for (int i = 0; i < 40; i++) {
      full();
    }
    round = round();
    round.toCold(NOW_MS);
    assertEquals(5, round.refused().size());
    assertEquals(1 + 42 / 5, round.intervalsRefused());
  }

  @Test
  void howManyAreColdAndMayBeIsTold() {
    datanode(ServerRole.HOT, 0, false);
    full();
    full();
    asleep(WALL_MS - 7, 0);
    coldShare = 0.5;
    PlannedRoles planned = planned(true);
    assertEquals(
        List.of("uuid-h1"), planned.steps().stream().map(PlannedRoles.Step::uuid).toList());
    assertEquals(Map.of(StayReason.COLD_SHARE, 1), planned.awake());
    assertEquals(1, planned.cold());
    assertEquals(2, planned.coldMax());
    assertEquals(
        new PlannedRoles(Outlook.COPIES_HELD_BACK, List.of(), Map.of(), 1, 2),
        round().nothing(Outlook.COPIES_HELD_BACK));
  }

  @Test
  void noMoreSleepThanHdfsHasPlacesFor() {
    datanode(ServerRole.HOT, 0, false);
    for (int i = 0; i < 5; i++) {
      full();
    }
    asleepMax = 2;
    PlannedRoles planned = planned(true);
    assertEquals(2, planned.coldMax());
    assertEquals(2, planned.steps().size());
    assertEquals(Map.of(StayReason.COLD_SHARE, 3), planned.awake());
  }

  @Test
  void withoutAHotServerNobodySleeps() {
    full();
    full();
    PlannedRoles planned = planned(true);
    assertEquals(Outlook.NO_HOT_SERVER, planned.outlook());
    assertEquals(List.of(), planned.steps());
  }

  private Map<String, StayReason> apply(PlannedRoles plan) {
    return changes.apply(plan, round(plan::has), WALL_MS, NOW_MS);
  }

  private static String uuid(int server) {
    return "uuid-h" + server;
  }

  private void verifyRoles(List<Integer> cold, List<Integer> woken) throws IOException {
    for (int server = 0; server < datanodes.size(); server++) {
      verify(cycle, times(cold.contains(server) ? 1 : 0))
          .toSleep(eq(datanodes.get(server)), any(), eq(NOW_MS));
    }
    for (SleepingServer sleeper : sleepers) {
      boolean isWoken = woken.stream().anyMatch(one -> uuid(one).equals(sleeper.server().uuid()));
      verify(cycle, times(isWoken ? 1 : 0)).wake(sleeper, Reason.VERIFY, NOW_MS);
      verify(cycle, never()).wake(sleeper, Reason.LATE_UPDATES, NOW_MS);
    }
  }

  /** Whatever else would be changed by now is left. */
  @Test
  void aPlanIsCarriedOutAndNothingElse() throws IOException {
    datanode(ServerRole.HOT, 0, false);
    full();
    full();
    asleep(WALL_MS - WEEK, 0);
    PlannedRoles plan = planned(true);
    full();
    asleep(WALL_MS - 2 * WEEK, LATE_MAX);
    assertEquals(Map.of(), apply(plan));
    verifyRoles(List.of(1, 2), List.of(3));
  }

  @Test
  void whatDoesNotHoldAnyMoreIsLeftAndTheReasonIsNamed() throws IOException {
    datanode(ServerRole.HOT, 0, false);
    for (int i = 0; i < 7; i++) {
      full();
    }
    for (int i = 0; i < 3; i++) {
      asleep(WALL_MS - WEEK, 0);
    }
    datanode(ServerRole.HOT, 0, false);
    PlannedRoles plan = planned(true);
    assertEquals(10, plan.steps().size());
    when(datanodes.get(1).getXceiverCount()).thenReturn(2);
    when(cycle.isResting(uuid(2), NOW_MS)).thenReturn(true);
    looks(datanodes.get(3), Look.NEEDED);
    when(datanodes.get(4).isInService()).thenReturn(false);
    when(datanodes.get(5).getRemaining()).thenReturn(TAU_S);
    parts.put(datanodes.get(6), new RolesView.Part(ServerRole.COLD, false, null));
    doThrow(new IOException("full")).when(cycle).toSleep(eq(datanodes.get(7)), any(), eq(NOW_MS));
    parts.put(datanodes.get(8), new RolesView.Part(ServerRole.STANDBY, false, null));
    DatanodeDescriptor gone = datanodes.remove(9);
    assertEquals(
        Map.of(
            uuid(1), StayReason.BUSY,
            uuid(2), StayReason.RESTING,
            uuid(3), StayReason.NEEDED,
            uuid(4), StayReason.OUT_OF_SERVICE,
            uuid(5), StayReason.CHANGED_MEANWHILE,
            uuid(6), StayReason.CHANGED_MEANWHILE,
            uuid(7), StayReason.FAILED,
            uuid(8), StayReason.CHANGED_MEANWHILE,
            gone.getDatanodeUuid(), StayReason.GONE),
        apply(plan));
    verifyRoles(List.of(7), List.of(10));
    verify(cycle).rest(uuid(3), NOW_MS + 5 * INTERVAL_MS);
  }

  @Test
  void boundsHoldForAPlanThatIsCarriedOut() throws IOException {
    datanode(ServerRole.HOT, 0, false);
    full();
    full();
    asleep(WALL_MS - WEEK, 0);
    PlannedRoles plan = planned(true);
    coldShare = 0.2;
    for (int i = 0; i < VERIFIES_MAX; i++) {
      asleep(WALL_MS - 7, 0);
      SleepingServer verifying = sleepers.get(sleepers.size() - 1);
      verifying.wake(Reason.VERIFY, NOW_MS);
      parts.put(
          datanodes.get(datanodes.size() - 1), new RolesView.Part(ServerRole.STANDBY, false, null));
    }
    for (int i = 0; i < 3; i++) {
      asleep(WALL_MS - 7, 0);
    }
    // Four of the 27 are cold, and five may be.
    assertEquals(
        Map.of(uuid(2), StayReason.COLD_SHARE, uuid(3), StayReason.NEXT_INTERVAL), apply(plan));
    verifyRoles(List.of(1), List.of());
  }

  @Test
  void withoutAHotServerNobodyIsPutToSleepByAPlan() throws IOException {
    DatanodeDescriptor hot = datanode(ServerRole.HOT, 0, false);
    full();
    PlannedRoles plan = planned(true);
    when(hot.isAlive()).thenReturn(false);
    assertEquals(Map.of(uuid(1), StayReason.NO_HOT_SERVER), apply(plan));
    assertEquals(Map.of(uuid(1), StayReason.SWITCHED_OFF), plan.none(StayReason.SWITCHED_OFF));
    verifyRoles(List.of(), List.of());
  }
}
