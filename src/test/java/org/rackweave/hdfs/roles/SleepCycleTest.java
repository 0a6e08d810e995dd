package org.rackweave.hdfs.roles;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.eq;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeManager;
import org.apache.hadoop.hdfs.server.blockmanagement.HostConfigManager;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.rackweave.hdfs.ConfigKeys;
import org.rackweave.hdfs.RackweaveConfig;
import org.rackweave.hdfs.RolesConfig;
import org.rackweave.hdfs.roles.PowerHook.Order;
import org.rackweave.hdfs.roles.PowerHook.Outcome;
import org.rackweave.hdfs.roles.SleepingServer.Phase;
import org.rackweave.hdfs.roles.SleepingServer.Reason;
import org.rackweave.history.EventLog;

/** A cold server's steps, with a clock of the test's own. */
class SleepCycleTest {
  private static final long POWER_MS = 2000;
  private static final long WAKE_MS = 60_000;
  private static final long AWAKE_MS = 600_000;
  private static final String UUID = "uuid-1";

  private final DatanodeManager datanodes = mock(DatanodeManager.class);
  private final SleepLookup lookup = mock(SleepLookup.class);
  private final RoleStore store = mock(RoleStore.class);
  private final SleepingHosts hosts = mock(SleepingHosts.class);
  private final PowerHook power = mock(PowerHook.class);
  private final MachineUse machines = mock(MachineUse.class);
  private final DatanodeDescriptor server = mock(DatanodeDescriptor.class);
  private final DatanodeDescriptor other = mock(DatanodeDescriptor.class);
  private final SleepCounts counts = new SleepCounts();
  private final SleepCycle cycle = cycle("named");

  private CompletableFuture<Outcome> sleep = new CompletableFuture<>();

  private SleepCycle cycle(String choice) {
    RolesConfig config = config(choice);
    return new SleepCycle(
        () -> config,
        new SleepCycle.Tools(
            datanodes, lookup, store, hosts, power, machines, new EventLog(() -> 0, () -> 0)),
        counts);
  }

  private static RolesConfig config(String choice) {
    Configuration conf = new Configuration(false);
    conf.set(ConfigKeys.EAFR_ROLES, choice);
    conf.set("dfs.namenode.hosts.provider.classname", RolesConfig.HOSTS_PROVIDER);
    conf.set(
        "dfs.block.replicator.classname",
        "org.apache.hadoop.hdfs.server.blockmanagement.EafrBlockPlacementPolicy");
    conf.set(ConfigKeys.EAFR_POWER_TIMEOUT, POWER_MS + "ms");
    conf.set(ConfigKeys.EAFR_WAKE_TIMEOUT, WAKE_MS + "ms");
    conf.set(ConfigKeys.EAFR_SLEEP_SETTLE, "0");
    conf.set(ConfigKeys.EAFR_AWAKE_MIN, AWAKE_MS + "ms");
    return RackweaveConfig.from(conf).eafr().roles();
  }

  @BeforeEach
  void aServerInMaintenance() throws IOException {
    when(hosts.operators()).thenReturn(mock(HostConfigManager.class));
    when(hosts.operators().isIncluded(any())).thenReturn(true);
    when(machines.hindrances(any())).thenReturn(datanode -> null);
    when(datanodes.getDatanode(UUID)).thenReturn(server);
    when(datanodes.getDatanodes()).thenReturn(Set.of(server, other));
    when(server.getDatanodeUuid()).thenReturn(UUID);
    when(server.getHostName()).thenReturn("h1");
    when(server.getIpAddr()).thenReturn("10.0.0.1");
    when(server.isAlive()).thenReturn(true);
    when(server.isInMaintenance()).thenReturn(true);
    when(server.checkBlockReportReceived()).thenReturn(true);
    when(other.isAlive()).thenReturn(true);
    when(other.isInService()).thenReturn(true);
    when(power.isThere()).thenReturn(true);
    when(power.begin(eq(Order.SLEEP), any())).thenAnswer(call -> sleep);
    when(power.begin(eq(Order.WAKE), any()))
        .thenAnswer(call -> CompletableFuture.completedFuture(Outcome.DONE));
    cycle.toSleep(server, "full", 1);
  }

  private SleepingServer sleeper() {
    return cycle.sleeper(UUID);
  }

  /** What the server does, and what is done about it, at a time. */
  private void at(long nowMs, boolean isHeardOf) {
    if (isHeardOf) {
      when(server.getLastUpdateMonotonic()).thenReturn(nowMs);
    }
    when(lookup.isStale(server)).thenReturn(!isHeardOf);
    cycle.goOn(true, nowMs);
  }

  private void verifyOrders(Order order, int count) {
    verify(power, times(count)).begin(eq(order), any());
  }

  private void switchOff(long nowMs) {
    at(nowMs, true);
    at(nowMs, true);
    assertEquals(Phase.SWITCHING_OFF, sleeper().phase());
    verifyOrders(Order.SLEEP, 1);
  }

  @Test
  void aServerThatIsWokenWhileItIsToldToSleepIsBackWhenItCannotGoOffAnyMore() throws IOException {
    switchOff(10);
    cycle.wake(sleeper(), Reason.OPERATOR, 20);
    assertTrue(sleep.isCancelled(), "the order to sleep goes on");
    at(30, true);
    at(40, true);
    verify(store, never()).removeCold(any());
    at(30 + POWER_MS, true);
    verify(store).removeCold(any());
    assertNull(sleeper());
  }

  @Test
  void aServerThatGoesOffAfterItWasWokenIsWokenAgain() throws IOException {
    switchOff(10);
    cycle.wake(sleeper(), Reason.OPERATOR, 20);
    at(30, true);
    verifyOrders(Order.WAKE, 1);
    at(30 + WAKE_MS / 5, false);
    verifyOrders(Order.WAKE, 2);
    verify(store, never()).removeCold(any());
    // It starts, and reports.
    when(server.getLastBlockReportMonotonic()).thenReturn(30 + WAKE_MS / 4);
    at(40 + WAKE_MS / 4, true);
    at(50 + WAKE_MS / 4, true);
    verify(store).removeCold(any());
  }

  @Test
  void aServerThatWasNeverToldToSleepIsBackAtOnce() throws IOException {
    cycle.wake(sleeper(), Reason.OPERATOR, 20);
    at(30, true);
    at(40, true);
    verify(store).removeCold(any());
  }

  @Test
  void withoutAPowerCommandNobodyGoesOff() throws IOException {
    when(power.isThere()).thenReturn(false);
    switchOff(10);
    cycle.wake(sleeper(), Reason.OPERATOR, 20);
    at(30, true);
    at(40, true);
    verify(store).removeCold(any());
  }

  @Test
  void aNameNodeThatTakesOverDoesNotKnowWhetherAServerWasToldToSleep() throws IOException {
    RoleRecords records = new RoleRecords(Map.of(UUID, ColdServer.of(server, 1)), Set.of());
    when(store.read()).thenReturn(records);
    cycle.begin(10);
    cycle.wake(sleeper(), Reason.OPERATOR, 20);
    at(30, true);
    at(40, true);
    verify(store, never()).removeCold(any());
    when(server.getLastBlockReportMonotonic()).thenReturn(50L);
    at(60, true);
    verify(store, never()).removeCold(any()); // it may have been on all the time
    at(70, false);
    at(80, true);
    verify(store, never()).removeCold(any());
    when(server.getLastBlockReportMonotonic()).thenReturn(90L);
    at(90, true);
    verify(store).removeCold(any());
  }

  @Test
  void nobodyIsSwitchedOffWhileAnotherServerIsSilent() {
    at(10, true);
    when(lookup.isStale(other)).thenReturn(true);
    at(20, true);
    assertEquals(Phase.SETTLING, sleeper().phase());
    verifyOrders(Order.SLEEP, 0);
    when(lookup.isStale(other)).thenReturn(false);
    at(30, true);
    assertEquals(Phase.SWITCHING_OFF, sleeper().phase());
  }

  @Test
  void aSilentServerThatIsDeadOrOutOfServiceHoldsNobodyUp() {
    when(lookup.isStale(other)).thenReturn(true);
    when(other.isInService()).thenReturn(false);
    switchOff(10);
  }

  @Test
  void aServerThatIsInUseForTooLongStaysAwake() {
    at(10, true);
    when(server.getXceiverCount()).thenReturn(2);
    at(20, true);
    assertEquals(Phase.SETTLING, sleeper().phase());
    at(10 + WAKE_MS, true);
    assertEquals(Reason.NO_SLEEP, sleeper().reason());
    assertFalse(sleeper().isSentToSleep());
    verifyOrders(Order.SLEEP, 0);
  }

  @Test
  void aServerThatAFailureHasWokenIsHotAsLongAsItHasToStayAwake() throws IOException {
    cycle.wake(sleeper(), Reason.FAILURE, 20);
    at(30, true);
    assertFalse(cycle.isHot(UUID), "it is not back yet");
    at(40, true);
    verify(store).removeCold(any());
    verify(store, never()).removeStandby(any());
    assertTrue(cycle.isHot(UUID));
    cycle.forgetRested(40 + AWAKE_MS - 1);
    assertTrue(cycle.isHot(UUID));
    cycle.forgetRested(40 + AWAKE_MS);
    assertFalse(cycle.isHot(UUID));
  }

  @Test
  void aServerThatWasWokenForAnotherReasonIsNotHot() {
    cycle.wake(sleeper(), Reason.OPERATOR, 20);
    at(30, true);
    at(40, true);
    assertNull(sleeper());
    assertTrue(cycle.isResting(UUID, 50));
    assertFalse(cycle.isHot(UUID));
  }

  /** Another one is drawn in its place. */
  @Test
  void aDrawnServerThatAFailureHasWokenIsStandbyNoMore() throws IOException {
    SleepCycle drawn = cycle("drawn");
    drawn.toSleep(server, "full", 1);
    drawn.wake(drawn.sleeper(UUID), Reason.FAILURE, 20);
    drawn.goOn(true, 30);
    verify(store, never()).removeStandby(any());
    when(server.getLastUpdateMonotonic()).thenReturn(40L);
    drawn.goOn(true, 40);
    assertNull(drawn.sleeper(UUID));
    verify(store).removeStandby(UUID);

    drawn.toSleep(server, "full", 50);
    drawn.wake(drawn.sleeper(UUID), Reason.OPERATOR, 60);
    drawn.goOn(true, 70);
    when(server.getLastUpdateMonotonic()).thenReturn(80L);
    drawn.goOn(true, 80);
    assertNull(drawn.sleeper(UUID));
    verify(store, times(1)).removeStandby(UUID);
  }

  @Test
  void whoIsToBeInMaintenanceIsTurnedBack() {
    cycle.keepAwake(5);
    assertEquals(Phase.WAKING, sleeper().phase(), "in maintenance soon");
    assertEquals(Reason.OPERATOR, sleeper().reason());
    at(10, true);
    at(20, true);
    assertNull(sleeper());
    verifyOrders(Order.SLEEP, 0);
  }

  @Test
  void whoIsAboutToBeSwitchedOffIsTurnedBackAndWhoIsOffIsLeft() throws IOException {
    at(10, true);
    assertEquals(Phase.SETTLING, sleeper().phase());
    cycle.keepAwake(15);
    assertEquals(Phase.WAKING, sleeper().phase());
    at(20, true);
    at(30, true);
    assertNull(sleeper());
    verifyOrders(Order.SLEEP, 0);

    cycle.toSleep(server, "full", 40);
    switchOff(50);
    cycle.keepAwake(55);
    assertEquals(Phase.SWITCHING_OFF, sleeper().phase());
    sleep.complete(Outcome.DONE);
    at(60, false);
    cycle.keepAwake(65);
    assertEquals(Phase.ASLEEP, sleeper().phase());
  }
}
